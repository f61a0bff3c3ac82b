"""Variables whose class the code itself tells."""

from __future__ import annotations

import pytest
from samples import document, snippet

from verifier.probe.receivers import receivers
from verifier.probe.sessions import plan_sessions

CASES = [
    ("from tensorflow import keras\nnet = keras.Sequential([])", {"net": "Sequential"}),
    ("import tensorflow as tf\na = b = tf.keras.layers.Dense(3)", {"a": "Dense", "b": "Dense"}),
    ("import tensorflow as tf\nx = tf.constant(1)", {}),
    ("import tensorflow as tf\nm = tf.keras.Model()\nm = tf.keras.layers.Dense(1)", {}),
    ("import tensorflow as tf\nm = tf.keras.Model()\nm = m", {}),
    ("class Net: pass\nm = Net()", {}),
    ("import tensorflow as tf\ndef f():\n    opt = tf.keras.optimizers.Adam(0.1)\n    return opt", {"opt": "Adam"}),
    ("import tensorflow as tf\nm.x = tf.keras.Model()", {}),
]


@pytest.mark.parametrize(("code", "expected"), CASES)
def test_the_class_of_a_variable(code: str, expected: dict[str, str]) -> None:
    sessions = plan_sessions(document(), [snippet("s", code)])
    assert receivers(sessions) == expected
