"""A place where code may stand, before it is known what it holds."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.model import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A candidate: `span` with its delimiters, `body` without. `sure`: a delimiter marks it, so it is no prose."""

    span: Span
    body: Span
    shape: str
    language: str = ""
    sure: bool = True


def trimmed(text: str, start: int, end: int) -> Span:
    """The range without blank lines at its start and blanks at its end; the first line keeps its indent."""
    while end > start and text[end - 1].isspace():
        end -= 1
    at = start
    while at < end and text[at].isspace():
        if text[at] == "\n":
            start = at + 1
        at += 1
    return Span(start=start, end=max(start, end))


def gaps(span: Span, taken: list[Span]) -> list[Span]:
    """What is left of `span` without `taken` (sorted, not overlapping)."""
    left, at = [], span.start
    for other in taken:
        if other.start > at:
            left.append(Span(start=at, end=min(other.start, span.end)))
        at = max(at, other.end)
    if at < span.end:
        left.append(Span(start=at, end=span.end))
    return left
