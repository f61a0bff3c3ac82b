"""One value in many notations is one value; another value, type or arrangement is a departure of that kind."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.judge.compare import Difference, difference, same_shape
from verifier.judge.notation import read

SAME = [
    # shapes
    ("(2,3)", "TensorShape([2, 3])"),
    ("[2, 3]", "(2, 3)"),
    ("TensorShape([None, 10])", "(None, 10)"),
    ("2x3", "(2, 3)"),
    ("2×3", "(2, 3)"),
    ("(3)", "(3,)"),
    ("shape: (2, 3)", "(2, 3)"),
    # types
    ("float32", "<dtype: 'float32'>"),
    ("tf.float32", "<dtype: 'float32'>"),
    ("<dtype: 'float32'>", "float32"),
    ("dtype('float32')", "float32"),
    ("np.float32", "<class 'numpy.float32'>"),
    ("float32", "tf.Tensor([1.], shape=(1,), dtype=float32)"),
    ("<class 'keras.engine.sequential.Sequential'>", "<class 'keras.src.models.sequential.Sequential'>"),
    # strings and bytes
    ("'abc'", "abc"),
    ('"abc"', "b'abc'"),
    ("abc", "tf.Tensor(b'abc', shape=(), dtype=string)"),
    ("深度", "b'\\xe6\\xb7\\xb1\\xe5\\xba\\xa6'"),
    ("['a' 'b']", "[b'a', b'b']"),
    ("[a, b]", "['a', 'b']"),
    # truth
    ("true", "True"),
    ("True", "tf.Tensor(True, shape=(), dtype=bool)"),
    ("[1, 0]", "[ True False]"),
    # numbers
    ("12.0", "12"),
    ("[1, 2]", "[1. 2.]"),
    ("1,234,567", "1234567"),
    ("[nan, 1.]", "[nan  1.]"),
    ("1+2j", "(1+2j)"),
    # tensors, arrays, lists
    ("[[1, 2, 3],\n [4, 5, 6]]", "tf.Tensor(\n[[1 2 3]\n [4 5 6]], shape=(2, 3), dtype=int32)"),
    ("tensor([1, 2])", "[1 2]"),
    ("array(3)", "3"),
    ("<tf.Tensor: id=27, shape=(1,), dtype=int32, numpy=array([1], dtype=int32)>", "tf.Tensor([1], shape=(1,), dtype=int32)"),
    ("<tf.Variable 'w:0' shape=() dtype=int32, numpy=3>", "<tf.Variable 'Variable:0' shape=() dtype=int32, numpy=3>"),
    ("<Variable path=dense/kernel, shape=(1,), dtype=float32, value=[0.5]>", "[0.5]"),
    ("[<tf.Tensor: shape=(), dtype=int32, numpy=1>, <tf.Tensor: shape=(), dtype=int32, numpy=2>]", "[1, 2]"),
    ("tf.RaggedTensor([[1, 2], [3]])", "<tf.RaggedTensor [[1, 2], [3]]>"),
    ("<KerasTensor: shape=(None, 10) dtype=float32 (created by layer 'dense')>", "<KerasTensor shape=(None, 10), dtype=float32, name=k>"),
    ('Tensor("dense/BiasAdd:0", shape=(None, 10), dtype=float32)', "<KerasTensor shape=(None, 10), dtype=float32, name=k>"),
    ("{2, 3, 1}", "{1, 2, 3}"),
    ('{"a": [1, 2]}', "{'a': array([1, 2])}"),
    ("OrderedDict([('a', 1)])", "OrderedDict({'a': 1})"),
    ("['loss']", "dict_keys(['loss'])"),
    # printed side by side, below each other, as one list
    ("(1, 2)", "1 2"),
    ("[1, 2, 3]", "1\n2\n3\n"),
    ("[[0 1], [3 4]]", "[0 1]\n[3 4]\n"),
    ("[3 4]\n[5 6]", "[[3 4]\n [5 6]]"),
    ("x = [1 2]", "[1 2]"),
    ("3", "y: 3\n"),
    ("6 (an int)", "6"),
    # ellipses
    ("[0 1 ... 8 9]", "[0 1 2 3 4 5 6 7 8 9]"),
    ("[[0 1 ...]\n ...]", "[[0 1 2]\n [3 4 5]]"),
    ("[0, 1, 2, 3, 4]", "[0 1 ... 3 4]"),
]  # fmt: skip

APART = [
    ("[[1 2 3] [4 5 6]]", "[[1 2] [3 4] [5 6]]", Difference.SHAPE),
    ("[1 2 3 4]", "[[1 2] [3 4]]", Difference.SHAPE),
    ("[[5 7 9]]", "tf.Tensor([5 7 9], shape=(3,), dtype=int32)", Difference.SHAPE),
    ("['a b']", "['a', 'b']", Difference.SHAPE),
    ("[6]", "tf.Tensor(6, shape=(), dtype=int32)", Difference.SHAPE),
    ("[6]", "6", Difference.BRACKETS),
    ("...", "6", Difference.UNTOLD),
    ("[...]", "[1 2]", Difference.UNTOLD),
    ("float32", "tf.Tensor([1], shape=(1,), dtype=int32)", Difference.DTYPE),
    ("int64", "<dtype: 'int32'>", Difference.DTYPE),
    ("tf.Tensor([1 0], shape=(2,), dtype=int32)", "tf.Tensor([1 0], shape=(2,), dtype=int64)", Difference.DTYPE),
    ("dense_1", "dense_4", Difference.NUMBERING),
    ("<BatchDataset shapes: (None,), types: tf.int64>", "<_BatchDataset element_spec=TensorSpec()>", Difference.OBJECT),
    ("(2, 3)", "(3, 2)", Difference.VALUE),
    ("2x3", "(3, 2)", Difference.VALUE),
    ("'abc'", "'abd'", Difference.VALUE),
    ("[1, 0]", "[False True]", Difference.VALUE),
    ("[0 ... 9]", "[0 1 8]", Difference.VALUE),
    ("[0 1 2 ... 9]", "[0 9]", Difference.VALUE),
    ("{'a': 1}", "{'a': 2}", Difference.VALUE),
    ("{'a': 1}", "{'b': 1}", Difference.VALUE),
    ("1+2j", "1-2j", Difference.VALUE),
    ("[1, 2]", "[1, 2, 3]", Difference.VALUE),
    ("None", "0", Difference.VALUE),
    ("result is 5", "result is 6", Difference.VALUE),
    ("tf.Tensor([1], shape=(1,), dtype=int32)", "tf.Tensor([2], shape=(1,), dtype=int32)", Difference.VALUE),
    ("KerasTensor(shape=(None, 3))", "<KerasTensor shape=(None, 10), dtype=float32, name=k>", Difference.VALUE),
]


@pytest.mark.parametrize(("stated", "observed"), SAME)
def test_one_value_in_two_notations(stated: str, observed: str) -> None:
    assert difference(stated, observed) is None


@pytest.mark.parametrize(("stated", "observed", "kind"), APART)
def test_a_departure_is_told_by_its_kind(stated: str, observed: str, kind: Difference) -> None:
    assert difference(stated, observed) is kind


@pytest.mark.parametrize(
    ("stated", "observed", "same"),
    [
        ("(2, 2)", "[[1.0, 2.0], [3.0, 4.0]]", True),
        ("[2, 2]", "array([[1, 2],\n       [3, 4]])", True),
        ("(2,)", "[[1.0, 2.0], [3.0, 4.0]]", False),
        ("(None, 10)", "<KerasTensor shape=(None, 10), dtype=float32, name=k>", True),
        ("(2, None)", "TensorShape([2, None])", True),
        ("(2, 3)", "<tf.RaggedTensor [[1, 2], [3]]>", None),
        ("(3,)", "<keras.Sequential object>", None),
        ("()", "tf.Tensor(3, shape=(), dtype=int32)", True),
    ],
)
def test_the_shape_of_what_was_seen(stated: str, observed: str, same: bool | None) -> None:
    assert same_shape(stated, observed) is same


def test_brackets_that_do_not_match_are_seen_and_spared() -> None:
    assert read("[[1, 2], [3").torn
    assert not read("[[1, 2], [3]]").torn
    assert not read("x -> 3").torn
    assert difference("[1, 2], [3, 4", "[[1 2]\n [3 4]]") is None


@settings(deadline=None)
@given(st.text(alphabet="[](){}<>'\"12.,=: ab…-jx", max_size=60))
def test_reading_never_raises_and_a_text_is_itself(text: str) -> None:
    read(text)
    assert not text.strip() or difference(text, text) in {None, Difference.VALUE, Difference.UNTOLD}


@settings(deadline=None)
@given(st.recursive(st.integers(-9, 9), lambda inner: st.lists(inner, min_size=1, max_size=3), max_leaves=8))
def test_nested_lists_are_told_apart_by_nesting(value: object) -> None:
    plain = str(value)
    assert difference(plain, plain.replace(",", "")) is None
    assert difference(f"[{plain}, {plain}]", f"[[{plain}], [{plain}]]") is Difference.SHAPE


def test_long_texts_are_read_in_time() -> None:
    long = "[" * 2000 + "1 " * 20_000 + "]" * 2000
    assert difference(long, long) is None
