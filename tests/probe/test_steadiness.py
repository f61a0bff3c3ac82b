"""A session that holds something chargeable is run once more with other seeds; what differs is told, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from samples import document, fault, snippet

from verifier.errors import SandboxUnavailable
from verifier.index import open_index
from verifier.model import (
    Claim,
    ClaimKind,
    Environment,
    Fate,
    Fault,
    Limits,
    Lookup,
    NameQuery,
    Outcome,
    SessionJob,
    Span,
    Step,
    StepFate,
)
from verifier.probe.sessions import plan_sessions
from verifier.probe.steadiness import reseeded, steady
from verifier.probe.trial import Bench, Trial, attempt

# What a statement gives: its printed text, or its exception, or how it ends the session; by seed of the run.
Given = str | Fault | Fate
Course = Callable[[str, int], Given]


class Scripted:
    """A sandbox whose statements do what the test says, by the seed of the job; it does not run Python."""

    environment = Environment(name="tf-2.21", backend="scripted", isolation="none", python="3", packages=(), digest="")

    def __init__(self, course: Course, *, dies_at: int = 99) -> None:
        self.jobs: list[SessionJob] = []
        self._course = course
        self._dies_at = dies_at

    def run(self, job: SessionJob) -> Outcome:
        self.jobs.append(job)
        if len(self.jobs) > self._dies_at:
            raise SandboxUnavailable("gone")
        steps: list[Step] = []
        for index, program in enumerate(job.programs):
            for number, item in enumerate(program.statements):
                given = self._course(item.span.of(program.code), job.seed)
                place = {"program": index, "statement": number}
                if isinstance(given, Fate):
                    return Outcome(fate=given, steps=tuple(steps))
                if isinstance(given, Fault):
                    steps.append(Step(fate=StepFate.RAISED, fault=given, **place))
                else:
                    steps.append(Step(fate=StepFate.FINISHED, stdout=given, **place))
        return Outcome(fate=Fate.FINISHED, steps=tuple(steps))

    def start(self) -> None: ...

    def close(self) -> None: ...

    def lookup(self, queries: tuple[NameQuery, ...]) -> tuple[Lookup, ...]:
        return tuple(Lookup(name=query.path, found=True) for query in queries)


def _output(code: str, at: str, value: str, kind: str = "") -> Claim:
    start = code.index(at)
    return Claim(
        id="o",
        kind=ClaimKind.OUTPUT,
        document="notes.md",
        span=Span(start=0, end=1),
        quote=value,
        passage=0,
        code=value,
        about="s",
        code_span=Span(start=start, end=start + len(at)),
        said_kind=kind,
    )


def _tried(code: str, sandbox: Scripted, *outputs: Claim) -> Trial:
    (session,) = plan_sessions(document(), [snippet("s", code), *outputs])
    bench = Bench(sandbox=sandbox, limits=Limits(), names=open_index("tf-2.21"))
    return steady(attempt(session, bench), bench)


def _always(given: Mapping[str, Given]) -> Course:
    return lambda source, _seed: given.get(source, "")


CODE = "x = draw()\nprint(x)"


def test_a_session_with_nothing_to_charge_is_run_once() -> None:
    sandbox = Scripted(_always({"print(x)": "[1 2]\n"}))
    assert _tried(CODE, sandbox, _output(CODE, "print(x)", "[1, 2]")).runs["s"].wobbles == ()
    assert len(sandbox.jobs) == 1


def test_a_result_that_differs_by_seed_is_a_wobble_with_both_results() -> None:
    sandbox = Scripted(lambda source, seed: f"0.{seed}5\n" if source == "print(x)" else "")
    (wobble,) = _tried(CODE, sandbox, _output(CODE, "print(x)", "0.7")).runs["s"].wobbles
    assert (wobble.statement, wobble.kind, wobble.first, wobble.second) == (1, "result", "0.05", "0.15")
    assert not wobble.seeded
    assert [job.seed for job in sandbox.jobs] == [0, 1]


def test_a_result_that_stays_is_no_wobble() -> None:
    sandbox = Scripted(_always({"print(x)": "3\n"}))
    assert _tried(CODE, sandbox, _output(CODE, "print(x)", "4")).runs["s"].wobbles == ()
    assert len(sandbox.jobs) == 2


def test_addresses_and_times_make_no_wobble() -> None:
    shown = ("<f at 0x7f00aa00> took 12ms", "<f at 0x55bb1100> took 3ms")
    sandbox = Scripted(lambda source, seed: shown[seed] if source == "print(x)" else "")
    assert _tried(CODE, sandbox, _output(CODE, "print(x)", "4")).runs["s"].wobbles == ()


def test_what_no_text_speaks_of_is_not_compared() -> None:
    code = "print(x)\nprint(y)"
    sandbox = Scripted(lambda source, seed: str(seed) if source == "print(x)" else "3")
    assert _tried(code, sandbox, _output(code, "print(y)", "4")).runs["s"].wobbles == ()


def test_a_failure_that_comes_and_goes_is_a_wobble() -> None:
    error = fault("ValueError", "unlucky")
    sandbox = Scripted(lambda source, seed: error if source == "print(x)" and not seed else "")
    (wobble,) = _tried(CODE, sandbox).runs["s"].wobbles
    assert (wobble.kind, wobble.first, wobble.second) == ("fate", "ValueError: unlucky", "it ran")


@pytest.mark.parametrize("name", ["AttributeError", "NameError", "ModuleNotFoundError", "SyntaxError"])
def test_no_die_decides_whether_a_name_exists(name: str) -> None:
    sandbox = Scripted(_always({"print(x)": fault(name, mro="ImportError" if "Module" in name else "")}))
    _tried(CODE, sandbox)
    assert len(sandbox.jobs) == 1


def test_an_exception_that_the_text_shows_needs_no_second_run() -> None:
    sandbox = Scripted(_always({"print(x)": fault("ValueError")}))
    _tried(CODE, sandbox, _output(CODE, "print(x)", "ValueError", "exception"))
    assert len(sandbox.jobs) == 1


def test_what_ended_a_session_is_not_run_again() -> None:
    code = f"{CODE}\nhang()\nprint(x + 1)"
    sandbox = Scripted(lambda source, seed: {"print(x)": f"{seed}", "hang()": Fate.TIMEOUT}.get(source, ""))
    (wobble,) = _tried(code, sandbox, _output(code, "print(x)", "4")).runs["s"].wobbles
    assert wobble.statement == 1
    assert [len(job.programs[-1].statements) for job in sandbox.jobs] == [4, 2]


def test_a_session_that_only_hangs_is_run_once() -> None:
    sandbox = Scripted(_always({"print(x)": Fate.TIMEOUT}))
    _tried(CODE, sandbox)
    assert len(sandbox.jobs) == 1


def test_a_second_run_that_is_ended_says_nothing() -> None:
    sandbox = Scripted(lambda source, seed: Fate.TIMEOUT if seed else "3" if source == "print(x)" else "")
    assert _tried(CODE, sandbox, _output(CODE, "print(x)", "4")).runs["s"].wobbles == ()
    assert len(sandbox.jobs) == 2


def test_a_sandbox_that_fails_in_the_second_run_leaves_the_first_as_it_was() -> None:
    sandbox = Scripted(_always({"print(x)": "3"}), dies_at=1)
    trial = _tried(CODE, sandbox, _output(CODE, "print(x)", "4"))
    assert trial.runs["s"].steps[1].stdout == "3"
    assert trial.runs["s"].wobbles == ()


def test_a_statement_that_rests_on_a_stand_in_is_nobodys() -> None:
    sandbox = Scripted(_always({"print(x)": fault("ValueError")}))
    (session,) = plan_sessions(document(), [snippet("s", CODE)])
    bench = Bench(sandbox=sandbox, limits=Limits(), names=open_index("tf-2.21"))
    trial = attempt(session, bench)
    steady(replace(trial, runs={"s": replace(trial.runs["s"], tainted=(1,))}), bench)
    assert len(sandbox.jobs) == 1


def test_the_seeds_of_a_document_are_moved_in_the_second_run_and_told() -> None:
    code = "tf.random.set_seed(42)\nprint(x)"
    sandbox = Scripted(lambda source, seed: str(seed) if source == "print(x)" else "")
    (wobble,) = _tried(code, sandbox, _output(code, "print(x)", "7")).runs["s"].wobbles
    assert wobble.seeded
    assert [job.programs[-1].code for job in sandbox.jobs] == [code, code.replace("42", "43")]


@pytest.mark.parametrize(
    ("code", "moved"),
    [
        ("tf.random.set_seed(42)", "tf.random.set_seed(43)"),
        ("tf.keras.utils.set_random_seed(9)", "tf.keras.utils.set_random_seed(8)"),
        ("tf.random.uniform([2], seed=1)", "tf.random.uniform([2], seed=2)"),
        ("tf.random.stateless_normal([2], seed=(1, 2))", "tf.random.stateless_normal([2], seed=(2, 3))"),
        ("tf.random.Generator.from_seed(123)", "tf.random.Generator.from_seed(124)"),
        ("SEED = 1234\ntf.random.set_seed(SEED)", "SEED = 1235\ntf.random.set_seed(SEED)"),
        ("ds.shuffle(100, seed=5)  # 深度", "ds.shuffle(100, seed=6)  # 深度"),
    ],
)
def test_seeds_of_tensorflow_are_moved(code: str, moved: str) -> None:
    assert reseeded(code) == moved


@pytest.mark.parametrize(
    "code",
    [
        "np.random.seed(0)",
        "random.seed(0)",
        "np.random.RandomState(seed=3)",
        "rng = np.random.default_rng(3)",
        "x = 42",
        "tf.random.set_seed(int(now()))",
        "tf.random.set_seed(0x10)",
        "print('seed=1')",
        "not python (",
    ],
)
def test_everything_else_stays_as_it_is(code: str) -> None:
    assert reseeded(code) == code


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ("[1, 2]", "tf.Tensor([1 2], shape=(2,), dtype=int32)"),
        ("[1.0, 2.]", "[1. 2.]"),
        ("TensorShape([2, 3])", "(2, 3)"),
        ("float32", "<dtype: 'float32'>"),
        ("3", "loading\n3"),
        ("<tf.Tensor: shape=(1,), dtype=int32, numpy=array([7], dtype=int32)>", "[7]"),
    ],
)
def test_a_result_in_another_notation_needs_no_second_run(stated: str, shown: str) -> None:
    sandbox = Scripted(_always({"print(x)": shown}))
    _tried(CODE, sandbox, _output(CODE, "print(x)", stated))
    assert len(sandbox.jobs) == 1


@pytest.mark.parametrize(("stated", "shown"), [("7", "47"), ("7", "[3 7 9]"), ("1 2", "[1 2 3]"), ("", "3")])
def test_a_part_of_a_result_is_not_the_result(stated: str, shown: str) -> None:
    sandbox = Scripted(_always({"print(x)": shown}))
    _tried(CODE, sandbox, _output(CODE, "print(x)", stated))
    assert len(sandbox.jobs) == 2
