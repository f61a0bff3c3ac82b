"""What code downloads: the loaders of data sets, pretrained weights, and files, without a network."""

from __future__ import annotations

import pytest
from tried import tried

from verifier.model import Confidence, Status
from verifier.probe.standins.supply import supply
from verifier.sandbox.base import Sandbox

pytestmark = pytest.mark.sandbox

LOADED = [
    (
        "digits, through the library's own name",
        """
(x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
assert x_train.dtype == "uint8" and x_train.shape[1:] == (28, 28) and y_train.max() == 9 and len(x_test) == len(y_test)
""",
        "mnist.load_data",
    ),
    (
        "through a name of the author's",
        """
data = tf.keras.datasets.fashion_mnist
(a, b), _ = data.load_data()
assert a.max() > 200 and b.shape == (len(a),)
""",
        "fashion_mnist.load_data",
    ),
    (
        "through an import of the function",
        """
from tensorflow.keras.datasets.cifar10 import load_data
(a, b), _ = load_data()
assert a.shape[1:] == (32, 32, 3) and b.shape[1:] == (1,)
""",
        "cifar10.load_data",
    ),
    (
        "as many samples as the code cuts",
        """
(a, b), _ = tf.keras.datasets.mnist.load_data()
a = a.reshape(60000, 784)
assert len(a[10000:]) == 50000
""",
        "mnist.load_data",
    ),
    (
        "reviews with their words",
        """
from keras.datasets import imdb
(a, b), (c, d) = imdb.load_data(num_words=500)
assert max(max(review) for review in a) < 500 and set(b) == {0, 1}
print(len(imdb.get_word_index()))
""",
        "imdb.load_data",
    ),
    (
        "prices",
        """
(a, b), (c, d) = tf.keras.datasets.boston_housing.load_data(test_split=0.2)
assert a.shape == (404, 13) and c.shape[1] == 13
""",
        "boston_housing.load_data",
    ),
    (
        "coarse labels",
        "(a, b), _ = tf.keras.datasets.cifar100.load_data(label_mode='coarse')\nassert b.max() == 19",
        "cifar100.load_data",
    ),
    (
        "pretrained weights",
        """
from tensorflow.keras.applications import MobileNetV2
base = MobileNetV2(input_shape=(32, 32, 3), include_top=False, weights="imagenet")
base.trainable = False
""",
        "MobileNetV2",
    ),
    (
        "a data set of another library",
        """
import tensorflow_datasets as tfds
(train, test), info = tfds.load("mnist", split=["train", "test"], as_supervised=True, with_info=True)
for image, label in train.batch(4).take(1):
    assert image.shape == (4, 28, 28, 1) and info.features["label"].num_classes == 10
""",
        "tensorflow_datasets",
    ),
    (
        "a table behind an address",
        """
import pandas as pd
path = tf.keras.utils.get_file("auto.csv", "https://example.com/auto.csv")
table = pd.read_csv(path)
print(table["weight"].mean())
""",
        "get_file",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("code", "name"), [row[1:] for row in LOADED], ids=[row[0] for row in LOADED])
def test_a_download_is_invented_in_its_true_form(sandbox: Sandbox, code: str, name: str) -> None:
    done = tried(sandbox, code, stages=(supply,))
    assert done.finished(), (done.verdict, [step.fault for step in done.runs[-1].steps])
    assert name in done.standins
    assert (done.verdict.status, done.verdict.confidence) == (Status.WORKS, Confidence.LIKELY)


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ('import tensorflow_datasets as tfds\nds = tfds.load("my_own_data", split="train")', "missing-library"),
        ('import tensorflow_datasets as tfds\nbuilder = tfds.builder("mnist")', "missing-library"),
        ('import urllib.request\nprint(urllib.request.urlopen("https://example.com").read())', "needs-network"),
        ('path = tf.keras.utils.get_file("a.zip", "https://example.com/a.zip", extract=True)', "needs-network"),
    ],
)
def test_an_unknown_download_stays_missing(sandbox: Sandbox, code: str, rule: str) -> None:
    done = tried(sandbox, code, stages=(supply,))
    assert not done.standins
    assert (done.verdict.status, done.verdict.rule) == (Status.UNPROVEN, rule)


def test_a_loader_keeps_its_signature(sandbox: Sandbox) -> None:
    code = """
(a, b), _ = tf.keras.datasets.mnist.load_data()
tf.keras.datasets.mnist.load_data(num_words=10)
"""
    done = tried(sandbox, code, stages=(supply,))
    assert done.ran == ["finished", "raised"]
    assert (done.verdict.status, done.verdict.rule) == (Status.BROKEN, "wrong-argument")
