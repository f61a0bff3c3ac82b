"""The processes behind a sandbox's wall as the host sees them, found the same way for every backend."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import threading
import time
from pathlib import Path

from conformance.conftest import program

from verifier.model import SessionJob
from verifier.sandbox.base import Sandbox


class Household:
    """Everything that lives behind one wall.

    The first process behind it is the topmost ancestor of a session that has a process namespace of its own.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._root = 0
        self._usual = 0

    @property
    def root(self) -> int:
        """Pid of the first process behind the wall."""
        return self._root

    @property
    def zygote(self) -> int:
        """Pid of the process that makes the cells: the outermost of those that run the guest."""
        guests = [pid for pid, command in self.members().items() if command.startswith("/env/bin/python")]
        return max(guests, key=lambda pid: len(descendants(pid)))

    def find(self) -> None:
        """Learn who lives there while nothing is being attacked."""
        sleeper = f"4.{secrets.randbelow(10**9):09d}"
        code = f"import subprocess\nchild = subprocess.Popen(['sleep', '{sleeper}'])\nchild.wait()"
        session = threading.Thread(target=self._sandbox.run, args=(SessionJob(programs=(program(code),)),))
        session.start()
        found = 0
        while session.is_alive() and not found:
            found = next((pid for pid, command in commands().items() if command == f"sleep {sleeper}"), 0)
            time.sleep(0.01)
        assert found, "the sandbox's processes are not to be found"
        self._root = outermost(found)
        assert self._root, "the sandbox shares our list of processes"
        with contextlib.suppress(PermissionError):  # then it sleeps to its end
            os.kill(found, signal.SIGKILL)
        session.join()
        self.settle()

    def members(self) -> dict[int, str]:
        """Pid and command of everybody there now."""
        family = descendants(self._root)
        return {pid: command for pid, command in commands().items() if pid in family}

    def settled(self, seconds: float) -> bool:
        """Whether, within this time, nobody is there beside those who always are.

        A wall that had to be put up again is not what it was; who lives behind the new one is learnt.
        """
        until = time.monotonic() + seconds
        while Path("/proc", str(self._root)).exists():
            if len(descendants(self._root)) <= self._usual:
                return True
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
        self.find()
        return False

    def settle(self) -> None:
        """Wait until the number of processes has been the same for a while: the last cell dies, the next is made."""
        seen: list[int] = []
        while len(seen) < 10 or len(set(seen[-10:])) > 1:
            seen.append(len(descendants(self._root)))
            time.sleep(0.03)
        self._usual = seen[-1]


def commands() -> dict[int, str]:
    """The command line of every process of this machine."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
        except OSError:
            continue  # gone meanwhile
        found[int(folder.name)] = words.decode("utf-8", "replace").strip()
    return found


def descendants(root: int) -> set[int]:
    """A process and all its children's children, without the dead ones nobody has waited for yet."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            children.setdefault(int(parent), []).append(int(folder.name))
    found, queue = {root}, [root]
    while queue:
        more = children.get(queue.pop(), [])
        found.update(more)
        queue += more
    return found


def outermost(pid: int) -> int:
    """The topmost ancestor of a process that is in another process namespace than we are; 0 when there is none."""
    found = 0
    while pid > 1:
        fields = dict(line.split(":", 1) for line in Path("/proc", str(pid), "status").read_text().splitlines())
        if len(fields["NSpid"].split()) > _depth():
            found = pid
        pid = int(fields["PPid"])
    return found


def _depth() -> int:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("NSpid"))
    return len(line.split()) - 1
