"""Class K: the same program has the same fate, however often, in whatever order and company it is run."""

from __future__ import annotations

import random
import threading

import pytest
from attacks.case import SMALL
from backends import BACKENDS
from conformance.conftest import program

from verifier.model import Fate, Outcome, SessionJob

pytestmark = pytest.mark.sandbox

PROGRAMS = {
    "good": ("print(sum(range(10)))", Fate.FINISHED),
    "raises": ("print('a')\n1 / 0", Fate.FINISHED),
    "leaves": ("import os\nos._exit(3)", Fate.EXITS_EARLY),
    "crashes": ("import os\nos.abort()", Fate.CRASHED),
    "forges": ("import os\nfor fd in range(3, 1100):\n    try: os.write(fd, b'\\0\\0\\0\\2{}')\n    except OSError: pass", Fate.TAMPERED),
    "eats": ("hog = []\nwhile True: hog.append(bytearray(16 << 20))", Fate.OUT_OF_MEMORY),
    "fills": ("open('f', 'wb').write(bytes(32 << 20))", Fate.DISK_LIMIT),
    "shouts": ("while True: print('x' * 4000)", Fate.OUTPUT_LIMIT),
    "threads": ("import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()", Fate.PROCESS_LIMIT),
    "random": ("import random, numpy as np, tensorflow as tf\nprint(random.random(), np.random.rand(), tf.random.normal([2]).numpy(), hash('a'), {'b', 'c', 'a'})", Fate.FINISHED),
    "learns": ("import numpy as np, tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(2)])\nm.compile('sgd', 'mse')\nprint(m.fit(np.ones((8, 3)), np.ones((8, 2)), verbose=0).history, [w.name for w in m.weights])", Fate.FINISHED),
}  # fmt: skip
SLOW = ("eats", "fills", "shouts", "threads", "learns")


def run(place, name: str) -> Outcome:
    return place.sandbox.run(SessionJob(programs=(program(PROGRAMS[name][0]),), limits=SMALL))


def facts(outcome: Outcome) -> tuple[object, ...]:
    """Everything about an outcome that must not change, without what is measured."""
    printed = outcome.stdout if outcome.fate is Fate.FINISHED else ""
    return (
        outcome.fate,
        outcome.detail,
        [step.fate for step in outcome.steps],
        [step.fault for step in outcome.steps],
        printed,
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_again_and_again_the_same(place, place_name: str, name: str) -> None:
    times = 4 if name in SLOW or place_name != BACKENDS[0] else 20
    seen = [facts(run(place, name)) for _ in range(times)]
    assert seen[0][0] is PROGRAMS[name][1]
    assert all(other == seen[0] for other in seen), seen


def test_order_does_not_matter(place) -> None:
    alone = {name: facts(run(place, name)) for name in PROGRAMS}
    for seed in range(1):
        names = list(PROGRAMS)
        random.Random(seed).shuffle(names)
        assert {name: facts(run(place, name)) for name in names} == alone


def test_threads_that_share_a_sandbox_wait_for_each_other(place) -> None:
    alone = {name: facts(run(place, name)) for name in PROGRAMS}
    together: dict[str, tuple[object, ...]] = {}
    threads = [
        threading.Thread(target=lambda name=name: together.update({name: facts(run(place, name))})) for name in PROGRAMS
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone  # fmt: skip
