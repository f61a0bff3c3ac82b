"""One run of a session with stand-ins, seen whole: every program's steps, and what the namespace held behind each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from verifier.model import Run, Step, StepFate
from verifier.probe.sessions import Session
from verifier.probe.standins.ask import CODE, answered
from verifier.probe.standins.assemble import Assembly, assemble
from verifier.probe.standins.supplies import Live, Supply
from verifier.probe.trial import Bench, Failed, attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A run with stand-ins.

    programs  the run of each program of the author's session, by its index there
    lives     what the namespace held behind each of them
    failed    the stand-ins that could not be made
    """

    programs: Mapping[int, Run]
    lives: Mapping[int, Live] = field(default_factory=dict)
    failed: tuple[Supply, ...] = ()

    @property
    def live(self) -> Live:
        """What the namespace held in the end."""
        return self.lives[max(self.lives)] if self.lives else {}

    def finished(self) -> frozenset[tuple[int, int]]:
        """The author's statements that ran, by (program, statement)."""
        return frozenset(
            (index, step.statement)
            for index, run in self.programs.items()
            for step in run.steps
            if step.fate is StepFate.FINISHED
        )

    def settled(self) -> frozenset[tuple[int, int]]:
        """The author's statements that ran, or failed by a name or an argument that no data could have mended."""
        told = {
            (index, item.statement)
            for index, run in self.programs.items()
            for item in run.diagnoses
            if item.keyword or item.target.partition(".")[0] == "tensorflow"
        }
        return self.finished() | frozenset(told)

    def raised(self) -> Iterable[tuple[tuple[int, int], Step]]:
        """The author's statements that raised, in order."""
        for index, run in sorted(self.programs.items()):
            for step in run.steps:
                if step.fate is StepFate.RAISED and step.fault is not None:
                    yield (index, step.statement), step

    def absent(self) -> set[str]:
        """Names that statements lacked."""
        steps = [step for run in self.programs.values() for step in run.steps]
        lacked = {name for step in steps for name in step.missing}
        return lacked | {step.fault.name for step in steps if step.fault and step.fault.is_a("NameError")} - {""}


def watch(session: Session, supplies: tuple[Supply, ...], bench: Bench) -> Seen | None:
    """Run the author's session with stand-ins; None when the sandbox failed."""
    whole = assemble(session, supplies, CODE)
    try:
        runs = attempt(whole.watched(), bench, reruns=1).runs
    except Failed:
        return None
    told = ((index, runs.get(whole.key(place))) for index, place in enumerate(whole.inquiries))
    return Seen(
        programs={
            index: whole.home(runs[key])
            for index, place in enumerate(whole.authors)
            if (key := whole.key(place)) in runs
        },
        lives={index: live for index, run in told if (live := answered(run))},
        failed=tuple(_failed(whole, runs)),
    )


def _failed(whole: Assembly, runs: Mapping[str, Run]) -> Iterable[Supply]:
    for index, group in whole.givers:
        run = runs.get(whole.key(index))
        if run is None:
            continue
        ends: list[int] = []
        for supply in group:
            ends.append((ends[-1] if ends else -1) + 1 + len(supply.standin.code))
        for step in run.steps:
            if step.fate is not StepFate.FINISHED:
                place = run.statements[step.statement].span.start
                yield group[next(number for number, end in enumerate(ends) if place <= end)]
