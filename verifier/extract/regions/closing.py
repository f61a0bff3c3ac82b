"""Where a marked block ends: the mark that closes it, or, without one, its last line of code."""

from __future__ import annotations

import re

from verifier.extract.repair.comments import HAN, is_prose
from verifier.extract.repair.scan import plain

# What may be left of a closing mark after a typographer: a lone quote, two, ticks and quotes mixed.
_REMAINS = re.compile(
    r"(?<![^\s)\]}])(?:[“”‘’\"]{1,2}`{1,2}|`{1,3}[“”]?|[“”\"]{1,3}|[‘’']{3})(?=\s|$|[\u3400-\u9fff，。；])"
)
_HEADING = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+\S.*|\*\*[^*\n]+\*\*[:：]?[ \t]*|(?:问题|回答|答|点评|追问|Q|A)\s*\d*\s*[:：.].*)$"
)
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_SENTENCE = re.compile(r"[。！？；]\s*$|[a-z)][.!?:]\s*$")
_LINE = re.compile(r"[^\n]*")
_OPENING_TAG = re.compile(r"[ \t]*[A-Za-z{]")


def closing_mark(
    text: str, start: int, limit: int, *, mark: str, strict: bool, mangled: bool
) -> tuple[int, int] | None:
    """End of the body and end of the closing mark; None when the block is not closed before `limit`.

    strict: the closing mark must stand alone on its line, as CommonMark has it; else prose may follow it.
    """
    if mangled:
        return _remains(text, start, limit) or _same(text, start, limit, mark, strict=False)
    return _same(text, start, limit, mark, strict=strict)


def _same(text: str, start: int, limit: int, mark: str, *, strict: bool) -> tuple[int, int] | None:
    """The next run of the same character that is at least as long; a tag behind it means that a new block opens."""
    pattern = re.compile(rf"{re.escape(mark[0])}{{{min(len(mark), 50)},}}")
    for found in pattern.finditer(text, start, limit):
        line_start = max(text.rfind("\n", 0, found.start()) + 1, start)
        line_end = text.find("\n", found.end(), limit)
        behind = text[found.end() : limit if line_end < 0 else line_end]
        alone = not text[line_start : found.start()].strip(" \t>")
        if alone and _OPENING_TAG.match(behind) and not _closes_before(behind):
            return None
        if strict and not alone:
            continue
        return (line_start if alone else found.start()), found.end()
    return None


def _closes_before(behind: str) -> bool:
    """Whether what stands behind a mark is prose rather than the tag of a new block."""
    return bool(HAN.search(behind)) or len(behind.split()) > 2


def _remains(text: str, start: int, limit: int) -> tuple[int, int] | None:
    depth, at = 0, start
    first: tuple[int, int] | None = None
    for found in _REMAINS.finditer(text, start, limit):
        for char in text[at : found.start()]:
            same = plain(char)
            depth += (same in "([{") - (same in ")]}")
        at = found.start()
        if _is_string(text, found.start(), found.end(), limit):
            continue
        if depth <= 0:
            return found.start(), found.end()
        first = first or (found.start(), found.end())
    return first


def _is_string(text: str, start: int, end: int, limit: int) -> bool:
    """Whether the mark opens or closes a string: content touches it on one side, or an operator stands before it."""
    before = text[max(start - 3, 0) : start].rstrip()
    if before[-1:] in "=(,[{+:（，" and end - start < 3 and "\n" not in text[max(start - 3, 0) : start]:
        return True
    if start and text[start - 1] in ")]}" and end - start == 1:
        # A quote that touches code on its left, such as `)”`, closes the block only at the end of a line.
        return end < limit and text[end] != "\n"
    return False


def last_code_line(text: str, start: int, limit: int) -> int:
    """End of the last line of code of a block that nobody closed: prose or a heading ends it."""
    end, at, first = start, start, True
    while at < limit:
        found = _LINE.match(text, at, limit)
        line = found.group() if found else ""
        stop = at + len(line)
        if line.strip() and not first and _ends_block(line):
            break
        if line.strip():
            end = stop
        first = False
        at = stop + 1
    return end


def _ends_block(line: str) -> bool:
    if _FENCE.match(line):
        return True
    if _HEADING.match(line) and not line.lstrip().startswith("# "):
        return True
    if not is_prose(line):
        return False
    return bool(_SENTENCE.search(line)) or len(HAN.findall(line)) > 25 or len(line.split()) > 9
