"""Hostile programs nobody has thought of: fragments put together at random, the same ones in every run.

What they do is not known, so neither is their fate; but it is a fate, told in time, and nothing is left of it.
"""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from attacks.case import SMALL, check_health
from backends import BACKENDS
from conformance.conftest import program
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifier.model import Fate, Outcome, SessionJob, StepFate

pytestmark = pytest.mark.sandbox

LIMITS = replace(SMALL, wall_seconds=0.6, memory=384 << 20, processes=24, scratch=4 << 20, output=16 << 10)
# Where a session runs is not what makes it hostile: one place sees them all.
EXAMPLES = {BACKENDS[0]: 40}
ELSEWHERE = 12
# Ending, at worst, waits for five seconds for threads and is slow on a busy machine.
SLACK = 10.0

ACTIONS = (
    "1 / 0", "raise SystemExit({n})", "os._exit({n})", "os.abort()", "os.kill(os.getpid(), {signal})", "os.kill(-1, {signal})", "os.kill(1, {signal})",
    "os.fork()", "subprocess.Popen(['sleep', '60'], start_new_session=True)", "subprocess.run(['sh', '-c', 'kill -{signal} $PPID'])",
    "threading.Thread(target=time.sleep, args=({n},), daemon=True).start()", "threading.Thread(target=os._exit, args=({n},)).start()",
    "hog.append(bytearray({n} << 18))", "hog.append(open('/dev/null'))", "hog.append(os.pipe())", "open('f%d' % len(hog), 'wb').write(bytes({n} << 12))",
    "print('x' * {n} * 100)", "print('\\ud800', '\\x1e', file=sys.stderr)", "os.write({fd}, b'\\0\\0\\0\\2{{}}')", "os.close({fd})", "os.dup2({fd}, {n} % 3)",
    "os.closerange({n}, {fd})", "time.sleep({n} / 100)", "signal.signal({signal}, signal.SIG_IGN)", "signal.signal({signal}, lambda *a: 1 / 0)",
    "signal.setitimer(signal.ITIMER_REAL, 0.01)", "sys.setrecursionlimit({n} + 50)", "sys.settrace(lambda *a: None)", "sys.stdout.close()", "sys.modules.clear()",
    "gc.collect()", "sys._getframe().f_back", "ctypes.string_at({n})", "ctypes.CDLL(None).syscall({n} * 4, 0, 0, 0, 0, 0, 0)", "os.execv('/bin/true', ['true'])",
    "builtins.__dict__.update(len=None)", "os.write.__self__.__dict__.update(write=print)", "globals().clear()", "os.chdir('/')", "os.chmod('/scratch', 0)",
    "shutil.rmtree('/scratch', ignore_errors=True)", "socket.create_connection(('192.0.2.1', {n}), timeout=1)", "socket.create_server(('127.0.0.1', {n} + 2000))",
    "tf.ones(({n}, {n}))", "np.ones({n} << 20)", "plt.plot([1, {n}]); plt.show()", "re.match('(a+)+$', 'a' * {n} + 'b')", "eval('(' * {n})", "x = {n} ** {n} ** 2",
    "exec('raise KeyboardInterrupt')", "warnings.warn('x' * {n})", "atexit.register(os.abort)", "input()",
)  # fmt: skip
WRAPPINGS = (
    "{body}", "try: {body}\nexcept BaseException: pass", "for _ in range({n}): {body}", "while True: {body}", "if os.fork() == 0: {body}",
    "class D:\n    def __del__(self): {body}\nD()", "class E(Exception):\n    def __str__(self): {body}\nraise E", "(lambda: [{expression}])()",
    "try: 1 / 0\nfinally: {body}", "def f():\n    {body}\n    f()\nf()", "import threading; threading.Thread(target=lambda: [{expression}], daemon=True).start()",
)  # fmt: skip
IMPORTS = "import atexit, builtins, ctypes, gc, os, re, shutil, signal, socket, subprocess, sys, threading, time, warnings\nimport numpy as np, tensorflow as tf, matplotlib.pyplot as plt\nhog = []\n"  # fmt: skip


@st.composite
def fragments(draw: st.DrawFn) -> str:
    """One statement that attacks."""
    numbers = {"n": draw(st.integers(0, 120)), "signal": draw(st.integers(1, 31)), "fd": draw(st.integers(0, 1100))}
    action = draw(st.sampled_from(ACTIONS)).format(**numbers)
    is_statement = action.startswith(("raise", "x =")) or ";" in action
    return draw(st.sampled_from(WRAPPINGS)).format(
        body=action, expression="None" if is_statement else action, **numbers
    )


def well_formed(outcome: Outcome, job: SessionJob) -> None:
    """Fail when an outcome contradicts itself or the plan."""
    assert isinstance(outcome.fate, Fate)
    assert outcome.fate is Fate.FINISHED or outcome.detail
    plan = [(index, number) for index, part in enumerate(job.programs) for number in range(len(part.statements))]
    assert [(step.program, step.statement) for step in outcome.steps] == plan
    reached = [step.fate is not StepFate.NOT_REACHED for step in outcome.steps]
    assert reached == sorted(reached, reverse=True), "a statement ran after one that was not reached"
    assert all(step.fault for step in outcome.steps if step.fate is StepFate.RAISED)
    if outcome.fate is Fate.FINISHED:
        assert all(reached)


def test_random_programs(place, place_name: str) -> None:
    @settings(
        max_examples=EXAMPLES.get(place_name, ELSEWHERE),
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(fragments(), min_size=1, max_size=4))
    def attacked(parts: list[str]) -> None:
        code = IMPORTS + "\n".join(parts) + "\n"
        job = SessionJob(programs=(program(code),), limits=LIMITS)
        before = place.witness.look()
        began = time.monotonic()
        outcome = place.sandbox.run(job)
        took = time.monotonic() - began
        # Our own failure is a fate, too, but never one that a program can bring about.
        assert outcome.fate is not Fate.SANDBOX_FAILED, outcome.detail
        well_formed(outcome, job)
        assert took < LIMITS.wall_seconds + SLACK
        assert not place.witness.leaked(outcome)
        check_health(place.sandbox)
        place.witness.compare(before)

    attacked()  # fmt: skip
