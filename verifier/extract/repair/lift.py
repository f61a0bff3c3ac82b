"""What stands in front of every line of a block and is no part of the code.

A common indent, quote marks, prompts, line numbers, diff marks; and the captions of copy buttons.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from verifier.extract.repair.check import compiles
from verifier.extract.repair.draft import Draft, Edit
from verifier.model import RepairClass, Span

_LINE = re.compile(r"[^\n]*\n?")
_BUTTON = re.compile(
    r"^[ \t]*(?:(?:[Pp]ython[ \t]*)?(?:复制代码|复制|拷贝代码|登录后复制)|代码解读|收起|运行|[Pp]ython"
    r"|Copy code|Copy|Copied!?|Copy to clipboard)[ \t]*$"
)
PROMPT = re.compile(r"[ \t]*(?:>>>|&(?:amp;)*gt;&(?:amp;)*gt;&(?:amp;)*gt;)(?: |$|(?=\S))")
MORE = re.compile(r"[ \t]*(?:\.\.\.(?: |$)|…(?: |$))")
IN = re.compile(r"[ \t]*In[ \t]*\[[\d* ]*\][ \t]*:[ \t]?")
IN_MORE = re.compile(r"[ \t]*\.{3,}:[ \t]?")
OUT = re.compile(r"[ \t]*Out[ \t]*\[\d*\][ \t]*:[ \t]?")
_NUMBER = re.compile(r"([ \t]*)(\d{1,5})([ \t]*[|│:：.](?=[ \t]|$)[ \t]?|[ \t]*)(?=\D|$)")
_QUOTE = re.compile(r"[ \t]{0,3}>[ ]?")
_HUNK = re.compile(r"^@@ .* @@|^diff --git |^\+\+\+ |^--- ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifted:
    """The draft without its prefixes; `outputs` are the document spans of the outputs of a prompt session."""

    draft: Draft
    interactive: bool = False
    outputs: tuple[Span, ...] = ()


def lift(draft: Draft) -> Lifted:
    """Take away what stands in front of the lines, where all lines agree on it."""
    draft = _buttons(_quoted(draft))
    if _is_session(draft.text):
        return _session(draft)
    return Lifted(draft=dedent(_diff(_numbers(draft))))


def _lines(text: str) -> list[tuple[int, str]]:
    return [(found.start(), found.group()) for found in _LINE.finditer(text) if found.group()]


def _quoted(draft: Draft) -> Draft:
    lines = _lines(draft.text)
    full = [(at, line) for at, line in lines if line.strip()]
    if not full or not all(_QUOTE.match(line) for _, line in full) or any(PROMPT.match(line) for _, line in full):
        return draft
    edits = []
    for at, line in full:
        found = _QUOTE.match(line)
        edits.append(Edit(start=at, end=at + (found.end() if found else 0), after=""))
    return draft.apply(edits)


def _buttons(draft: Draft) -> Draft:
    """Drop the caption of a copy button on the first or last line."""
    lines = [(at, line) for at, line in _lines(draft.text) if line.strip()]
    edits = []
    for at, line in dict.fromkeys([*lines[:2], *lines[-1:]]):
        if _BUTTON.match(line.rstrip("\n")) and len(lines) > 1:
            reason = "the caption of a button of the page"
            edits.append(
                Edit(start=at, end=at + len(line), after="", rule="button", klass=RepairClass.R1, reason=reason)
            )
    return draft.apply(edits)


def _numbers(draft: Draft) -> Draft:
    """Drop a gutter of line numbers that counts up by one."""
    lines = [(at, line) for at, line in _lines(draft.text) if line.strip()]
    found = [match for _, line in lines if (match := _NUMBER.match(line))]
    if len(lines) < 2 or len(found) < len(lines):
        return draft
    counts = [int(match.group(2)) for match in found]
    steps = [after - before for before, after in pairwise(counts)]
    if not all(1 <= step <= 3 for step in steps) or steps.count(1) * 2 < len(steps):
        return draft
    full = [match for match in found if match.string[match.end() :].strip()]
    if not full or all(match.string[match.end()] in ".,*+-/)]}eE%" for match in full):
        return draft
    klass = RepairClass.R1 if set(steps) == {1} else RepairClass.R2
    reason = f"a gutter of line numbers from {counts[0]} to {counts[-1]}"
    tried = []
    for widths in _gutters(found, full):
        edits = [
            Edit(start=at, end=at + width, after="", rule="line-number", klass=klass, reason=reason)
            for (at, _), width in zip(lines, widths, strict=True)
        ]
        tried.append(draft.apply(edits))
    return next((one for one in tried if compiles(one.text)), tried[0])


def _gutters(found: list[re.Match[str]], full: list[re.Match[str]]) -> list[list[int]]:
    """Two readings of a gutter: the numbers and a separator of one width, or a column of one width."""
    separator = min(len(match.group(3)) for match in full)
    column = min(match.end() for match in full)
    return [
        [min(match.end(2) + separator, match.end()) for match in found],
        [max(match.end(2), min(column, match.end())) for match in found],
    ]


def _diff(draft: Draft) -> Draft:
    """Keep what a diff adds: `+` marks and context lines stay, removed lines and hunk heads go."""
    lines = [(at, line) for at, line in _lines(draft.text) if line.strip()]
    marked = [line[0] in "+-" for _, line in lines]
    hunk = any(_HUNK.match(line) for _, line in lines)
    if not lines or not (hunk or (all(line[0] == "+" for _, line in lines) and len(lines) > 1)) or not any(marked):
        return draft
    edits = []
    for at, line in lines:
        gone = bool(_HUNK.match(line)) or line[0] == "-"
        if gone or line[0] in "+ ":
            end = at + len(line) if gone else at + 1
            edits.append(
                Edit(start=at, end=end, after="", rule="diff-mark", klass=RepairClass.R1, reason="a mark of a diff")
            )
    return draft.apply(edits)


def dedent(draft: Draft) -> Draft:
    """Drop the indent that all lines share; a first line that begins behind the indent counts as having it."""
    lines = [(at, line) for at, line in _lines(draft.text) if line.strip()]
    if not lines:
        return draft
    common = _indent(lines[0][1])
    for _, line in lines[1:]:
        mine = _indent(line)
        size = min(len(common), len(mine))
        common = common[: next((i for i in range(size) if common[i] != mine[i]), size)]
    if not common:
        return draft
    return draft.apply([Edit(start=at, end=at + len(common), after="") for at, _ in lines])


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\u3000\u00a0"))]


def _is_session(text: str) -> bool:
    first = next((line for _, line in _lines(text) if line.strip()), "")
    return bool(PROMPT.match(first) or IN.match(first))


def _session(draft: Draft) -> Lifted:
    """Keep what was typed, drop prompts and what the interpreter answered."""
    edits: list[Edit] = []
    outputs: list[tuple[int, int]] = []
    typed = False
    for at, line in _lines(draft.text):
        prompt = PROMPT.match(line) or IN.match(line)
        more = (MORE.match(line) or IN_MORE.match(line)) if typed and not prompt else None
        found = prompt or more
        if found:
            typed = True
            edits.append(Edit(start=at, end=at + found.end(), after=""))
            continue
        if not line.strip():
            continue
        out = OUT.match(line)
        start = at + (out.end() if out else 0)
        end = at + len(line.rstrip())
        if not typed and outputs and not out:
            outputs[-1] = (outputs[-1][0], end)
        elif start < end:
            outputs.append((start, end))
        typed = False
        edits.append(Edit(start=at, end=at + len(line), after=""))
    spans = tuple(Span(start=draft.place(start, end)[0], end=draft.place(start, end)[1]) for start, end in outputs)
    return Lifted(draft=draft.apply(edits), interactive=True, outputs=spans)
