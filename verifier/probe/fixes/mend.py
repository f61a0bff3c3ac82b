"""The stage that mends: for each snippet that fails, the changes that make it get further, each on those before it.

Hides in which order statements are mended, and what the code behind a mended snippet gains by it.
"""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

from verifier.model import Fate, Fix, Run, Step, StepFate
from verifier.probe.fixes.rewrite import edited, home_lines, homeward
from verifier.probe.fixes.search import Search, Tried, regressed
from verifier.probe.fixes.spelling import respells
from verifier.probe.fixes.worth import mendable
from verifier.probe.sessions import Session
from verifier.probe.trial import Bench, Failed, Trial

# Wall seconds for all fixes of one snippet, and statements of it that are mended.
SECONDS = 10.0
MENDED = 3
# Statements for which nothing was found, before the snippet is left alone.
_VAIN = 3


def mend(trial: Trial, bench: Bench) -> Trial:
    """The trial with the fixes that were found for each of its own snippets; what else is known stays as it is."""
    runs = dict(trial.runs)
    session, faithful = trial.session, True
    for index in trial.session.own:
        run = runs.get(session.claims[index])
        if run is None or run.fate is Fate.TIMEOUT or all(step.fate is StepFate.FINISHED for step in run.steps):
            continue
        bed = _Bed(session, index, run, bench, trial.session, faithful=faithful)
        try:
            bed.treat()
        except Failed:
            # What the author's own code did is known; that the rest could not be tried takes nothing from it.
            break
        finally:
            if bed.fixes:
                runs[session.claims[index]] = replace(run, fixes=tuple(bed.fixes))
        session, faithful = bed.session, faithful and bed.respells
    return replace(trial, runs=runs)


class _Bed:
    """One snippet under treatment.

    `session` has the snippets before it mended, and at the end this one too; `authors` is the session as written.
    `respells`: all changes so far, of this code and of the code before it, only spell what was meant.
    """

    def __init__(
        self, session: Session, index: int, run: Run, bench: Bench, authors: Session, *, faithful: bool
    ) -> None:
        self.session = session
        self.fixes: list[Fix] = []
        self._authors = authors
        self._index = index
        self._program = authors.programs[index]
        self._search = Search(session=session, index=index, bench=bench, until=monotonic() + SECONDS)
        self._now = Tried(edits=(), reason="", run=run)
        self.respells = faithful

    def treat(self) -> None:
        """Mend what can be mended within the bounds; raises Failed when the sandbox did."""
        if self.session is not self._authors:
            self._inherit()
        vain: set[int] = set()
        while len(self.fixes) < MENDED and len(vain) < _VAIN and self._search.time_left():
            waiting = (step for step in self._now.run.steps if mendable(step) and step.statement not in vain)
            step = next(waiting, None)
            if step is None:
                break
            found = self._search.fix(self._now, step)
            if found is None:
                vain.add(step.statement)
            else:
                self._keep(found, step.statement)
        if self._now.edits:
            self.session = edited(self.session, self._index, self._now.edits) or self.session

    def _inherit(self) -> None:
        """Take over what the mended code before it gives this snippet, where that is any gain.

        A snippet that fails by itself is mended as the author wrote all before it: its fix is to stand alone.
        """
        run = self._now.run
        blocked = [step.statement for step in run.steps if step.fate is StepFate.BLOCKED]
        after = self._search.run((), "") if blocked else None
        freed = [number for number in blocked if after and after.run.steps[number].fate is not StepFate.BLOCKED]
        if after is not None and freed and not regressed(run, after.run):
            self._keep(replace(after, reason="the code before it is corrected"), freed[0])
        else:
            self._search = replace(self._search, session=self._authors)
            self.respells = True

    def _keep(self, found: Tried, statement: int) -> None:
        code, name = self._program.code, self._program.name
        fresh = tuple(edit for edit in found.edits if edit not in self._now.edits)
        self.respells &= _given(self._now.run.steps[statement]) and all(map(respells, fresh))
        self.fixes.append(
            Fix(
                statement=statement,
                edits=fresh,
                reason=found.reason,
                steps=homeward(found.run, code, name, found.edits),
                diagnoses=found.run.diagnoses,
                ran_lines=tuple(sorted(set(home_lines(found.run.ran_lines, code, found.edits)))),
                respells=self.respells,
            )
        )
        self._now = found


def _given(step: Step) -> bool:
    """Whether a failing statement has all names that it needs; what a missing one should be, only the author knows."""
    return step.fate is not StepFate.MISSING and not (step.fault is not None and step.fault.is_a("NameError"))
