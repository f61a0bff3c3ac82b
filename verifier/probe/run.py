"""Runs a session and shares out what happened among its snippets.

A snippet that ends the whole process (it never stops, it exits, it crashes) must not take the others with it:
the session is run again without the statement that did it.
"""

from __future__ import annotations

from dataclasses import replace

from verifier.model import Fate, Limits, Outcome, Program, Run, SessionJob, Step, StepFate
from verifier.probe.cluster import companions_of, roomy, supplied_by, tainted_by
from verifier.probe.sessions import Session
from verifier.probe.startup import SHARED_PROCESS, too_late
from verifier.sandbox.base import Sandbox

# Each further run costs up to the time limit; a document with more such statements than this is not worth it.
RERUNS = 3


def run_session(
    session: Session, sandbox: Sandbox, limits: Limits, *, reruns: int = RERUNS, seed: int = 0
) -> dict[str, Run]:
    """What happened to each snippet that the session is about, by claim id; it is run again at most `reruns` times."""
    programs, rig = list(session.programs), session.rig
    runs: dict[str, Run] = {}
    done: set[int] = set()
    culprits: dict[str, tuple[int, int]] = {}
    for _ in range(reruns + 1):
        outcome = sandbox.run(SessionJob(programs=tuple(programs), seed=seed, limits=roomy(limits, rig), rig=rig))
        fatal = _fatal(outcome, programs)
        last = len(programs) - 1 if fatal is None else fatal[0]
        for index in range(last + 1):
            if index not in done:
                done.add(index)
                if index in session.own:
                    ended = fatal is not None and fatal[0] == index
                    runs[session.claims[index]] = _run(session, index, outcome, culprits, fatal=ended)
        if fatal is None or last == len(programs) - 1 or outcome.fate is Fate.SANDBOX_FAILED:
            break
        cut(programs, fatal, culprits)
    for index in session.own:
        runs.setdefault(session.claims[index], _run(session, index, outcome, culprits, fatal=False))
    return runs


def _fatal(outcome: Outcome, programs: list[Program]) -> tuple[int, int] | None:
    """The statement during which the session died, as (program, statement)."""
    if outcome.fate is Fate.FINISHED:
        return None
    ended = {(step.program, step.statement) for step in outcome.steps if step.fate is not StepFate.NOT_REACHED}
    for index, program in enumerate(programs):
        for number in range(len(program.statements)):
            if (index, number) not in ended:
                return index, number
    return len(programs) - 1, max(len(programs[-1].statements) - 1, 0)


def cut(programs: list[Program], fatal: tuple[int, int], culprits: dict[str, tuple[int, int]]) -> None:
    """Take the fatal statement and the rest of its program away; what they would have given is missing now."""
    index, number = fatal
    program = programs[index]
    for statement in program.statements[number:]:
        for name in statement.binds:
            culprits.setdefault(name, fatal)
    end = program.statements[number].span.start if program.statements else 0
    programs[index] = replace(program, code=program.code[:end], statements=program.statements[:number])
    for later in range(index + 1, len(programs)):
        programs[later] = replace(
            programs[later],
            statements=tuple(
                replace(item, missing=tuple(sorted({*item.missing, *(n for n in item.reads if n in culprits)})))
                for item in programs[later].statements
            ),
        )


def _run(session: Session, index: int, outcome: Outcome, culprits: dict[str, tuple[int, int]], *, fatal: bool) -> Run:
    program = session.programs[index]
    # How long it took is no fact about the claim, and would make two equal reports differ.
    reached = {step.statement: replace(step, seconds=0.0) for step in outcome.steps if step.program == index}
    steps = tuple(
        _blamed(reached.get(number) or Step(program=index, statement=number, fate=StepFate.NOT_REACHED), culprits)
        for number in range(len(program.statements))
    )
    late = too_late(steps, session.claims[:index])
    return Run(
        session=session.number,
        fate=outcome.fate if fatal or outcome.fate is Fate.SANDBOX_FAILED else Fate.FINISHED,
        detail=outcome.detail if fatal or outcome.fate is Fate.SANDBOX_FAILED else "",
        fatal=fatal,
        steps=steps,
        statements=program.statements,
        program=index,
        programs=session.claims,
        ran_lines=outcome.ran_lines[index] if index < len(outcome.ran_lines) else (),
        added=session.added,
        borrowed=session.borrowed,
        limits=outcome.limits,
        standins=(*supplied_by(session.rig), *((SHARED_PROCESS,) if late else ())),
        tainted=tuple(sorted({*tainted_by(session.rig, steps), *late})),
        companions=companions_of(session.rig),
        unattested=outcome.unattested,
    )


def _blamed(step: Step, culprits: dict[str, tuple[int, int]]) -> Step:
    """A name that is missing because its statement was taken away is not missing from the document."""
    if step.fate is not StepFate.MISSING:
        return step
    for name in step.missing:
        if name in culprits:
            return replace(step, fate=StepFate.BLOCKED, blocked_by=culprits[name], missing=())
    return step
