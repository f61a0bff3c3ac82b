"""Failures of ours: told as such, tried once more in a fresh zygote, never the document's."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from verifier.errors import SandboxUnavailable
from verifier.model import Fate
from verifier.sandbox.bubblewrap import BubblewrapSandbox

pytestmark = pytest.mark.sandbox

SLEEP = "import time\ntime.sleep(2)"


def zygotes(root: int) -> list[int]:
    """Processes of the guest below `root`, outermost first."""
    found, queue = [], [root]
    while queue:
        pid = queue.pop(0)
        try:
            command = Path("/proc", str(pid), "cmdline").read_bytes().split(b"\0")
            children = [path.read_text().split() for path in Path("/proc", str(pid), "task").glob("*/children")]
        except OSError:
            continue
        if b"/opt/guest/main.py" in command and not command[0].endswith(b"bwrap"):
            found.append(pid)
        queue += [int(child) for part in children for child in part]
    return found


@pytest.fixture(scope="module")
def sandbox():
    with BubblewrapSandbox("tf-2.21") as opened:
        yield opened


def test_a_zygote_that_is_killed_in_a_session_is_replaced_and_the_session_run_again(sandbox, line_job) -> None:
    sandbox.environment  # noqa: B018 - waits until it is ready
    victim = zygotes(sandbox._wall._process.pid)[0]
    timer = threading.Timer(0.5, os.kill, (victim, signal.SIGKILL))
    timer.start()
    outcome = sandbox.run(line_job(SLEEP))
    timer.join()
    assert outcome.fate is Fate.FINISHED
    assert not Path("/proc", str(victim)).exists()


def test_a_zygote_that_always_dies_is_our_failure(sandbox, line_job) -> None:
    done = threading.Event()

    def kill_all() -> None:
        while not done.is_set():
            wall = sandbox._wall
            for pid in zygotes(wall._process.pid)[:1] if wall is not None and wall._process else ():
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)

    killer = threading.Thread(target=kill_all)
    killer.start()
    try:
        outcome = sandbox.run(line_job("x = 1"))
    except SandboxUnavailable:
        outcome = None  # it did not even come up
    finally:
        done.set()
        killer.join()
    assert outcome is None or outcome.fate is Fate.SANDBOX_FAILED
    assert sandbox.run(line_job("x = 1")).fate is Fate.FINISHED


def test_an_init_that_is_killed_from_outside_is_no_verdict(sandbox, line_job) -> None:
    sandbox.run(line_job("x = 1"))
    lost = []

    def kill_init() -> None:
        time.sleep(0.5)
        # The zygote, the init of the cell, its session.
        lost.extend(zygotes(sandbox._wall._process.pid)[:3])
        os.kill(lost[1], signal.SIGKILL)

    thread = threading.Thread(target=kill_init)
    thread.start()
    outcome = sandbox.run(line_job(SLEEP))
    thread.join()
    assert outcome.fate is Fate.FINISHED
    assert not Path("/proc", str(lost[2])).exists()


def test_a_cell_that_cannot_be_put_under_its_limits_does_not_run(sandbox, line_job, monkeypatch) -> None:
    sandbox.run(line_job("x = 1"))
    tried = []

    class Group:
        def prepare(self, _limits) -> None: ...

        def admit(self, pid: int) -> None:
            tried.append(pid)
            raise PermissionError(1, "not here")

        def remove(self) -> None: ...

    monkeypatch.setattr(sandbox, "_group", Group())
    outcome = sandbox.run(line_job("print('ran')"))
    assert outcome.fate is Fate.SANDBOX_FAILED
    assert "could not be put under its limits" in outcome.detail
    assert outcome.stdout == ""
    assert len(tried) == 2  # tried once more


def test_no_descriptors_left_is_told_in_a_sentence(line_job) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    fresh = BubblewrapSandbox("tf-2.21")
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(list(Path("/proc/self/fd").iterdir())) + 1, hard))
    try:
        with pytest.raises(SandboxUnavailable, match="cannot be started"):
            fresh.run(line_job("x = 1"))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        fresh.close()
