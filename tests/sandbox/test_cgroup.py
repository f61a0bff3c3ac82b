"""Both interfaces of control groups, on folders that look like them: what is written, what is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.model import Limits
from verifier.sandbox.cgroup import ControlGroup, make_group

LIMITS = Limits(memory=1 << 30, processes=50)
NEW = {
    "memory.max": "max",
    "memory.swap.max": "max",
    "memory.oom.group": "0",
    "memory.peak": "77",
    "memory.events": "low 0\noom 1\noom_kill 1\n",
    "pids.max": "max",
    "pids.events": "max 2\n",
    "cgroup.kill": "",
    "cgroup.procs": "",
}
OLD = {
    "memory.limit_in_bytes": "0",
    "memory.memsw.limit_in_bytes": "0",
    "memory.max_usage_in_bytes": "77",
    "memory.oom_control": "oom_kill_disable 0\noom_kill 1\n",
    "cgroup.procs": "",
}


@pytest.fixture
def folder(tmp_path: Path):
    def make(name: str, files: dict[str, str]) -> Path:
        path = tmp_path / name
        path.mkdir()
        for file, text in files.items():
            (path / file).write_text(text)
        return path

    return make


def test_the_new_interface(folder) -> None:
    path = folder("group", NEW)
    group = ControlGroup(path, path)
    group.prepare(LIMITS)
    written = {name: (path / name).read_text() for name in NEW}
    assert written["memory.max"].startswith(str(1 << 30))
    assert (written["memory.swap.max"][0], written["memory.oom.group"], written["pids.max"][:2]) == ("0", "1", "51")
    (path / "memory.events").write_text("low 0\noom 3\noom_kill 3\n")
    (path / "pids.events").write_text("max 7\n")
    (path / "memory.peak").write_text("4096\n")
    usage = group.usage()
    assert (usage.peak, usage.kills, usage.refused) == (4096, 2, 5)


def test_a_peak_that_cannot_be_forgotten_is_not_told(folder) -> None:
    path = folder("group", {name: text for name, text in NEW.items() if name != "memory.peak"})
    group = ControlGroup(path, path)
    group.prepare(LIMITS)
    (path / "memory.peak").write_text("4096\n")
    assert group.usage().peak == 0


def test_the_old_interface_limits_swap_too(folder) -> None:
    memory, pids = folder("memory", OLD), folder("pids", {"pids.max": "max", "pids.events": "max 0\n"})
    group = ControlGroup(memory, pids)
    group.prepare(LIMITS)
    assert (memory / "memory.memsw.limit_in_bytes").read_text() == str(1 << 30)
    assert (memory / "memory.limit_in_bytes").read_text() == str(1 << 30)
    (memory / "memory.max_usage_in_bytes").write_text("123\n")
    (memory / "memory.oom_control").write_text("oom_kill 4\n")
    assert (group.usage().peak, group.usage().kills) == (123, 3)


def test_a_kernel_without_the_files_counts_nothing(folder) -> None:
    path = folder("group", {})
    group = ControlGroup(path, path)
    group.prepare(LIMITS)
    assert (group.usage().peak, group.usage().kills, group.usage().refused) == (0, 0, 0)
    assert list(path.iterdir()) == []


def test_a_group_of_this_machine_comes_and_goes() -> None:
    group = make_group()
    if group is None:
        return  # nothing may be made here, and nothing is left behind
    group.prepare(LIMITS)
    group.remove()
    assert not group._memory.exists()
