"""Segments of a marked text: nothing lost, nothing doubled, the narrowest mark wins."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.model import Span
from verifier.reports.marks import Mark, segments

TEXT = "0123456789"


def mark(start: int, end: int, style: str = "works", *, block: bool = False) -> Mark:
    return Mark(span=Span(start=start, end=end), style=style, anchor=f"{start}-{end}", symbol=style[0], block=block)


def shown(*marks: Mark, cuts: tuple[int, ...] = ()) -> list[tuple[str, str, str, str]]:
    return [
        (piece.span.of(TEXT), piece.mark.anchor if piece.mark else "", piece.ground, piece.symbol)
        for piece in segments(len(TEXT), marks, cuts)
    ]


def test_no_marks() -> None:
    assert shown() == [(TEXT, "", "", "")]
    assert list(segments(0, ())) == []


def test_calls_inside_a_snippet() -> None:
    assert shown(mark(1, 9, "broken", block=True), mark(2, 4), mark(5, 6)) == [
        ("0", "", "", ""),
        ("1", "1-9", "broken", "b"),
        ("23", "2-4", "broken", "w"),
        ("4", "1-9", "broken", ""),
        ("5", "5-6", "broken", "w"),
        ("678", "1-9", "broken", ""),
        ("9", "", "", ""),
    ]


def test_spans_that_cross() -> None:
    assert [piece[:2] for piece in shown(mark(1, 6), mark(4, 8))] == [
        ("0", ""),
        ("123", "1-6"),
        ("45", "4-8"),
        ("67", "4-8"),
        ("89", ""),
    ]


def test_cuts_and_empty_marks() -> None:
    assert [piece[0] for piece in shown(mark(3, 3), cuts=(0, 5, 10, 99))] == ["01234", "56789"]


SPANS = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted)


@settings(deadline=None)
@given(st.lists(st.tuples(SPANS, st.booleans()), max_size=12), st.lists(st.integers(0, 30), max_size=4))
def test_segments_cover_the_text_and_lead_to_the_narrowest_mark(
    spans: list[tuple[list[int], bool]], cuts: list[int]
) -> None:
    marks = [mark(start, end, block=block) for (start, end), block in spans]
    pieces = list(segments(30, marks, cuts))
    assert [piece.span.start for piece in pieces] == [0, *[piece.span.end for piece in pieces[:-1]]]
    assert pieces[-1].span.end == 30
    for piece in pieces:
        over = [item for item in marks if item.span.covers(piece.span)]
        narrowest = min((item.span.end - item.span.start for item in over), default=None)
        assert narrowest == (piece.mark.span.end - piece.mark.span.start if piece.mark else None)
        assert bool(piece.ground) == any(item.block for item in over)


def test_a_hundred_thousand_nested_marks() -> None:
    count = 100_000
    marks = [Mark(span=Span(start=at, end=2 * count - at), style="works") for at in range(count)]
    assert sum(1 for _ in segments(2 * count, marks)) == 2 * count - 1
