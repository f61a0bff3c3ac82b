"""Looking at memory from outside, and control groups where there are none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from verifier.sandbox import cgroup
from verifier.sandbox.watchdog import Watchdog

HOG = "import subprocess, sys; x = bytearray(b'x') * (40 << 20); print(1, flush=True); {more}; sys.stdin.read()"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", 40),
        (
            "subprocess.Popen([sys.executable, '-c', \"x = bytearray(b'x') * (40 << 20); print(2, flush=True); input()\"])",
            80,
        ),
    ],
)
def test_a_process_and_its_children_are_counted(more: str, expected: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOG.replace("{more}", more or "0")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as hog:
        for _ in range(expected // 40):
            hog.stdout.readline()
        watchdog = Watchdog(hog.pid, 0)
        used = watchdog.look(1 << 40) >> 20
        close = watchdog.look(0) >> 20
        hog.communicate("\n")
    assert expected <= used < expected + 60
    assert expected <= close < expected + 60
    assert watchdog.peak >> 20 >= expected


def test_what_is_shared_with_the_zygote_is_not_counted() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOG.replace("{more}", "0")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as hog:
        hog.stdout.readline()
        used = Watchdog(hog.pid, 40 << 20).look(1 << 40) >> 20
        hog.communicate("")
    assert used < 20


def test_a_process_that_is_gone_uses_nothing() -> None:
    assert Watchdog(2**22 - 1, 0).look(0) == 0


def test_without_groups_there_is_no_group(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cgroup, "_ROOT", tmp_path)
    assert cgroup.make_group() is None
