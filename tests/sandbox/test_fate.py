"""Which evidence gives which fate."""

from __future__ import annotations

import signal

import pytest

from verifier.model import Fate, Limits
from verifier.sandbox.fate import Ending, decide

GOOD = {"status": 0, "finished": True}


def exited(code: int) -> int:
    return code << 8


@pytest.mark.parametrize(
    ("facts", "fate", "detail"),
    [
        (GOOD, "finished", ""),
        ({"status": exited(0)}, "exits-early", "exit status 0"),
        ({"status": exited(3)}, "exits-early", "exit status 3"),
        ({**GOOD, "ended": "sys.exit(0)"}, "exits-early", "sys.exit(0)"),
        ({"status": signal.SIGSEGV}, "crashed", "SIGSEGV"),
        ({"status": signal.SIGABRT | 0x80}, "crashed", "SIGABRT"),
        ({"status": signal.SIGKILL}, "crashed", "SIGKILL"),
        ({"status": 60}, "crashed", "signal 60"),
        ({"status": signal.SIGKILL, "oom": True}, "out-of-memory", "more than 4096 MiB used"),
        ({"status": signal.SIGABRT, "last_words": b"what(): std::bad_alloc"}, "out-of-memory", "more than 4096 MiB used"),
        ({"status": signal.SIGSEGV, "last_words": b"nothing special"}, "crashed", "SIGSEGV"),
        ({**GOOD, "exhausted": {"memory"}, "ended": "out of memory"}, "out-of-memory", "more than 4096 MiB used"),
        ({**GOOD, "exhausted": {"disk"}}, "disk-limit", "more than 64 MiB written"),
        ({**GOOD, "exhausted": {"processes"}}, "process-limit", "more than 128 processes or threads"),
        ({**GOOD, "forks_refused": True}, "finished", ""),
        ({"status": signal.SIGXCPU}, "timeout", "the processor time of the session is used up"),
        ({"stopped": (Fate.TIMEOUT, "late")}, "timeout", "late"),
        ({"stopped": (Fate.TIMEOUT, "late"), "forks_refused": True}, "process-limit", "more than 128 processes or threads"),
        ({"stopped": (Fate.OUTPUT_LIMIT, "loud"), "forks_refused": True}, "output-limit", "loud"),
        ({**GOOD, "violation": "forged"}, "tampered", "forged"),
        ({"status": 64}, "tampered", "the channel on which results are reported was closed or the reporter broken"),
        ({"status": exited(96)}, "exits-early", "exit status 96"),
        ({"status": exited(97)}, "exits-early", "exit status 97"),
        ({"status": exited(1), "started": False}, "sandbox-failed", "the session ended before it began"),
        ({"status": signal.SIGKILL, "started": False}, "sandbox-failed", "the session ended before it began"),
        ({"status": signal.SIGKILL, "started": False, "oom": True}, "out-of-memory", "more than 4096 MiB used"),
        ({"setup": "mount /proc"}, "sandbox-failed", "mount /proc"),
        ({}, "sandbox-failed", "the cell ended without a word"),
        ({"oom": True}, "out-of-memory", "more than 4096 MiB used"),
        ({"violation": "forged", "setup": "no cell"}, "sandbox-failed", "no cell"),
    ],
)  # fmt: skip
def test_fate(facts: dict[str, object], fate: str, detail: str) -> None:
    assert decide(Ending(limits=Limits(), **facts)) == (fate, detail)
