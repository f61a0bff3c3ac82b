"""The release that a piece of code was written for, told by the text or by the code itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import snippet

from verifier.index import open_index
from verifier.model import Claim, ClaimKind, Repair, RepairClass, Span
from verifier.probe.release import Era, era_of, paths_of

INDEX = open_index("tf-2.21")


def _era(code: str, *more: Claim, **fields: object) -> Era | None:
    claim = snippet("s", code, **fields)
    return era_of(claim, (claim, *more), {}, INDEX)


@pytest.mark.parametrize(
    ("code", "release", "reason"),
    [
        ("import tensorflow as tf\nx = tf.placeholder(tf.float32)", "1.15", "`tf.placeholder` ended with 1.15"),
        ("from tensorflow.contrib import slim", "1.15", "`tf.contrib.slim` ended with 1.15"),
        ("import tensorflow.contrib.layers", "1.15", "`tf.contrib.layers` ended with 1.15"),
        ("e = tf.estimator.Estimator(f)", "2.15", "`tf.estimator.Estimator` ended with 2.15"),
        ("s = tf.Session()\ne = tf.estimator.Estimator(f)", "1.15", "`tf.Session` ended with 1.15"),
        ("assert tf.__version__ == '1.14.0'\nx = 1", "1.14", "the code asserts release '1.14.0'"),
        ("assert tf.__version__.startswith('1.')", "1.x", "the code asserts release '1.'"),
        ("# tensorflow==1.4\nx = 1", "1.4", "its own comment says tensorflow==1.4"),
        ("x = 1  # TF 1.x style", "1.x", "its own comment says TF 1.x"),
        ("x = 1  # works since TensorFlow 2.3", "2.3", "its own comment says TensorFlow 2.3"),
    ],
)
def test_code_tells_its_release(code: str, release: str, reason: str) -> None:
    assert _era(code) == Era(release=release, reason=reason)


@pytest.mark.parametrize(
    "code",
    [
        "x = tf.add(1, 2)",
        "import tensorflow.compat.v1 as tf\ns = tf.Session()",
        "x = tf.zorblify(1)",
        "x = self.placeholder",
        "torch.placeholder(1)",
        "x = 1  # TF 1.x or TF 2.x",
        "x = 1  # 1.5 times the size",
        "if tf.__version__ == '1.14': pass",
        "print 1",
    ],
)
def test_code_that_says_nothing_of_its_release(code: str) -> None:
    assert _era(code) is None


def test_the_text_comes_first() -> None:
    assert _era("tf.Session()", release="1.4") == Era(release="1.4", reason="the text speaks of TensorFlow 1.4")
    assert _era("x = 1", release="earlier") is None


def test_a_version_that_the_text_shows_as_printed_tells() -> None:
    code = "import tensorflow as tf\nprint(tf.__version__)"
    span = Span(start=code.index("print"), end=len(code))
    shown = Claim(
        id="o", kind=ClaimKind.OUTPUT, document="d", span=span, quote="1.13.1", passage=0, code="1.13.1", about="s",
        code_span=span,
    )  # fmt: skip
    assert _era(code, shown) == Era(release="1.13", reason="the text shows that it ran on 1.13.1")
    assert _era(code, replace(shown, code="done")) is None
    assert _era(code, replace(shown, about="other")) is None
    assert _era(code.replace("tf.__version__", "tf.version.VERSION"), shown) is None


def test_a_magic_that_was_taken_away_tells() -> None:
    magic = Repair(
        rule="magic",
        klass=RepairClass.R1,
        span=Span(start=0, end=1),
        before="%tensorflow_version 1.x",
        after="",
        reason="",
    )
    told = _era("x = 1", repairs=(magic,))
    assert told is not None
    assert (told.release, told.first) == ("1.x", True)


def test_the_names_that_code_takes_from_libraries_by_full_path() -> None:
    code = "from tensorflow.keras import layers as L\nimport numpy as np\nL.Dense(3).build(1)\nnp.zeros(2).sum()\nx.y.z"
    found = paths_of(snippet("s", code), {"L": "tensorflow.keras.layers"})
    assert found == ("tensorflow.keras.layers", "numpy", "tensorflow.keras.layers.Dense", "numpy.zeros")


@pytest.mark.parametrize(("release", "first"), [("1.x", True), ("1.15", True), ("0.12", True), ("2.0", False)])
def test_release_1_and_what_came_before(release: str, first: bool) -> None:
    assert Era(release=release, reason="").first is first
