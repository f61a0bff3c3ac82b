"""Names that nothing gives and whose role is plain: what stands in for them, and that the code then runs."""

from __future__ import annotations

import pytest
from tried import tried

from verifier.model import Confidence, Status
from verifier.probe.standins.supply import supply
from verifier.sandbox.base import Sandbox

pytestmark = pytest.mark.sandbox

CLASSIFIER = """
net = tf.keras.Sequential([tf.keras.Input((12,)), tf.keras.layers.Dense(5, activation="softmax")])
net.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
"""

# (what it is about, code, a piece of the role of each stand-in)
PLAIN = [
    (
        "features and labels for a model with a sparse loss",
        CLASSIFIER + "net.fit(x_train, y_train, epochs=1)\nnet.evaluate(x_test, y_test)",
        {"x_train": "64 samples of 12", "y_train": "labels 0..4", "x_test": "32 samples of 12", "y_test": "32 labels"},
    ),
    (
        "one-hot labels and validation data",
        """
net = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="softmax", input_shape=(6,))])
net.compile("sgd", "categorical_crossentropy", metrics=["accuracy"])
net.fit(train_features, train_targets, validation_data=(val_features, val_targets))
""",
        {"train_features": "samples of 6", "train_targets": "one-hot labels of 3", "val_targets": "32 one-hot"},
    ),
    (
        "a regression on an unbuilt model",
        """
net = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
net.compile(loss="mse", optimizer="rmsprop", metrics=["mae"])
net.fit(X_train, y_train, epochs=2, verbose=0)
print(net.predict(X_test[:3]).shape)
""",
        {"X_train": "values 0..1", "y_train": "numbers to be predicted", "X_test": "32"},
    ),
    (
        "two classes under a sigmoid",
        """
net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1, activation="sigmoid")])
net.compile(loss=tf.keras.losses.BinaryCrossentropy(), optimizer="adam")
net.fit(x, y)
""",
        {"x": "samples of 4", "y": "labels 0 or 1"},
    ),
    (
        "images for a convolutional network",
        """
net = tf.keras.Sequential([
    tf.keras.layers.Conv2D(4, 3, input_shape=(28, 28, 1)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
net.fit(train_images, train_labels)
""",
        {"train_images": "images of 28x28x1", "train_labels": "labels 0..9"},
    ),
    (
        "word numbers for an embedding, and the numbers around it",
        """
net = tf.keras.Sequential([
    tf.keras.layers.Embedding(vocab_size, embedding_dim), tf.keras.layers.LSTM(8), tf.keras.layers.Dense(num_classes)])
net.compile(tf.keras.optimizers.Adam(learning_rate=learning_rate),
            tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
net.fit(padded_sequences, labels, batch_size=BATCH_SIZE, epochs=EPOCHS)
""",
        {
            "vocab_size": "1000", "embedding_dim": "16", "num_classes": "10", "learning_rate": "0.001",
            "BATCH_SIZE": "32", "EPOCHS": "2", "padded_sequences": "word numbers below 1000", "labels": "labels 0..9",
        },
    ),
    (
        "raw images that the code itself flattens and scales",
        """
x_train = x_train.reshape(-1, 784).astype("float32") / 255
y_train = tf.keras.utils.to_categorical(y_train, 10)
net = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10, activation="softmax")])
net.compile("adam", "categorical_crossentropy")
net.fit(x_train, y_train)
""",
        {"x_train": "images of 28x28, whole numbers 0..255", "y_train": "64 labels 0..9"},
    ),
    (
        "as many samples as the code says that there are",
        "x_train = x_train.reshape((500, 28, 28, 1))\nassert x_train.shape == (500, 28, 28, 1)",
        {"x_train": "500 images of 28x28"},
    ),
    (
        "labels for features that the text does give",
        CLASSIFIER + "import numpy as np\ndata = np.random.random((40, 12))\nnet.fit(data, labels)",
        {"labels": "40 labels 0..4"},
    ),
    (
        "data sets of batches",
        CLASSIFIER + "net.fit(train_ds, validation_data=val_ds, epochs=1)",
        {"train_ds": "a data set of 32 samples of 12", "val_ds": "in batches of 8"},
    ),
    (
        "a data set that the code itself cuts into batches",
        CLASSIFIER + "net.fit(train_dataset.shuffle(64).batch(16).map(lambda a, b: (a, b)), epochs=1)",
        {"train_dataset": "a data set of 32 samples of 12, values 0..1, with 32 labels 0..4"},
    ),
    (
        "arrays that become a data set",
        "ds = tf.data.Dataset.from_tensor_slices((train_images, train_labels)).batch(8)\nprint(len(ds))",
        {"train_images": "images of 32x32x3", "train_labels": "labels 0..9"},
    ),
    (
        "a loop of one's own, with model, loss and optimizer",
        """
@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss

for step, (images, labels) in enumerate(train_dataset):
    print(step, float(train_step(images, labels)))
""",
        {"model": "a small Keras model", "loss_fn": "Crossentropy", "optimizer": "Adam", "train_dataset": "a data set"},
    ),
    (
        "what a function of the text does with what it is given",
        """
net = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(4)])
loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
def test_step(x, y):
    return loss(y, net(x))
print(test_step(x_batch, y_batch))
""",
        {"x_batch": "samples of 6", "y_batch": "labels 0..3"},
    ),
    (
        "a model that is only trained and saved",
        'model.compile("adam", "mse")\nmodel.fit(x_train, y_train, epochs=1)\nmodel.save("a.keras")\nmodel.summary()',
        {"model": "a small Keras model with input 8 and output 1", "x_train": "samples of 8", "y_train": "predicted"},
    ),
    (
        "a strategy",
        """
with strategy.scope():
    net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
print(strategy.num_replicas_in_sync)
""",
        {"strategy": "a distribution strategy"},
    ),
    (
        "texts, in the language of the document",
        """
words = tf.keras.layers.TextVectorization(max_tokens=50)  # 词表
words.adapt(sentences)
assert "天" in "".join(sentences)
""",
        {"sentences": "4 short texts"},
    ),
    (
        "what comes out of a model",
        """
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
print(bce(tf.ones_like(real_logits), real_logits) + bce(tf.zeros_like(fake_logits), fake_logits))
""",
        {"real_logits": "predictions", "fake_logits": "predictions"},
    ),
    (
        "images behind a generator, for a model that is not there either",
        """
flow = tf.keras.preprocessing.image.ImageDataGenerator(rotation_range=20)
flow.fit(x_train)
model.fit(flow.flow(x_train, y_train, batch_size=32), epochs=1)
""",
        {"x_train": "images of 32x32x3", "y_train": "labels 0..9", "model": "input 32x32x3"},
    ),
    (
        "a model that is only converted",
        "converter = tf.lite.TFLiteConverter.from_keras_model(model)\nprint(converter)",
        {"model": "a small Keras model"},
    ),
    (
        "a model for data that the text loads",
        "(x, y), _ = tf.keras.datasets.mnist.load_data()\nx = x[..., tf.newaxis] / 255.0\nmodel.fit(x, y, epochs=1)",
        {"mnist.load_data": "invented images", "model": "input 28x28x1"},
    ),
    (
        "the shape of an input",
        """
inputs = tf.keras.Input(shape=input_shape)
outputs = tf.keras.layers.Conv2D(4, 3)(inputs)
net = tf.keras.Model(inputs, outputs)
""",
        {"input_shape": "(32, 32, 3)"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("code", "roles"), [row[1:] for row in PLAIN], ids=[row[0] for row in PLAIN])
def test_a_plain_role_is_filled(sandbox: Sandbox, code: str, roles: dict[str, str]) -> None:
    done = tried(sandbox, code, stages=(supply,))
    assert done.finished(), done.verdict
    assert done.verdict.status is Status.WORKS
    assert done.verdict.confidence is Confidence.LIKELY
    assert set(roles) <= set(done.standins)
    for name, role in roles.items():
        assert role in done.standins[name].role
        assert any(f"`{name}`" in note and role in note for note in done.verdict.notes)


def test_every_model_of_a_document_gets_data_of_its_own(sandbox: Sandbox) -> None:
    first = CLASSIFIER + "net.fit(x_train, y_train)"
    second = """
net = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
net.compile("sgd", "mse")
net.fit(x_train, y_train)
"""
    done = tried(sandbox, first, second, stages=(supply,))
    assert done.finished()
    roles = [{item.name: item.role for item in run.standins} for run in done.runs]
    assert "samples of 12" in roles[0]["x_train"] and "samples of 3" in roles[1]["x_train"]
    assert "labels 0..4" in roles[0]["y_train"] and "predicted" in roles[1]["y_train"]


def test_stand_ins_leave_the_names_of_layers_to_the_document(sandbox: Sandbox) -> None:
    code = """
model.fit(x_train, y_train)
net = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1), tf.keras.layers.Flatten()])
assert [layer.name for layer in net.layers] == ["dense", "flatten"]
"""
    assert tried(sandbox, code, stages=(supply,)).finished()


def test_what_needs_no_stand_in_is_run_once_only(sandbox: Sandbox) -> None:
    done = tried(sandbox, "x = 1\nprint(x)", stages=(supply,))
    assert done.trial.session.claims == ("s0",)
    assert not done.standins and done.verdict.confidence is Confidence.SURE
