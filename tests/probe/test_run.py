"""Sharing out what happened in a session among its snippets, also when one of them ends it."""

from __future__ import annotations

from collections.abc import Callable

from samples import document, snippet

from verifier.model import Environment, Fate, Limits, Lookup, NameQuery, Outcome, SessionJob, Step, StepFate
from verifier.probe.run import run_session
from verifier.probe.sessions import plan_sessions


class Scripted:
    """A sandbox whose statements do what the test says; it obeys the protocol, it does not run Python."""

    environment = Environment(name="tf-2.21", backend="scripted", isolation="none", python="3", packages=(), digest="")

    def __init__(self, ending: Callable[[str], Fate | None] = lambda _source: None) -> None:
        self.jobs: list[SessionJob] = []
        self._ending = ending

    def run(self, job: SessionJob) -> Outcome:
        self.jobs.append(job)
        steps: list[Step] = []
        for index, program in enumerate(job.programs):
            for number, item in enumerate(program.statements):
                fate = self._ending(item.span.of(program.code))
                if fate is not None:
                    return Outcome(fate=fate, detail="as scripted", steps=tuple(steps), limits=job.limits)
                done = StepFate.MISSING if item.missing else StepFate.FINISHED
                steps.append(Step(program=index, statement=number, fate=done, missing=item.missing))
        return Outcome(fate=Fate.FINISHED, steps=tuple(steps), limits=job.limits)

    def start(self) -> None: ...

    def close(self) -> None: ...

    def lookup(self, queries: tuple[NameQuery, ...]) -> tuple[Lookup, ...]:
        return tuple(Lookup(name=query.path, found=True) for query in queries)


def _run(sandbox: Scripted, *codes: str):
    (session,) = plan_sessions(document(), [snippet(f"s{i}", code) for i, code in enumerate(codes)])
    return run_session(session, sandbox, Limits())


def test_each_snippet_gets_its_own_steps() -> None:
    runs = _run(Scripted(), "a = 1\nb = a", "c = b")
    assert [len(runs[key].steps) for key in ("s0", "s1")] == [2, 1]
    assert runs["s1"].program == 1
    assert runs["s1"].programs == ("s0", "s1")
    assert not runs["s0"].fatal


def test_a_snippet_that_never_ends_does_not_take_the_others_with_it() -> None:
    sandbox = Scripted(lambda source: Fate.TIMEOUT if source.startswith("while") else None)
    runs = _run(sandbox, "a = 1", "b = 2\nwhile True: pass\nc = 3", "d = a", "e = c", "f = b")
    assert len(sandbox.jobs) == 2
    assert runs["s1"].fatal and runs["s1"].fate is Fate.TIMEOUT
    assert [step.fate for step in runs["s1"].steps] == [StepFate.FINISHED, StepFate.NOT_REACHED, StepFate.NOT_REACHED]
    assert runs["s0"].steps[0].fate is StepFate.FINISHED and not runs["s0"].fatal
    assert runs["s2"].steps[0].fate is StepFate.FINISHED and runs["s2"].fate is Fate.FINISHED
    assert runs["s3"].steps[0].fate is StepFate.BLOCKED
    assert runs["s3"].steps[0].blocked_by == (1, 1)
    assert runs["s4"].steps[0].fate is StepFate.FINISHED


def test_a_document_full_of_endless_loops_is_given_up_after_a_few() -> None:
    sandbox = Scripted(lambda source: Fate.TIMEOUT if source.startswith("while") else None)
    runs = _run(sandbox, *["while True: pass"] * 9)
    assert len(sandbox.jobs) == 4
    assert [runs[f"s{i}"].fatal for i in range(9)] == [True] * 4 + [False] * 5
    assert runs["s8"].steps[0].fate is StepFate.NOT_REACHED


def test_a_session_that_dies_in_its_last_snippet_is_not_run_again() -> None:
    sandbox = Scripted(lambda source: Fate.CRASHED if source == "boom()" else None)
    runs = _run(sandbox, "def boom(): pass\na = 1", "boom()")
    assert len(sandbox.jobs) == 1
    assert runs["s1"].fatal and runs["s1"].detail == "as scripted"
