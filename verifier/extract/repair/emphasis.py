r"""What Markdown's emphasis and escapes do to names: `**init**`, `\\_`, and dunders that lost their underscores."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.extract.repair.draft import Edit
from verifier.extract.repair.scan import Kind, Token, scan
from verifier.model import RepairClass

_DUNDERS = (
    "init|call|new|del|repr|str|len|getitem|setitem|iter|next|enter|exit|name|main|file|doc|version|class|dict|all|add|sub|mul|"
    "eq|ne|lt|le|gt|ge|hash|bool|getattr|setattr|module|slots|post_init|init_subclass|build_class|future|package|path|author"
)
_STARRED = re.compile(rf"\*\*({_DUNDERS})\*\*")
# No English words: nobody sets them in bold.
_STARRED_QUOTED = re.compile(r"(?<![\w*/])\*\*(init|getitem|setitem|repr|getattr|setattr|post_init)\*\*(?![\w*/])")
_ESCAPED = re.compile(r"\\(?=[_*\[\]#~`<>(){}+\-.!|&])")
_EATEN = re.compile(
    r"\bdef (init|len|getitem|setitem|repr|iter|enter|exit|new)(?=\s*\(\s*(?:self|cls)\b)"
    r"|\bsuper\([^()\n]*\)\.(init)(?=\()"
)
_MAIN = re.compile(r"\bif\s+(name)\s*==\s*(['\"‘’“”])(main)['\"‘’“”]\s*:")


def emphasis_edits(text: str, tokens: Sequence[Token]) -> list[Edit]:
    """Edits that give special names their underscores back and drop Markdown's backslashes, outside strings."""
    edits: list[Edit] = []
    starred = "Markdown took the underscores for emphasis"
    escaped = "unexpected character after line continuation character"
    for start, end in _outside(text, tokens):
        edits += [
            _edit(*found.span(), f"__{found.group(1)}__", RepairClass.R1, starred)
            for found in _STARRED.finditer(text, start, end)
        ]
        edits += [_edit(*found.span(), "", RepairClass.R1, escaped) for found in _ESCAPED.finditer(text, start, end)]
    return edits


def eaten_edits(text: str) -> list[Edit]:
    """The edits of `dunder_edits` for code that compiles, if the code itself proves that underscores were lost."""
    proved = re.search(r"\bsuper\([^()\n]*\)\.init\(", text) or (
        _MAIN.search(text) and not re.search(r"\bname\s*=(?!=)", text)
    )
    return dunder_edits(text) if proved else []


def quoted_edits(text: str) -> list[Edit]:
    """Edits for special names in strings; R2, since a string may hold Markdown (`"**name**"` is left alone)."""
    if not _STARRED_QUOTED.search(text):
        return []
    reason = "Markdown took the underscores for emphasis"
    return [
        Edit(
            start=found.start(),
            end=found.end(),
            after=f"__{found.group(1)}__",
            rule="emphasis",
            klass=RepairClass.R2,
            reason=reason,
            alternatives=(found.group(),),
        )
        for token in scan(text)
        if token.kind is Kind.STRING
        for found in _STARRED_QUOTED.finditer(text, token.inner_start, token.inner_end)
    ]


def dunder_edits(text: str) -> list[Edit]:
    """Edits that turn `def init(self` and `if name == 'main':` into what they must have been."""
    edits = []
    if re.search(r"\bdef init\s*\(\s*self\b", text):
        reason = "a method of this name is called by nobody: its underscores were taken for emphasis"
        edits += [
            _edit(*found.span(found.lastindex), f"__{found.group(found.lastindex)}__", RepairClass.R2, reason)
            for found in _EATEN.finditer(text)
            if found.lastindex
        ]
    reason = "the underscores of the main guard were taken for emphasis"
    for found in _MAIN.finditer(text):
        edits += [_edit(*found.span(group), f"__{found.group(group)}__", RepairClass.R2, reason) for group in (1, 3)]
    return edits


def _edit(start: int, end: int, after: str, klass: RepairClass, reason: str) -> Edit:
    return Edit(start=start, end=end, after=after, rule="emphasis" if after else "escape", klass=klass, reason=reason)


def _outside(text: str, tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """The stretches of text that are neither strings nor comments."""
    stretches, at = [], 0
    for token in tokens:
        if token.kind in {Kind.STRING, Kind.COMMENT}:
            stretches.append((at, token.start))
            at = token.end
    return [*stretches, (at, len(text))]
