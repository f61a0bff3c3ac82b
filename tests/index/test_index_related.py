"""Names that share words, and who takes an argument."""

from __future__ import annotations

import pytest

from verifier.index import open_index
from verifier.index.related import words_of
from verifier.model import NameQuery

INDEX = open_index("tf-2.21")


@pytest.mark.parametrize(
    ("leaf", "words"),
    [
        ("ReadFromText", {"read", "text"}),
        ("TextLineDataset", {"text", "line", "dataset"}),
        ("decode_csv", {"decode", "csv"}),
        ("CSVLogger", {"csv", "logger"}),
        ("_", set()),
    ],
)
def test_words_of_a_name(leaf: str, words: set[str]) -> None:
    assert words_of(leaf) == words


@pytest.mark.parametrize(
    ("path", "offered"),
    [
        ("tensorflow.io.ReadFromText", "tensorflow.io.read_file"),
        ("tensorflow.keras.callbacks.GradientLogger", "tensorflow.keras.callbacks.CSVLogger"),
        ("tensorflow.reduce_median", "tensorflow.keras.ops.median"),
        ("tensorflow.data.experimental.make_tsv_dataset", "tensorflow.data.experimental.make_csv_dataset"),
    ],
)
def test_what_a_reader_may_look_at(path: str, offered: str) -> None:
    found = INDEX.lookup(NameQuery(path=path))
    assert offered in found.suggestions
    assert all(INDEX.lookup(NameQuery(path=name)).found for name in found.suggestions)


@pytest.mark.parametrize("path", ["tensorflow.reduce_fancy", "tensorflow.keras.datasets.dogs.load_data"])
def test_common_words_offer_nothing(path: str) -> None:
    assert INDEX.lookup(NameQuery(path=path)).suggestions == ()


def test_who_takes_an_argument() -> None:
    assert "tensorflow.keras.optimizers.Adam" in INDEX.takers("clipnorm")
    assert any(
        owner.endswith("Dataset.shuffle") or "dataset_ops" in owner
        for owner in INDEX.takers("reshuffle_each_iteration")
    )
    assert INDEX.takers("no_such_argument_anywhere") == ()
