"""How a session ended, decided by what the kernel and the host's clock say; the session's own words come last."""

from __future__ import annotations

import os
import re
import signal
from dataclasses import dataclass, field

from verifier.model import Fate, Limits

# The signal by which a session ends itself when it can no longer report (sandboxes/guest/sentry.py).
_BROKEN = 64
_NO_MEMORY = re.compile(rb"bad_alloc|[Cc]annot allocate memory|[Oo]ut of memory|OOM when allocating|MemoryError")


@dataclass(slots=True, kw_only=True)
class Ending:
    """What is known from outside when a session is over.

    stopped    the limit for which the host ended it, and why in words
    violation  how its claims broke the plan
    status     wait status of its process as seen by the cell's init; None when the init died before it could say
    setup      why the cell could not be made (our failure)
    started    whether the cell said that the document's time begins; what happens before is ours
    oom, forks_refused   the control group's own counts
    """

    limits: Limits
    stopped: tuple[Fate, str] | None = None
    violation: str = ""
    status: int | None = None
    setup: str = ""
    started: bool = True
    finished: bool = False
    ended: str = ""
    exhausted: set[str] = field(default_factory=set)
    last_words: bytes = b""
    oom: bool = False
    forks_refused: bool = False


def decide(ending: Ending) -> tuple[Fate, str]:
    """The fate of a session and the evidence for it in words."""
    if ending.setup:
        return Fate.SANDBOX_FAILED, ending.setup
    if ending.violation:
        return Fate.TAMPERED, ending.violation
    refused = ending.forks_refused or "processes" in ending.exhausted
    if ending.stopped:
        if refused and ending.stopped[0] is Fate.TIMEOUT:
            return _processes(ending)
        return ending.stopped
    if ending.status is None:
        return _memory(ending) if ending.oom else (Fate.SANDBOX_FAILED, "the cell ended without a word")
    if not ending.started:
        return _memory(ending) if ending.oom else (Fate.SANDBOX_FAILED, "the session ended before it began")
    if os.WIFSIGNALED(ending.status):
        return _signalled(ending, os.WTERMSIG(ending.status), refused=refused)
    return _exited(ending, os.WEXITSTATUS(ending.status))


def _signalled(ending: Ending, number: int, *, refused: bool) -> tuple[Fate, str]:
    name = _signal_name(number)
    if number == _BROKEN:
        return Fate.TAMPERED, "the channel on which results are reported was closed or the reporter broken"
    if ending.oom or (number in (signal.SIGABRT, signal.SIGSEGV) and _NO_MEMORY.search(ending.last_words)):
        return _memory(ending)
    if number == signal.SIGXCPU:
        return Fate.TIMEOUT, "the processor time of the session is used up"
    if refused:
        return _processes(ending)
    return Fate.CRASHED, name


def _exited(ending: Ending, code: int) -> tuple[Fate, str]:
    if not ending.finished:
        return Fate.EXITS_EARLY, f"exit status {code}"
    if "memory" in ending.exhausted:
        return _memory(ending)
    if ending.ended:
        return Fate.EXITS_EARLY, ending.ended
    if "processes" in ending.exhausted:
        return _processes(ending)
    if "disk" in ending.exhausted:
        return Fate.DISK_LIMIT, f"more than {ending.limits.scratch >> 20} MiB written"
    return Fate.FINISHED, ""


def _memory(ending: Ending) -> tuple[Fate, str]:
    return Fate.OUT_OF_MEMORY, f"more than {ending.limits.memory >> 20} MiB used"


def _processes(ending: Ending) -> tuple[Fate, str]:
    return Fate.PROCESS_LIMIT, f"more than {ending.limits.processes} processes or threads"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
