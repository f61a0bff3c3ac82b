"""What evidence costs: ten statements run one by one with everything that is recorded, beside one plain `exec` of them.

Both run in a warm sandbox, each in a fresh cell, by turns; the time is that of the session as the host sees it. As a
script it prints the medians and their ratio, which should stay below 1.5.
"""

from __future__ import annotations

from statistics import median

import pytest

from verifier.model import Program, SessionJob, Span, Statement
from verifier.probe.plan import branches, parse, statements
from verifier.sandbox import Sandbox, open_sandbox

ROUNDS = 15
PROGRAMS = {
    "tensors": """
import numpy as np
import tensorflow as tf
x = tf.constant(np.arange(12.0).reshape(3, 4))
y = tf.matmul(x, x, transpose_b=True)
z = tf.nn.softmax(tf.cast(y, tf.float32), axis=-1)
top = tf.argmax(z, axis=1)
hot = tf.one_hot(top, 3)
parts = tf.split(z, 3)
print(tf.concat(parts, 0).numpy().sum())
print(hot.numpy())
""",
    "training": """
import numpy as np
import tensorflow as tf
features, labels = np.random.rand(64, 8), np.random.randint(0, 2, 64)
net = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(16, 'relu'), tf.keras.layers.Dense(1, 'sigmoid')])
net.compile(optimizer='adam', loss='binary_crossentropy', metrics=['accuracy'])
past = net.fit(features, labels, epochs=3, verbose=0)
loss, accuracy = net.evaluate(features, labels, verbose=0)
weights = net.layers[0].get_weights()
net.summary()
print(past.history['loss'])
""",
    "functions": """
import tensorflow as tf
w = tf.Variable([[1.0], [2.0]])
def loss(x):
    for _ in range(3):
        x = x * 2.0
    return tf.reduce_mean(tf.square(tf.matmul(x, w)))
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        value = loss(x)
    gradient = tape.gradient(value, w)
    if tf.reduce_sum(gradient) > 0.0:
        w.assign_sub(0.01 * gradient)
    return value
x = tf.ones((4, 2))
values = [step(x).numpy() for _ in range(20)]
total = 0
for number in range(20000):
    total += number % 7
print(values[-1] < values[0])
print(total)
""",
    "tables": """
import matplotlib.pyplot as plt
import pandas as pd
table = pd.DataFrame({'kind': ['a', 'b', 'a'], 'value': [1.0, 2.0, 4.0]})
means = table.groupby('kind')['value'].mean()
table['twice'] = table['value'] * 2
wide = table.pivot_table(index='kind', values='twice')
figure, axes = plt.subplots()
axes.plot(means.index, means.values)
axes.set_title('means')
print(wide)
""",
}


def with_evidence(code: str) -> SessionJob:
    """Statement by statement, as documents are run."""
    parsed = parse(code)
    plan = statements(parsed, absent=frozenset(), modules=frozenset())
    return SessionJob(programs=(Program(name="evidence", code=code, statements=plan, trace=branches(parsed)),))


def plain(code: str) -> SessionJob:
    """All of it in one call of `exec`, with its lines where AutoGraph looks for them."""
    whole = (
        f"import linecache; text = {code!r}; "
        "linecache.cache['whole.py'] = (len(text), None, text.splitlines(True), 'whole.py'); "
        "exec(compile(text, 'whole.py', 'exec'))"
    )
    statement = Statement(span=Span(start=0, end=len(whole)), line=1, end_line=1)
    return SessionJob(programs=(Program(name="plain", code=whole, statements=(statement,)),))


def measure(sandbox: Sandbox, code: str, rounds: int) -> tuple[float, float]:
    """Median seconds of a session: plain, and with evidence."""
    jobs = plain(code), with_evidence(code)
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for job, seconds in zip(jobs, took, strict=True):
            outcome = sandbox.run(job)
            assert all(str(step.fate) == "finished" for step in outcome.steps), outcome.steps
            seconds.append(outcome.seconds)
    return median(took[0]), median(took[1])


@pytest.fixture(scope="module")
def sandbox():
    with open_sandbox() as opened:
        opened.run(plain("1 + 1"))
        yield opened


@pytest.mark.parametrize("name", PROGRAMS)
def bench_plain(name: str, sandbox: Sandbox, benchmark) -> None:
    benchmark.pedantic(sandbox.run, args=(plain(PROGRAMS[name]),), rounds=ROUNDS)


@pytest.mark.parametrize("name", PROGRAMS)
def bench_with_evidence(name: str, sandbox: Sandbox, benchmark) -> None:
    benchmark.pedantic(sandbox.run, args=(with_evidence(PROGRAMS[name]),), rounds=ROUNDS)


def main() -> None:
    """Print one line per program."""
    with open_sandbox() as opened:
        opened.run(plain("1 + 1"))
        for name, code in PROGRAMS.items():
            alone, full = measure(opened, code, ROUNDS)
            print(  # noqa: T201  a script for people
                f"{name:10} plain {alone * 1000:6.0f} ms, with evidence {full * 1000:6.0f} ms, ratio {full / alone:.2f}"
            )


if __name__ == "__main__":
    main()
