"""Runs a session again with stand-ins for what its document does not give, and keeps them if it gets further.

Honest first: what is missing is read off a run of nothing but the author's code. What is supplied is told with
every run that it reached, together with the statements whose fate it may have decided.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from time import monotonic

from verifier.model import Fate, Run, StandIn, Step, StepFate
from verifier.probe.standins.assemble import assemble, moved
from verifier.probe.standins.files import files
from verifier.probe.standins.needs import needed
from verifier.probe.standins.supplies import Supply
from verifier.probe.standins.taint import Origins, origins
from verifier.probe.standins.watch import Seen, watch
from verifier.probe.trial import Bench, Trial

# Every round needs what only the round before can tell, such as a model that lacked its number of classes.
_ROUNDS = 4
_SECONDS = 30.0  # no further round is begun after so long
_TOLD = re.compile(r"URL fetch failure|no files match|could not find directory|no such file", re.IGNORECASE)
_LACKING = ("NameError", "OSError", "NotFoundError", "ImportError", "URLError", "KeyError")


def supply(trial: Trial, bench: Bench) -> Trial:
    """The session run with stand-ins, or the trial as it was when there is nothing to supply or it does not help."""
    endless = any(run.fate is Fate.TIMEOUT for run in trial.runs.values())
    if endless or not any(_lacks(run) for run in trial.runs.values()):
        return trial
    until = monotonic() + _SECONDS
    honest = _honest(trial, bench)
    if honest is None:
        return trial
    best, supplies, refused = honest, tuple[Supply, ...](), set[str]()
    for _ in range(_ROUNDS):
        new = tuple(item for item in needed(trial.session, best, supplies) if item.standin.name not in refused)
        if not new or monotonic() > until:
            break
        seen = watch(trial.session, (*supplies, *new), bench)
        if seen is not None and seen.failed:
            refused |= {item.standin.name for item in seen.failed}
            new = tuple(item for item in new if item not in seen.failed)
            seen = watch(trial.session, (*supplies, *new), bench) if new else None
        if seen is None or not _further(best, seen):
            break
        best, supplies = seen, (*supplies, *new)
    return _told(trial, honest, best, supplies) if supplies else trial


def _honest(trial: Trial, bench: Bench) -> Seen | None:
    """The run without stand-ins; None when nothing can be supplied. It is made again only to ask what came of it."""
    session = trial.session
    programs = {
        index: trial.runs[session.claims[index]] for index in session.own if session.claims[index] in trial.runs
    }
    known = Seen(programs=programs)
    if not session.borrowed and not needed(session, known, ()):
        return None
    if not session.borrowed and not known.absent() and not any(True for _ in files(session, known)):
        return known
    return watch(session, (), bench)


def _lacks(run: Run) -> bool:
    """Whether something was not there that could be supplied."""
    if run.fatal and run.fate is not Fate.FINISHED:
        return False
    return any(
        step.fate is StepFate.MISSING
        or (step.fault is not None and (any(map(step.fault.is_a, _LACKING)) or _TOLD.search(step.fault.message)))
        for step in run.steps
    )


def _further(before: Seen, now: Seen) -> bool:
    return now.finished() >= before.finished() and now.settled() > before.settled()


def _told(trial: Trial, honest: Seen, best: Seen, supplies: tuple[Supply, ...]) -> Trial:
    """The trial with the runs that had the stand-ins."""
    whole = assemble(trial.session, supplies)
    behind = origins(trial.session, supplies)
    runs = dict(trial.runs)
    for index in trial.session.own:
        claim = trial.session.claims[index]
        if claim not in runs or index not in best.programs or index not in honest.programs:
            continue
        run = replace(moved(best.programs[index], dict(enumerate(whole.authors))), programs=whole.session.claims)
        own = {number: names for (program, number), names in behind.items() if program == index}
        run = replace(run, tainted=tuple(sorted({*run.tainted, *runs[claim].tainted})))
        runs[claim] = _marked(
            _recalled(run, honest.programs[index]), honest.programs[index], own, _known(supplies, index)
        )
    return Trial(session=whole.session, runs=runs)


def _known(supplies: tuple[Supply, ...], program: int) -> dict[str, StandIn]:
    """The stand-in of each name that a program saw."""
    ordered = sorted(supplies, key=lambda item: item.before)
    return {item.standin.name: item.standin for item in ordered if item.before <= program}


def _recalled(run: Run, honest: Run) -> Run:
    """A fault that showed itself without stand-ins is not lost when their failure keeps its statement from running."""
    steps, recalled = [], set()
    for step, before in zip(run.steps, honest.steps, strict=True):
        if before.fate is StepFate.RAISED and step.fate in {StepFate.BLOCKED, StepFate.NOT_REACHED}:
            steps.append(replace(before, program=run.program))
            recalled.add(before.statement)
        else:
            steps.append(step)
    diagnoses = (
        *(item for item in run.diagnoses if item.statement not in recalled),
        *(item for item in honest.diagnoses if item.statement in recalled),
    )
    return replace(run, steps=tuple(steps), diagnoses=diagnoses)


def _marked(run: Run, honest: Run, behind: Mapping[int, Origins], known: Mapping[str, StandIn]) -> Run:
    """A run with its stand-ins, and the statements that rest on them: not those that fail all the same without."""
    reached = {step.statement for step in run.steps if step.fate in {StepFate.FINISHED, StepFate.RAISED}}
    reached |= {step.statement for step in run.steps if run.fatal and step.fate is StepFate.NOT_REACHED}
    names = frozenset().union(*(found for number, found in behind.items() if number in reached))
    same = {step.statement for step, before in zip(run.steps, honest.steps, strict=True) if _same_fault(step, before)}
    return replace(
        run,
        standins=(*run.standins, *(standin for name, standin in known.items() if name in names)),
        tainted=tuple(sorted({*run.tainted, *(behind.keys() - same)})),
    )


def _same_fault(step: Step, before: Step) -> bool:
    if step.fault is None or before.fault is None:
        return False
    return (step.fault.type, step.fault.message) == (before.fault.type, before.fault.message)
