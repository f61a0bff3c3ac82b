"""One hostile program and what must come of it. Hides how a case is run and judged."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field, replace

from attacks.witness import Witness
from conformance.conftest import program

from verifier.model import Fate, Limits, Outcome, SessionJob
from verifier.sandbox.base import Sandbox

SMALL = Limits(wall_seconds=10.0, memory=1 << 30, processes=64, scratch=16 << 20, output=64 << 10)
# What ending a session may take beside its own limit, on a machine that is busy with other things.
_ENDING = 10.0

# Uses a thread, a child, the scratch folder and the screen: what the session before may have used up.
_HEALTHY = """\
import os, subprocess, threading
thread = threading.Thread(target=int)
thread.start(), thread.join()
subprocess.run(['true'], check=True)
print(os.listdir('.'), os.listdir('/tmp'), os.listdir('/dev/shm'))
open('mine', 'wb').write(bytes(1 << 20))
print(6 * 7)
"""
_HEALTHY_PRINTS = "[] [] []\n42\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A program of ours that attacks, and the only outcome that is right.

    code     one program, or several of one session. `@NAME@` stands for what the witness knows (`Witness.facts`)
    fate     the word for the session; several only where the kernel's choice of a victim decides between them
    steps    fates of all statements, in words; empty when they do not matter
    fault    class of the exception of the last statement that raised
    detail, message, prints   patterns found in the evidence, in that exception's text, in what was printed
    printed  exactly what was printed
    limits   departures from SMALL
    ordinary whether the case is also run as an ordinary user, who has no control groups and no root to leave
    """

    name: str
    code: str | tuple[str, ...]
    fate: Fate | tuple[Fate, ...] = Fate.FINISHED
    steps: str = ""
    fault: str = ""
    detail: str = ""
    message: str = ""
    prints: str = ""
    printed: str | None = None
    limits: dict[str, float] = field(default_factory=dict)
    ordinary: bool = False

    def __str__(self) -> str:
        return self.name

    def job(self, facts: dict[str, str]) -> SessionJob:
        """The session of this case, with what it must know of the host filled in."""
        codes = (self.code,) if isinstance(self.code, str) else self.code
        filled = [re.sub(r"@([A-Z]+)@", lambda found: facts[found.group(1)], code) for code in codes]
        programs = tuple(program(code, f"p{index}") for index, code in enumerate(filled))
        return SessionJob(programs=programs, limits=replace(SMALL, **self.limits))


def attack(case: Case, sandbox: Sandbox, witness: Witness) -> Outcome:
    """Run a case; fails unless the verdict is right, the host is as before and the next session is well."""
    before = witness.look()
    began = time.monotonic()
    job = case.job(witness.facts)
    outcome = sandbox.run(job)
    took = time.monotonic() - began
    judge(case, outcome)
    assert took < job.limits.wall_seconds + _ENDING, f"took {took:.1f} s"
    assert not witness.leaked(outcome), "a secret of the host came out"
    check_health(sandbox)
    witness.compare(before)
    return outcome


def judge(case: Case, outcome: Outcome) -> None:
    """Fail unless the outcome is what the case says."""
    expected = case.fate if isinstance(case.fate, tuple) else (case.fate,)
    faults = [step.fault for step in outcome.steps if step.fault]
    told = f"{outcome.fate}: {outcome.detail}; steps {[str(step.fate) for step in outcome.steps]}; {faults[-1:]}"
    assert outcome.fate in expected, told
    if case.steps:
        assert " ".join(step.fate for step in outcome.steps) == case.steps, told
    if case.fault:
        assert faults and faults[-1].type == case.fault, told
    if case.printed is not None:
        assert outcome.stdout == case.printed, told
    for pattern, text in ((case.detail, outcome.detail), (case.prints, outcome.stdout)):
        assert re.search(pattern, text), told
    if case.message:
        assert faults and re.search(case.message, faults[-1].message), told


def check_health(sandbox: Sandbox) -> None:
    """Fail unless an ordinary session works as if nothing had been before it."""
    outcome = sandbox.run(SessionJob(programs=(program(_HEALTHY, "healthy"),), limits=SMALL))
    assert (outcome.fate, outcome.detail, outcome.stdout) == (Fate.FINISHED, "", _HEALTHY_PRINTS), outcome
    assert outcome.seconds < _ENDING, f"the next session took {outcome.seconds:.1f} s"
