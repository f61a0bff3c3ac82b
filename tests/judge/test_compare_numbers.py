"""Numbers agree as they are rounded or cut in the text, and but for the noise of single precision."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.judge.numbers import same_number


@pytest.mark.parametrize(
    ("stated", "observed"),
    [
        ("0.333", "0.33333334"),
        ("0.33", "0.33333334"),
        ("0.66", "0.6666667"),  # cut
        ("0.67", "0.6666667"),  # rounded
        ("1.4142135623730951", "1.4142135"),
        ("5", "5.0"),
        ("5.0", "5"),
        ("-2", "-2.0000002"),
        ("0", "-1.1920929e-07"),
        ("0.0", "-0.0"),
        ("1e-5", "0.00001"),
        ("1.2e-7", "1.1920929e-07"),
        ("2.", "2.0"),
        ("1000000.0", "1e6"),
        ("nan", "nan"),
        ("-inf", "-inf"),
        ("3-4j", "3.-4.j"),
    ],
)
def test_the_same(stated: str, observed: str) -> None:
    assert same_number(stated, observed)


@pytest.mark.parametrize(
    ("stated", "observed"),
    [
        ("5", "5.3"),  # a whole number is no rounding of another
        ("2.", "2.3"),
        ("0.50", "0.51"),
        ("0.65", "0.67"),
        ("0.1234", "0.1235"),
        ("1000", "1024"),
        ("12345", "12346"),
        ("100000000", "100000001"),  # whole numbers have no noise
        ("1e-3", "1e-4"),
        ("1.2e-7", "2.2e-7"),
        ("-0.5", "0.5"),
        ("nan", "0"),
        ("inf", "-inf"),
        ("3-4j", "3+4j"),
        ("abc", "abc"),
        ("1", "one"),
    ],
)
def test_another(stated: str, observed: str) -> None:
    assert not same_number(stated, observed)


@given(st.floats(allow_nan=False, allow_infinity=False, width=32), st.integers(1, 6))
def test_a_rounding_is_the_number(value: float, places: int) -> None:
    assert same_number(f"{value:.{places}f}", repr(value))


@given(st.floats(min_value=0.01, max_value=1e6), st.integers(1, 6))
def test_the_next_rounding_but_one_is_another(value: float, places: int) -> None:
    unit = 10.0**-places
    off = value + max(2 * unit, 1e-3 * value)
    assert not same_number(f"{off:.{places}f}", repr(value))
