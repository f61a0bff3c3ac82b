"""Python 2: recognised, never converted."""

from __future__ import annotations

import re

from verifier.extract.repair.check import compiles

_LONGEST = 20_000
_PRINT = re.compile(r"^([ \t]*|[^\n'\"]{0,200}:[ \t]*)print[ \t]+(?![=(.,\[])([^\n#]*?)[ \t]*(?=$|#)", re.MULTILINE)
_PRINT_CALL = re.compile(r"^([ \t]*)print[ \t]*(\(.*\)[ \t]*[%,+].*)$", re.MULTILINE)
_BARE_PRINT = re.compile(r"^([ \t]*)print[ \t]*(>>[^\n]*)$", re.MULTILINE)
_REST = (
    (re.compile(r"\bexcept[ \t]+([\w.]+)[ \t]*,[ \t]*(\w+)[ \t]*:"), r"except \1 as \2:"),
    (re.compile(r"^([ \t]*)exec[ \t]+([^\n(][^\n]*)$", re.MULTILINE), r"\1exec(\2)"),
    (re.compile(r"\braise[ \t]+([\w.]+)[ \t]*,[ \t]*([^\n]+)"), r"raise \1(\2)"),
    (re.compile(r"(?<=[\w)\]])[ \t]*<>[ \t]*"), " != "),
    (re.compile(r"\b([uU][rR])(?=['\"])"), "r"),
    (re.compile(r"\b0([0-7]+)\b"), r"0o\1"),
    (re.compile(r"\b(\d+)L\b"), r"\1"),
)


def is_python2(code: str) -> bool:
    """Whether code that does not compile would, if its Python 2 statements were written in Python 3."""
    if len(code) > _LONGEST:
        return False
    changed = _PRINT.sub(r"\1print(\2)", _PRINT_CALL.sub(r"\1print(\2)", _BARE_PRINT.sub(r"\1print(0)", code)))
    for pattern, replacement in _REST:
        changed = pattern.sub(replacement, changed)
    return changed != code and compiles(changed)
