"""A second run of code that fails for want of a GPU, with logical CPU devices that answer to the names of GPUs.

TensorFlow puts a lone `tf.device("/gpu:0")` on the CPU by itself, so the code is first run as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from verifier.model import Fate, Run, Step, StepFate
from verifier.probe.devices import asking, devices_named
from verifier.probe.trial import Bench, Failed, Trial, attempt


def with_devices(trial: Trial, bench: Bench) -> Trial:
    """The trial with devices standing in for the GPUs, where that changes anything about a run that failed."""
    session = trial.session
    count = devices_named(session.parsed)
    if not count or session.rig.gpus or not any(_failed(run) for run in trial.runs.values()):
        return trial
    try:
        again = attempt(replace(session, rig=replace(session.rig, gpus=count)), bench)
    except Failed:
        return trial
    if any(_worse(old, new) for old, new in _pairs(trial, again)):
        return trial
    if all(_story(old) == _story(new) for old, new in _pairs(trial, again)):
        return trial
    names: set[str] = set()
    modules = frozenset().union(*(flow.modules for program in session.parsed for flow in program.flows))
    asked = [asking(program, names, modules) for program in session.parsed]
    runs = {claim: _tainted(run, trial.runs[claim], asked[run.program]) for claim, run in again.runs.items()}
    return replace(again, runs=runs)


def _failed(run: Run) -> bool:
    return any(step.fate is StepFate.RAISED for step in run.steps) or (run.fatal and run.fate is not Fate.FINISHED)


def _pairs(before: Trial, after: Trial) -> Iterator[tuple[Step, Step]]:
    for claim, run in before.runs.items():
        yield from zip(run.steps, after.runs[claim].steps, strict=True)


def _worse(old: Step, new: Step) -> bool:
    return old.fate is StepFate.FINISHED and new.fate is not StepFate.FINISHED


def _tainted(run: Run, honest: Run, asked: frozenset[int]) -> Run:
    """The run with the statements that rest on the devices: all that ask for them, and what fails otherwise."""
    same = {
        new.statement
        for old, new in zip(honest.steps, run.steps, strict=True)
        if old.fault is not None and _story(old) == _story(new)
    }
    return replace(run, tainted=tuple(sorted(asked | (set(run.tainted) - same))))


def _story(step: Step) -> tuple[StepFate, str]:
    return step.fate, f"{step.fault.type}: {step.fault.message}" if step.fault else ""
