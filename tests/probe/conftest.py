"""One warm sandbox for all tests of this folder that run code, and what fixing a snippet in it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest
from samples import document, snippet

from verifier.index import open_index
from verifier.model import Fix, Limits, Outcome, Run, SessionJob
from verifier.probe.fixes.mend import mend
from verifier.probe.sessions import plan_sessions
from verifier.probe.trial import Bench, attempt
from verifier.sandbox.base import Sandbox
from verifier.sandbox.choose import open_sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox("tf-2.21", "bubblewrap") as started:
        yield started


@pytest.fixture
def bench(sandbox: Sandbox) -> Bench:
    return Bench(sandbox=sandbox, limits=Limits(wall_seconds=20), names=open_index("tf-2.21"))


class Counting:
    """A sandbox that counts what it is asked to run."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.runs = 0

    def run(self, job: SessionJob) -> Outcome:
        self.runs += 1
        return self._sandbox.run(job)


@dataclass(frozen=True)
class Treated:
    """A snippet after fixing: its run, and how many runs the search for fixes took."""

    run: Run
    tries: int

    @property
    def fixes(self) -> tuple[Fix, ...]:
        return self.run.fixes

    @property
    def swaps(self) -> list[tuple[str, str]]:
        """What was replaced by what, over all fixes."""
        return [(edit.before, edit.after) for fix in self.fixes for edit in fix.edits]

    @property
    def fates(self) -> str:
        """One letter per statement, with all fixes in place."""
        steps = self.fixes[-1].steps if self.fixes else self.run.steps
        return "".join(str(step.fate)[0] for step in steps)


@pytest.fixture
def mended(bench: Bench) -> Callable[..., tuple[Treated, ...]]:
    """Run snippets as one session and fix what fails."""

    def fixer(*codes: str) -> tuple[Treated, ...]:
        claims = [snippet(f"s{number}", code) for number, code in enumerate(codes)]
        (session,) = plan_sessions(document(), claims)
        counting = Counting(bench.sandbox)
        trial = mend(attempt(session, bench), replace(bench, sandbox=counting))
        return tuple(Treated(trial.runs[claim.id], counting.runs) for claim in claims)

    return fixer
