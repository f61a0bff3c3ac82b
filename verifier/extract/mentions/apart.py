"""Dotted words that look like names and are none: files, sites, abbreviations, products, patterns, other languages.

Known roots are tested before: `tf.keras` ends like a file and `tf.io` like a site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.model import Span

_FILES_WORDS = """
py pyc pyx ipynb h5 hdf5 keras csv tsv txt json jsonl pb pbtxt tflite md rst yaml yml zip gz tgz tar bz2
xz 7z rar png jpg jpeg gif bmp svg npz npy pkl pickle ckpt onnx sh bat ps1 cfg ini conf log html htm pdf
so dll whl proto tfrecord tfrecords mp4 wav mp3 avi mov exe toml lock bin dat xml doc docx xls xlsx ppt
pptx parquet feather avro joblib pt pth safetensors cc cpp cu java js ts go rs c h swift kt gradle r rb
php lua db sqlite sql env pem key crt app vue jsx tsx css out err bak tmp
"""
_FILES = frozenset(_FILES_WORDS.split())
_SITES_WORDS = "org com io ai cn net dev edu gov ml my ly me co uk de jp fr tv cc info wiki site xyz tech"
_SITES = frozenset(_SITES_WORDS.split())
_ABBREVIATIONS_WORDS = """
i.e e.g w.r.t et.al u.s u.k a.k.a p.s vs.the a.m p.m ph.d b.sc m.sc etc.the i.i.d c.f n.b d.c inc.the
approx.the no.of
"""
_ABBREVIATIONS = frozenset(_ABBREVIATIONS_WORDS.split())
_PRODUCTS: dict[str, tuple[str, str]] = {
    "tf.Example": ("proto", "a protocol buffer message, exported as tf.train.Example"),
    "tf.SequenceExample": ("proto", "a protocol buffer message, exported as tf.train.SequenceExample"),
    "tf.Transform": ("product", "TensorFlow Transform, a product of its own"),
    "tf.Keras": ("product", "the product Keras, not a name in the library"),
    "tf.Lite": ("product", "the product TensorFlow Lite, not a name in the library"),
    "tf.Text": ("product", "the product TensorFlow Text, not a name in the library"),
    "tf.js": ("product", "TensorFlow.js, a JavaScript library"),
    "TF.js": ("product", "TensorFlow.js, a JavaScript library"),
    "TensorFlow.js": ("product", "a JavaScript library"),
    "Tensorflow.js": ("product", "a JavaScript library"),
    "tensorflow.js": ("product", "a JavaScript library"),
    "tensorflow.org": ("site", "a site"),
    "TensorFlow.org": ("site", "a site"),
    "keras.io": ("site", "a site"),
    "Keras.io": ("site", "a site"),
    "TensorBoard.dev": ("site", "a site"),
}
_METASYNTACTIC = re.compile(r"^(?:x{2,}|X{1,}|Xxx+|yyy|YYY|abc|ABC|someth?ing|some_\w+|your_\w+|my_\w+)$")
# What follows a name that is only the head of a pattern: `tf.*`, `tf.keras.layers.<name>`.
# Emphasis and line breaks open none.
_OPEN = re.compile(r"\.?\*(?!\*)|\.[<{]|_\*|\[\.\.\.")
_MARKUP = re.compile(r"\.<(?:br|/)|\*$|\*[\s，。,.]")
_JAVASCRIPT = re.compile(
    r"TensorFlow\.js|tfjs|JavaScript|TypeScript|Node\.?js|浏览器|\bnpm\b|\bbrowser\b", re.IGNORECASE
)
_CAMEL_BACK = re.compile(r"^[a-z]+[A-Z]")
_PLAIN = re.compile(
    r"(?P<environment>(?<![A-Za-z0-9_])(?:TF|CUDA|XLA|KERAS|NVIDIA|PYTHON|OMP|MKL|NCCL|LD|TPU"
    r"|HOROVOD)(?:_[A-Z0-9]+)+(?![A-Za-z0-9_]))"
    r"|(?P<shell>(?<![A-Za-z0-9_])(?:pip3?|conda|apt(?:-get)?|brew|docker|npm)\s+(?:install|pull"
    r"|run|uninstall)\s+[A-Za-z0-9_.=<>~!\-\[\]/:]+)"
    r"|(?P<language>(?<![A-Za-z0-9_])(?:tensorflow|tf|std)::[A-Za-z0-9_:]+)"
)
_REASONS = {
    "environment": ("environment-variable", "an environment variable, not a name in the library"),
    "shell": ("shell", "a command of the shell"),
    "language": ("other-language", "a C++ name"),
}


def apart(name: str, following: str, sentence: str, *, known: bool) -> tuple[str, str] | None:
    """What a dotted word is when it is no name of a Python library: kind and reason, or None.

    `following` are the characters right behind it; `known`: its first component is a known root or receiver.
    """
    if name in _PRODUCTS:
        return _PRODUCTS[name]
    leaf = name.rpartition(".")[2]
    if _METASYNTACTIC.match(leaf) or (_OPEN.match(following) and not _MARKUP.match(following)):
        return "pattern", "a pattern that stands for many names"
    if known:
        javascript = _CAMEL_BACK.match(leaf) and _JAVASCRIPT.search(sentence)
        return ("other-language", "a JavaScript name") if javascript else None
    return _unknown(name, leaf)


def _unknown(name: str, leaf: str) -> tuple[str, str] | None:
    """What a dotted word with an unknown first component is."""
    first = name.partition(".")[0]
    if first in ("org", "com", "io") and name.count(".") > 1:
        return "other-language", "a Java package"
    if name.lower() in _ABBREVIATIONS or all(len(part) == 1 for part in name.split(".")):
        return "abbreviation", "an abbreviation"
    if leaf.lower() in _FILES and leaf not in ("env", "key", "out"):
        return "file", "a file name"
    if leaf.lower() in _SITES:
        return "site", "a site"
    return None


def plain_things(text: str) -> Iterator[tuple[Span, str, str]]:
    """Things without a dot that look like code and are no API: span, kind, reason."""
    for found in _PLAIN.finditer(text):
        kind, reason = _REASONS[str(found.lastgroup)]
        yield Span(start=found.start(), end=found.end()), kind, reason
