"""Ranges of text, and the way back from repaired code to the document."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """A half-open range of character offsets."""

    start: int
    end: int

    def __contains__(self, offset: int) -> bool:
        return self.start <= offset < self.end

    def overlaps(self, other: Span) -> bool:
        """Whether the two ranges share a character."""
        return self.start < other.end and other.start < self.end

    def covers(self, other: Span) -> bool:
        """Whether `other` lies inside this range."""
        return self.start <= other.start and other.end <= self.end

    def of(self, text: str) -> str:
        """The characters of `text` in this range."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of code characters and the document characters that they came from.

    `verbatim`: both ranges have one length and the same characters, so single offsets can be mapped.
    """

    code: Span
    text: Span
    verbatim: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceMap:
    """Where each character of repaired code stands in the document. Pieces are sorted and cover the code."""

    pieces: tuple[Piece, ...] = ()

    def locate(self, span: Span) -> Span:
        """The document range that a range of the code came from; both ends are clamped to the map."""
        if not self.pieces:
            return span
        start = self._offset(span.start, end=False)
        return Span(start=start, end=max(start, self._offset(span.end, end=True)))

    def _offset(self, offset: int, *, end: bool) -> int:
        probe = offset - 1 if end and offset else offset
        index = bisect_right(self.pieces, probe, key=lambda piece: piece.code.start) - 1
        piece = self.pieces[max(index, 0)]
        if piece.verbatim:
            return piece.text.start + min(max(offset - piece.code.start, 0), piece.code.end - piece.code.start)
        return piece.text.end if end else piece.text.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something the reader of a report should know that is not a verdict: an encoding, a limit, a doubt."""

    message: str
    document: str = ""
    span: Span | None = None
