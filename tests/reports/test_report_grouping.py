"""One entry per cause: repeats and blocked claims are told where the fault is told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from report_builders import claim, document, interview, report, verdict
from report_strategies import coherent_reports

from verifier.model import Claim, ClaimKind, Evidence, Fate, Report, Run, Status, Step, StepFate, Verdict
from verifier.reports.grouping import Entry, entries
from verifier.reports.view import views

DOC = document("one = tf.a()\ntwo = tf.b(one)\n\nthree = tf.c(two)\n\nfour = tf.d(three)\n")
FIRST = claim(DOC, "one = tf.a()\ntwo = tf.b(one)\n", ClaimKind.SNIPPET, ident="first", code="c")
SECOND = claim(DOC, "three = tf.c(two)", ClaimKind.SNIPPET, ident="second", code="c")
THIRD = claim(DOC, "four = tf.d(three)", ClaimKind.SNIPPET, ident="third", code="c")
CALL_A = claim(DOC, "tf.a()", ClaimKind.CALL, ident="call-a", about="first")
CALL_B = claim(DOC, "tf.b(one)", ClaimKind.CALL, ident="call-b", about="first")
CALL_D = claim(DOC, "tf.d(three)", ClaimKind.CALL, ident="call-d", about="third")


def blocked(about: Claim) -> Verdict:
    return verdict(about, Status.UNPROVEN, "blocked", "needs what failed")


def stopped_by(about: Claim, program: int, culprit: int) -> Evidence:
    step = Step(program=program, statement=0, fate=StepFate.BLOCKED, blocked_by=(culprit, 0))
    run = Run(session=0, fate=Fate.FINISHED, steps=(step,), program=program, programs=("", "first", "second", "third"))
    return Evidence(claim=about.id, environment="tf-2.21", run=run)


def grouped(found: Report) -> dict[str, tuple[list[str], list[str]]]:
    (view,) = views(found)
    return {entry.finding.claim.id: (ids(entry.repeats), ids(entry.blocked)) for entry in entries(view.findings)}


def ids(findings: tuple[object, ...]) -> list[str]:
    return [finding.claim.id for finding in findings]  # type: ignore[attr-defined]


def test_a_call_that_repeats_its_snippet_is_told_there() -> None:
    verdicts = (
        verdict(FIRST, Status.BROKEN, "raises", "tf.a() raises", span=CALL_A.span),
        verdict(CALL_A, Status.BROKEN, "raises", "no tf.a"),
    )
    assert grouped(report((DOC,), (FIRST, CALL_A), verdicts)) == {"first": (["call-a"], [])}


@pytest.mark.parametrize(
    "call",
    [
        verdict(CALL_B, Status.BROKEN, "raises", "another fault at another place"),
        verdict(CALL_B, Status.OUTDATED, "removed", "tf.a() raises"),
        verdict(CALL_B, Status.WORKS),
    ],
)
def test_a_call_with_a_fault_of_its_own_is_told_by_itself(call: Verdict) -> None:
    verdicts = (verdict(FIRST, Status.BROKEN, "raises", "tf.a() raises", span=CALL_A.span), call)
    assert grouped(report((DOC,), (FIRST, CALL_B), verdicts)) == {"first": ([], []), "call-b": ([], [])}


def test_calls_of_a_working_snippet_are_told_by_themselves() -> None:
    verdicts = tuple(verdict(about, Status.WORKS) for about in (FIRST, CALL_A))
    assert set(grouped(report((DOC,), (FIRST, CALL_A), verdicts))) == {"first", "call-a"}


def test_what_is_blocked_is_told_with_the_first_cause_however_far_away() -> None:
    claims = (FIRST, CALL_B, SECOND, THIRD, CALL_D)
    verdicts = (
        verdict(FIRST, Status.BROKEN, "raises", "m", span=CALL_A.span),
        *(blocked(about) for about in claims[1:]),
    )
    evidence = (stopped_by(SECOND, 2, 1), stopped_by(THIRD, 3, 2))
    found = report((DOC,), claims, verdicts, evidence=evidence)
    assert grouped(found) == {"first": ([], ["call-b", "second", "third", "call-d"])}


def test_what_is_blocked_by_a_repeat_is_told_with_its_host() -> None:
    verdicts = (
        verdict(FIRST, Status.BROKEN, "raises", "m", span=CALL_A.span),
        verdict(CALL_A, Status.BROKEN, "raises", "m"),
        blocked(SECOND),
    )
    run = Run(
        session=0,
        fate=Fate.FINISHED,
        program=2,
        programs=("", "call-a", "second"),
        steps=(Step(program=2, statement=0, fate=StepFate.BLOCKED, blocked_by=(1, 0)),),
    )
    evidence = (Evidence(claim="second", environment="tf-2.21", run=run),)
    assert grouped(report((DOC,), (FIRST, CALL_A, SECOND), verdicts, evidence=evidence)) == {
        "first": (["call-a"], ["second"])
    }


@pytest.mark.parametrize(
    "evidence",
    [
        (),
        (stopped_by(SECOND, 2, 0),),
        (stopped_by(SECOND, 2, 9),),
        (stopped_by(SECOND, 2, 2),),
        (stopped_by(SECOND, 2, 3), stopped_by(THIRD, 3, 2)),
    ],
    ids=["none", "an import", "nobody", "itself", "a circle"],
)
def test_blocked_without_a_cause_is_told_by_itself(evidence: tuple[Evidence, ...]) -> None:
    found = report((DOC,), (SECOND, THIRD), (blocked(SECOND), blocked(THIRD)), evidence=evidence)
    assert set(grouped(found)) == {"second", "third"}


def test_a_repeat_lends_its_suggestion() -> None:
    verdicts = (
        verdict(FIRST, Status.BROKEN, "raises", "m"),
        verdict(CALL_A, Status.BROKEN, "raises", "m", suggestion="tf.z"),
    )
    (view,) = views(report((DOC,), (FIRST, CALL_A), verdicts))
    (entry,) = entries(view.findings)
    assert entry.suggestion == "tf.z"
    own = replace(entry.finding, verdict=replace(verdicts[0], suggestion="tf.y"))
    assert Entry(finding=own, repeats=entry.repeats).suggestion == "tf.y"


def test_a_long_chain_is_walked_once() -> None:
    count = 4000
    names = tuple(f"s{number}" for number in range(count))
    claims = tuple(replace(FIRST, id=name) for name in names)
    evidence = tuple(
        Evidence(
            claim=name,
            environment="e",
            run=Run(
                session=0,
                fate=Fate.FINISHED,
                program=at,
                programs=names,
                steps=(Step(program=at, statement=0, fate=StepFate.BLOCKED, blocked_by=(at - 1, 0)),),
            ),
        )
        for at, name in enumerate(names)
        if at
    )
    verdicts = (verdict(claims[0], Status.BROKEN, "raises", "m"), *(blocked(about) for about in reversed(claims[1:])))
    ((name, (_, held_up)),) = grouped(report((DOC,), claims, verdicts, evidence=evidence)).items()
    assert name == "s0"
    assert len(held_up) == count - 1


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(coherent_reports())
def test_every_finding_is_told_exactly_once(found: Report) -> None:
    for view in views(found):
        told = [
            item.claim.id
            for entry in entries(view.findings)
            for item in (entry.finding, *entry.repeats, *entry.blocked)
        ]
        assert sorted(told) == sorted(finding.claim.id for finding in view.findings)


def test_the_sample_has_one_entry_for_its_snippet() -> None:
    assert grouped(interview())["a1b2c3"] == (["d4e5f6"], ["b10c"])
