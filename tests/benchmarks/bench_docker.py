"""A warm session beside a cold container that does the same: import TensorFlow, run a trivial program, report."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from backends import needs_engine, prepare

from verifier.model import Fate, Program, SessionJob, Span, Statement
from verifier.sandbox.base import Sandbox
from verifier.sandbox.building import BAKED
from verifier.sandbox.choose import open_sandbox
from verifier.sandbox.definition import read_definition, sandboxes_folder
from verifier.sandbox.engine import Engine, connect
from verifier.sandbox.image import find_image
from verifier.sandbox.launch import session_variables
from verifier.sandbox.profile import Profile

CODE = "x = 1"
COLD = f"import tensorflow\n{CODE}\nprint('done')"
WARM_ROUNDS, COLD_ROUNDS = 50, 5

pytestmark = needs_engine


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    prepare("docker")
    opened = connect()
    yield opened
    opened.close()


def median_of(rounds: int, act: Callable[[], None]) -> tuple[float, float]:
    """Median and 95th percentile of how long something takes, in milliseconds."""
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        act()
        taken.append((time.perf_counter() - began) * 1000)
    taken.sort()
    return statistics.median(taken), taken[min(int(len(taken) * 0.95), len(taken) - 1)]


def run_cold(engine: Engine) -> None:
    """What `docker run --rm` does, with the same rights and limits that a warm container has."""
    definition = read_definition("tf-2.21")
    variables = session_variables(BAKED, definition.variables)
    config = Profile(
        image=find_image(engine, definition).reference, seccomp=sandboxes_folder() / "docker" / "seccomp.json",
        variables=variables, memory=4 << 30, processes=256, processors=engine.processors, podman=engine.podman,
    ).config()  # fmt: skip
    settings = [f"{name}={value}" for name, value in variables.items()]
    config["Cmd"] = ["/usr/bin/env", "-i", *settings, "/env/bin/python", "-s", "-B", "-c", COLD]
    container = engine.create(config)
    try:
        attached = engine.attach(container)
        engine.start(container)
        said = b""
        while part := attached.link.recv(65536):
            said += part
        attached.close()
        assert b"done" in said, said
    finally:
        engine.remove(container)


def run_warm(sandbox: Sandbox) -> None:
    statement = Statement(span=Span(start=0, end=len(CODE)), line=1, end_line=1)
    outcome = sandbox.run(SessionJob(programs=(Program(name="bench", code=CODE, statements=(statement,)),)))
    assert outcome.fate is Fate.FINISHED


def bench_warm_sessions_and_cold_containers(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    rows = []
    for backend in ("bubblewrap", "docker"):
        prepare(backend)
        with open_sandbox("tf-2.21", backend) as sandbox:
            began = time.perf_counter()
            run_warm(sandbox)
            first = (time.perf_counter() - began) * 1000
            rows.append((f"warm session, {backend}", *median_of(WARM_ROUNDS, lambda: run_warm(sandbox)), first))
    cold, late = median_of(COLD_ROUNDS, lambda: run_cold(engine))
    lines = [f"{'':28}{'p50':>10}{'p95':>10}{'first':>10}   in milliseconds, {engine.name}"]
    for name, middle, slow, first in rows:
        ratio = f"{cold / middle:.0f} times as fast as a cold container"
        lines.append(f"{name:28}{middle:10.1f}{slow:10.1f}{first:10.0f}   {ratio}")
    lines.append(f"{'cold container':28}{cold:10.1f}{late:10.1f}")
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
