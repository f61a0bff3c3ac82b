"""A place in a line: shown whole where it fits, else in a window, always with the underline beneath it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.model import Span
from verifier.reports.excerpt import excerpt
from verifier.reports.safe import visible
from verifier.text import Lines, width

HAN = "这一段文字没有换行而且很长" * 240


def marked(text: str, carets: int, caret: int) -> str:
    """The characters that stand over the underline."""
    column, kept = 0, ""
    for char in text:
        if caret <= column < caret + carets:
            kept += char
        column += width(char)
    return kept


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("x = tf.io.read()", "tf.io.read"),
        ("可以用 tf.io.read 读", "tf.io.read"),
        ("全角（ｔｆ）之后的 tf.io.read，对吧", "tf.io.read"),
        ("e\u0301 tf.io", "tf.io"),
        ("名字是 中文 吗", "中文"),
        ("\tif x:\ty()", "y()"),
        ("\x1b[31m tf.io", "tf.io"),
    ],
)
def test_the_underline_stands_under_the_place(line: str, part: str) -> None:
    at = line.index(part)
    (shown,) = excerpt(Lines(line), Span(start=at, end=at + len(part)), 100, visible).lines
    assert marked(shown.text, shown.carets, shown.caret) == part


@pytest.mark.parametrize("columns", [8, 9, 20, 41, 80, 200])
@pytest.mark.parametrize("before", ["", "短", HAN])
@pytest.mark.parametrize("after", ["", "短", HAN])
def test_a_long_line_shows_a_window_around_the_place(columns: int, before: str, after: str) -> None:
    line = f"{before}tf.io{after}"
    span = Span(start=len(before), end=len(before) + 5)
    (shown,) = excerpt(Lines(line), span, columns, visible).lines
    assert width(shown.text) <= columns
    assert marked(shown.text, shown.carets, shown.caret) == "tf.io"
    inner = shown.text.strip("…")
    assert inner in line, "the window is a piece of the line: no character is cut in two"
    assert shown.text.startswith("…") == (not line.startswith(inner))
    assert shown.text.endswith("…") == (not line.endswith(inner))
    if before == after == HAN:
        assert width(shown.text) >= columns - 2, "the room is used"


def test_a_place_longer_than_the_window_begins_in_it() -> None:
    line = "前" * 500 + "x" * 500 + "后" * 500
    (shown,) = excerpt(Lines(line), Span(start=500, end=1000), 40, visible).lines
    assert shown.text == "…" + "x" * 38 + "…"
    assert (shown.caret, shown.carets) == (1, 38)


def test_a_place_over_lines_shows_the_first_ones() -> None:
    text = "zero\none\ntwo\nthree\nfour\nfive\n"
    found = excerpt(Lines(text), Span(start=5, end=len(text) - 5), 40, visible)
    assert [(line.number, line.text, line.carets) for line in found.lines] == [
        (2, "one", 0),
        (3, "two", 0),
        (4, "three", 0),
    ]
    assert found.hidden == 1


def test_a_line_end_does_not_pull_in_the_next_line() -> None:
    found = excerpt(Lines("one\ntwo\n"), Span(start=0, end=4), 40, visible)
    assert [line.text for line in found.lines] == ["one"]
    assert found.lines[0].carets == 3


@settings(deadline=None)
@given(st.text(max_size=60), st.data(), st.integers(8, 60))
def test_any_place_in_any_text_fits(text: str, data: st.DataObject, columns: int) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    for shown in excerpt(Lines(text), Span(start=start, end=end), columns, visible).lines:
        assert width(shown.text) <= columns
        assert shown.carets <= columns


def test_a_line_of_a_million_characters_costs_its_window_only() -> None:
    line = "长" * 10**6
    lines = Lines(line)
    for start in range(0, 10**6, 10**4):
        assert excerpt(lines, Span(start=start, end=start + 10**5), 80, visible).lines[0].carets == 78 - 78 % 2
