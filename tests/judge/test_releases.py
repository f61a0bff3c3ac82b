"""Verdicts of the target beside what happened in other environments."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import call, evidence, fault, name, run, snippet

from verifier.judge import decide, worth_retrying
from verifier.model import (
    INDEX,
    Claim,
    ClaimKind,
    Conversion,
    Diagnosis,
    Evidence,
    Lookup,
    Run,
    Span,
    Status,
    Step,
    StepFate,
    Verdict,
)

CODE = "s = tf.Session()\nprint(s.run(tf.add(1, 2)))"
GONE = Lookup(name="tensorflow.Session", found=False, first="1.0", last="1.15")
SUBSTITUTE = "tf-1.15 (tf.compat.v1 of 2.15)"


def _here(code: str = CODE, lookup: Lookup = GONE, type_: str = "AttributeError") -> Run:
    """A run in the target: the first statement raises, the others are blocked by it."""
    place = Span(start=4, end=4 + len("tf.Session"))
    seen = run(code, {0: fault(type_, "no attribute 'Session'", name_="Session", expression=place)})
    blocked = tuple(
        replace(step, fate=StepFate.BLOCKED, blocked_by=(0, 0)) if step.statement else step for step in seen.steps
    )
    told = (Diagnosis(statement=0, target="tensorflow.Session", lookup=lookup),) if lookup.last else ()
    return replace(seen, steps=blocked, diagnoses=told)


def _there(seen: Run, environment: str = "tf-1.15", because: str = "of its names") -> Evidence:
    return replace(evidence(seen), environment=environment, because=because)


def _first(*found: Evidence, claim: Claim | None = None, others: tuple[Claim, ...] = ()) -> Verdict:
    return decide((claim or snippet("s", CODE), *others), found, "tf-2.21")[0]


def test_outdated_code_that_runs_where_it_belongs_says_so() -> None:
    verdict = _first(evidence(_here()), _there(run(CODE)))
    assert (verdict.status, verdict.rule) == (Status.OUTDATED, "removed")
    assert verdict.message.endswith("; it runs in tf-1.15")
    assert "tried in tf-1.15, because of its names" in verdict.notes
    assert verdict.per_environment == (("tf-2.21", Status.OUTDATED), ("tf-1.15", Status.WORKS))


def test_outdated_code_that_fails_there_too_stays_outdated_and_says_so() -> None:
    verdict = _first(evidence(_here()), _there(run(CODE, {1: fault("ValueError", "shapes differ")})))
    assert verdict.status is Status.OUTDATED
    assert "in tf-1.15 it fails as well" in verdict.message
    assert "shapes differ" in verdict.message


def test_release_1_excuses_only_what_was_written_for_it() -> None:
    """A graph that is never computed hides what is wrong with it."""
    broken = evidence(run(CODE, {1: fault("InvalidArgumentError", "sizes differ")}))
    neighbour = _first(broken, _there(run(CODE), because=""))
    assert neighbour.status is Status.BROKEN
    own = _first(broken, _there(run(CODE)))
    assert (own.status, own.rule) == (Status.OUTDATED, "raises")
    assert own.message.startswith("it runs in tf-1.15, not in tf-2.21: ")
    eager = _first(broken, _there(run(CODE), environment="tf-2.15", because=""))
    assert eager.status is Status.OUTDATED


def test_what_takes_the_place_of_a_release_proves_that_code_works_and_never_that_it_does_not() -> None:
    works = _first(evidence(_here()), _there(run(CODE), SUBSTITUTE))
    assert works.message.endswith(f"; it runs in {SUBSTITUTE}")
    fails = _first(evidence(_here()), _there(_here(), SUBSTITUTE))
    assert fails.status is Status.OUTDATED
    assert "fails as well" not in fails.message
    assert dict(fails.per_environment)[SUBSTITUTE] is Status.UNPROVEN
    assert any("this is not tf-1.15 itself" in note for note in fails.notes)


def test_as_a_target_it_accuses_nobody() -> None:
    seen = replace(evidence(run(CODE, {1: fault("ValueError", "x")})), environment=SUBSTITUTE)
    verdict = decide((snippet("s", CODE),), (seen,), SUBSTITUTE)[0]
    assert verdict.status is Status.UNPROVEN
    assert decide((snippet("s", CODE),), (replace(seen, run=run(CODE)),), SUBSTITUTE)[0].status is Status.WORKS


def test_calls_follow_the_run_of_their_snippet_in_each_environment() -> None:
    session, add = call(CODE, "tf.Session()", "tf.Session"), call(CODE, "tf.add(1, 2)", "tf.add")
    index = Evidence(claim=session.id, environment=INDEX, lookup=GONE)
    told = decide((snippet("s", CODE), session, add), (evidence(_here()), _there(run(CODE)), index), "tf-2.21")
    assert told[1].status is Status.OUTDATED
    assert told[1].message.endswith("; it runs in tf-1.15")
    assert (told[2].status, told[2].rule) == (Status.UNPROVEN, "blocked")
    assert "it runs in tf-1.15" in told[2].notes


def test_the_history_of_a_name_counts_for_each_environment() -> None:
    """A call that is never reached there is not said to be gone from a release that has it."""
    code = "x = tf.placeholder(1)\ndef f():\n    return tf.Session()"
    session = call(code, "tf.Session()", "tf.Session")
    index = Evidence(claim=session.id, environment=INDEX, lookup=GONE)
    seen = _there(run(code, ran_lines=(1, 2)))
    told = decide((snippet("s", code), session), (evidence(_here(code)), seen, index), "tf-2.21")
    assert dict(told[1].per_environment)["tf-1.15"] is Status.UNPROVEN


def _output(release: str | None = None) -> Claim:
    span = Span(start=CODE.index("print"), end=len(CODE))
    return Claim(
        id="o", kind=ClaimKind.OUTPUT, document="notes.md", span=span, quote="3", passage=0, code="3", about="s",
        code_span=span, release=release,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("release", "environment", "status"),
    [
        (None, "tf-1.15", Status.OUTDATED),
        ("1.x", "tf-1.15", Status.WORKS),
        (None, "tf-2.15", Status.UNPROVEN),
    ],
)
def test_outputs_of_code_that_cannot_run_in_the_target(release: str, environment: str, status: Status) -> None:
    seen = run(CODE)
    seen = replace(seen, steps=(seen.steps[0], replace(seen.steps[1], stdout="3\n")))
    claim = _output(release)
    verdict = _first(evidence(_here()), _there(seen, environment), claim=claim, others=(snippet("s", CODE),))
    assert verdict.status is status


def test_blocked_code_that_the_text_gives_to_release_1_is_judged_there() -> None:
    seen = run(CODE)
    blocked = replace(seen, steps=tuple(replace(step, fate=StepFate.BLOCKED) for step in seen.steps))
    named = _first(evidence(blocked), _there(seen), claim=snippet("s", CODE, release="1.x"))
    assert named.status is Status.OUTDATED
    other = _first(evidence(blocked), _there(seen))
    assert (other.status, other.rule) == (Status.UNPROVEN, "blocked")
    assert "it runs in tf-1.15" in other.notes


def test_what_works_in_the_target_is_not_touched() -> None:
    verdict = _first(evidence(run(CODE)), _there(_here()))
    assert (verdict.status, verdict.per_environment) == (Status.WORKS, (("tf-2.21", Status.WORKS),))


@pytest.mark.parametrize(
    ("status", "rule", "release", "worth"),
    [
        (Status.BROKEN, "raises", None, True),
        (Status.BROKEN, "unknown-name", None, False),
        (Status.OUTDATED, "removed", None, True),
        (Status.OUTDATED, "python2", None, False),
        (Status.UNPROVEN, "blocked", None, False),
        (Status.UNPROVEN, "blocked", "1.x", True),
        (Status.UNPROVEN, "missing-data", "1.x", False),
        (Status.WORKS, "", "1.x", False),
    ],
)
def test_what_is_worth_trying_elsewhere(status: Status, rule: str, release: str | None, worth: bool) -> None:
    assert worth_retrying(Verdict(claim="s", status=status, rule=rule), snippet("s", "x", release=release)) is worth


def _converted(conversion: Conversion, environment: str = "tf-1.15") -> Verdict:
    claim = snippet("s", "print 7 / 2", python2=True)
    told = Evidence(claim="s", environment=environment, conversion=conversion)
    return _first(evidence(run("")), told, claim=claim)


def test_python_2_stays_outdated_whatever_came_of_its_conversion() -> None:
    runs = _converted(Conversion(code="print(7 / 2)", ran=1, all=1, division=True))
    assert (runs.status, runs.rule) == (Status.OUTDATED, "python2")
    assert runs.message.endswith("converted to Python 3 for trying, it runs in tf-1.15")
    assert any("whole number in Python 2" in note for note in runs.notes)
    fails = _converted(Conversion(code="f(1)\ng()", trouble="ValueError: no", ran=1, all=2))
    assert fails.status is Status.OUTDATED
    assert fails.message.endswith("it fails in tf-1.15: ValueError: no")
    assert "1 of 2 statements ran" in fails.notes
    lost = _converted(Conversion(code="", trouble="bad input"))
    assert "it could not be converted to Python 3: bad input" in lost.notes


def test_names_of_python_2_in_code_that_python_3_can_read() -> None:
    code = "for i in xrange(3):\n    pass"
    missing = replace(run(code), steps=(Step(program=0, statement=0, fate=StepFate.MISSING, missing=("xrange",)),))
    verdict = _first(evidence(missing), claim=snippet("s", code))
    assert (verdict.status, verdict.rule) == (Status.OUTDATED, "python2")
    items = run("d.iteritems()", {0: fault("AttributeError", "'dict' object has no attribute 'iteritems'")})
    assert _first(evidence(items), claim=snippet("s", "d.iteritems()")).rule == "python2"
    own = run("d.iteritems()", {0: fault("AttributeError", "'Batch' object has no attribute 'iteritems'")})
    assert _first(evidence(own), claim=snippet("s", "d.iteritems()")).rule != "python2"


def test_prose_is_not_judged_by_runs() -> None:
    verdict = _first(Evidence(claim="n", environment=INDEX, lookup=GONE), _there(run(CODE)), claim=name("tf.Session"))
    assert verdict.per_environment == (("tf-2.21", Status.OUTDATED),)
