"""Characters that a terminal or a browser obeys become visible; everything else stays as it is."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.reports.safe import flat, has_han, held, printed, shortened, visible

OBEYED = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain 中文，“引号” ✔ é\tx\ny", "plain 中文，“引号” ✔ é\tx\ny"),
        ("\x00\x1b[31m\x7f\x9b", "\\x00\\x1b[31m\\x7f\\x9b"),
        ("a\u202eb\u2066c\u200bd\ufeff", "a\\u202eb\\u2066c\\u200bd\\ufeff"),
        ("a\u2028b", "a\\u2028b"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("soft\xadhyphen", "soft\\xadhyphen"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(st.characters(codec=None), max_size=40))
def test_nothing_obeyed_is_left(text: str) -> None:
    assert not [char for char in visible(text) if category(char) in OBEYED and char not in "\t\n"]
    assert "\n" not in flat(text)
    assert "\t" not in flat(text)


@pytest.mark.parametrize(
    ("output", "screen"),
    [
        ("\x1b[1m1/2\x1b[0m \x1b[32m━━\x1b[0m\r\x1b[1m2/2\x1b[0m done\n", "2/2 done\n"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("loss 0.\b\b\b\b1 kept", "los1 kept"),
        ("\b\b\bx", "x"),
        ("10%\r\r\n", "10%\n"),
        ("\x1b]0;title\x07x", "\\x1b]0;title\\x07x"),
    ],
)
def test_printed_is_what_the_screen_shows(output: str, screen: str) -> None:
    assert printed(output) == screen


def test_shortened_keeps_head_and_tail_and_counts_the_rest() -> None:
    output = "头" * 2000 + "m" * 5000 + "尾" * 2000
    short = shortened(output, 300)
    assert short.startswith("头" * 100 + "\n")
    assert short.endswith("\n" + "尾" * 100)
    assert f"… {17000 - 600} bytes omitted …" in short
    assert shortened("x" * 600, 300) == "x" * 600


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", "✔ 候选人…×"),
        ("gb18030", "✔ 候选人…×"),
        ("gbk", "+ 候选人…×"),
        ("ascii", "+ \\u5019\\u9009\\u4eba...x"),
    ],
)
def test_held_in_an_encoding(encoding: str, shown: str) -> None:
    assert held("✔ 候选人…×", encoding) == shown
    shown.encode(encoding)


def test_has_han() -> None:
    assert has_han("tf 模型")
    assert not has_han("tf, ✔ “x” ｆｕｌｌ")
