"""Files that code reads and nobody has: what is put in their place is what the code takes out of them."""

from __future__ import annotations

import pytest
from tried import tried

from verifier.model import Confidence, Status
from verifier.probe.standins.supply import supply
from verifier.sandbox.base import Sandbox

pytestmark = pytest.mark.sandbox

# (what, code, name of the stand-in, a piece of its role)
READ = [
    (
        "a table with the columns that the code names",
        """
import pandas as pd
table = pd.read_csv("data/houses.csv")
target = table.pop("price")
table["ratio"] = table["rooms"] / table["area"]
assert list(table[["rooms", "area"]].columns) == ["rooms", "area"] and len(target) == len(table)
""",
        "data/houses.csv",
        "the columns price, rooms, area",
    ),
    (
        "a table without names, by position",
        """
import pandas as pd
rows = pd.read_csv("churn.csv")
assert rows.iloc[:, :-1].values.shape[1] == 4 and set(rows.iloc[:, -1]) == {0, 1}
""",
        "churn.csv",
        "four features and a label",
    ),
    (
        "a table whose names the code gives",
        """
import pandas as pd
names = ["mpg", "weight"]
cars = pd.read_csv("cars.data", names=["mpg", "weight"], sep=" ")
assert cars["mpg"].dtype.kind == "f" and list(cars.columns) == names
""",
        "cars.data",
        "the columns mpg, weight",
    ),
    (
        "a table that a function reads",
        """
import pandas as pd
def load(path):
    return pd.read_csv(path, usecols=["a", "b"])
print(load("x.csv")["a"].mean())
""",
        "x.csv",
        "the columns a, b",
    ),
    (
        "an image",
        'image = tf.io.decode_jpeg(tf.io.read_file("pets/cat.jpg"), channels=3)\nassert image.shape[-1] == 3',
        "pets/cat.jpg",
        "an image",
    ),
    (
        "an image of another library's",
        'from PIL import Image\nassert Image.open("dog.png").format == "PNG"',
        "dog.png",
        "an image",
    ),
    (
        "a folder of images",
        """
ds = tf.keras.utils.image_dataset_from_directory("data/train", image_size=(16, 16), batch_size=4)
assert len(ds.class_names) == 2
for images, labels in ds.take(1):
    assert images.shape == (4, 16, 16, 3)
""",
        "data/train",
        "2 classes of 8 images",
    ),
    (
        "a folder of images, the old way",
        """
from tensorflow.keras.preprocessing.image import ImageDataGenerator
flow = ImageDataGenerator(rescale=1.0 / 255).flow_from_directory("train", target_size=(20, 20), class_mode="binary")
images, labels = next(flow)
assert images.shape[1:] == (20, 20, 3)
""",
        "train",
        "2 classes of 8 images",
    ),
    (
        "images for a pattern",
        """
names = tf.data.Dataset.list_files("data/*/*.jpg")
images = names.map(lambda name: tf.io.decode_jpeg(tf.io.read_file(name), channels=3))
assert next(iter(images)).shape[-1] == 3
""",
        "data/*/*.jpg",
        "8 images for each folder",
    ),
    (
        "a folder of texts",
        'ds = tf.keras.utils.text_dataset_from_directory("reviews", batch_size=2)\nprint(next(iter(ds))[0])',
        "reviews",
        "2 classes of 8 texts",
    ),
    (
        "arrays by their keys",
        """
import numpy as np
with np.load("data/digits.npz") as data:
    train, labels = data["x_train"], data["y_train"]
assert len(train) == len(labels)
""",
        "data/digits.npz",
        "y_train: 64 labels",
    ),
    (
        "records with the features that the code parses",
        """
described = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}
def parsed(record):
    found = tf.io.parse_single_example(record, described)
    return tf.io.decode_jpeg(found["image"], channels=3), found["label"]
for image, label in tf.data.TFRecordDataset("train.tfrecord").map(parsed).take(1):
    assert image.shape[-1] == 3 and label.dtype == tf.int64
""",
        "train.tfrecord",
        "records with the features image, label",
    ),
    (
        "lines of text",
        'for line in tf.data.TextLineDataset("poem.txt").take(1):\n    assert line.numpy()',
        "poem.txt",
        "a text of four short lines",
    ),
    (
        "an opened text",
        'with open("notes/corpus.txt", encoding="utf-8") as file:\n    assert len(file.read().splitlines()) == 4',
        "notes/corpus.txt",
        "a text of four short lines",
    ),
    (
        "a table of the library's own",
        """
ds = tf.data.experimental.make_csv_dataset("titanic.csv", batch_size=4, label_name="survived", num_epochs=1)
features, labels = next(iter(ds))
assert labels.shape == (4,)
""",
        "titanic.csv",
        "the columns survived",
    ),
    (
        "a place to write to",
        'import numpy as np\nnp.save("out/deep/a.npy", np.zeros(3))\nassert np.load("out/deep/a.npy").shape == (3,)',
        "out/deep/",
        "an empty folder",
    ),
    (
        "a variable of the environment",
        'import os\nassert int(os.environ["WORLD_SIZE"]) == 1\nprint(os.environ["WORLD_SIZE"])',
        "WORLD_SIZE",
        "set to 1",
    ),
]


@pytest.mark.parametrize(("code", "name", "role"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_a_file_is_made_of_what_the_code_takes_from_it(sandbox: Sandbox, code: str, name: str, role: str) -> None:
    done = tried(sandbox, code, stages=(supply,))
    assert done.finished(), (done.verdict, [step.fault for step in done.runs[-1].steps])
    assert role in done.standins[name].role
    assert (done.verdict.status, done.verdict.confidence) == (Status.WORKS, Confidence.LIKELY)
    assert f"`{name}`" in done.verdict.message


# Files of which the way they are read tells nothing: (what, code).
UNKNOWN = [
    ("a saved model", 'net = tf.keras.models.load_model("net.keras")'),
    ("a saved graph", 'net = tf.saved_model.load("export/1")'),
    ("pickled objects", 'import pickle\nthings = pickle.load(open("things.pkl", "rb"))'),
    ("a configuration", 'import json\nwith open("config.json") as file:\n    settings = json.load(file)'),
    ("a folder that is only listed", 'import os\nprint(os.listdir("somewhere"))'),
    ("arrays of names that say nothing", 'import numpy as np\nq = np.load("a.npz")["arr_7"]'),
    ("records that are taken apart by hand", 'for record in tf.data.TFRecordDataset("a.tfrecord"):\n    print(record)'),
    ("a place that nobody may write to", 'print(open("/proc/nowhere/a.txt").read())'),
]


@pytest.mark.parametrize("code", [row[1] for row in UNKNOWN], ids=[row[0] for row in UNKNOWN])
def test_an_unknown_file_stays_missing(sandbox: Sandbox, code: str) -> None:
    done = tried(sandbox, code, stages=(supply,))
    assert not done.standins
    assert (done.verdict.status, done.verdict.rule) == (Status.UNPROVEN, "missing-data")


def test_a_column_that_the_table_may_have_had_is_nobodys_fault(sandbox: Sandbox) -> None:
    code = 'import pandas as pd\ntable = pd.read_csv("a.csv")\nkey = "col" + "umn"\nprint(table[key])'
    done = tried(sandbox, code, stages=(supply,))
    assert done.ran == ["finished", "finished", "finished", "raised"]
    assert (done.verdict.status, done.verdict.rule) == (Status.UNPROVEN, "missing-data")


def test_a_wrong_argument_of_the_reader_is_a_fault_beside_the_file(sandbox: Sandbox) -> None:
    code = """
ds = tf.keras.utils.image_dataset_from_directory("data/train", image_size=(16, 16))
other = tf.keras.utils.image_dataset_from_directory("data/train", target_size=(16, 16))
"""
    done = tried(sandbox, code, stages=(supply,))
    assert done.standins
    assert (done.verdict.status, done.verdict.rule) == (Status.BROKEN, "wrong-argument")
