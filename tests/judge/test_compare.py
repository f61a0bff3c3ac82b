"""Stated results are compared as values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.judge.compare import difference, same_shape

SAME = [
    ("3", "3\n"),
    ("[5. 15.]", "[ 5. 15.]\n"),
    ("12", "tf.Tensor(12, shape=(), dtype=int32)\n"),
    ("tf.Tensor(12, shape=(), dtype=int32)", "tf.Tensor(12, shape=(), dtype=int32)\n"),
    ("[1 0]", "tf.Tensor([1 0], shape=(2,), dtype=int64)\n"),
    ("6.0", "tf.Tensor(6.0, shape=(), dtype=float32)"),
    ("0.05", "0.05000000074505806\n"),
    ("3.14", "3.1415927\n"),
    ("1e-3", "0.001\n"),
    ("(2, 8, 8, 1)", "(2, 8, 8, 1)\n"),
    ("['loss', 'mae']", "['loss', 'mae']\n"),
    ('["loss", "mae"]', "['loss', 'mae']\n"),
    ("TensorShape([2, 3])", "TensorShape([2, 3])"),
    ("[[1. 0.]\n [0. 1.]]", "[[1. 0.]\n [0. 1.]]\n"),
    ("[[1, 0], [0, 1]]", "[[1 0]\n [0 1]]\n"),
    (
        "<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>",
        "tf.Tensor([1 2], shape=(2,), dtype=int32)",
    ),
    ("4.0", "loading\n4.0\n"),
    ("True", "True\n"),
    ("[0 1 2 ... 97 98 99]", "[0 1 2 3 4 95 96 97 98 99]\n"),
    ("<keras.Model at 0x7f001122>", "<keras.Model at 0x55aa99ff>\n"),
    ("-0.5", "-.5"),
    ("-1", "np.int32(-1)"),
    ("4.0", "np.float32(4.0)"),
    ("[1.0, 2.0]", "[np.float32(1.0), np.float32(2.0)]"),
    ("True", "np.True_"),
]
DIFFERENT = [
    ("4", "3\n"),
    ("1000", "1024\n"),
    ("[6. 15.]", "[6. 16.]\n"),
    ("-3 1", "-4 1\n"),
    ("12", "12 12\n"),
    ("(2, 8)", "(2, 8, 1)\n"),
    ("True", "False\n"),
    ("hello", "Hello\n"),
    ("0.50", "0.51\n"),
    ("5", "-5\n"),
    ("", "1\n"),
    ("-1", "np.int32(2)"),
    ("3", "tf.Tensor([3 4], shape=(2,), dtype=int32)"),
    ("[1 2]", "tf.Tensor([2 1], shape=(2,), dtype=int32)"),
]


def same_value(stated: str, observed: str) -> bool:
    return difference(stated, observed) is None


@pytest.mark.parametrize(("stated", "observed"), SAME)
def test_same(stated: str, observed: str) -> None:
    assert same_value(stated, observed)


@pytest.mark.parametrize(("stated", "observed"), DIFFERENT)
def test_different(stated: str, observed: str) -> None:
    assert not same_value(stated, observed)


@pytest.mark.parametrize(
    ("stated", "observed", "same"),
    [
        ("(2, 3)", "tf.Tensor([[0 0 0] [0 0 0]], shape=(2, 3), dtype=int32)", True),
        ("(2, 3)", "(2, 3)", True),
        ("(3, 2)", "<tf.Tensor: shape=(2, 3), dtype=int32, numpy=array([])>", False),
    ],
)
def test_shapes(stated: str, observed: str, same: bool) -> None:
    assert same_shape(stated, observed) is same


@settings(deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_never_raises(stated: str, observed: str) -> None:
    same_value(stated, observed)


@settings(deadline=None)
@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=6))
def test_a_printed_list_is_itself_in_every_notation(values: list[int]) -> None:
    plain = str(values)
    assert same_value(plain, plain.replace(",", "") + "\n")
    assert same_value(plain, f"tf.Tensor({plain.replace(',', '')}, shape=({len(values)},), dtype=int32)\n")
    other = str([*values[:-1], values[-1] + 1])
    assert not same_value(other, plain)
