"""The shipped data file as a whole."""

from __future__ import annotations

from importlib.resources import files

import pytest

from verifier.index.store import FILE, KINDS, Store


@pytest.fixture(scope="module")
def store() -> Store:
    return Store.shipped()


def test_it_is_small_enough_to_ship():
    assert (files("verifier.index") / "data" / FILE).stat().st_size < 6_000_000


def test_it_says_which_wheels_it_was_made_of(store):
    assert len(store.header.wheels) == len(store.header.releases) + len(store.header.flavours)
    assert store.header.wheels[0].startswith("1.0: tensorflow 1.0.")
    assert store.header.flavours == ("2.21-keras2",)


def test_states_of_a_path_never_overlap(store):
    for state in store.states:
        seen = 0
        for mask in state[::2]:
            assert mask and not mask & seen
            seen |= mask


def test_every_class_of_a_public_path_and_every_ancestor_has_a_record(store):
    classes = {store.strings[fact.canonical] for fact in store.facts if KINDS[fact.kind] == "class"}
    for name in classes:
        record = store.record(name)
        assert record is not None, name
        for line in record.lines:
            assert store.strings[line.mro[0]] == name
            for ancestor in line.mro:
                assert store.record(store.strings[ancestor]) is not None


def test_releases_grow_and_shrink_as_published(store):
    def count(release: str, inside: str) -> int:
        bit = 1 << store.header.releases.index(release)
        return sum(
            any(mask & bit for mask in store.states[row][::2]) for path, row in store.paths.items() if inside in path
        )

    assert count("1.15", ".contrib.") > 2_000
    assert count("2.0", ".contrib.") == 0
    assert count("2.15", "tensorflow.estimator.") > 50
    assert count("2.16", "tensorflow.estimator.") == 0
    assert count("1.12", ".compat.v1.") == 0
    assert count("2.21", "tensorflow.raw_ops.") > 1_300


def test_nearly_every_new_name_of_the_rename_tables_exists(store):
    new = {name for name in store.renames.symbols.values() if name.startswith("tensorflow.")}
    assert len(store.renames.symbols) > 900
    assert sum(name in store.paths for name in new) > 0.95 * len(new)


@pytest.mark.parametrize(
    "library", ["numpy", "pandas", "matplotlib", "sklearn", "torch", "jax", "apache_beam", "cv2", "PIL"]
)
def test_other_libraries_are_there_with_a_version(store, library):
    found = store.library(library)
    assert found is not None
    assert found.version
    assert library in found.names
    assert all(path.startswith(library) for path in found.names)


def test_an_unknown_library_is_none(store):
    assert store.library("zorble") is None
