"""Which library a name belongs to: by its root, by the document's imports, or because the text says so."""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.extract.mentions.defined import Own
from verifier.extract.mentions.words import FOREIGN_ROOTS, LIBRARIES, PRODUCTS, RECEIVERS
from verifier.names import ROOTS

_STANDARD_WORDS = """
os sys re json time math random datetime pathlib collections itertools functools logging argparse
subprocess threading shutil glob pickle typing io string copy enum abc socket urllib csv tempfile
warnings inspect platform signal queue asyncio multiprocessing contextlib dataclasses operator gc
traceback unittest pytest builtins self cls
"""
_STANDARD = frozenset(_STANDARD_WORDS.split())
_KERAS_PARTS_WORDS = """
optimizers losses metrics callbacks models regularizers initializers activations constraints applications
preprocessing datasets backend
"""
_KERAS_PARTS = frozenset(_KERAS_PARTS_WORDS.split())
_SPOKEN = "|".join(sorted((re.escape(name) for name in LIBRARIES), key=len, reverse=True))
_BEFORE = re.compile(
    rf"(?<![A-Za-z0-9_.])(?:(?P<zh>{_SPOKEN})\s*(?:库|包|框架|模块)?\s*(?:里面|里|中|自带|提供|自己"
    rf"|那边)?\s*(?:的|用|有|叫做?|写|写作|是|才有)\s*[^，。；,;A-Za-z0-9]{{0,6}}[`“\"']?$"
    rf"|(?P<of>{_SPOKEN})['’]s\s+[`“\"']?$|\b(?:in|from|of|with)\s+(?P<en>{_SPOKEN})(?:,"
    rf"|\s+(?:there is|it is|you (?:call|use|write|have)|this is|one (?:calls|uses|writes)|that is"
    rf"|the \w+ is|we (?:call|use|write)))*\s*(?:called\s+|named\s+)?(?:an?\s+|the\s+)?[`“\"']?$)",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"^[`”\"'’]?(?:\s*(?:函数|方法|类|接口|层))?\s*(?:是|属于|来自"
    rf"|出自)\s*(?P<zh>{_SPOKEN})(?![A-Za-z])|^[`”\"'’]?\s+(?:(?:function|method|class|layer"
    rf"|\w+)\s+)?(?:is\s+)?(?:in|from|of|belongs to)\s+(?:the\s+)?(?P<en>{_SPOKEN})(?![A-Za-z]"
    rf"|\.[A-Za-z])"
    rf"|^[`”\"'’]?\s*[（(]\s*(?P<note>{_SPOKEN})\s*[)）]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rooted:
    """A dotted name under its customary root. `known`: the root decides; `standard`: Python's own library.

    respelt  the root was written in another case (`TF.data`), so the reading is not sure
    """

    target: str
    known: bool = False
    standard: bool = False
    elsewhere: str = ""
    respelt: bool = False


def rooted(name: str, own: Own) -> Rooted:
    """`name` under its customary root, by the document's imports first, then by custom."""
    root, dot, rest = name.partition(".")
    if root in own.aliases:
        target = own.aliases[root] + dot + rest
        head = target.partition(".")[0]
        # `keras` stays as the author writes it, whatever it was imported from.
        target = name if root == "keras" else target
        return Rooted(
            target=target,
            known=head in ROOTS or head in FOREIGN_ROOTS,
            standard=head in _STANDARD,
            elsewhere=FOREIGN_ROOTS.get(head, ""),
        )
    if root == "tensorflow":
        return Rooted(target=f"tf{dot}{rest}", known=True)
    if root in ROOTS or root in FOREIGN_ROOTS:
        return Rooted(target=name, known=True, elsewhere=FOREIGN_ROOTS.get(root, ""))
    if root in _STANDARD:
        return Rooted(target=name, standard=True)
    if root in _KERAS_PARTS:
        return Rooted(target=f"keras.{name}", known=True)
    if root in ("TF", "Tf", "TensorFlow", "Tensorflow", "Keras"):
        return Rooted(target=f"{'keras' if root == 'Keras' else 'tf'}{dot}{rest}", known=True, respelt=True)
    return Rooted(target=name)


def is_receiver(root: str, own: Own) -> bool:
    """Whether a root is a customary variable, a variable of the document, or looks like a class."""
    if root in RECEIVERS or root in own.bound:
        return True
    return root[:1].isupper() and any(char.islower() for char in root) and root.lower() not in PRODUCTS


def said_library(before: str, after: str) -> str:
    """The other library that the text itself says a name belongs to, or ""."""
    found = _BEFORE.search(before[-60:]) or _BEHIND.match(after[:60])
    if not found:
        return ""
    spoken = next(value for value in found.groupdict().values() if value)
    return LIBRARIES[spoken.lower()]


def library_of(word: str) -> str:
    """The library that a word names, or ""."""
    return LIBRARIES.get(word.lower(), "")
