"""Memory of a cell by looking at its processes, for machines where no control group can be made."""

from __future__ import annotations

from pathlib import Path

INTERVAL = 0.05  # seconds between two looks


class Watchdog:
    """Sums the memory of a process and all its descendants.

    `shared` is the anonymous memory of the zygote, which every fork of it counts as its own until it is changed.
    `crowd` is the largest number of its descendants and their threads that was seen.
    """

    def __init__(self, root: int, shared: int) -> None:
        self._root = root
        self._shared = shared
        self.peak = 0
        self.crowd = 0

    def look(self, limit: int) -> int:
        """Bytes in use now; 0 when the cell is gone. Looks closely only when a quick look is above `limit`."""
        family = _family(self._root)
        self.crowd = max(self.crowd, sum(map(_threads, family[1:])))
        total = sum(_private(pid, self._shared) for pid in family)
        if total > limit:
            exact = [_proportional(pid) for pid in family]
            total = total if None in exact else sum(size for size in exact if size)
        self.peak = max(self.peak, total)
        return total


def _family(root: int) -> list[int]:
    found, queue = [], [root]
    while queue:
        pid = queue.pop()
        found.append(pid)
        for path in Path("/proc", str(pid), "task").glob("*/children"):
            try:
                queue += map(int, path.read_text().split())
            except OSError:
                continue
    return found


def _threads(pid: int) -> int:
    try:
        return sum(1 for _ in Path("/proc", str(pid), "task").iterdir())
    except OSError:
        return 0


def _private(pid: int, shared: int) -> int:
    """Memory of a process without what it still shares with the zygote; pages shared by siblings count twice."""
    sizes = _fields(pid, "status", "Rss")
    return max(sizes.get("RssAnon", 0) - shared, 0) + sizes.get("RssShmem", 0)


def _proportional(pid: int) -> int | None:
    """Memory of a process with shared pages split among their users; None when the kernel does not tell us."""
    return _fields(pid, "smaps_rollup", "Pss").get("Pss")


def _fields(pid: int, file: str, prefix: str) -> dict[str, int]:
    try:
        lines = Path("/proc", str(pid), file).read_text().splitlines()
    except OSError:
        return {}
    return {line.partition(":")[0]: int(line.split()[1]) << 10 for line in lines if line.startswith(prefix)}
