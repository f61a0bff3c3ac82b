"""Edits of a piece of code: stacking later ones on earlier ones, and finding the way there and back.

Hides the arithmetic of positions. An edit's span is always one of the code before any edit.
"""

from __future__ import annotations

from collections.abc import Iterable

from verifier.model import Edit, Span
from verifier.text import patched


def forward(offset: int, edits: Iterable[Edit]) -> int:
    """Where a place that no edit takes away stands in the patched code; what is inserted at it stands behind it."""
    return offset + sum(len(edit.after) - len(edit.before) for edit in edits if edit.span.start < offset)


def back(span: Span, edits: Iterable[Edit]) -> Span:
    """The range of the code before the edits that a range of the patched code stands for; whole edits at its ends."""
    ordered = _sorted(edits)
    start = _start(span.start, ordered) if span.start < span.end else _end(span.start, ordered, inner=True)
    return Span(start=start, end=max(start, _end(span.end, ordered)))


def stacked(first: tuple[Edit, ...], then: tuple[Edit, ...], code: str) -> tuple[Edit, ...]:
    """The edits of `code` that do what `first` does and then `then`, whose spans are of the code that `first` gave."""
    for edit in sorted(then, key=lambda one: one.span.start, reverse=True):
        first = _with(first, edit, code)
    return first


def _with(first: tuple[Edit, ...], edit: Edit, code: str) -> tuple[Edit, ...]:
    between = patched(code, first)
    start, end = edit.span.start, edit.span.end
    met, kept, shift = [], [], 0
    for one in _sorted(first):
        begin = one.span.start + shift
        finish = begin + len(one.after)
        shift += len(one.after) - len(one.before)
        # Of two insertions at one place, nothing but their being one tells which comes first.
        beside = not one.before and not edit.before and begin <= edit.span.start <= finish
        if beside or (begin < edit.span.end and edit.span.start < finish):
            met.append(one)
            start, end = min(start, begin), max(end, finish)
        else:
            kept.append(one)
    after = between[start : edit.span.start] + edit.after + between[edit.span.end : end]
    ordered = _sorted(first)
    origin = Span(start=_start(start, ordered) if start < end else _end(start, ordered), end=_end(end, ordered))
    return tuple(_sorted([*kept, Edit(span=origin, before=origin.of(code), after=after)]))


def _start(offset: int, ordered: list[Edit]) -> int:
    """Where the character at an offset of the patched code comes from: the start of the edit that it stands in."""
    shift = 0
    for edit in ordered:
        begin = edit.span.start + shift
        if offset < begin or (offset == begin and edit.after):
            break
        if offset < begin + len(edit.after):
            return edit.span.start
        shift += len(edit.after) - len(edit.before)
    return offset - shift


def _end(offset: int, ordered: list[Edit], *, inner: bool = False) -> int:
    """Where the character before an offset comes from, as an end: that of the edit it stands in, or its start."""
    shift = 0
    for edit in ordered:
        begin = edit.span.start + shift
        if offset <= begin:
            break
        if offset < begin + len(edit.after):
            return edit.span.start if inner else edit.span.end
        shift += len(edit.after) - len(edit.before)
    return offset - shift


def _sorted(edits: Iterable[Edit]) -> list[Edit]:
    return sorted(edits, key=lambda edit: (edit.span.start, edit.span.end))
