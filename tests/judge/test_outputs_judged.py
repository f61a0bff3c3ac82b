"""Opinions on stated outputs, from what the statements they speak of gave."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import fault, run, snippet

from verifier.judge.finding import Finding
from verifier.judge.observed import contrast, observations, source_of, tied_to
from verifier.judge.outputs import judge_output
from verifier.judge.progress import epochs, proved
from verifier.model import Claim, ClaimKind, Fault, Run, Span, Status, Step, StepFate, Wobble

CODE = "x = f()\nprint(x)\ny = g(x)\ny"


def _output(value: str, at: str, code: str = CODE, kind: str = "") -> Claim:
    start = code.rindex(at)
    place = Span(start=start, end=start + len(at))
    return Claim(
        id="o",
        kind=ClaimKind.OUTPUT,
        document="notes.md",
        span=Span(start=0, end=1),
        quote=value,
        passage=0,
        code=value,
        about="s",
        code_span=place,
        said_kind=kind,
    )


def _seen(code: str, given: dict[int, tuple[str, str | None]], fates: dict[int, StepFate | Fault] | None = None) -> Run:
    """A run whose statements printed and gave these, by number."""
    base = run(code, fates)
    steps = tuple(
        replace(step, stdout=given[number][0], value=given[number][1]) if number in given else step
        for number, step in enumerate(base.steps)
    )
    return replace(base, steps=steps)


def _judged(value: str, at: str, seen: Run, code: str = CODE, kind: str = "") -> Finding:
    return judge_output(_output(value, at, code, kind), snippet("s", code), seen)


def test_a_departure_shows_what_is_claimed_and_what_was_observed() -> None:
    finding = _judged("[1 3]", "print(x)", _seen(CODE, {1: ("[1 2]\n", None)}))
    assert (finding.status, finding.rule) == (Status.BROKEN, "output-differs")
    assert finding.message == "the text says [1 3], observed was [1 2]"
    assert finding.observed == "[1 2]\n"


@pytest.mark.parametrize(
    ("value", "seen", "remark"),
    [
        ("tf.Tensor([1], shape=(1,), dtype=int64)", "tf.Tensor([1], shape=(1,), dtype=int32)\n", "their type does not"),
        ("[1 2]", "[[1 2]]\n", "their arrangement does not"),
    ],
)
def test_a_departure_in_type_or_arrangement_is_told_as_such(value: str, seen: str, remark: str) -> None:
    finding = _judged(value, "print(x)", _seen(CODE, {1: (seen, None)}))
    assert finding.rule == "output-differs"
    assert remark in finding.message


def test_the_value_of_a_bare_expression_counts() -> None:
    assert _judged("3", "y", _seen("y", {0: ("", "3")}), "y").status is Status.WORKS


def test_the_value_of_an_assignment_counts_only_for_a_claim_about_it() -> None:
    seen = _seen(CODE, {1: ("1\n", None), 2: ("", "tf.Tensor([1], shape=(1,), dtype=int32)"), 3: ("", "2")})
    assert _judged("(1,)", "y = g(x)", seen, kind="shape").status is Status.WORKS
    assert _judged("1\n2", CODE[8:], seen).status is Status.WORKS
    assert "tf.Tensor" not in "".join(observations(tied_to(_output("", CODE[8:]), seen)))


def test_a_block_may_show_what_the_code_before_it_printed_too() -> None:
    seen = _seen(CODE, {1: ("1\n", None), 3: ("", "2")})
    assert _judged("1\n2", "y", seen).status is Status.WORKS
    assert _judged("2", CODE[8:], seen).status is Status.WORKS
    assert _judged("1", CODE[8:], seen).status is Status.WORKS  # as a script shows it
    assert _judged("3", CODE[8:], seen).status is Status.BROKEN


def test_what_was_printed_before_a_failure_is_not_lost() -> None:
    fates: dict[int, StepFate | Fault] = {3: fault("ValueError", "no")}
    seen = _seen(CODE, {1: ("1\n", None)}, fates)
    assert _judged("1", CODE[8:], seen).status is Status.WORKS
    other = _judged("1\n2", CODE[8:], seen)
    assert (other.status, other.rule) == (Status.UNPROVEN, "blocked")
    assert "ValueError" in other.message


def test_a_statement_that_gives_nothing_proves_nothing() -> None:
    assert _judged("1", "print(x)", _seen(CODE, {})).rule == "ambiguous"


def test_a_shape_that_cannot_be_told_is_unproven() -> None:
    finding = _judged("(2, 3)", "y = g(x)", _seen(CODE, {2: ("", "<Model object>")}), kind="shape")
    assert (finding.status, finding.rule) == (Status.UNPROVEN, "ambiguous")


@pytest.mark.parametrize(
    ("code", "at", "value", "seen", "rule"),
    [
        ("model.fit(x)\nprint(model.evaluate(x))", "print(model.evaluate(x))", "loss: 0.31", "loss: 0.45", "flaky"),
        ("h = m.fit(x)\nprint('loss', h.loss)", "print('loss', h.loss)", "loss 0.31", "loss 0.45", "flaky"),
        ("print(tf.__version__)", "print(tf.__version__)", "2.4.1", "2.21.0", "flaky"),
        ("g = tf.config.list_physical_devices('GPU')\nprint(len(g))", "print(len(g))", "1", "0", "flaky"),
        ("try:\n  f()\nexcept E as e:\n  print(e)", "try:\n  f()\nexcept E as e:\n  print(e)", "a bad x", "x is bad", "ambiguous"),
        ("a = np.array([1])\nprint(a.dtype)", "print(a.dtype)", "int32", "int64", "ambiguous"),
        ("print(layer.name)", "print(layer.name)", "dense_1", "dense_4", "ambiguous"),
        ("print(x)", "print(x)", "[3]", "3", "ambiguous"),
    ],
)  # fmt: skip
def test_what_the_text_cannot_know_is_not_held_against_it(code: str, at: str, value: str, seen: str, rule: str) -> None:
    last = code.count("\n") if "try" not in code else 0
    finding = _judged(value, at, _seen(code, {last: (f"{seen}\n", None)}), code)
    assert (finding.status, finding.rule) == (Status.UNPROVEN, rule)
    assert seen.partition(" ")[0] in finding.message


@pytest.mark.parametrize(
    ("code", "value", "seen"),
    [
        ("model.fit(x)\nprint(len(x))", "5", "6"),  # no figure of a training
        ("g = tf.config.list_physical_devices()\nprint(1 + 1)", "3", "2"),  # comes out of something else
        ("print(loss(1, 2))", "loss: 3.0", "loss: 4.0"),  # nothing was trained
    ],
)
def test_what_does_not_depend_on_it_is(code: str, value: str, seen: str) -> None:
    last = code.count("\n")
    finding = _judged(value, code.splitlines()[-1], _seen(code, {last: (seen, None)}), code)
    assert finding.rule == "output-differs"


@pytest.mark.parametrize(("seeded", "words"), [(False, "random numbers: 1 in one run"), (True, "what a seed gives")])
def test_a_result_that_changed_with_the_seed_is_flaky_with_both_outcomes(seeded: bool, words: str) -> None:
    wobble = Wobble(statement=1, kind="result", first="1", second="2", seeded=seeded)
    seen = replace(_seen(CODE, {1: ("1\n", None)}), wobbles=(wobble,))
    finding = _judged("7", "print(x)", seen)
    assert (finding.status, finding.rule) == (Status.UNPROVEN, "flaky")
    assert words in finding.message
    assert "1 in one run, 2 in another" in finding.message
    assert _judged("1", "print(x)", seen).status is Status.WORKS
    assert (
        _judged("7", "y", replace(seen, steps=(*seen.steps[:3], replace(seen.steps[3], value="8")))).rule
        == "output-differs"
    )


def test_an_exception_by_class_base_or_any_other() -> None:
    seen = _seen("f()", {}, {0: fault("tf.errors.InvalidArgumentError", "no", mro="OpError Exception")})
    for named in ("InvalidArgumentError", "tf.errors.InvalidArgumentError", "OpError"):
        assert _judged(named, "f()", seen, "f()", "exception").status is Status.WORKS
    other = _judged("ValueError", "f()", seen, "f()", "exception")
    assert (other.status, other.rule) == (Status.BROKEN, "output-differs")
    assert "ValueError" in other.message and "InvalidArgumentError" in other.message
    assert _judged("ValueError", "f()", _seen("f()", {}), "f()", "exception").rule == "refuted"


def test_the_code_that_a_result_comes_out_of() -> None:
    code = "import time\na = 1\nb = a\nc = time.time()\nprint(b)"
    assert source_of(tied_to(_output("", "print(b)", code), run(code)), code) == "a = 1\nb = a\nprint(b)"


def test_long_outputs_are_shown_from_where_they_part() -> None:
    assert contrast("1\n2\n3", "1\n2\n4", 20) == ("… 3", "… 4")
    assert contrast("1", "1\n2", 20) == ("1", "1 2")
    assert contrast("a" * 40, "b", 10) == ("a" * 9 + "…", "b")


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("Epoch 1/50\n…\nEpoch 4/50\n3/7 ━━━", ["3 of 50 epochs were trained"]),
        ("\x1b[1mEpoch 1/3\x1b[0m\n", ["0 of 3 epochs were trained"]),
        ("epoch 5, loss 0.2\nepoch 6, loss 0.1\n", ["the last epoch that it told of is 6"]),
        ("loading\n", []),
    ],
)
def test_how_far_a_training_had_come(printed: str, said: list[str]) -> None:
    assert epochs(printed) == said


def test_what_had_been_proved_when_the_time_was_up() -> None:
    base = run("a\nb\nc")
    late = Step(program=0, statement=2, fate=StepFate.NOT_REACHED, stdout="Epoch 2/9\n")
    assert (
        proved(replace(base, steps=(*base.steps[:2], late)), 2)
        == "2 statements ran before it, 1 of 9 epochs were trained"
    )
