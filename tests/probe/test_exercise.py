"""Definitions that nobody calls are called with plain inputs: a success is worth something, a failure nothing."""

from __future__ import annotations

import pytest
from samples import call
from tried import tried

from verifier.model import Confidence, Status, StepFate
from verifier.probe.exercise import exercise
from verifier.probe.standins.supply import supply
from verifier.sandbox.base import Sandbox

pytestmark = pytest.mark.sandbox

WORKING = [
    (
        "a layer with a default",
        """
class Scale(tf.keras.layers.Layer):
    def __init__(self, units=4, **kwargs):
        super().__init__(**kwargs)
        self.units = units
    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.units))
    def call(self, inputs):
        return inputs @ self.w
""",
        {"Scale"},
    ),
    (
        "a model that looks at images",
        """
class Net(tf.keras.Model):
    def __init__(self, num_classes):
        super().__init__()
        self.conv = tf.keras.layers.Conv2D(4, 3)
        self.flat = tf.keras.layers.Flatten()
        self.out = tf.keras.layers.Dense(num_classes)
    def call(self, x, training=False):
        return self.out(self.flat(self.conv(x)))
""",
        {"Net"},
    ),
    (
        "an encoder of words",
        """
class Encoder(tf.keras.layers.Layer):
    def __init__(self, vocab_size, embedding_dim, units):
        super().__init__()
        self.words = tf.keras.layers.Embedding(vocab_size, embedding_dim)
        self.rnn = tf.keras.layers.GRU(units)
    def call(self, x):
        return self.rnn(self.words(x))
""",
        {"Encoder"},
    ),
    (
        "a function of the graph",
        "@tf.function\ndef double(x):\n    if tf.reduce_sum(x) > 0:\n        return x * 2\n    return x",
        {"double"},
    ),
    (
        "a builder and a loss",
        """
def build_model(input_shape, num_classes=3):
    return tf.keras.Sequential([tf.keras.Input(input_shape), tf.keras.layers.Dense(num_classes)])
def own_loss(y_true, y_pred):
    return tf.reduce_mean(tf.square(y_true - y_pred))
""",
        {"build_model", "own_loss"},
    ),
    (
        "a callback, which is made and not run",
        """
class Stop(tf.keras.callbacks.Callback):
    def __init__(self, patience):
        super().__init__()
        self.patience = patience
    def on_epoch_end(self, epoch, logs=None):
        raise RuntimeError("not ours to call")
""",
        {"Stop"},
    ),
    ("an annotated function", "def power(base: float, exponent: int) -> float:\n    return base**exponent", {"power"}),
    ("a generator", "def numbers(n):\n    for k in range(n):\n        yield k", {"numbers"}),
    ("a function without parameters", "def main():\n    print(tf.ones(2))", {"main"}),
]


@pytest.mark.parametrize(("code", "names"), [row[1:] for row in WORKING], ids=[row[0] for row in WORKING])
def test_what_runs_with_plain_inputs_is_likely_to_work(sandbox: Sandbox, code: str, names: set[str]) -> None:
    done = tried(sandbox, code, stages=(exercise,))
    assert {item.name for item in done.runs[0].exercises if item.fate is StepFate.FINISHED} == names
    assert (done.verdict.status, done.verdict.confidence) == (Status.WORKS, Confidence.LIKELY)
    assert "when we called" in done.verdict.message


IDLE = [
    ("parameters that tell nothing", "def run(cfg, trainer):\n    return trainer.go(cfg)"),
    ("inputs of another shape", "def f(x):\n    return tf.reshape(x, (7, 7))"),
    ("a global that is not there", "def step(images):\n    return the_model(images)"),
    ("no body at all", "class Empty:\n    pass"),
    ("an exit", "def leave():\n    raise SystemExit(1)"),
]


@pytest.mark.parametrize("code", [row[1] for row in IDLE], ids=[row[0] for row in IDLE])
def test_a_failing_exercise_accuses_nobody(sandbox: Sandbox, code: str) -> None:
    done = tried(sandbox, code, stages=(exercise,))
    assert (done.verdict.status, done.verdict.rule) == (Status.UNPROVEN, "never-called")
    assert not any(item.fate is StepFate.FINISHED for item in done.runs[0].exercises)


def test_an_unknown_name_in_a_body_is_found_whether_or_not_it_ran(sandbox: Sandbox) -> None:
    code = "def f(x, wild=False):\n    if wild:\n        return tf.nn.relux(x)\n    return tf.nn.relu(x)"
    claims = (
        call(code, "tf.nn.relu(x)", "tf.nn.relu", about="s0"),
        call(code, "tf.nn.relux(x)", "tf.nn.relux", about="s0"),
    )
    done = tried(sandbox, code, stages=(exercise,), more=claims)
    good, bad = (done.verdicts[claim.id] for claim in claims)
    assert (good.status, good.confidence) == (Status.WORKS, Confidence.LIKELY)
    assert "when we called `f`" in good.message
    assert bad.status is not Status.WORKS


def test_what_the_text_calls_itself_is_not_called_by_us(sandbox: Sandbox) -> None:
    done = tried(sandbox, "def f(x):\n    return x + 1\nprint(f(2))", stages=(exercise,))
    assert done.runs[0].exercises == ()
    assert done.verdict.confidence is Confidence.SURE


def test_exercises_see_what_the_session_made(sandbox: Sandbox) -> None:
    first = "net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])"
    second = "def predict(x):\n    return net(x)"
    done = tried(sandbox, first, second, stages=(supply, exercise))
    assert [item.fate for item in done.runs[1].exercises] == [StepFate.FINISHED]


def test_calling_ends_in_time(sandbox: Sandbox) -> None:
    code = "def first(n):\n    while True:\n        n += 1\ndef second(x):\n    return x"
    done = tried(sandbox, code, stages=(exercise,))
    assert {item.name: item.fate for item in done.runs[0].exercises}["first"] is StepFate.RAISED
    assert {item.name for item in done.runs[0].exercises} == {"first", "second"}
