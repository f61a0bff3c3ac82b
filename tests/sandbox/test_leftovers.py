"""Nothing outlives the sandbox: no process, no mount, no control group, however the host ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from samples import HEARING

from verifier.model import Fate, Limits
from verifier.sandbox.bubblewrap import BubblewrapSandbox

pytestmark = pytest.mark.sandbox

HOST = """
    import sys, time
    from verifier.model import Limits, Program, SessionJob, Span, Statement
    from verifier.sandbox.bubblewrap import BubblewrapSandbox

    code = "import subprocess, time; print(1); subprocess.Popen(['sleep', '{sleep}'], start_new_session=True); time.sleep({sleep})"
    one = Statement(span=Span(start=0, end=len(code)), line=1, end_line=1)
    job = SessionJob(programs=(Program(name="p", code=code, statements=(one,)),), limits=Limits(wall_seconds=120))
    with BubblewrapSandbox("tf-2.21") as sandbox:
        sandbox.environment
        print("ready", flush=True)
        sandbox.run(job)
"""


def commands() -> dict[int, str]:
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
    return found


def groups() -> set[str]:
    return {path.name for path in Path("/sys/fs/cgroup").glob(f"**/verifier-{os.getpid()}-*")}


def descendants(root: int) -> set[int]:
    parents = {}
    for pid in commands():
        try:
            parents[pid] = int(Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found, grew = {root}, True
    while grew:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        grew = bool(more)
        found |= more
    return found - {root}


def wait_until(true, seconds: float = 20.0) -> bool:
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.05)
    return bool(true())


def mounted() -> set[str]:
    """Where something is mounted, without what container engines mount and unmount meanwhile."""
    places = {line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()}
    return {place for place in places if not place.startswith(("/var/lib/", "/run/"))}


def test_close_leaves_nothing(environment, line_job) -> None:
    before, mounts, held = groups(), mounted(), descendants(os.getpid())
    sandbox = BubblewrapSandbox("tf-2.21")
    with sandbox:
        code = "import subprocess; subprocess.Popen('setsid sleep 77 & sleep 78', shell=True, start_new_session=True)"
        assert sandbox.run(line_job(code)).fate is Fate.FINISHED
    sandbox.close()
    assert descendants(os.getpid()) <= held
    assert groups() == before
    assert mounted() <= mounts


@pytest.mark.parametrize(("number", "sleep"), [(signal.SIGKILL, 8131), (signal.SIGINT, 8132), (signal.SIGTERM, 8133)])
def test_a_host_that_is_ended_leaves_no_process(environment, number: int, sleep: int) -> None:
    script = textwrap.dedent(HOST).replace("{sleep}", str(sleep))
    root = str(Path(__file__).resolve().parents[2])
    host = subprocess.Popen(
        [*HEARING, sys.executable, "-c", script],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, "PYTHONPATH": root}, start_new_session=True,
    )  # fmt: skip
    try:
        assert host.stdout.readline() == "ready\n"
        assert wait_until(lambda: any(f"sleep {sleep}" in line for line in commands().values()))
        family = descendants(host.pid)
        assert len(family) >= 3
        # As a terminal does it: Ctrl-C reaches the whole foreground group.
        os.killpg(host.pid, number) if number == signal.SIGINT else host.send_signal(number)
        host.wait(20)
        assert wait_until(lambda: not family & set(commands()))
        assert not any(f"sleep {sleep}" in line for line in commands().values())
    finally:
        host.kill()
        host.wait()
        host.stdout.close()


def test_a_wall_that_is_killed_is_put_up_again(environment, line_job) -> None:
    with BubblewrapSandbox("tf-2.21") as sandbox:
        assert sandbox.run(line_job("x = 1")).fate is Fate.FINISHED
        sandbox._wall._process.kill()
        assert sandbox.run(line_job("x = 1")).fate is Fate.FINISHED


def test_an_interrupted_session_ends_and_the_sandbox_goes_on(warm, line_job, monkeypatch: pytest.MonkeyPatch) -> None:
    warm.environment  # noqa: B018 - waits until it is ready
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.7)
        with pytest.raises(KeyboardInterrupt):
            warm.run(line_job("while True: pass"))
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert warm.run(line_job("x = 1")).fate is Fate.FINISHED


def test_many_sessions_leave_no_descriptor_open(warm, line_job) -> None:
    warm.run(line_job("x = 1"))
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        warm.run(line_job("x = 1", limits=Limits(wall_seconds=5)))
    assert len(list(Path("/proc/self/fd").iterdir())) == before
