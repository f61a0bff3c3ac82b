"""Opinions on names."""

from __future__ import annotations

import pytest
from samples import name

from verifier.judge.names import disagreement, judge_name, merged
from verifier.model import CallForm, Lookup, Polarity, Status

NEVER = Lookup(name="tensorflow.io.nope", found=False, suggestions=("tf.io.read_file",))
BEAM = Lookup(name="tensorflow.io.ReadIt", found=False, elsewhere=("apache_beam.io.ReadIt",))
GONE = Lookup(name="tensorflow.old", found=False, first="1.0", last="1.15")
MOVED = Lookup(name="tensorflow.old", found=False, first="1.0", last="1.15", replacement="tf.math.new")
HERE = Lookup(
    name="tensorflow.add", found=True, kind="function", signature="(x, y, name=None)", first="1.0", last="2.21"
)
AGED = Lookup(name="tensorflow.x", found=True, kind="class", deprecated="use tf.y instead")
STUB = Lookup(name="tensorflow.s", found=True, kind="class", stub="not supported in Keras 3")
UNKNOWN = Lookup(name="mystery.x", found=False, unknown=True)


@pytest.mark.parametrize(
    ("lookup", "status", "rule"),
    [
        (NEVER, Status.BROKEN, "unknown-name"),
        (BEAM, Status.BROKEN, "exists-elsewhere"),
        (GONE, Status.OUTDATED, "removed"),
        (MOVED, Status.OUTDATED, "renamed"),
        (HERE, Status.WORKS, ""),
        (AGED, Status.WORKS, "deprecated"),
        (STUB, Status.OUTDATED, "removed"),
        (UNKNOWN, Status.UNPROVEN, "ambiguous"),
    ],
)
def test_affirmed(lookup: Lookup, status: Status, rule: str) -> None:
    finding = judge_name(name("tf.x"), lookup, "2.21")
    assert (finding.status, finding.rule) == (status, rule)
    assert finding.message


@pytest.mark.parametrize(
    ("lookup", "status", "rule"),
    [
        (NEVER, Status.WORKS, ""),
        (GONE, Status.WORKS, ""),
        (STUB, Status.WORKS, ""),
        (HERE, Status.BROKEN, "refuted"),
        (UNKNOWN, Status.UNPROVEN, "ambiguous"),
    ],
)
def test_denied(lookup: Lookup, status: Status, rule: str) -> None:
    finding = judge_name(name("tf.x", polarity=Polarity.NEGATED), lookup, "2.21")
    assert (finding.status, finding.rule) == (status, rule)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("1.x", Status.WORKS),
        ("1.4", Status.WORKS),
        ("earlier", Status.WORKS),
        ("2.x", Status.OUTDATED),
        ("2.3", Status.OUTDATED),
    ],
)
def test_a_text_that_names_the_release_itself(said: str, status: Status) -> None:
    assert judge_name(name("tf.old", release=said), GONE, "2.21").status is status


def test_messages_name_releases_and_what_is_near() -> None:
    assert "1.0 to 1.15" in judge_name(name("tf.old"), MOVED, "2.21").message
    assert judge_name(name("tf.old"), MOVED, "2.21").suggestion == "tf.math.new"
    assert "tf.io.read_file" in judge_name(name("tf.io.nope"), NEVER, "2.21").suggestion
    assert "apache_beam.io.ReadIt" in judge_name(name("tf.io.ReadIt"), BEAM, "2.21").message


def test_a_call_that_does_not_bind() -> None:
    lookup = Lookup(name="tensorflow.add", found=True, kind="function", binds="got an unexpected keyword argument 'z'")
    finding = judge_name(name("tf.add", call=CallForm(keywords=("z",))), lookup, "2.21")
    assert (finding.status, finding.rule) == (Status.BROKEN, "wrong-argument")
    fits = Lookup(name="tensorflow.add", found=True, kind="function", binds="")
    assert judge_name(name("tf.add", call=CallForm(positional=2)), fits, "2.21").status is Status.WORKS


def test_an_argument_of_earlier_releases_is_outdated() -> None:
    lookup = Lookup(
        name="f",
        found=True,
        kind="function",
        binds="unexpected 'dim'",
        keyword="dim",
        accepted="1.0-1.15",
        renamed_to="axis",
    )
    finding = judge_name(name("tf.f", call=CallForm(keywords=("dim",))), lookup, "2.21")
    assert (finding.status, finding.rule, finding.suggestion) == (Status.OUTDATED, "wrong-argument", "axis")
    assert "1.0-1.15" in finding.message


@pytest.mark.parametrize(
    ("has", "status", "rule"),
    [(True, Status.WORKS, ""), (False, Status.BROKEN, "wrong-argument"), (None, Status.UNPROVEN, "ambiguous")],
)
def test_a_claimed_argument(has: bool | None, status: Status, rule: str) -> None:
    lookup = Lookup(name="tensorflow.f", found=True, kind="function", has_argument=has)
    finding = judge_name(name("tf.f", argument="axis"), lookup, "2.21")
    assert (finding.status, finding.rule) == (status, rule)


@pytest.mark.parametrize(
    ("said", "kind", "status"),
    [
        ("function", "class", Status.WORKS),
        ("class", "function", Status.WORKS),
        ("function", "module", Status.BROKEN),
        ("module", "class", Status.BROKEN),
        ("module", "module", Status.WORKS),
        ("loss", "class", Status.WORKS),
    ],
)
def test_kinds(said: str, kind: str, status: Status) -> None:
    finding = judge_name(name("tf.f", said_kind=said), Lookup(name="f", found=True, kind=kind), "2.21")
    assert finding.status is status


@pytest.mark.parametrize(
    ("said", "kind", "status"),
    [("function", "class", Status.BROKEN), ("class", "function", Status.BROKEN), ("function", "method", Status.WORKS)],
)
def test_a_kind_that_the_text_asserts_in_so_many_words(said: str, kind: str, status: Status) -> None:
    claim = name("tf.f", said_kind=said, kind_asserted=True)
    finding = judge_name(claim, Lookup(name="f", found=True, kind=kind), "2.21")
    assert finding.status is status


def test_the_live_environment_decides_and_the_index_remembers() -> None:
    live = Lookup(name="tensorflow.old", found=True, kind="function", signature="()")
    both = merged(GONE, live)
    assert both is not None
    assert both.found and both.last == "1.15" and both.signature == "()"
    assert merged(GONE, Lookup(name="x", found=False, unknown=True)) == GONE
    assert merged(None, live) == live
    assert merged(None, None) is None


def test_private_names_are_nobodys_promise() -> None:
    finding = judge_name(name("keras._private.losses"), NEVER, "2.21")
    assert (finding.status, finding.rule) == (Status.UNPROVEN, "ambiguous")


def test_an_import_that_fails_says_why() -> None:
    lookup = Lookup(name="tensorflow.keras.Model", found=False, error="tensorflow.keras.Model is a class, not a module")
    finding = judge_name(name("tf.keras.Model", form="import"), lookup, "2.21")
    assert (finding.status, finding.rule) == (Status.BROKEN, "unknown-name")
    assert "is a class, not a module" in finding.message


def test_a_contradiction_of_the_oracles_is_said() -> None:
    live = Lookup(name="tensorflow.old", found=True)
    assert "the running TensorFlow has it;" in disagreement(GONE, live)[0]
    assert "the running TensorFlow has it not;" in disagreement(HERE, Lookup(name="x", found=False))[0]
    assert disagreement(GONE, Lookup(name="x", found=False)) == ()
    assert disagreement(GONE, None) == ()
    assert disagreement(UNKNOWN, live) == ()


def test_a_library_that_says_itself_that_a_name_is_gone() -> None:
    lookup = Lookup(name="numpy.float", found=False, error="`np.float` was a deprecated alias for the builtin `float`.")
    assert judge_name(name("np.float"), lookup, "2.21").status is Status.OUTDATED


def test_another_library_named_by_the_text_itself_is_no_fault() -> None:
    finding = judge_name(name("tf.io.ReadIt", elsewhere="Apache Beam"), BEAM, "2.21")
    assert finding.status is Status.UNPROVEN
