"""The hand-made tables name only what exists."""

from __future__ import annotations

import pytest

from verifier.index import catalog, keywords, moved, receivers, suggest
from verifier.index.foreign import _FAMILIAR
from verifier.model import NameQuery


@pytest.mark.parametrize("path", sorted({*suggest._COUSINS.values(), *catalog.FAMILIAR}))
def test_names_of_the_newest_release(index, path):
    assert index.lookup(NameQuery(path=path)).found


@pytest.mark.parametrize("path", sorted(moved._BEFORE_1.values()))
def test_what_replaced_the_names_before_1(index, path):
    assert index.lookup(NameQuery(path=f"tensorflow.{path}"), "1.0").found


@pytest.mark.parametrize("path", sorted(set(receivers._WORDS)))
def test_every_receiver_word_leads_to_something_that_once_was(index, path):
    for holder in receivers.holders(path):
        answer = index.lookup(NameQuery(path=holder))
        assert answer.found or answer.first, holder


@pytest.mark.parametrize("path", sorted(_FAMILIAR))
def test_familiar_classes_of_other_libraries(index, path):
    assert index.lookup(NameQuery(path=path)).found


def test_certain_receivers_are_receivers():
    assert set(receivers._WORDS) >= receivers._CERTAIN


def test_no_keyword_is_renamed_to_itself_alone():
    assert all(new != (old,) for old, new in keywords._KERAS_1.items())


@pytest.mark.parametrize(
    ("receiver", "holder", "sure"),
    [
        ("model", "tensorflow.keras.Model", True),
        ("keras_model", "tensorflow.keras.Model", True),
        ("self.model", "tensorflow.keras.Model", True),
        ("train_ds", "tensorflow.data.Dataset", True),
        ("ds2", "tensorflow.data.Dataset", True),
        ("Model", "tensorflow.keras.Model", True),
        ("graph", "tensorflow.Graph", False),
        ("model_fn", "", False),
        ("x_train", "", False),
        ("模型", "", False),
        ("", "", False),
    ],
)
def test_words_of_variables(receiver, holder, sure):
    assert (receivers.holders(receiver) or ("",))[0] == holder
    assert receivers.certain(receiver) is sure
