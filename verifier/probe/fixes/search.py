"""Runs the changes that might mend one failing statement, and picks the one that gets furthest.

Hides how many runs a statement is worth and when a change is good enough to stop at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import monotonic

from verifier.model import Edit, Run, Step, StepFate
from verifier.probe.fixes.ideas import ideas
from verifier.probe.fixes.patch import stacked
from verifier.probe.fixes.rewrite import edited
from verifier.probe.fixes.scene import Scene, scene_of
from verifier.probe.sessions import Session
from verifier.probe.trial import Bench, attempt

RUNS = 6
# After a change with which the statement finishes and a later one fails, so many others are tried.
_ALTERNATIVES = 2
# A run that gets less than this has no chance to tell anything, in seconds.
_LEAST = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A change that was run: all edits of the snippet's code, where the last came from, and what became of it."""

    edits: tuple[Edit, ...]
    reason: str
    run: Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The trying on one snippet: number `index` of `session`, where it stands as the author wrote it.

    `until` is the moment of the monotonic clock at which trying ends.
    """

    session: Session
    index: int
    bench: Bench
    until: float

    def time_left(self) -> bool:
        """Whether another run is worth starting."""
        return self.until - monotonic() > _LEAST

    def run(self, edits: tuple[Edit, ...], reason: str) -> Tried | None:
        """Run the session with these edits; None when they leave no such program. Raises Failed."""
        session = edited(self.session, self.index, edits) if edits else self.session
        if session is None:
            return None
        left = max(self.until - monotonic(), _LEAST)
        limits = replace(self.bench.limits, wall_seconds=min(left, self.bench.limits.wall_seconds))
        trial = attempt(session, replace(self.bench, limits=limits), reruns=0)
        return Tried(edits=edits, reason=reason, run=trial.runs[session.claims[self.index]])

    def fix(self, now: Tried, step: Step) -> Tried | None:
        """The change with which this statement finishes and most others do; None when none helps. Raises Failed."""
        number = step.statement
        best, deeper = None, None
        spent, alternatives = 0, _ALTERNATIVES
        waiting = self._changes(now, now, number)
        while spent < RUNS and alternatives >= 0 and self.time_left():
            change = next(waiting, None)
            if change is None:
                if best is not None or deeper is None:
                    break
                # A change that only uncovered the next fault of the same statement: go on from there.
                waiting, deeper = self._changes(now, deeper, number), None
                continue
            spent += 1
            tried = self.run(*change)
            if tried is None:
                spent -= 1
            elif not _finished(tried.run, number):
                deeper = deeper or (tried if _uncovered(step, tried.run.steps[number]) else None)
            elif not regressed(now.run, tried.run):
                best = max(best or tried, tried, key=lambda one: _done(one.run))
                if not _left(now.run, tried.run, number):
                    break
                alternatives -= 1
        return best

    def _changes(self, now: Tried, base: Tried, number: int) -> Iterator[tuple[tuple[Edit, ...], str]]:
        """Edits of the author's code with their reasons, most plausible first; those that stand are kept."""
        code = self.session.programs[self.index].code
        seen = {base.edits}
        for idea in ideas(self._scene(base, number)):
            edits = stacked(base.edits, idea.edits, code)
            if edits not in seen and set(now.edits) <= set(edits):
                seen.add(edits)
                reason = idea.reason if base is now else f"{base.reason}; {idea.reason}"
                yield edits, reason

    def _scene(self, base: Tried, number: int) -> Scene:
        session = (edited(self.session, self.index, base.edits) if base.edits else None) or self.session
        return scene_of(session, self.index, base.run, number, self.bench.names)


def regressed(before: Run, after: Run) -> bool:
    """Whether a statement that had finished does so no more, though it had its turn."""
    return any(
        one.fate is StepFate.FINISHED and other.fate not in {StepFate.FINISHED, StepFate.NOT_REACHED}
        for one, other in zip(before.steps, after.steps, strict=True)
    )


def _finished(run: Run, number: int) -> bool:
    return run.steps[number].fate is StepFate.FINISHED


def _done(run: Run) -> int:
    return sum(step.fate is StepFate.FINISHED for step in run.steps)


def _left(before: Run, after: Run, number: int) -> bool:
    """Whether a statement that the mended one may have held back still does not finish."""
    culprit = (before.program, number)
    return any(
        (one.fate is StepFate.NOT_REACHED or one.blocked_by == culprit) and other.fate is not StepFate.FINISHED
        for one, other in zip(before.steps[number + 1 :], after.steps[number + 1 :], strict=True)
    )


def _uncovered(before: Step, after: Step) -> bool:
    """Whether a statement fails otherwise than before, so that the change did something."""
    if after.fate is StepFate.MISSING:
        return before.fate is not StepFate.MISSING or len(after.missing) < len(before.missing)
    if before.fault is None or after.fault is None:
        return after.fault is not None
    return (before.fault.type, before.fault.message) != (after.fault.type, after.fault.message)
