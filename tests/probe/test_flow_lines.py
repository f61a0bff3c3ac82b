"""Which lines ran: told without watching every statement, and never told of code that did not run."""

from __future__ import annotations

import pytest

from verifier.model import Limits, Program, SessionJob
from verifier.probe.plan import parse, statements
from verifier.sandbox.base import Sandbox

TF = "import tensorflow as tf\n"
# Code, and the lines that run; a line of a definition runs when it is defined.
CASES = {
    "function called": ("def f():\n    return 1\na = f()", {1, 2, 3}),
    "function not called": ("def f():\n    return 1\na = 2", {1, 3}),
    "called through a list": ("def f():\n    return 1\nfs = [f]\na = fs[0]()", {1, 2, 3, 4}),
    "called through another": ("def f():\n    return 1\ndef g():\n    return f()\na = g()", {1, 2, 3, 4, 5}),
    "branch not taken": ("a = 1\nif a > 2:\n    b = 1\nelse:\n    b = 2\nc = b", {1, 2, 5, 6}),
    "branch taken late": ("b = 0\nfor n in range(5):\n    if n == 4:\n        b = n\nprint(b)", {1, 2, 3, 4, 5}),
    "branch of a function": (
        "def f(n):\n    if n:\n        return 1\n    return 2\na = f(0)\nb = f(1)",
        {1, 2, 3, 4, 5, 6},
    ),
    "exception": ("try:\n    1 / 0\n    a = 1\nexcept ZeroDivisionError:\n    a = 2", {1, 2, 4, 5}),
    "method": (
        "class C:\n    def f(self):\n        return 1\n    def g(self):\n        return 2\nc = C()\nc.f()",
        {1, 2, 3, 4, 6, 7},
    ),
    "operator": ("class C:\n    def __add__(self, other):\n        return 1\nc = C()\na = c + 1", {1, 2, 3, 4, 5}),
    "property": (
        "class C:\n    @property\n    def f(self):\n        return 1\nx = {'c': C()}\nx['c'].f",
        {1, 2, 3, 4, 5, 6},
    ),
    "call over several lines": ("a = max(\n    1,\n    2,\n)\ndef f():\n    pass", {1, 2, 3, 5}),
    "lambda": ("f = lambda: (\n    1 + len('a'))\ndef g(): pass\na = 1", {1, 3, 4}),
    "given to a library": (
        "import functools\ndef f(a, b):\n    return a + b\ns = functools.reduce(f, [1, 2])",
        {1, 2, 3, 4},
    ),
    "thread": (
        "import threading\ndef f():\n    return 1\nt = threading.Thread(target=f)\nt.start()\nt.join()",
        {1, 2, 3, 4, 5, 6},
    ),
    "graph function": (f"{TF}@tf.function\ndef f(x):\n    return x + 1\na = f(tf.ones(2))", {1, 2, 3, 4, 5}),
    "graph function not called": (f"{TF}@tf.function\ndef f(x):\n    return x + 1\na = tf.ones(2)", {1, 2, 3, 5}),
    "helper of a graph function": (
        f"{TF}def g(x):\n    return x * 2\n@tf.function\ndef f(x):\n    return g(x) + 1\na = f(tf.ones(2))",
        {1, 2, 3, 4, 5, 6, 7},
    ),
    "layer": (
        (
            f"{TF}class L(tf.keras.layers.Layer):\n    def call(self, x):\n        return x * 2\n"
            "net = tf.keras.Sequential([L()])\na = net(tf.ones((1, 2)))"
        ),
        {1, 2, 3, 4, 5, 6},
    ),
    "layer in a graph function": (
        (
            f"{TF}class L(tf.keras.layers.Layer):\n    def call(self, x):\n        return x * 2\n"
            "net = L()\n@tf.function\ndef f(x):\n    return net(x)\na = f(tf.ones((1, 2)))"
        ),
        {1, 2, 3, 4, 5, 6, 7, 8, 9},
    ),
    "callback": (
        (
            f"{TF}class C(tf.keras.callbacks.Callback):\n    def on_epoch_end(self, epoch, logs=None):\n        print(epoch)\n"
            "net = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])\nnet.compile('sgd', 'mse')\n"
            "past = net.fit(tf.ones((4, 2)), tf.ones((4, 1)), verbose=0, callbacks=[C()])"
        ),
        {1, 2, 3, 4, 5, 6, 7},
    ),
    "graph function run as it is": (
        f"{TF}tf.config.run_functions_eagerly(True)\n@tf.function\ndef f(x):\n    return x + 1\na = f(tf.ones(2))",
        {1, 2, 3, 4, 5, 6},
    ),
    "map of a dataset": (
        f"{TF}def f(x):\n    return x + 1\ndata = tf.data.Dataset.range(3).map(f)\nprint(list(data))",
        {1, 2, 3, 4, 5},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_lines_that_ran(name: str, sandbox: Sandbox) -> None:
    code, expected = CASES[name]
    plan = statements(parse(code), absent=frozenset(), modules=frozenset())
    program = Program(name="snippet", code=code, statements=plan, trace=True)
    outcome = sandbox.run(SessionJob(programs=(program,), limits=Limits(wall_seconds=20)))
    assert {str(step.fate) for step in outcome.steps} == {"finished"}, [step.fault for step in outcome.steps]
    assert set(outcome.ran_lines[0]) & set(range(1, 99)) == expected
