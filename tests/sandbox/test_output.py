"""Output cut into statements, cleaned, abridged."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.sandbox.output import Stream, abridge, without_native_log


def mark(number: int, word: str = "w") -> bytes:
    return f"\x1e{word}:{number}\x1e".encode()


def test_sections_by_mark_even_when_marks_are_cut() -> None:
    stream = Stream.begin("w", 1000)
    for byte in b"pre" + mark(0) + "中".encode() + mark(1) + b"b" + mark(2):
        stream.feed(bytes([byte]))
    assert stream.sections() == {-1: b"pre", 0: "中".encode(), 1: b"b", 2: b""}


def test_marks_with_another_word_are_output() -> None:
    stream = Stream.begin("w", 1000)
    stream.feed(mark(0) + b"a" + mark(1, "other"))
    assert stream.sections()[0] == b"a" + mark(1, "other")


def test_no_more_is_held_than_allowed_but_all_is_counted() -> None:
    stream = Stream.begin("w", 10)
    stream.feed(b"x" * 8)
    stream.feed(b"y" * 8)
    assert stream.size == 16
    assert stream.sections() == {-1: b"xxxxxxxxyy"}


@pytest.mark.parametrize(
    "line",
    [
        b"E0000 00:00:1700000000.123456      12 cuda_driver.cc:40] failed call\n",
        b"2025-01-02 03:04:05.678901: W external/local_xla/xla/tsl/framework/cpu_allocator_impl.cc:84] Allocation of 4 exceeds 10%\n",
        b"WARNING: All log messages before absl::InitializeLog() is called are written to STDERR\n",
    ],
)
def test_lines_of_the_native_log_are_taken_out(line: bytes) -> None:
    assert without_native_log(b"mine\n" + line + b"mine too\n") == b"mine\nmine too\n"


@pytest.mark.parametrize("line", [b"Error: no\n", b"2025-01-02 happened\n", b"W 1\n", b"[1. 2.]\n"])
def test_other_lines_stay(line: bytes) -> None:
    assert without_native_log(line) == line


def test_head_and_tail() -> None:
    text, cut = abridge(b"a" * 50 + b"b" * 100 + b"c" * 50, 100)
    assert cut
    assert text == "a" * 50 + "\n… 100 bytes left out …\n" + "c" * 50
    assert abridge(b"short", 100) == ("short", False)


@settings(deadline=None)
@given(st.binary(max_size=300), st.integers(2, 100))
def test_any_bytes_become_text_of_bounded_size(data: bytes, limit: int) -> None:
    text, cut = abridge(data, limit)
    assert cut is (len(data) > limit)
    assert len(text) <= limit + 40
