"""What a printed value looks like, and where one ends in running text.

A comment such as `# 3.0` or `# tf.Tensor(12, shape=(), dtype=int32)` is a stated output; `# the result` is not.
"""

from __future__ import annotations

import html
import re

_NUMBER = r"[-+−]?(?:\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf|nan)j?(?![\w%])"
_WORD = r"(?:True|False|None|nan|inf|[-+]inf)(?![A-Za-z0-9_])"
_DTYPE = (
    r"(?:tf\.|np\.)?(?:u?int(?:8|16|32|64)|b?float(?:16|32|64)|bool|string|complex(?:64"
    r"|128))(?![A-Za-z0-9_])"
)
_STRING = r"b?(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|“[^”\n]{0,200}”|‘[^’\n]{0,200}’)"
_ATOM = re.compile(rf"{_NUMBER}|{_WORD}|{_DTYPE}|{_STRING}|\.\.\.|…")
_HEAD = re.compile(
    r"(?:tf\.Tensor|tf\.Variable|tf\.RaggedTensor|tf\.SparseTensor|tf\.TensorShape|TensorShape"
    r"|Tensor|SparseTensor|RaggedTensor|array|ndarray|Dimension"
    r"|np\.(?:array|float(?:16|32|64)|u?int(?:8|16|32|64)|bool_|str_)|dict_keys|dict_values"
    r"|OrderedDict|range|set|frozenset|deque|shape|dtype|Index|tensor)(?=[(（])"
)
_OPEN, _CLOSE = "([{<（［｛", ")]}>）］｝"
_SHAPE = re.compile(
    r"\(\s*(?:(?:\d+|None)\s*,\s*)*(?:\d+|None)?\s*\)|\[\s*(?:(?:\d+|None)\s*,\s*)*(?:\d+"
    r"|None)\s*\]|TensorShape\(.*\)",
    re.DOTALL,
)
_INSIDE = re.compile(
    rf"(?:{_ATOM.pattern}|tf\.Tensor|tf\.Variable|tf\.RaggedTensor|[A-Za-z_][\w./]*\s*[:=]|(?:shape"
    rf"|dtype|numpy|name|class|array|Tensor|TensorShape|device)(?![A-Za-z])|<?dtype:\s|\s"
    rf"|[,，:：=|()\[\]{{}}<>（）［］｛｝])+"
)
_FULL_WIDTH = str.maketrans("（）［］｛｝，：＝．－＋“”‘’−　\u00a0", "()[]{},:=.-+\"\"''-  ")
_LOG = re.compile(
    r"Epoch\s+\d+\s*(?:/|：|:)|\d+(?:ms|us|µs|s)/(?:step|epoch|sample)|\bETA:"
    r"|[━█▏▎▍▌▋▊▉=]{6,}|\bit/s\b|\d{2}:\d{2}:\d{2}|^\s*(?:WARNING|INFO|I0|W0|E0)\b"
    r"|\bloss:\s*\d|\[={3,}|Downloading|\d+%\|",
    re.MULTILINE,
)
_SUMMARY = re.compile(r"^\W*Total params\s*:\s*\d", re.MULTILINE)
_PICTURE = re.compile(r"\s*<Figure size [^<>]*>\s*")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_LONGEST = 4000


def normal(text: str) -> str:
    """A stated value as plain text: entities, curly quotes and full-width punctuation undone, no prompt, no margin."""
    text = html.unescape(text).translate(_FULL_WIDTH)
    text = re.sub(r"^\s*Out\s?\[\d+\]:\s?", "", text)
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    return "\n".join(lines).strip()


def is_log(text: str) -> bool:
    """Whether a text is a training log, a progress bar or holds addresses: nothing that two runs share.

    The summary of a model is none, although its frame looks like a progress bar.
    """
    return not _SUMMARY.search(text) and bool(_LOG.search(text) or _ADDRESS.search(text) or _PICTURE.fullmatch(text))


def lasting(text: str) -> str:
    """A printed text that two runs can share: the text itself, or the values among the lines of a log; else empty."""
    if not is_log(text):
        return text
    kept = "\n".join(line for line in text.splitlines() if line.strip() and not is_log(line))
    return kept if is_value(kept) else ""


def is_value(text: str) -> bool:
    """Whether the whole text is a rendering of values: numbers, literals, arrays, tensors, shapes, dtypes."""
    text = normal(text)
    if not text or len(text) > _LONGEST:
        return False
    at = 0
    while at < len(text):
        end = value_end(text, at)
        if end is None:
            return False
        at = end
        while at < len(text) and text[at] in " \t\n,":
            at += 1
    return True


def is_shape(text: str) -> bool:
    """Whether a value is a shape: a tuple or list of sizes."""
    return bool(_SHAPE.fullmatch(normal(text)))


def value_end(text: str, at: int) -> int | None:
    """End of the one value that starts at `at`, or None when no value starts there. Linear in its length."""
    head = _HEAD.match(text, at)
    start = head.end() if head else at
    if start >= len(text):
        return None
    if text[start] in _OPEN:
        end = _closing(text, start)
        if end is None:
            return None
        inside = text[start + 1 : end - 1]
        if text[start] == "<" and not re.match(r"\s*(?:tf\.|class|dtype|Tensor|KerasTensor|Variable|enum)", inside):
            return None
        return end if head or text[start] == "<" or not inside.strip() or _INSIDE.fullmatch(_unquoted(inside)) else None
    found = _ATOM.match(text, at)
    return found.end() if found else None


def _unquoted(text: str) -> str:
    return re.sub(_STRING, "0", text)


def _closing(text: str, at: int) -> int | None:
    """Offset behind the bracket that closes the one at `at`; strings are skipped, `->` closes nothing."""
    depth = 0
    quote = ""
    for offset in range(at, min(len(text), at + _LONGEST)):
        char = text[offset]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and (offset == at or not text[offset - 1].isalnum() or text[offset - 1] == "b"):
            quote = char
        elif char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= 1
            if depth == 0:
                return offset + 1
    return None


def balanced(text: str) -> bool:
    """Whether every bracket that opens in `text` also closes."""
    return sum(text.count(char) for char in "([{（") <= sum(text.count(char) for char in ")]}）")
