"""Which lines of a text are speech, and not the inside of fenced code: only they can hold labels of speakers.

Web publishing loses closing fences. A fence is taken as left open when the labels inside it say so: they go on
with the numbering that is missing outside, or no bare fence ever closes it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifier.documents.labels import Kind
from verifier.documents.markers import Marker, read
from verifier.model import Span

_LINE = re.compile(r"^[^\S\n]*\S[^\n]*", re.MULTILINE)
_FENCE = re.compile(r"[ \t>]{0,12}(?P<mark>`{3,64}|~{3,64})(?P<info>[^`\n]{0,80})$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of speech as offsets, with the marker that it begins with."""

    start: int
    end: int
    marker: Marker | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fence:
    mark: str
    tagged: bool
    doubtful: bool = False

    def closes(self, opened: _Fence) -> bool:
        return not self.tagged and self.mark[0] == opened.mark[0] and len(self.mark) >= len(opened.mark)


def lines(text: str) -> Iterator[tuple[int, int]]:
    """Start and end (without the line end) of every line that is not blank."""
    return (match.span() for match in _LINE.finditer(text))


def speech(text: str, code: Sequence[Span]) -> list[Line]:
    """The lines outside fences and outside the `code` spans (sorted), with their markers; blank ones left out."""
    starts = [span.start for span in code]
    visible = [line for line in lines(text) if not _inside(line[0], code, starts)]
    fences = _fences(text, visible)
    every = [Line(start=start, end=end, marker=read(text, start, end)) for start, end in visible]
    if not fences:
        return every
    outside = _walk(every, fences, numbers=None)
    numbers = {line.marker.number for line in outside if line.marker and line.marker.kind is Kind.QUESTION}
    return _walk(every, fences, numbers=numbers)


def _inside(offset: int, spans: Sequence[Span], starts: Sequence[int]) -> bool:
    index = bisect_right(starts, offset) - 1
    return index >= 0 and offset in spans[index]


def _fences(text: str, visible: Sequence[tuple[int, int]]) -> dict[int, _Fence]:
    found: dict[int, _Fence] = {}
    nearest: dict[str, _Fence] = {}
    closable: set[str] = set()
    for start, end in reversed(visible):
        match = _FENCE.match(text, start, end) if end - start < 160 else None
        if match is None:
            continue
        char = match["mark"][0]
        following = nearest.get(char)
        doubtful = char not in closable or (following is not None and following.tagged)
        fence = _Fence(mark=match["mark"], tagged=bool(match["info"].strip()), doubtful=doubtful)
        found[start] = nearest[char] = fence
        if not fence.tagged:
            closable.add(char)
    return found


def _walk(every: Sequence[Line], fences: dict[int, _Fence], *, numbers: set[int | None] | None) -> list[Line]:
    """The lines outside fences. With `numbers` (those of the questions outside), fences left open are closed."""
    spoken: list[Line] = []
    opened: _Fence | None = None
    last: int | None = None
    for line in every:
        fence, marker = fences.get(line.start), line.marker
        if fence is not None:
            if opened is None:
                opened = fence
            elif fence.closes(opened):
                opened = None
            continue
        if opened is not None:
            if numbers is None or marker is None or not _ends_fence(marker, opened, last, numbers):
                continue
            opened = None
        if marker and marker.kind is Kind.QUESTION and marker.number is not None:
            last = marker.number
        spoken.append(line)
    return spoken


def _ends_fence(marker: Marker, opened: _Fence, last: int | None, numbers: set[int | None]) -> bool:
    if opened.doubtful:
        return marker.telling
    goes_on = last is not None and marker.number == last + 1
    return marker.kind is Kind.QUESTION and goes_on and marker.number not in numbers
