"""Hides how overlapping spans are marked in a text: cut into segments that each lead to one claim.

A snippet holds calls, a sentence holds names, two claims may share half a line. HTML elements must nest, so the
text is cut wherever a span begins or ends, and each segment leads to the narrowest claim over it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

from verifier.model import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A span to be marked. `block`: it is a piece of code that may hold other marks, and gets a ground of its own."""

    span: Span
    style: str
    anchor: str = ""
    title: str = ""
    symbol: str = ""
    block: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A piece of text with the narrowest mark over it. `ground` is the style of the code around it, or empty.

    `symbol` is set on the first segment of a mark only.
    """

    span: Span
    mark: Mark | None
    ground: str
    symbol: str


def segments(length: int, marks: Iterable[Mark], cuts: Iterable[int] = ()) -> Iterator[Segment]:
    """The text of `length` characters in order, cut at the ends of the marks and at `cuts`; without overlap or gap.

    Takes O(n log n) for n marks, however they overlap.
    """
    ordered = sorted((mark for mark in marks if mark.span.start < mark.span.end), key=lambda mark: mark.span)
    bounds = {0, length, *(cut for cut in cuts if 0 < cut < length)}
    for mark in ordered:
        bounds |= {mark.span.start, mark.span.end}
    edges = sorted(bounds)
    active: list[tuple[int, int, Mark]] = []  # narrowest first; marks that have ended leave when they come up
    grounds: Counter[str] = Counter()
    ends: list[tuple[int, str]] = []
    started: set[int] = set()
    following = 0
    for start, end in pairwise(edges):
        while ends and ends[0][0] <= start:
            grounds[heappop(ends)[1]] -= 1
        while following < len(ordered) and ordered[following].span.start == start:
            mark = ordered[following]
            heappush(active, (mark.span.end - mark.span.start, following, mark))
            if mark.block:
                grounds[mark.style] += 1
                heappush(ends, (mark.span.end, mark.style))
            following += 1
        while active and active[0][2].span.end <= start:
            heappop(active)
        index, mark_here = (active[0][1], active[0][2]) if active else (-1, None)
        symbol = mark_here.symbol if mark_here and index not in started else ""
        started.add(index)
        yield Segment(span=Span(start=start, end=end), mark=mark_here, ground=_ground(grounds), symbol=symbol)


def _ground(grounds: Counter[str]) -> str:
    return next((style for style, count in grounds.items() if count > 0), "")
