"""Release names and sets of releases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.index.calendar import Calendar

CALENDAR = Calendar(("1.0", "1.1", "1.15", "2.0", "2.21"), ("2.21-keras2",))


@pytest.mark.parametrize(
    ("release", "mask"),
    [
        ("1.0", 0b1),
        ("2.21", 0b10000),
        ("2.21.0", 0b10000),
        ("tf-2.21", 0b10000),
        ("2.21-keras2", 0b100000),
        ("tf-2.21-keras2", 0b100000),
        ("1.x", 0b111),
        ("2", 0b11000),
        ("2.x", 0b11000),
        ("1.15.5", 0b100),
        ("3.0", 0),
        ("nightly", 0),
        ("", 0),
    ],
)
def test_names_of_releases(release, mask):
    assert CALENDAR.mask(release) == mask


@pytest.mark.parametrize(
    ("mask", "text"),
    [
        (0, ""),
        (0b1, "1.0"),
        (0b111, "1.0-1.15"),
        (0b10101, "1.0, 1.15, 2.21"),
        (0b11011, "1.0-1.1, 2.0-2.21"),
        (0b100000, ""),
    ],
)
def test_ranges_read_as_text(mask, text):
    assert CALENDAR.ranges(mask) == text


@given(st.integers(min_value=0, max_value=0b111111))
def test_first_and_last_are_in_the_mask_and_in_order(mask):
    first, last = CALENDAR.first(mask), CALENDAR.last(mask)
    assert (first == "") == (mask & 0b11111 == 0)
    if first:
        assert CALENDAR.mask(first) & mask
        assert CALENDAR.mask(last) & mask
        assert CALENDAR.mask(first) <= CALENDAR.mask(last)
        assert CALENDAR.ranges(mask).startswith(first)
