"""Whose container is whose: how one is marked with its owner, and which of those found have lost theirs.

A container ends when its owner does, but stays in the engine's list until somebody takes it away. An owner is a
process: its number, when it started, and in which system and process namespace those numbers hold.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from verifier.sandbox.engine import Container

LABEL = "verifier.owner"
_DEADLINE = "verifier.deadline"
_LIFETIME = 24 * 3600  # seconds; no run takes a day
_AT_REST = ("created", "exited", "dead")


def marks() -> dict[str, str]:
    """The labels of a container that this process owns."""
    pid = os.getpid()
    return {LABEL: f"{_place()}/{pid}/{_started(pid)}", _DEADLINE: str(int(time.time()) + _LIFETIME)}


def is_abandoned(container: Container) -> bool:
    """Whether nobody needs a container any more.

    One of another machine or process namespace, whose owner cannot be seen from here, counts as needed while it
    runs, and until its deadline.
    """
    place, _, owner = container.labels.get(LABEL, "").rpartition("/")[0].rpartition("/")
    started = container.labels.get(LABEL, "").rpartition("/")[2]
    if place == _place() and owner.isdigit():
        return _started(int(owner)) != started
    return container.state in _AT_REST and _is_late(container.labels)


def _is_late(labels: Mapping[str, str]) -> bool:
    deadline = labels.get(_DEADLINE, "")
    return not deadline.isdigit() or int(deadline) < time.time()


def _place() -> str:
    """What tells apart all places where process numbers are counted."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}:{Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return f"elsewhere:{os.uname().nodename}"


def _started(pid: int) -> str:
    """When a process started, as the kernel counts; empty when there is none."""
    try:
        fields = Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "" if sys.platform == "linux" or not _is_there(pid) else "some time"
    return "" if fields[0] == "Z" else fields[19]


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError as error:
        return isinstance(error, PermissionError)
    return True
