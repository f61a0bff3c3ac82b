"""Limits by control group, where this process may make one. Hides the two versions of the interface."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path

from verifier.model import Limits

_ROOT = Path("/sys/fs/cgroup")
_NAME = re.compile(r"verifier-(\d+)-\d+")
_counter = itertools.count()


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a control group saw: highest memory in bytes (0: not told), kills by want of memory, forks refused."""

    peak: int
    kills: int
    refused: int


class ControlGroup:
    """A group for the cells of one wall, which are in it one after another."""

    def __init__(self, memory: Path, pids: Path) -> None:
        self._memory = memory
        self._pids = pids
        self._modern = memory == pids
        self._tells_peak = False
        self._before = self._counts()

    def prepare(self, limits: Limits) -> None:
        """Set the limits of the next session and forget what the last one used."""
        if self._modern:
            _write(self._memory / "memory.max", limits.memory)
            _write(self._memory / "memory.swap.max", 0)
            # A session ends as a whole: what is left of one without some of its processes proves nothing.
            _write(self._memory / "memory.oom.group", 1)
            # Kernels before 6.12 cannot forget it, and then it is that of some session before.
            self._tells_peak = _write(self._memory / "memory.peak", 0)
        else:
            self._limit_by_the_old_interface(limits.memory)
            self._tells_peak = _write(self._memory / "memory.max_usage_in_bytes", 0)
        # The cell's init is one more.
        _write(self._pids / "pids.max", limits.processes + 1)
        self._before = self._counts()

    def admit(self, pid: int) -> None:
        """Put a process and all that it will fork into the group; raises OSError."""
        for folder in {self._memory, self._pids}:
            (folder / "cgroup.procs").write_text(str(pid))

    def usage(self) -> Usage:
        """What happened since `prepare`."""
        kills, refused = self._counts()
        peak = _read(self._memory / ("memory.peak" if self._modern else "memory.max_usage_in_bytes"))
        before = self._before
        return Usage(
            peak=_number(peak) if self._tells_peak else 0, kills=kills - before[0], refused=refused - before[1]
        )

    def remove(self) -> None:
        """Take the group away with whatever is left in it, though the kernel may need a moment for that."""
        if self._modern:
            _write(self._memory / "cgroup.kill", 1)
        for folder in {self._memory, self._pids}:
            _remove(folder)

    def _limit_by_the_old_interface(self, memory: int) -> None:
        """Memory, and memory with swap, which must never be the smaller of the two on the way."""
        both = self._memory / "memory.memsw.limit_in_bytes"
        _write(self._memory / "memory.limit_in_bytes", memory)
        if _write(both, memory):
            _write(self._memory / "memory.limit_in_bytes", memory)

    def _counts(self) -> tuple[int, int]:
        name = "memory.events" if self._modern else "memory.oom_control"
        return _field(_read(self._memory / name), "oom_kill"), _field(_read(self._pids / "pids.events"), "max")


def make_group() -> ControlGroup | None:
    """A new group below our own, or None where that is not allowed."""
    parents = _parents()
    if parents is None:
        return None
    name = f"verifier-{os.getpid()}-{next(_counter)}"
    folders = tuple(parent / name for parent in parents)
    try:
        for parent, folder in zip(parents, folders, strict=True):
            _sweep(parent)
            folder.mkdir(exist_ok=True)
    except OSError:
        for folder in folders:
            _remove(folder)
        return None
    return ControlGroup(*folders)


def _parents() -> tuple[Path, Path] | None:
    """Folders in which a group for memory and one for processes may be made."""
    places: dict[str, str] = {}
    for line in _read(Path("/proc/self/cgroup")).splitlines():
        _, controllers, path = line.split(":", 2)
        places.update(dict.fromkeys(controllers.split(","), path.lstrip("/")))
    if "memory" in places and "pids" in places:
        found = (_ROOT / "memory" / places["memory"], _ROOT / "pids" / places["pids"])
        return found if all(os.access(folder, os.W_OK) for folder in found) else None
    own = _ROOT / places.get("", "")
    for folder in (own, own.parent, _ROOT):
        offered = set(_read(folder / "cgroup.subtree_control").split())
        if {"memory", "pids"} <= offered and os.access(folder, os.W_OK):
            return folder, folder
    return None


def _sweep(parent: Path) -> None:
    """Remove groups of processes that were killed before they could do so."""
    for folder in parent.glob("verifier-*"):
        owner = _NAME.fullmatch(folder.name)
        if owner and not Path("/proc", owner.group(1)).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()


def _remove(folder: Path) -> None:
    for _ in range(50):
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.01)
        else:
            return


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _write(path: Path, value: int) -> bool:
    """Whether the kernel took a value; a file that it does not have is a limit or a counter that it does not offer."""
    try:
        with path.open("r+") as file:
            file.write(str(value))
    except OSError:
        return False
    return True


def _number(text: str) -> int:
    return int(text) if text.strip().isdigit() else 0


def _field(text: str, name: str) -> int:
    for line in text.splitlines():
        key, _, value = line.partition(" ")
        if key == name:
            return _number(value)
    return 0
