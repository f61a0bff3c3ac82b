"""One session on trial: its plan and what happened, as every further try of the probe takes it and gives it back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from verifier.errors import SandboxError
from verifier.model import Fate, Limits, Run
from verifier.probe.diagnose import Names, diagnose
from verifier.probe.run import RERUNS, run_session
from verifier.probe.sessions import Session
from verifier.sandbox.base import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What trials are made with."""

    sandbox: Sandbox
    limits: Limits
    names: Names


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A session as it was run, and the run of each of its own snippets by claim id."""

    session: Session
    runs: Mapping[str, Run]


class Failed(Exception):
    """The sandbox failed; the message says how."""


Stage = Callable[[Trial, Bench], Trial]
"""Takes what is known about a session and gives it back with more; raises nothing but interrupts."""


def attempt(session: Session, bench: Bench, *, reruns: int = RERUNS) -> Trial:
    """Run a session, and again at most `reruns` times where it died; raises Failed when the sandbox did."""
    try:
        runs = run_session(session, bench.sandbox, bench.limits, reruns=reruns)
    except SandboxError as error:
        raise Failed(str(error)) from error
    failed = next((run for run in runs.values() if run.fate is Fate.SANDBOX_FAILED), None)
    if failed is not None:
        raise Failed(failed.detail or "the sandbox died")
    return Trial(session=session, runs={claim: _diagnosed(session, run, bench.names) for claim, run in runs.items()})


def _diagnosed(session: Session, run: Run, names: Names) -> Run:
    code = session.programs[run.program].code
    return replace(run, diagnoses=diagnose(code, run, session.aliases, names))
