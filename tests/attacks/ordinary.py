"""The sandbox as an ordinary user has it: opened by a process of that user, asked over a pipe.

The environment and this program may lie in a folder that only root may enter. So that process lives where such
folders show nothing but what it needs, which changes nothing for anybody else.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from verifier.model import Environment, Outcome, SessionJob
from verifier.sandbox.environment import cache_folder
from verifier.sandbox.launch import find_bubblewrap

_NOBODY = 65534
_LEAVE_ROOT = (
    f"import os, sys; os.setgroups([]); os.setgid({_NOBODY}); os.setuid({_NOBODY}); os.execv(sys.argv[1], sys.argv[1:])"
)
_ROOT = Path(__file__).parents[2]


class OrdinaryUser:
    """Runs sessions in a sandbox of user nobody; as much of `Sandbox` as attacks need."""

    def __init__(self) -> None:
        worker = [sys.executable, "-B", str(Path(__file__).with_name("worker.py")), "bubblewrap"]
        self._worker = subprocess.Popen(
            [*_view(), "--", sys.executable, "-c", _LEAVE_ROOT, *worker],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"VERIFIER_CACHE_DIR": str(cache_folder()), "PYTHONPATH": str(_ROOT), "HOME": "/", "LANG": "C.UTF-8"},
        )
        self.environment: Environment = msgspec.json.decode(self._read(), type=Environment)

    def run(self, job: SessionJob) -> Outcome:
        """Run a session there."""
        self._worker.stdin.write(msgspec.json.encode(job) + b"\n")
        self._worker.stdin.flush()
        return msgspec.json.decode(self._read(), type=Outcome)

    def close(self) -> None:
        """Let it close its sandbox and wait until it is gone."""
        self._worker.stdin.close()
        self._worker.wait(30)
        self._worker.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self) -> bytes:
        line = self._worker.stdout.readline()
        assert line, "the ordinary user's process has ended"
        return line


def _view() -> list[str]:
    """The command that shows a machine in which user nobody may read what it needs, and only that."""
    needed = {Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parents[1], cache_folder(), _ROOT}
    closed = {path: gate for path in sorted(needed) if (gate := _gate(path))}
    command = [find_bubblewrap(), "--dev-bind", "/", "/", "--die-with-parent"]
    command += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    for gate in sorted(set(closed.values())):
        command += ["--perms", "0755", "--tmpfs", str(gate)]
    for path, gate in closed.items():
        for parent in reversed(path.parents[: path.parents.index(gate)]):
            command += ["--dir", str(parent)]
        command += ["--ro-bind", str(path), str(path)]
    return command


def _gate(path: Path) -> Path | None:
    """The first folder on the way to `path` that others may not pass."""
    return next((folder for folder in reversed(path.parents) if not folder.stat().st_mode & 0o001), None)


def is_there() -> bool:
    """Whether there is an ordinary user beside the one who runs the tests."""
    return os.geteuid() == 0
