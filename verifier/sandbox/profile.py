"""What a container may and may not do, as the engine's API wants it said."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_USER = "1000:1000"
_MOST_PROCESSORS = 4  # TensorFlow takes all it sees; a document needs no more
_SCRATCH = 64 << 20
_INODES = ",nr_inodes=16384"
_TEMPORARY = f"rw,nosuid,nodev,size={_SCRATCH}{_INODES},mode=1777"
# Only where cells cannot be made does a session see these; elsewhere the guest leaves the container's root.
_TMPFS = ("/tmp", "/dev/shm", "/scratch", "/code")  # noqa: S108 - paths inside the container
# What the guest makes cells with.
_NESTING = ("mount", "pivot_root", "umount2", "unshare")
# Podman without every right cannot set them; each session has its own anyway.
_ULIMITS = tuple(
    {"Name": name, "Soft": limit, "Hard": limit}
    for name, limit in (("core", 0), ("nofile", 4096), ("memlock", 0), ("msgqueue", 0))
)
_GUEST = ("/env/bin/python", "-s", "-B", "/opt/guest/main.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """All that a container is made from.

    seccomp: file with the profile; memory in bytes; runtime: the engine's own when empty; nests: the guest may try to
    make cells, for which it needs a few calls and an uncovered /proc; podman: the engine is Podman.
    """

    image: str
    seccomp: Path
    variables: Mapping[str, str]
    memory: int
    processes: int
    processors: int
    labels: Mapping[str, str] = field(default_factory=dict)
    runtime: str = ""
    nests: bool = True
    podman: bool = False

    def config(self) -> dict[str, object]:
        """The body of the request that makes the container."""
        variables = [f"{name}={value}" for name, value in self.variables.items()]
        return {
            "Image": self.image,
            # What the image or the engine would add to the variables is not for sessions to see.
            "Entrypoint": [],
            "Cmd": ["/usr/bin/env", "-i", *variables, *_GUEST],
            "User": _USER,
            "WorkingDir": "/scratch",
            "Hostname": "sandbox",
            "Labels": dict(self.labels),
            "AttachStdin": True,
            "AttachStdout": True,
            "AttachStderr": True,
            # The guest ends when its input does, and that is closed when whoever is attached is gone.
            "OpenStdin": True,
            "StdinOnce": True,
            "Tty": False,
            "HostConfig": self._host(),
        }

    def _host(self) -> dict[str, object]:
        host: dict[str, object] = {
            "NetworkMode": "none",
            "ReadonlyRootfs": True,
            "Privileged": False,
            "CapDrop": ["ALL"],
            "SecurityOpt": self._security(),
            "IpcMode": "none",
            "Memory": self.memory,
            "MemorySwap": self.memory,
            "PidsLimit": self.processes,
            "NanoCpus": min(self.processors, _MOST_PROCESSORS) * 10**9,
            "OomScoreAdj": 100,
            # Podman has no word for a limit on the number of files.
            "Tmpfs": dict.fromkeys(_TMPFS, _TEMPORARY.replace(_INODES, "") if self.podman else _TEMPORARY),
            "Ulimits": [] if self.podman else [dict(limit) for limit in _ULIMITS],
            "LogConfig": {"Type": "none", "Config": {}},
            "RestartPolicy": {"Name": "no"},
            "AutoRemove": False,
            "Init": False,
        }
        if self.nests:
            # A part of /proc that is covered forbids a fresh /proc inside; a cell's own shows its processes only.
            host |= {"MaskedPaths": [], "ReadonlyPaths": []}
        if self.runtime:
            host["Runtime"] = self.runtime
        return host

    def _security(self) -> list[str]:
        options = ["no-new-privileges:true"]
        if not self.podman:
            options.append(f"seccomp={seccomp_text(self.seccomp, nests=self.nests)}")
        elif self.nests:
            # Podman reads the file itself, and has a word of its own for /proc. Without cells its own profile,
            # which lists what is allowed, is the stricter one.
            options += [f"seccomp={self.seccomp}", "unmask=ALL"]
        # AppArmor's profile for containers forbids mounts, which cells are made of.
        return [*options, "apparmor=unconfined"] if self.nests else options


def seccomp_text(path: Path, *, nests: bool) -> str:
    """The seccomp profile in a file as Docker wants it: the text itself, stricter where cells cannot be made."""
    profile = json.loads(path.read_text(encoding="utf-8"))
    if not nests:
        profile["syscalls"][0]["names"] += _NESTING
    return json.dumps(profile, separators=(",", ":"))
