"""The index against every live TensorFlow that there is an environment of: what it says is so, and it misses nothing."""

from __future__ import annotations

import pytest
from index.agreement import (
    NEWEST,
    Agreement,
    Aspect,
    Difference,
    Place,
    compare,
    entries,
    stale,
    unexplained,
    walk,
)

from verifier.errors import SandboxUnavailable
from verifier.index.build.releases import releases
from verifier.sandbox import ensure


@pytest.fixture(scope="session", params=["2.21", "2.15"])
def release(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="session")
def agreement(release: str) -> Agreement:
    try:
        environment = ensure(f"tf-{release}")
    except SandboxUnavailable as error:
        if release == NEWEST:
            raise
        pytest.skip(f"this machine has no Python for it: {error}")
    return compare(release, walk(environment.path / "bin" / "python"))


@pytest.mark.sandbox
@pytest.mark.parametrize(("place", "least", "names"), [(Place.OUTSIDE, 0.999, 4_000), (Place.COMPAT, 0.99, 9_000)])
def test_names_agree_both_ways(agreement, place, least, names):
    share = agreement.names[place]
    assert min(share.index, share.live) > names
    assert share.precision >= least
    assert share.recall >= least


@pytest.mark.sandbox
def test_signatures_of_functions_agree(agreement):
    equal, known = agreement.functions
    assert known > 10_000
    assert equal / known >= 0.999


@pytest.mark.sandbox
def test_exactly_the_deprecated_functions_are_deprecated(agreement):
    assert agreement.deprecated == agreement.really
    assert len(agreement.really) > 200


@pytest.mark.sandbox
def test_deprecated_older_names_deprecate_nothing(agreement):
    assert len(agreement.renamed) > 500
    assert not agreement.renamed & agreement.deprecated


@pytest.mark.sandbox
def test_every_difference_is_explained(agreement, release):
    assert list(map(str, unexplained(agreement.differences, release))) == []


@pytest.mark.sandbox
def test_every_explanation_explains_something(agreement, release):
    assert stale(agreement.differences, release) == []


def test_every_entry_has_a_reason_and_known_releases():
    known = {one.name for one in releases()}
    for entry in entries():
        assert entry.why.endswith(".")
        assert entry.names
        assert known.issuperset(entry.releases)


def test_no_entry_explains_a_name_that_the_newest_release_lacks_or_has_alone():
    names = {Aspect.NAME_ONLY_IN_INDEX, Aspect.NAME_ONLY_LIVE}
    assert not [entry for entry in entries() if entry.aspect in names and NEWEST in entry.releases]


@pytest.mark.parametrize(
    ("difference", "explained"),
    [
        (Difference(aspect=Aspect.MEMBER_ONLY_IN_INDEX, name="tensorflow.Tensor.numpy"), True),
        (Difference(aspect=Aspect.MEMBER_ONLY_LIVE, name="tensorflow.Tensor.numpy"), False),
        (Difference(aspect=Aspect.CLASS_SIGNATURE, name="tensorflow.Module", live="(*args, **kwargs)"), True),
        (Difference(aspect=Aspect.CLASS_SIGNATURE, name="tensorflow.Module", live="(name=...)"), False),
        (Difference(aspect=Aspect.NAME_ONLY_LIVE, name="tensorflow.constant"), False),
    ],
)
def test_an_entry_explains_only_its_own_aspect_and_form(difference, explained):
    assert (unexplained([difference], NEWEST) == []) is explained


def test_nothing_is_explained_for_a_release_without_entries():
    difference = Difference(aspect=Aspect.MEMBER_ONLY_IN_INDEX, name="tensorflow.Tensor.numpy")
    assert unexplained([difference], "2.0") == [difference]
    assert len(stale([], NEWEST)) == sum(len(entry.names) for entry in entries() if NEWEST in entry.releases)


ROW = {"kind": "function", "deprecated": False, "renamed": False, "signature": [["x", 1, False]]}


@pytest.mark.parametrize(
    ("path", "row", "aspect"),
    [
        ("tensorflow.no_such_name", ROW, Aspect.NAME_ONLY_LIVE),
        ("tensorflow.constant", ROW, Aspect.FUNCTION_SIGNATURE),
        ("tensorflow.constant", {**ROW, "kind": "class", "members": []}, Aspect.KIND),
        ("tensorflow.constant", {**ROW, "deprecated": True}, Aspect.DEPRECATION),
        ("tensorflow.Module", {**ROW, "kind": "class", "members": ["no_such_member"]}, Aspect.MEMBER_ONLY_LIVE),
        ("tensorflow.Module", {**ROW, "kind": "class", "members": []}, Aspect.MEMBER_ONLY_IN_INDEX),
    ],
)
def test_what_differs_is_seen(path, row, aspect):
    found = compare(NEWEST, {path: row}).differences
    assert aspect in {one.aspect for one in found if one.name.startswith(path)}


def test_a_walk_that_finds_nothing_agrees_with_nothing():
    share = compare(NEWEST, {}).names[Place.OUTSIDE]
    assert (share.live, share.both, share.precision) == (0, 0, 0.0)


def test_a_private_module_may_be_missing_from_the_index_and_is_no_public_name():
    live = {"tensorflow.tools": {"kind": "module", "private": True}}
    assert not [one for one in compare(NEWEST, live).differences if one.name == "tensorflow.tools"]
