"""How the name of a document is shown: one line, safe to print, the same on every system."""

from __future__ import annotations

from pathlib import PurePath
from unicodedata import category

STDIN = "<stdin>"


def shown(path: str) -> str:
    """The path in POSIX form, with characters that do not print (line ends, escapes, broken bytes) escaped."""
    if path == "-":
        return STDIN
    return "".join(_safe(char) for char in PurePath(path).as_posix()) if path else ""


def _safe(char: str) -> str:
    if char.isprintable() or category(char) == "Zs":
        return char
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
