"""Edits keep their places: one after another or stacked, there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.model import Edit, Span
from verifier.probe.fixes.patch import back, forward, stacked
from verifier.text import patched

CODE = "net = Model(lr=1)\nnet.fit(x, y)\n"


def edit(before: str, after: str, code: str = CODE, nth: int = 0) -> Edit:
    start = -1
    for _ in range(nth + 1):
        start = code.index(before, start + 1)
    return Edit(span=Span(start=start, end=start + len(before)), before=before, after=after)


def test_edits_are_made_wherever_they_stand() -> None:
    assert patched(CODE, [edit("fit", "train"), edit("lr", "rate")]) == "net = Model(rate=1)\nnet.train(x, y)\n"


def test_places_behind_an_edit_move_and_come_back() -> None:
    edits = (edit("lr", "learning_rate"),)
    place = Span(start=CODE.index("x, y"), end=CODE.index("x, y") + 4)
    moved = Span(start=forward(place.start, edits), end=forward(place.end, edits))
    assert moved.of(patched(CODE, edits)) == "x, y"
    assert back(moved, edits) == place


def test_a_place_inside_an_edit_is_the_whole_of_what_was_there() -> None:
    edits = (edit("lr=1", "rate=tf.cast(1, tf.float32)"),)
    start = patched(CODE, edits).index("cast")
    assert back(Span(start=start, end=start + 4), edits).of(CODE) == "lr=1"


def test_what_is_put_in_front_of_a_place_stays_in_front() -> None:
    at = CODE.index("net.fit")
    first = Edit(span=Span(start=at, end=at), before="", after="import a\n")
    again = Edit(span=Span(start=at, end=at), before="", after="import b\n")
    assert forward(at, (first,)) == at
    assert patched(CODE, stacked((first,), (again,), CODE)) == CODE.replace("net.fit", "import b\nimport a\nnet.fit")


def test_a_change_of_a_change_is_one_change() -> None:
    first = (edit("lr", "rate"),)
    again = edit("rate", "learning_rate", patched(CODE, first))
    assert stacked(first, (again,), CODE) == (edit("lr", "learning_rate"),)


def test_neighbours_of_what_was_taken_away_are_not_the_same_place() -> None:
    code = "f(a, b=1, c=2)"
    first = (edit(", b=1", "", code),)
    again = edit(", c=2", "", patched(code, first))
    assert stacked(first, (again,), code) == (*first, edit(", c=2", "", code))


_PIECES = st.text("ab\n,(", max_size=4)


@st.composite
def _edits(draw: st.DrawFn, code: str) -> tuple[Edit, ...]:
    cuts = sorted(draw(st.sets(st.integers(0, len(code)), max_size=6)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    return tuple(
        Edit(span=Span(start=start, end=end), before=code[start:end], after=draw(_PIECES)) for start, end in pairs
    )


@given(st.data(), st.text("xyz\n.", min_size=1, max_size=30))
def test_stacked_edits_do_what_they_do_one_after_another(data: st.DataObject, code: str) -> None:
    first = data.draw(_edits(code))
    between = patched(code, first)
    then = data.draw(_edits(between))
    assert patched(code, stacked(first, then, code)) == patched(between, then)


@given(st.data(), st.text("xyz\n.", min_size=1, max_size=30))
def test_a_range_that_no_edit_touches_comes_back(data: st.DataObject, code: str) -> None:
    edits = data.draw(_edits(code))
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(code)), st.integers(0, len(code)))))
    place = Span(start=start, end=end)
    if start == end or any(one.span.start <= end and start <= one.span.end for one in edits):
        return
    moved = Span(start=forward(start, edits), end=forward(end, edits))
    assert moved.of(patched(code, edits)) == place.of(code)
    assert back(moved, edits) == place


@pytest.mark.parametrize("after", ["q", "longer than before"])
def test_the_end_of_the_code_is_its_end(after: str) -> None:
    edits = (edit("y)\n", after),)
    assert back(Span(start=0, end=len(patched(CODE, edits))), edits) == Span(start=0, end=len(CODE))
