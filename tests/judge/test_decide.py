"""Verdicts on snippets, calls and outputs from what was seen of a run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import call, evidence, fault, name, run, snippet

from verifier.judge import decide, worth_retrying
from verifier.model import (
    Claim,
    ClaimKind,
    Confidence,
    Diagnosis,
    Evidence,
    Fate,
    Lookup,
    Polarity,
    Repair,
    RepairClass,
    Span,
    Status,
    Step,
    StepFate,
    Verdict,
    Warned,
)

CODE = "net = build()\nlayer = net.get_layer('A')\nw = layer.get()\nnet.summary()"


def _verdict(claim: Claim, *given: Evidence, others: tuple[Claim, ...] = ()) -> Verdict:
    verdicts = decide((claim, *others), given, "tf-2.21")
    return next(item for item in verdicts if item.claim == claim.id)


def _failed(code: str = CODE, at: str = "net.get_layer('A')"):
    span = Span(start=code.index(at), end=code.index(at) + len(at))
    blocked = Step(program=0, statement=2, fate=StepFate.BLOCKED, blocked_by=(0, 1))
    base = run(code, {1: fault("ValueError", "No such layer: A", expression=span)})
    return replace(base, steps=(*base.steps[:2], blocked, base.steps[3]))


def test_code_that_ran_works() -> None:
    verdict = _verdict(snippet("s", CODE), evidence(run(CODE)))
    assert (verdict.status, verdict.confidence) == (Status.WORKS, Confidence.SURE)
    assert "4 statements" in verdict.message


def test_code_that_raised_is_broken_at_the_failing_place() -> None:
    verdict = _verdict(snippet("s", CODE), evidence(_failed()))
    assert (verdict.status, verdict.rule) == (Status.BROKEN, "raises")
    assert verdict.span is not None and verdict.span.of(CODE) == "net.get_layer('A')"
    assert "No such layer: A" in verdict.message
    assert "2 of 4 statements ran" in verdict.notes


@pytest.mark.parametrize(
    ("text", "status", "rule"),
    [
        ("build()", Status.WORKS, ""),
        ("net.get_layer('A')", Status.BROKEN, "raises"),
        ("layer.get()", Status.UNPROVEN, "blocked"),
        ("net.summary()", Status.WORKS, ""),
    ],
)
def test_calls_share_the_fate_of_their_statement(text: str, status: Status, rule: str) -> None:
    one = snippet("s", CODE)
    verdict = _verdict(call(CODE, text), evidence(_failed()), others=(one,))
    assert (verdict.status, verdict.rule) == (status, rule)


def test_calls_of_the_failing_statement_that_had_run_before_it_work() -> None:
    code = "out = outer(inner(1), tail(2))"
    one = snippet("s", code)
    seen = run(code, {0: fault("TypeError", "no", expression=Span(start=6, end=len(code)))})
    assert _verdict(call(code, "inner(1)"), evidence(seen), others=(one,)).status is Status.WORKS
    assert _verdict(call(code, "outer(inner(1), tail(2))"), evidence(seen), others=(one,)).status is Status.BROKEN
    inner = run(code, {0: fault("TypeError", "no", expression=Span(start=12, end=20))})
    assert _verdict(call(code, "outer(inner(1), tail(2))"), evidence(inner), others=(one,)).rule == "blocked"
    assert _verdict(call(code, "inner(1)"), evidence(inner), others=(one,)).rule == "raises"


def test_a_missing_attribute_is_the_fault_of_the_call_on_it() -> None:
    code = "t = tf.arange(10)"
    seen = run(code, {0: fault("AttributeError", "no", name_="arange", expression=Span(start=4, end=13))})
    verdict = _verdict(call(code, "tf.arange(10)"), evidence(seen), others=(snippet("s", code),))
    assert verdict.status is Status.BROKEN


def test_what_is_missing_from_the_document_is_unproven() -> None:
    code = "model.fit(x_train)"
    missing = replace(
        run(code), steps=(Step(program=0, statement=0, fate=StepFate.MISSING, missing=("model", "x_train")),)
    )
    verdict = _verdict(snippet("s", code), evidence(missing))
    assert (verdict.status, verdict.rule) == (Status.UNPROVEN, "missing-context")
    assert "`model` and `x_train`" in verdict.message


def test_code_that_nobody_calls_proves_nothing_but_its_names_are_checked() -> None:
    code = "def f():\n    return tf.layers.Fancy(3)"
    one = snippet("s", code)
    inside = call(code, "tf.layers.Fancy(3)", "tf.layers.Fancy")
    seen = evidence(run(code, ran_lines=(1,)))
    verdict = _verdict(one, seen)
    assert (verdict.status, verdict.rule) == (Status.UNPROVEN, "never-called")
    absent = Evidence(claim=inside.id, environment="index", lookup=Lookup(name="x", found=False))
    assert _verdict(inside, seen, absent, others=(one,)).rule == "unknown-name"
    assert _verdict(one, seen, absent, others=(inside,)).status is Status.BROKEN
    present = Evidence(claim=inside.id, environment="index", lookup=Lookup(name="x", found=True))
    assert _verdict(inside, seen, present, others=(one,)).rule == "never-called"
    called = evidence(run(code, ran_lines=(1, 2)))
    assert _verdict(one, called).status is Status.WORKS
    assert _verdict(inside, called, present, others=(one,)).status is Status.WORKS


@pytest.mark.parametrize(
    ("fate", "status", "rule"),
    [
        (Fate.TIMEOUT, Status.UNPROVEN, "timeout"),
        (Fate.OUT_OF_MEMORY, Status.UNPROVEN, "out-of-memory"),
        (Fate.CRASHED, Status.BROKEN, "crashed"),
        (Fate.EXITS_EARLY, Status.UNPROVEN, "exits-early"),
        (Fate.TAMPERED, Status.UNPROVEN, "tampered"),
        (Fate.OUTPUT_LIMIT, Status.UNPROVEN, "over-limit"),
    ],
)
def test_sessions_that_end_badly(fate: Fate, status: Status, rule: str) -> None:
    code = "a = 1\nboom()\nb = 2"
    seen = run(
        code, {1: StepFate.NOT_REACHED, 2: StepFate.NOT_REACHED}, fate=fate, fatal=True, detail="seen from outside"
    )
    verdict = _verdict(snippet("s", code), evidence(seen))
    assert (verdict.status, verdict.rule) == (status, rule)
    assert "boom()" in verdict.message and "seen from outside" in verdict.message


def test_our_own_failure_is_not_run() -> None:
    verdict = _verdict(snippet("s", "a = 1"), evidence(failure="the sandbox died"))
    assert (verdict.status, verdict.rule) == (Status.NOT_RUN, "sandbox-failed")
    assert "the sandbox died" in verdict.message
    assert _verdict(snippet("s", "a = 1")).status is Status.NOT_RUN


def test_announced_failures() -> None:
    bad = snippet("s", "f()", polarity=Polarity.NEGATED, announced="ValueError")
    assert _verdict(bad, evidence(run("f()", {0: fault("ValueError", "x")}))).status is Status.WORKS
    assert _verdict(bad, evidence(run("f()"))).rule == "refuted"
    other = _verdict(bad, evidence(run("f()", {0: fault("KeyError", "x")})))
    assert (other.status, other.rule) == (Status.UNPROVEN, "ambiguous")


def test_no_verdict_is_surer_than_its_reading() -> None:
    chosen = Repair(rule="quotes", klass=RepairClass.R2, span=Span(start=0, end=1), before="”", after="''", reason="")
    seen = evidence(run("f()", {0: fault("ValueError", "x")}))
    assert _verdict(replace(snippet("s", "f()"), repairs=(chosen,)), seen).confidence is Confidence.LIKELY
    guessed = replace(snippet("s", "f()"), repairs=(replace(chosen, klass=RepairClass.R3),))
    verdict = _verdict(guessed, seen)
    assert (verdict.status, verdict.rule) == (Status.UNPROVEN, "ambiguous")
    doubted = replace(name("tf.zz"), reading=Confidence.GUESS, doubt="it is hedged")
    lookup = Evidence(claim="n", environment="index", lookup=Lookup(name="tf.zz", found=False))
    assert _verdict(doubted, lookup).status is Status.UNPROVEN


def test_python_two_is_outdated() -> None:
    assert _verdict(snippet("s", "print x", python2=True)).rule == "python2"


def test_added_imports_are_said() -> None:
    seen = run("f()", added=("import tensorflow as tf",))
    assert any("import tensorflow as tf" in note for note in _verdict(snippet("s", "f()"), evidence(seen)).notes)


def test_warnings_become_notes_of_the_call() -> None:
    code = "f(1)"
    seen = run(code)
    warned = replace(seen.steps[0], warnings=(Warned(category="UserWarning", message="`decay` is ignored"),))
    verdict = _verdict(call(code, "f(1)"), evidence(replace(seen, steps=(warned,))), others=(snippet("s", code),))
    assert verdict.status is Status.WORKS
    assert verdict.notes == ("warned: UserWarning: `decay` is ignored",)


def _output(stated: str, code: str, statement: str, **fields: object) -> Claim:
    start = code.index(statement)
    return Claim(
        id="o",
        kind=ClaimKind.OUTPUT,
        document="notes.md",
        span=Span(start=0, end=1),
        quote=stated,
        passage=0,
        code=stated,
        about="s",
        code_span=Span(start=start, end=start + len(statement)),
        **fields,
    )


@pytest.mark.parametrize(
    ("stated", "status", "rule"), [("3", Status.WORKS, ""), ("4", Status.BROKEN, "output-differs")]
)
def test_stated_outputs(stated: str, status: Status, rule: str) -> None:
    code = "x = 1\nprint(x + 2)"
    seen = run(code)
    printed = replace(seen, steps=(seen.steps[0], replace(seen.steps[1], stdout="3\n")))
    verdict = _verdict(_output(stated, code, "print(x + 2)"), evidence(printed), others=(snippet("s", code),))
    assert (verdict.status, verdict.rule) == (status, rule)
    assert "3" in verdict.observed


def test_a_block_of_output_means_all_prints_of_the_code() -> None:
    code = "print(1)\nprint(2)"
    seen = run(code)
    printed = replace(seen, steps=tuple(replace(s, stdout=f"{s.statement + 1}\n") for s in seen.steps))
    assert (
        _verdict(_output("1\n2", code, "print(2)"), evidence(printed), others=(snippet("s", code),)).status
        is Status.WORKS
    )


def test_a_stated_exception() -> None:
    code = "f()"
    claim = _output("ValueError", code, "f()", said_kind="exception")
    one = snippet("s", code)
    assert _verdict(claim, evidence(run(code, {0: fault("ValueError", "x")})), others=(one,)).status is Status.WORKS
    assert _verdict(claim, evidence(run(code, {0: fault("KeyError", "x")})), others=(one,)).rule == "output-differs"
    assert _verdict(claim, evidence(run(code)), others=(one,)).rule == "refuted"


def test_an_output_of_code_that_did_not_run_is_not_judged() -> None:
    code = "print(x)"
    seen = replace(run(code), steps=(Step(program=0, statement=0, fate=StepFate.BLOCKED, blocked_by=(0, 0)),))
    assert _verdict(_output("3", code, code), evidence(seen), others=(snippet("s", code),)).rule == "blocked"


def test_what_works_in_another_release_is_outdated_not_broken() -> None:
    code = "net.save('folder')"
    here = evidence(run(code, {0: fault("ValueError", "bad ending")}))
    there = replace(evidence(run(code)), environment="tf-2.15")
    verdict = _verdict(snippet("s", code), here, there)
    assert (verdict.status, verdict.rule) == (Status.OUTDATED, "raises")
    assert "it runs in tf-2.15, not in tf-2.21" in verdict.message
    assert verdict.per_environment == (("tf-2.21", Status.BROKEN), ("tf-2.15", Status.WORKS))


def test_what_is_broken_everywhere_stays_broken_and_says_so() -> None:
    code = "net.get_layer('A')"
    here = evidence(run(code, {0: fault("ValueError", "No such layer")}))
    verdict = _verdict(snippet("s", code), here, replace(here, environment="tf-2.15"))
    assert verdict.status is Status.BROKEN
    assert "the same in tf-2.15" in verdict.notes


def test_another_release_that_could_not_be_tried_changes_nothing() -> None:
    code = "f()"
    here = evidence(run(code, {0: fault("ValueError", "x")}))
    failed = replace(evidence(failure="no python"), environment="tf-2.15")
    verdict = _verdict(snippet("s", code), here, failed)
    assert verdict.status is Status.BROKEN
    assert verdict.per_environment == (("tf-2.21", Status.BROKEN),)


def test_a_name_that_the_index_settles_is_not_worth_another_release() -> None:
    code = "tf.arange(3)"
    seen = run(code, {0: fault("AttributeError", "no", name_="arange")})
    told = replace(
        seen, diagnoses=(Diagnosis(statement=0, target="tensorflow.arange", lookup=Lookup(name="x", found=False)),)
    )
    assert not worth_retrying(_verdict(snippet("s", code), evidence(told)))
    assert worth_retrying(_verdict(snippet("s", "f()"), evidence(run("f()", {0: fault("ValueError", "x")}))))
