"""The index against TensorFlow's own table of what the upgrade from 1 to 2 renames."""

from __future__ import annotations

import pytest
from index.agreement import NEWEST, newest, walk

from verifier.index.store import Store
from verifier.model import Lookup, NameQuery


@pytest.fixture(scope="module")
def table() -> dict[str, str]:
    return dict(Store.shipped().renames.symbols)


@pytest.fixture(scope="module")
def answers(index, table) -> dict[str, Lookup]:
    return {name: ask(index, name) for name in {*table, *table.values()}}


def ask(index, name: str) -> Lookup:
    return index.lookup(NameQuery(path=name), NEWEST)


def living(name: str, answers: dict[str, Lookup]) -> bool:
    """Whether a target is there and does something; other libraries count, whatever the index knows of them."""
    return not name.startswith("tensorflow.") or (answers[name].found and not answers[name].stub)


def test_the_table_is_whole(table):
    assert len(table) > 1000


def test_a_name_that_is_gone_leads_to_what_the_table_says(table, answers):
    gone = {old: new for old, new in table.items() if not answers[old].found and living(new, answers)}
    assert len(gone) > 850
    assert {old: answers[old].replacement for old in gone} == gone


def test_a_name_whose_target_is_gone_too_leads_to_something_living_or_nowhere(index, table, answers):
    lost = [old for old, new in table.items() if not answers[old].found and not living(new, answers)]
    assert lost
    for name in lost:
        replacement = answers[name].replacement
        assert not replacement or ask(index, replacement).found, name


def test_no_name_of_the_table_is_left_open(answers):
    assert not [name for name, answer in answers.items() if name.startswith("tensorflow.") and answer.unknown]


def test_names_of_version_1_in_the_table_are_found_in_their_time(index, table, answers):
    gone = [old for old in table if not answers[old].found and old.count(".") == 1]
    missing = [old for old in gone if not index.lookup(NameQuery(path=old), "1.x").found]
    assert len(gone) > 200
    # What version 2 added to `compat.v1` alone; the table takes every such name for one of version 1.
    assert [old for old in missing if not answers[table[old]].first.startswith("2.")] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tensorflow.placeholder", "tensorflow.compat.v1.placeholder"),
        ("tensorflow.matrix_inverse", "tensorflow.linalg.inv"),
        ("tensorflow.nn.rnn_cell.LSTMCell", "tensorflow.keras.layers.LSTMCell"),
        ("tensorflow.contrib.data.make_csv_dataset", "tensorflow.data.experimental.make_csv_dataset"),
        ("tensorflow.contrib.image.rotate", "tensorflow_addons.image.rotate"),
        ("tensorflow.logging.flush", ""),
    ],
)
def test_rows_of_the_table(table, answers, old, new):
    assert old in table
    assert answers[old].replacement == new


@pytest.mark.sandbox
def test_names_of_the_table_are_found_exactly_when_they_are_live(answers):
    live = walk(newest())
    members = {f"{path}.{name}" for path, row in live.items() for name in row.get("members", ())}
    named = {name for name in answers if name.startswith("tensorflow.") and ".__" not in name}
    assert {name for name in named if answers[name].found} == named & (live.keys() | members)
