"""Whose a bare name is said to be."""

from __future__ import annotations

import pytest

from verifier.extract.mentions.belonging import owner_of


@pytest.mark.parametrize(
    ("sentence", "owner"),
    [
        ("可以调用 get_field 方法，Keras 的层都支持", "keras"),
        ("TensorFlow 里有 fast_sort 函数", "tensorflow"),
        ("Keras layers have a get_gain method", "keras"),
        ("TensorFlow's shuffle_rows function does this", "tensorflow"),
        ("the merge_all function in TensorFlow", "tensorflow"),
        ("我用 TensorFlow 写了一个 my_loss 函数", ""),
        ("our helper load_rows is built with Keras", ""),
        ("调用 get_field 方法即可", ""),
        ("we call fetch_rows first", ""),
    ],
)
def test_owner(sentence: str, owner: str) -> None:
    assert owner_of(sentence) == owner
