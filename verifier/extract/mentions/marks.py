"""Which code marks (backticks) of a paragraph can be trusted.

Publishing shifts or drops backticks. A paragraph with an odd number of them, or whose marks hold running text,
tells nothing by its pairs; a single backtick beside a name is still a hint.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from verifier.model import Span

_RUN = re.compile(r"`+")
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_RUNNING_TEXT = re.compile(
    r"[，。；！？]"
    r"|[\u4e00-\u9fff][^\"'“”‘’#]*[\u4e00-\u9fff][^\"'“”‘’#]*[\u4e00-\u9fff]{2}"
)
_LONGEST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """Contents of trusted code spans (sorted) and the offsets of backticks that pair with nothing."""

    spans: tuple[Span, ...]
    stray: frozenset[int]

    def around(self, span: Span) -> Span | None:
        """The trusted code span that holds `span`, if there is one."""
        index = bisect_right(self.spans, span.start, key=lambda mark: mark.start) - 1
        return self.spans[index] if index >= 0 and self.spans[index].covers(span) else None

    def beside(self, span: Span) -> bool:
        """Whether a stray backtick touches `span`."""
        return span.start - 1 in self.stray or span.end in self.stray


def marks_of(text: str) -> Marks:
    """The code marks of `text`, decided paragraph by paragraph."""
    spans: list[Span] = []
    stray: set[int] = set()
    start = 0
    for end in (*(found.start() for found in _PARAGRAPH.finditer(text)), len(text)):
        runs = [(found.start(), found.end()) for found in _RUN.finditer(text, start, end)]
        pairs = _pairs(text, runs)
        if pairs is None:
            stray.update(offset for first, last in runs for offset in (first, last - 1))
        else:
            spans.extend(pairs)
        start = end
    return Marks(spans=tuple(spans), stray=frozenset(stray))


def _pairs(text: str, runs: list[tuple[int, int]]) -> list[Span] | None:
    pairs: list[Span] = []
    index = 0
    while index < len(runs):
        if index + 1 == len(runs):
            return None
        (first, inside), (outside, last) = runs[index], runs[index + 1]
        if inside - first != last - outside or not _plausible(text, inside, outside):
            return None
        pairs.append(Span(start=inside, end=outside))
        index += 2
    return pairs


def _plausible(text: str, start: int, end: int) -> bool:
    if not 0 < end - start <= _LONGEST:
        return False
    content = text[start:end]
    if content.startswith(" ") and content.endswith(" ") and content.strip().count(" ") > 1:
        return False
    return not _RUNNING_TEXT.search(content)
