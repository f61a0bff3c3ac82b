"""What the kernel counts for a container: kills for want of memory, and forks that it refused. Two versions of files.

The files are opened before the zygote leaves the container's root, where sessions will not find them.
"""

from __future__ import annotations

import os

_FOLDER = "/sys/fs/cgroup"
# What is counted -> (file, field) of control groups version 2 and version 1; the first that can be opened.
_FILES = {
    "kills": (("memory.events", "oom_kill"), ("memory/memory.oom_control", "oom_kill")),
    "refused": (("pids.events", "max"), ("pids/pids.events", "max")),
}


class Gauge:
    """Reads the counters; a counter that this kernel does not have stays 0."""

    def __init__(self):
        self._open = {}
        for what, places in _FILES.items():
            for path, field in places:
                try:
                    self._open[what] = (os.open(os.path.join(_FOLDER, path), os.O_RDONLY | os.O_CLOEXEC), field)
                except OSError:
                    continue
                break

    def read(self):
        """The counters as they stand, by name."""
        return {what: _field(descriptor, field) for what, (descriptor, field) in self._open.items()}


def since(before, after):
    """How much each counter grew."""
    return {what: count - before.get(what, 0) for what, count in after.items()}


def _field(descriptor, field):
    for line in os.pread(descriptor, 4096, 0).decode("ascii").splitlines():
        name, _, value = line.partition(" ")
        if name == field:
            return int(value)
    return 0
