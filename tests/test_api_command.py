"""`verify api`: the history of names, without any sandbox."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

VERIFY = str(Path(sys.executable).with_name("verify"))


def api(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    # A cache folder that cannot exist: nothing may want an environment.
    environment = {**os.environ, "VERIFIER_CACHE_DIR": "/proc/nowhere"}
    return subprocess.run([VERIFY, "api", *arguments], capture_output=True, env=environment, check=False)


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("tf.placeholder", 1, ["1.0 to 1.15", "tf.compat.v1.placeholder", "################ 1.15"]),
        ("tf.GradientTape", 0, ["a class in 2.21", "signature: GradientTape("]),
        ("tf.io.ReadFromText", 1, ["in no other TensorFlow", "apache_beam.io.ReadFromText"]),
        ("get_layer", 0, ["a method in 2.21", "tf.keras.Model"]),
        ("model.predict_classes", 1, ["to 2.5"]),
        ("tf.keras.optimizers.legacy.Adam", 1, ["only raises"]),
        ("tf.estimator.Estimator", 1, ["to 2.15"]),
        ("zzzz_nothing", 1, ["nothing has this name"]),
    ],
)
def test_histories(name: str, code: int, words: list[str]) -> None:
    done = api(name)
    said = done.stdout.decode()
    assert done.returncode == code, said
    assert all(word in said for word in words), said
    assert done.stderr == b""


def test_several_names_as_json() -> None:
    done = api("tf.add", "tf.placeholder", "--format", "json")
    first, second = json.loads(done.stdout)
    assert (first["name"], first["lookup"]["found"], second["lookup"]["found"]) == ("tf.add", True, False)
    assert second["present"][0] == "1.0"
    assert done.returncode == 1


def test_another_target() -> None:
    assert api("tf.estimator.Estimator", "--target", "tf-2.15").returncode == 0
    assert b"not in 2.15" in api("tf.placeholder", "--target", "tf-2.15").stdout


@pytest.mark.parametrize("arguments", [(), ("tf.add", "--target", "tf-9.9"), ("tf.add", "--format", "xml")])
def test_mistakes_are_one_line(arguments: tuple[str, ...]) -> None:
    done = api(*arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(b"verify: ")
