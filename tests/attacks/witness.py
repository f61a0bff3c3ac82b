"""What of the host is watched while it is attacked: processes, mounts, control groups, files, descriptors, secrets."""

from __future__ import annotations

import os
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from attacks.household import Household

from verifier.model import Outcome
from verifier.sandbox.definition import guest_folder
from verifier.sandbox.environment import ensure

# Attacks that leave a file behind give it this name.
TRACE = "attack-trace"
_FOLDERS = (
    "/",
    "/tmp",
    "/var/tmp",
    "/dev/shm",
    "/run",
    str(guest_folder()),
    str(Path.home()),
    str(Path(__file__).parents[2]),
)
# Container engines of the same machine come and go as they like.
_OTHERS = ("/var/lib/docker", "/run/docker", "/var/lib/containers", "/run/containers", "/run/user")
_PATIENCE = 15.0


class Witness:
    """Plants secrets on the host, looks at it before and after an attack, and tells the difference.

    facts   what a program must be told to try for them: FILE (a readable file with a secret), VARIABLE, SOCKET
            (abstract, of this process), PORT (on loopback), TRACE, PID (of this process), HOME, TESTS
    """

    def __init__(self, folder: Path, household: Household) -> None:
        self.secret = f"secret-{secrets.token_hex(8)}"
        self._file = folder / "secret.txt"
        self._file.write_text(self.secret)
        self._environment = ensure("tf-2.21").path
        self._household = household
        self.facts = {
            "FILE": str(self._file),
            "VARIABLE": f"ATTACKED_{secrets.token_hex(4).upper()}",
            "SOCKET": f"attacked-{secrets.token_hex(4)}",
            "PORT": "0",
            "TRACE": TRACE,
            "PID": str(os.getpid()),
            "HOME": str(Path.home()),
            "TESTS": str(Path(__file__).parent),
        }

    @contextmanager
    def servants(self) -> Iterator[None]:
        """Offer the secret in the environment, on a port and on an abstract socket while this lasts."""
        os.environ[self.facts["VARIABLE"]] = self.secret
        with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as hidden:
            hidden.bind("\0" + self.facts["SOCKET"])
            hidden.listen()
            self.facts["PORT"] = str(port.getsockname()[1])
            yield
        del os.environ[self.facts["VARIABLE"]]

    def leaked(self, outcome: Outcome) -> bool:
        """Whether the secret is anywhere in what a session gave."""
        return self.secret.encode() in msgspec.json.encode(outcome)

    def look(self) -> dict[str, object]:
        """The state of everything that is watched."""
        return {
            "mounts": mounts_here(),
            "control groups": groups_of(os.getpid()),
            "SysV objects": sum(len(Path("/proc/sysvipc", kind).read_text().splitlines()) for kind in ("shm", "sem", "msg")),
            "traces": _traces(),
            "secret": self._file.read_text(),
            "environment": [(path.name, path.stat().st_mtime_ns) for path in sorted(self._environment.glob("*"))],
            "descriptors": len(list(Path("/proc/self/fd").iterdir())),
            "threads": threading.active_count(),
            "host name": socket.gethostname(),
        }  # fmt: skip

    def compare(self, before: dict[str, object]) -> None:
        """Fail unless everything is as it was; what the kernel takes away a moment later is waited for."""
        assert self._household.settled(_PATIENCE), f"left running, or lost: {self._household.members()}"
        until = time.monotonic() + _PATIENCE
        while (now := self.look()) != before and time.monotonic() < until:
            time.sleep(0.05)
        changed = {name: (before[name], value) for name, value in now.items() if value != before[name]}
        assert not changed, f"the host has changed: {changed}"


def groups_of(pid: int) -> set[str]:
    """The control groups that a process has made, while others come and go."""
    found = (name for _, folders, _ in os.walk("/sys/fs/cgroup") for name in folders)
    return {name for name in found if name.startswith(f"verifier-{pid}-")}


def mounts_here() -> set[str]:
    """Where something is mounted on the host, without what container engines mount and unmount."""
    places = {line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()}
    return {place for place in places if not place.startswith(_OTHERS)}


def _traces() -> list[str]:
    found = [path.name for folder in (*_FOLDERS, ".") for path in Path(folder).iterdir()]
    return [name for name in found if name.startswith(TRACE)]
