"""Hides how untrusted characters are made harmless: every string of a report passes here before a reader sees it.

Documents, program output, file names and names of speakers are untrusted. Characters that a terminal or a browser
obeys instead of showing (control characters, escape sequences, bidirectional overrides, invisible marks) become
visible escapes. The JSON report alone keeps the truth.
"""

from __future__ import annotations

import re
from unicodedata import category

# Control, format (bidirectional marks, zero-width characters, tags), surrogate, and the two Unicode separators
# that some programs take for line ends.
_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_SUSPECT = re.compile(r"[^\t\n\x20-\x7e\xa0-\xac\xae-\u02ff\u3000-\u9fff\uff01-\uff60]")
_STYLING = re.compile(r"\x1b\[[0-9;]*m")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")

LOG_BYTES = 4096  # of the head, and of the tail, of program output in a report meant for reading


def visible(text: str) -> str:
    """`text` with each character that is obeyed rather than shown as its Python escape; tab and newline stay."""
    return _SUSPECT.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    char = match.group()
    if category(char) not in _OBEYED:
        return char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def flat(text: str) -> str:
    """`text` on one line, harmless: runs of white space become one space."""
    return visible(" ".join(text.split()))


def printed(output: str) -> str:
    """Program output as a terminal would leave it on the screen: no styling, progress bars in their last state."""
    plain = _STYLING.sub("", output).replace("\r\n", "\n")
    lines = (_typed(line.rstrip("\r").rpartition("\r")[2]) for line in plain.split("\n"))
    return visible("\n".join(lines))


def _typed(line: str) -> str:
    """A line after its backspaces; linear in its length."""
    if "\b" not in line:
        return line
    kept: list[str] = []
    for char in line:
        if char != "\b":
            kept.append(char)
        elif kept:
            kept.pop()
    return "".join(kept)


def shortened(output: str, limit: int = LOG_BYTES) -> str:
    """The first and the last `limit` bytes of `output` (in UTF-8), with the number of bytes left out between them."""
    raw = output.encode("utf-8", "backslashreplace")
    if len(raw) <= 2 * limit:
        return output
    head = raw[:limit].decode("utf-8", "ignore")
    tail = raw[-limit:].decode("utf-8", "ignore")
    return f"{head}\n… {len(raw) - 2 * limit} bytes omitted …\n{tail}"


def has_han(text: str) -> bool:
    """Whether `text` holds Chinese characters, so that a page can name its language."""
    return _HAN.search(text) is not None


# What stands for our own ornaments where an encoding lacks them.
_PLAINER = {
    "✔": "+",
    "✖": "x",
    "–": "-",
    "—": "-",
    "…": "...",
    "×": "x",
    "·": "-",
    "→": "->",
    "≥": ">=",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
}


def held(text: str, encoding: str) -> str:
    """`text` with each character that `encoding` cannot hold as a plainer one or as its Python escape."""
    if _fits(text, encoding):
        return text
    return "".join(char if _fits(char, encoding) else _plainer(char, encoding) for char in text)


def _plainer(char: str, encoding: str) -> str:
    plain = _PLAINER.get(char) or char.encode("ascii", "backslashreplace").decode("ascii")
    return plain if _fits(plain, encoding) else "?"


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
