"""Verdicts on code that ran with stand-ins, or that only we called: what is told, and how sure it is."""

from __future__ import annotations

import pytest
from samples import fault, run, snippet

from verifier.judge import decide
from verifier.model import Confidence, Evidence, Exercise, Fate, StandIn, Status, StepFate, Verdict
from verifier.reports.wording import supplied

CODE = "net = make()\nnet.fit(x)\nprint(1)"
STANDIN = StandIn(name="x", role="64 samples of 8, values 0..1", code="x = 1")


def _judged(code: str = CODE, fates: dict | None = None, **fields: object) -> Verdict:
    fields = {"standins": (STANDIN,), "tainted": (1,)} | fields
    claim = snippet("s", code)
    return decide([claim], [Evidence(claim="s", environment="tf-2.21", run=run(code, fates, **fields))], "tf-2.21")[0]


def test_code_that_ran_with_stand_ins_is_likely_to_work_and_names_them() -> None:
    verdict = _judged()
    assert (verdict.status, verdict.confidence) == (Status.WORKS, Confidence.LIKELY)
    assert verdict.message == "all 3 statements ran, with a stand-in for `x`"
    assert "run with a stand-in for `x` (64 samples of 8, values 0..1)" in verdict.notes


def test_many_stand_ins_are_named_in_the_notes() -> None:
    many = tuple(StandIn(name=f"x{number}", role="a number", code="") for number in range(9))
    verdict = _judged(standins=many)
    assert verdict.message.endswith("with stand-ins for `x0`, `x1`, `x2` and 6 more")
    assert sum("stand-in for" in note for note in verdict.notes) == 9


@pytest.mark.parametrize(
    ("what", "status"),
    [
        (fault("ValueError", "shapes do not match"), Status.UNPROVEN),
        (fault("KeyError", "'acc'"), Status.UNPROVEN),
        (fault("AttributeError", "'numpy.ndarray' object has no attribute 'foo'", name_="foo"), Status.UNPROVEN),
        (fault("TypeError", "_mean() got an unexpected keyword argument 'numeric_only'"), Status.UNPROVEN),
        (fault("TypeError", "TensorFlowTrainer.fit() got an unexpected keyword argument 'epoch'"), Status.BROKEN),
        (fault("TypeError", "Trainer.fit() missing 1 required positional argument: 'y'"), Status.BROKEN),
        (fault("AttributeError", "'Mean' object has no attribute 'reset_states'", name_="reset_states"), Status.BROKEN),
        (fault("ValueError", "Could not interpret optimizer identifier: adaam"), Status.BROKEN),
        (fault("ValueError", "No such layer: Conv2D. Existing layers are: ['dense']."), Status.BROKEN),
    ],
)
def test_only_what_no_data_could_have_mended_is_charged(what: object, status: Status) -> None:
    assert _judged(fates={1: what}).status is status
    assert _judged(fates={1: what}, tainted=()).status is Status.BROKEN


def test_a_model_of_the_authors_may_be_called_otherwise_than_ours() -> None:
    ours = StandIn(name="net", role="a small Keras model", code="net = tensorflow.keras.Model(a, b)")
    for message in (
        "Functional.call() got an unexpected keyword argument 'mask'",
        "call() takes 2 positional arguments",
    ):
        assert _judged(fates={1: fault("TypeError", message)}, standins=(ours,)).status is Status.UNPROVEN
    missing = fault("AttributeError", "'Functional' object has no attribute 'encode'", name_="encode")
    assert _judged(fates={1: missing}, standins=(ours,)).status is Status.UNPROVEN


def test_the_message_names_the_stand_in_that_the_statement_names() -> None:
    other = StandIn(name="unrelated", role="a number", code="")
    verdict = _judged(fates={1: fault("ValueError", "no")}, standins=(STANDIN, other))
    assert "our stand-in for `x` may have caused that" in verdict.message


def test_a_death_with_stand_ins_is_nobodys() -> None:
    fates = {1: StepFate.NOT_REACHED, 2: StepFate.NOT_REACHED}
    died = {"fates": fates, "fate": Fate.CRASHED, "fatal": True}
    assert _judged(**died).status is Status.UNPROVEN
    assert _judged(**died, standins=(), tainted=()).status is Status.BROKEN


DEFINITION = "def f(x):\n    return x + 1"


def test_a_definition_that_ran_when_we_called_it() -> None:
    done = Exercise(name="f", code="f(2)", fate=StepFate.FINISHED, ran_lines=(2,))
    verdict = _judged(DEFINITION, standins=(), tainted=(), exercises=(done,))
    assert (verdict.status, verdict.confidence) == (Status.WORKS, Confidence.LIKELY)
    assert verdict.message == "it defines `f`; its body ran when we called it with plain inputs"
    assert "called by us: `f(2)`" in verdict.notes


@pytest.mark.parametrize("fate", [StepFate.RAISED, StepFate.FINISHED])
def test_an_exercise_that_ran_no_line_of_a_body_proves_nothing(fate: StepFate) -> None:
    done = Exercise(name="f", code="f(2)", fate=fate, fault=fault("ValueError"))
    verdict = _judged(DEFINITION, standins=(), tainted=(), exercises=(done,))
    assert (verdict.status, verdict.rule) == (Status.UNPROVEN, "never-called")


def test_a_report_shows_what_was_put_in_front() -> None:
    long = StandIn(name="mnist.load_data", role="invented images", code="x = 1\n" * 200)
    shown = supplied(run(CODE, standins=(STANDIN, long)))
    assert shown == (
        "# stand-in for x: 64 samples of 8, values 0..1",
        "x = 1",
        "# stand-in for mnist.load_data: invented images",
    )
