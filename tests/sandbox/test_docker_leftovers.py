"""No container outlives its owner for long, and nobody else's is touched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from backends import needs_engine
from samples import HEARING

from verifier.model import Fate, Limits
from verifier.sandbox.docker import DockerSandbox
from verifier.sandbox.engine import Engine, NotThere, connect
from verifier.sandbox.reconcile import LABEL, marks

pytestmark = [pytest.mark.sandbox, needs_engine]

HOST = """
    import os
    from verifier.model import Limits, Program, SessionJob, Span, Statement
    from verifier.sandbox.docker import DockerSandbox

    code = "import subprocess, time; subprocess.Popen(['sleep', '8231'], start_new_session=True); time.sleep(8231)"
    one = Statement(span=Span(start=0, end=len(code)), line=1, end_line=1)
    job = SessionJob(programs=(Program(name="p", code=code, statements=(one,)),), limits=Limits(wall_seconds=120))
    with DockerSandbox("tf-2.21") as sandbox:
        sandbox.environment
        print("ready", flush=True)
        sandbox.run(job)
"""


@pytest.fixture
def engine() -> Iterator[Engine]:
    opened = connect()
    yield opened
    opened.close()


@pytest.fixture
def host(image: None) -> Iterator[subprocess.Popen]:
    """Another verify in the middle of a session."""
    root = str(Path(__file__).resolve().parents[2])
    command = [*HEARING, sys.executable, "-c", textwrap.dedent(HOST)]
    environment = {**os.environ, "PYTHONPATH": root}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment, start_new_session=True
    ) as process:
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def of(engine: Engine, pid: int) -> list[str]:
    """States of the containers of a process."""
    owner = marks()[LABEL].rsplit("/", 2)[0] + f"/{pid}/"
    return [box.state for box in engine.containers(LABEL) if box.labels[LABEL].startswith(owner)]


def wait_until(true, seconds: float = 30.0) -> bool:
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.05)
    return bool(true())


def test_close_leaves_nothing(image, engine: Engine, line_job) -> None:
    before = of(engine, os.getpid())
    sandbox = DockerSandbox("tf-2.21")
    with sandbox:
        code = "import subprocess; subprocess.Popen('setsid sleep 77 & sleep 78', shell=True, start_new_session=True)"
        assert sandbox.run(line_job(code)).fate is Fate.FINISHED
        assert len(of(engine, os.getpid())) == len(before) + 1
    sandbox.close()
    assert of(engine, os.getpid()) == before


def test_a_killed_owners_container_ends_by_itself_and_goes_at_the_next_start(
    host: subprocess.Popen, engine: Engine, line_job
) -> None:
    assert of(engine, host.pid) == ["running"]
    with DockerSandbox("tf-2.21") as other:
        assert other.run(line_job("x = 1")).fate is Fate.FINISHED
        assert of(engine, host.pid) == ["running"], "the container of a living verify was touched"
    host.kill()
    host.wait()
    assert wait_until(lambda: of(engine, host.pid) == ["exited"])
    with DockerSandbox("tf-2.21") as third:
        third.environment  # noqa: B018 - waits until it has started
        assert of(engine, host.pid) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_owner_leaves_no_process(host: subprocess.Popen, engine: Engine, number: int) -> None:
    host.send_signal(number)
    host.wait(30)
    assert wait_until(lambda: "running" not in of(engine, host.pid))


def test_a_container_that_is_killed_is_replaced(image, engine: Engine, line_job) -> None:
    with DockerSandbox("tf-2.21") as sandbox:
        assert sandbox.run(line_job("x = 1")).fate is Fate.FINISHED
        engine.remove(sandbox._wall._container)
        assert sandbox.run(line_job("x = 1")).fate is Fate.FINISHED


def test_an_interrupted_session_ends_and_the_sandbox_goes_on(contained, line_job) -> None:
    contained.environment  # noqa: B018 - waits until it is ready
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.7)
        with pytest.raises(KeyboardInterrupt):
            contained.run(line_job("while True: pass"))
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert contained.run(line_job("x = 1")).fate is Fate.FINISHED


def test_many_sessions_leave_no_descriptor_open(contained, line_job) -> None:
    contained.run(line_job("x = 1", limits=Limits(memory=399 << 20)))  # the first change opens a connection for all
    before = len(list(Path("/proc/self/fd").iterdir()))
    for number in range(5):
        contained.run(line_job("x = 1", limits=Limits(memory=(400 + number) << 20)))
    assert len(list(Path("/proc/self/fd").iterdir())) <= before


def test_taking_away_what_is_gone_is_no_error(engine: Engine) -> None:
    engine.remove("nothing-of-this-name")
    with pytest.raises(NotThere):
        engine.autopsy("nothing-of-this-name")
