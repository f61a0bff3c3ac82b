"""The shell of maintainers: Python behind the same wall, on a pipe and on a terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

VERIFY = str(Path(sys.executable).with_name("verify"))
SHELL = (VERIFY, "sandbox", "shell", "tf-2.21")
PATIENCE = 120.0

pytestmark = pytest.mark.usefixtures("environment")


def _piped(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(SHELL, input=code, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_it_runs_what_comes_through_a_pipe_behind_the_wall() -> None:
    done = _piped(
        "import os, socket\n"
        "print(sorted(set(os.listdir('/')) & {'home', 'env', 'work', 'scratch'}))\n"
        "print([line.split()[1] for line in open('/proc/self/status') if line.startswith('CapEff')])\n"
        "print(sorted(name for name in os.environ if name.startswith(('HOME', 'VERIFIER_CACHE'))), os.environ['HOME'])\n"
        "try:\n    socket.create_connection(('192.0.2.1', 80), 2)\nexcept OSError as error:\n    print('no network')\n"
        "\ntry:\n    open('/env/x', 'w')\nexcept OSError as error:\n    print('read-only')\n"
    )
    assert done.stdout.splitlines() == [
        "['env', 'scratch']",
        "['0000000000000000']",
        "['HOME'] /scratch",
        "no network",
        "read-only",
    ]
    assert done.returncode == 0


def test_it_ends_as_the_program_inside_ends() -> None:
    assert _piped("raise SystemExit(7)\n").returncode == 7


def test_on_a_terminal_it_is_interactive_and_the_terminal_is_its_own() -> None:
    ours, theirs = pty.openpty()
    shell = subprocess.Popen(SHELL, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    try:
        said = _until(ours, b">>> ")
        assert b"TensorFlow 2.21" in said
        os.write(ours, b"import os; print(6 * 7, os.isatty(0))\n")
        assert b"42 True" in _until(ours, b">>> ")
        os.write(ours, b"exit(3)\n")
        assert shell.wait(PATIENCE) == 3
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)


def _until(terminal: int, wanted: bytes) -> bytes:
    said, until = b"", time.monotonic() + PATIENCE
    while wanted not in said:
        ready, _, _ = select.select([terminal], [], [], max(until - time.monotonic(), 0))
        assert ready, said
        said += os.read(terminal, 4096)
    return said


def test_an_unknown_environment_is_a_usage_error() -> None:
    done = subprocess.run([*SHELL[:3], "tf-9"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert "tf-2.21" in done.stderr
