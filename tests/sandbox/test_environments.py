"""Every environment that this machine can have: started, looked at from outside, and given what it is there for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from verifier.errors import SandboxUnavailable
from verifier.model import Fate, Outcome, Program, SessionJob, StepFate
from verifier.model.environments import is_substituted, plain_name
from verifier.probe.plan import parse, statements
from verifier.sandbox import environment as environments
from verifier.sandbox.base import Sandbox
from verifier.sandbox.choose import open_sandbox
from verifier.sandbox.definition import Definition, names, read_definition
from verifier.sandbox.environment import is_ready, needs_substitute
from verifier.sandbox.interpreter import Interpreter, InterpreterMissing, find_interpreter

GRAPH = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 2])
w = tf.get_variable("w", shape=[2, 1], initializer=tf.ones_initializer())
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(tf.matmul(x, w), {x: [[1.0, 2.0]]}).tolist())
"""
ESTIMATOR = """\
import tensorflow as tf
def model(features, labels, mode):
    w = tf.compat.v1.get_variable("w", [1])
    loss = tf.reduce_mean(tf.square(features["x"] * w - labels))
    step = tf.compat.v1.train.get_global_step()
    train = tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)
estimator = tf.estimator.Estimator(model)
estimator.train(lambda: tf.data.Dataset.from_tensors(({"x": [1.0]}, [2.0])).repeat(), steps=3)
print(estimator.get_variable_value("global_step"))
"""
KERAS_2 = """\
import tensorflow as tf
net = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
net.compile(loss="mse", optimizer=tf.keras.optimizers.SGD(lr=0.1))
net.fit([[1.0, 2.0]], [[3.0]], verbose=0)
net.save("folder")
print(type(net).__module__.split(".")[0])
"""
KERAS_3 = """\
import tensorflow as tf
net = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
net.compile(loss="mse", optimizer="sgd")
net.fit(tf.ones((4, 2)), tf.ones((4, 1)), verbose=0)
print(type(net).__module__.split(".")[0])
"""
PURPOSES = {
    "tf-1.15": (GRAPH, "[[3.0]]\n"),
    "tf-2.15": (ESTIMATOR, "3\n"),
    "tf-2.21": (KERAS_3, "keras\n"),
    "tf-2.21-keras2": (KERAS_2, "tf_keras\n"),
}


def _obtainable(name: str) -> bool:
    """Whether this machine has a Python for an environment, or for what takes its place."""
    definition = read_definition(name)
    try:
        find_interpreter(definition)
    except InterpreterMissing:
        return definition.substitute is not None and _obtainable(definition.substitute.environment)
    return True


def _open(name: str) -> Sandbox:
    if not is_ready(name):
        pytest.fail(f"the environment {name} has not been built on this machine: `verify sandbox build {name}`")
    return open_sandbox(name, "bubblewrap")


@pytest.fixture(scope="module", params=[name for name in names() if _obtainable(name)])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    with _open(request.param) as started:
        yield started


def _job(code: str) -> SessionJob:
    plan = statements(parse(code), absent=frozenset(), modules=frozenset({"tf"}))
    return SessionJob(programs=(Program(name="p", code=code, statements=plan, trace=True),))


def _fates(outcome: Outcome) -> list[StepFate]:
    return [step.fate for step in outcome.steps]


def test_every_environment_has_its_purpose() -> None:
    assert set(PURPOSES) == set(names())


def test_it_runs_what_it_is_there_for(sandbox: Sandbox) -> None:
    code, printed = PURPOSES[plain_name(sandbox.environment.name)]
    outcome = sandbox.run(_job(code))
    assert [step.fault for step in outcome.steps if step.fault] == []
    assert outcome.fate is Fate.FINISHED
    assert outcome.steps[-1].stdout == printed


def test_nothing_but_one_thread_waits_for_sessions(sandbox: Sandbox) -> None:
    """After an import that started a thread, or ran an operation, the cells made by forking would hang."""
    assert sandbox.run(_job("x = 1")).fate is Fate.FINISHED
    threads = list(_threads_of_guests(os.getpid()))
    assert threads
    assert set(threads) == {1}


def _threads_of_guests(host: int) -> Iterator[int]:
    """The number of threads of each of our guest processes, as the kernel counts them."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            fields = dict(
                line.split(":\t", 1) for line in (folder / "status").read_text().splitlines() if ":\t" in line
            )
        except OSError:
            continue
        if words[0] == b"/env/bin/python" and b"/opt/guest/main.py" in words and host in _ancestors(fields["PPid"]):
            yield int(fields["Threads"])


def _ancestors(parent: str) -> Iterator[int]:
    while int(parent) > 1:
        yield int(parent)
        try:
            parent = Path("/proc", parent, "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            return


def test_failures_name_what_is_missing_and_whose_fault_it_is(sandbox: Sandbox) -> None:
    code = "import tensorflow as tf\na = tf.zorblify(1)\nb = a + 1\nc = nowhere\nd = [1].zorb\nprint('on')\n"
    outcome = sandbox.run(_job(code))
    finished, raised, blocked = StepFate.FINISHED, StepFate.RAISED, StepFate.BLOCKED
    assert _fates(outcome) == [finished, raised, blocked, raised, raised, finished]
    assert [step.fault.name for step in outcome.steps if step.fault and step.fate is raised] == [
        "zorblify",
        "nowhere",
        "zorb",
    ]
    assert outcome.steps[1].fault is not None
    place = outcome.steps[1].fault.expression
    if tuple(map(int, sandbox.environment.python.split("."))) >= (3, 11):
        assert place is not None
        assert place.of(code) == "tf.zorblify"
    else:
        assert place is None
    assert outcome.ran_lines[0] == (1, 2, 4, 5, 6)


def test_warnings_figures_and_printed_text_are_told(sandbox: Sandbox) -> None:
    code = (
        "import warnings, matplotlib.pyplot as plt\nwarnings.warn('careful')\nprint('说')\n"
        "plt.plot([1, 2])\nplt.show()\n"
    )
    outcome = sandbox.run(_job(code))
    assert set(_fates(outcome)) == {StepFate.FINISHED}
    assert [item.message for item in outcome.steps[1].warnings] == ["careful"]
    assert outcome.steps[2].stdout == "说\n"
    assert len(outcome.steps[4].figures) == 1


def test_syntax_that_its_python_does_not_know_is_an_error_of_the_first_statement(sandbox: Sandbox) -> None:
    outcome = sandbox.run(_job("x = 1\nmatch x:\n    case 1:\n        print('one')\n"))
    if tuple(map(int, sandbox.environment.python.split(".")))[:2] >= (3, 10):
        assert outcome.steps[1].stdout == "one\n"
    else:
        assert outcome.steps[0].fault is not None
        assert outcome.steps[0].fault.type == "SyntaxError"


@pytest.mark.skipif(not _obtainable("tf-2.15"), reason="no Python for what would take the place of release 1")
def test_release_1_is_stood_in_for_where_its_python_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_old_ones(definition: Definition) -> Interpreter:
        if definition.name == "tf-1.15":
            raise InterpreterMissing("none")
        return find_interpreter(definition)

    monkeypatch.setattr(environments, "find_interpreter", without_old_ones)
    assert needs_substitute("tf-1.15")
    with _open("tf-1.15") as sandbox:
        assert is_substituted(sandbox.environment.name)
        graph = sandbox.run(_job(GRAPH))
        assert graph.steps[-1].stdout == "[[3.0]]\n"
        eager = sandbox.run(_job("import tensorflow as tf\ntf.enable_eager_execution()\nprint(int(tf.add(1, 2)))\n"))
        assert eager.steps[-1].stdout == "3\n"
        gone = sandbox.run(_job("import tensorflow.contrib.slim\nfrom tensorflow.python.framework import ops\n"))
        assert _fates(gone) == [StepFate.RAISED, StepFate.FINISHED]
        assert set(_threads_of_guests(os.getpid())) == {1}


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(SandboxUnavailable, match="no backend"):
        open_sandbox("tf-1.15", "cardboard")
