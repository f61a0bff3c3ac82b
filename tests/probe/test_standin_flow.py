"""What rests on a stand-in, read off the data flow; and which names are customary for what. Nothing is run."""

from __future__ import annotations

import pytest
from samples import document, snippet

from verifier.model import StandIn
from verifier.probe.sessions import plan_sessions
from verifier.probe.standins import names
from verifier.probe.standins.paths import counts_samples
from verifier.probe.standins.supplies import Supply
from verifier.probe.standins.taint import origins


def _session(*codes: str):
    (session,) = plan_sessions(document(), [snippet(f"s{number}", code) for number, code in enumerate(codes)])
    return session


def _supply(name: str, before: int = 0, **more: object) -> Supply:
    return Supply(standin=StandIn(name=name, role="anything", code=""), before=before, **more)


FLOWS = [
    ("what reads it", "a = data + 1\nb = 2", [0]),
    ("what reads what came of it", "a = data\nb = a\nc = b\nd = 1", [0, 1, 2]),
    ("not what was bound anew", "a = data\na = 1\nb = a", [0]),
    ("what was changed with it", "box = []\nbox.append(data)\nprint(box)\nprint(1)", [1, 2]),
    ("what was changed by an assignment to a part", "box = {}\nbox['a'] = data\nprint(box)", [1, 2]),
    ("a function that reads it, when it is called", "def f():\n    return data\nx = 1\ny = f()\nz = y", [2, 3]),
    ("a function that calls such a function", "def f():\n    return data\ndef g():\n    return f()\nx = g()", [2]),
    ("not a function with a name of its own", "def f(data):\n    return data\nx = f(1)", []),
    ("a loop over it", "for part in data:\n    kept = part\nprint(kept)\nprint(1)", [0, 1]),
    ("a block under it", "with data as d:\n    pass\nprint(d)", [0, 1]),
    ("what comes of several names", "a, (b, c) = data\nd = c", [0, 1]),
]


@pytest.mark.parametrize(("code", "resting"), [row[1:] for row in FLOWS], ids=[row[0] for row in FLOWS])
def test_a_name_leads_on(code: str, resting: list[int]) -> None:
    found = origins(_session(code), [_supply("data", names=("data",))])
    assert sorted(number for _, number in found) == resting
    assert all(behind == {"data"} for behind in found.values())


def test_a_stand_in_begins_where_it_is_put() -> None:
    session = _session("data = 1\na = data", "b = data")
    found = origins(session, [_supply("data", before=1, names=("data",))])
    assert set(found) == {(1, 0)}


@pytest.mark.parametrize(
    "code",
    [
        "import tensorflow as tf\nd = tf.keras.datasets.mnist.load_data()",
        "from tensorflow.keras.datasets import mnist\nd = mnist.load_data()",
        "import tensorflow as tf\nmnist = tf.keras.datasets.mnist\nd = mnist.load_data()",
    ],
)
def test_a_function_leads_on_under_every_name(code: str) -> None:
    session = _session(code + "\nprint(d)\nprint(2)")
    found = origins(session, [_supply("mnist.load_data", paths=("datasets.mnist", "datasets.mnist.load_data"))])
    last = len(session.programs[0].statements) - 1
    assert {(0, last - 2), (0, last - 1)} <= set(found)
    assert (0, last) not in found


def test_a_file_leads_on_from_where_its_name_stands() -> None:
    session = _session("p = 'a.csv'\nt = open(p)\nx = open('b.csv')")
    assert set(origins(session, [_supply("a.csv", texts=("a.csv",))])) == {(0, 0), (0, 1)}
    assert set(origins(session, [_supply("b.csv", places=((0, 2),))])) == {(0, 2)}


@pytest.mark.parametrize(
    ("name", "customary"),
    [
        ("x_train", "features"), ("X_test", "features"), ("train_images", "features"), ("padded_sequences", "features"),
        ("inputs", "features"), ("x", "features"), ("y_train", "labels"), ("train_labels", "labels"), ("Y", "labels"),
        ("test_targets", "labels"), ("train_ds", "dataset"), ("val_dataset", "dataset"), ("dataset", "dataset"),
        ("my_model", "model"), ("net", "model"), ("classifier", "model"), ("opt", "optimizer"), ("loss_object", "loss"),
        ("mirrored_strategy", "strategy"), ("sentences", "texts"), ("y_pred", "predictions"), ("logits", "predictions"),
        ("dropout_rate", "rate"), ("input_shape", "shape"),
    ],
)  # fmt: skip
def test_customary_names(name: str, customary: str) -> None:
    assert getattr(names, f"like_{customary}")(name)


@pytest.mark.parametrize(
    "name", ["result", "path", "config", "f", "helper", "tokens_per_line_of_text", "session", "df"]
)
def test_names_that_tell_nothing(name: str) -> None:
    kinds = ("features", "labels", "dataset", "model", "optimizer", "loss", "strategy", "predictions")
    assert not any(getattr(names, f"like_{kind}")(name) for kind in kinds)


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        ("x = x[:10000]", True),
        ("x = x[5000:]", True),
        ("x = x.reshape(60000, 784)", True),
        ("x = x.reshape((60000, 28, 28, 1))", True),
        ("d = d.skip(1000)", True),
        ("x = x[:5]", False),
        ("x = x.reshape(-1, 784)", False),
    ],
)
def test_code_that_speaks_of_the_true_size(code: str, counts: bool) -> None:
    assert counts_samples(_session(code)) is counts
