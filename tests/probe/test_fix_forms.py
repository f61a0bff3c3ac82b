"""Calls in a form that TensorFlow or Keras does not take: arguments, types, shapes, ways of working. Each fix ran."""

from __future__ import annotations

import pytest

TF = "import tensorflow as tf\n"
KERAS = "from tensorflow import keras\n"
NP = "import numpy as np\n"
MODEL = f"{TF}{NP}net = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(2,), activation='softmax')])\n"
ONES = "np.ones((4, 2))"
SPARSE, DENSE = "'sparse_categorical_crossentropy'", "'categorical_crossentropy'"
CASES = [
    # Arguments.
    (f"{TF}step = tf.keras.optimizers.Adam(lr=0.1)", [("lr", "learning_rate")]),
    (f"{TF}total = tf.reduce_sum([[1, 2]], reduction_indices=1)", [("reduction_indices", "axis")]),
    (f"{KERAS}top = keras.layers.Dense(output_dim=3, init='zeros')", [("output_dim", "units"), ("init", "kernel_initializer")]),
    (f"{KERAS}stop = keras.callbacks.EarlyStopping(moniter='loss')", [("moniter", "monitor")]),
    (f"{KERAS}cell = keras.layers.LSTM(3, return_sequence=True)", [("return_sequence", "return_sequences")]),
    (f"{KERAS}board = keras.callbacks.TensorBoard('/tmp/t', write_grads=True)", [(", write_grads=True", "")]),
    (f"{KERAS}top = keras.layers.Dense(3, batch_input_shape=(None, 4))", [("batch_input_shape=(None, 4)", "input_shape=(4,)")]),
    (f"{KERAS}a = keras.Input((3,))\nnet = keras.Model(input=a, output=keras.layers.Dense(1)(a))", [("input", "inputs"), ("output", "outputs")]),
    (f"{KERAS}a = keras.Input(shape=(3))", [("3", "(3,)")]),
    (f"{MODEL}net.compile('sgd', 'mse')\nnet.fit({ONES}, np.ones((4, 3)), nb_epoch=1, verbose=0)", [("nb_epoch", "epochs")]),
    (f"{MODEL}net.save('/tmp/n', save_format='tf')", [("'/tmp/n'", "'/tmp/n.keras'"), (", save_format='tf'", "")]),
    (f"{MODEL}net.save_weights('/tmp/n.h5')", [("'/tmp/n.h5'", "'/tmp/n.weights.h5'")]),
    (f"{TF}class Top(tf.keras.layers.Layer):\n    def build(self, _):\n        self.w = self.add_weight('w', shape=(2, 2))\nTop().build(None)",
     [("'w'", "name='w'")]),
    # Words of Keras.
    (f"{KERAS}top = keras.layers.Dense(3, activation='rellu')", [("'rellu'", "'relu'")]),
    (f"{MODEL}net.compile('adm', 'mse')", [("'adm'", "'adam'")]),
    (f"{MODEL}net.compile('sgd', 'mse', metrics=['acuracy'])\nnet.evaluate({ONES}, np.ones((4, 3)), verbose=0)", [("'acuracy'", "'accuracy'")]),
    (f"{MODEL}net.compile('sgd', 'mse', metrics=['mae'])\nt = net.fit({ONES}, np.ones((4, 3)), verbose=0)\nprint(t.history['mean_absolute_error'])",
     [("'mean_absolute_error'", "'mae'")]),
    # Types.
    (f"{TF}a = tf.constant([1, 2])\nb = a * tf.constant([0.5, 1.5])", [("a", "tf.cast(a, tf.float32)")]),
    (f"{TF}b = tf.sqrt(tf.constant(4))", [("tf.constant(4)", "tf.cast(tf.constant(4), tf.float32)")]),
    (f"{TF}same = tf.equal(tf.argmax([1, 2]), tf.constant(1))", [("tf.constant(1)", "tf.cast(tf.constant(1), tf.int64)")]),
    (f"{TF}rows = tf.one_hot(tf.constant([0.0, 1.0]), 2)", [("tf.constant([0.0, 1.0])", "tf.cast(tf.constant([0.0, 1.0]), tf.int32)")]),
    (f"{TF}x = tf.constant([1, 2, 3])\nx[0] = 7", [("x[0] = 7", "x = tf.tensor_scatter_nd_update(x, [[0]], [7])")]),
    (f"{TF}x = tf.constant([1.0])\nx.assign([2.0])", [("tf.constant", "tf.Variable")]),
    # Shapes.
    (f"{TF}x = tf.random.normal(2, 3)", [("2, 3", "(2, 3)")]),
    (f"{NP}x = np.random.rand((2, 3))", [("(2, 3)", "2, 3")]),
    (f"{TF}p = tf.matmul(tf.ones((2, 3)), tf.ones((2, 3)))", [("", ", transpose_b=True")]),
    (f"{TF}p = tf.concat(0, [[1], [2]])", [("0", "[[1], [2]]"), ("[[1], [2]]", "0")]),
    (f"{TF}a = tf.ones(2)\np = tf.stack(a, a)", [("a, a", "[a, a]")]),
    (f"{KERAS}net = keras.Sequential([keras.layers.LSTM(4, input_shape=(5, 3)), keras.layers.LSTM(2)])", [("", ", return_sequences=True")]),
    (f"{KERAS}conv = keras.Sequential([keras.layers.Conv2D(2, 3, input_shape=(8, 8))])", [("", ", 1")]),
    (f"{KERAS}net = keras.Sequential([keras.layers.Flatten, keras.layers.Dense(1)])", [("", "()")]),
    (f"{TF}q = tf.ones((1, 2, 3))\nmix = tf.keras.layers.Attention()(q, q)", [("q, q", "[q, q]")]),
    (f"{MODEL}net.compile('sgd', {DENSE})\nnet.fit({ONES}, np.array([0, 1, 2, 0]), verbose=0)", [(DENSE, SPARSE)]),
    (f"{TF}a = tf.keras.Input((3,))\nmean = tf.reduce_mean(a, axis=1)", [("tf.reduce_mean", "tf.keras.ops.mean")]),
    (f"{MODEL}net.predict([[1.0, 2.0]], verbose=0)", [("[[1.0, 2.0]]", "np.array([[1.0, 2.0]])")]),
    # Ways of working.
    (f"{TF}x = tf.constant(3.0)\nwith tf.GradientTape() as tape:\n    y = x * x\nprint(tape.gradient(y, x).numpy())", [("", "tape.watch(x)\n    ")]),
    (f"{TF}x = tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = x * x\na = tape.gradient(y, x)\nb = tape.gradient(y, x)", [("", "persistent=True")]),
    (f"{TF}x = tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = x * x\ng = tape.gradient(y, [x])\ntf.keras.optimizers.SGD(0.1).apply_gradients(g)",
     [("g", "zip(g, [x])")]),
    (f"{TF}x = tf.placeholder(tf.float32)\nwith tf.Session() as s:\n    print(s.run(x + 1, {{x: 2.0}}))",
     [("import tensorflow as tf", "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()")]),
    ("for i in range(5 / 2):\n    pass", [("/", "//")]),
    ("d = {'a': 1}\nfor k, v in d.iteritems():\n    pass", [("iteritems", "items")]),
    ("x = map(str, [1, 2])[0]", [("map(str, [1, 2])", "list(map(str, [1, 2]))")]),
    ("x = 'n = ' + 3", [("3", "str(3)")]),
]  # fmt: skip


@pytest.mark.parametrize(("code", "swaps"), CASES, ids=[code.splitlines()[-1][:50] for code, _ in CASES])
def test_the_form_that_is_taken_is_found_and_runs(code: str, swaps: list[tuple[str, str]], mended) -> None:
    (treated,) = mended(code)
    assert treated.swaps == swaps
    assert set(treated.fates) == {"f"}
    assert treated.tries <= 6


@pytest.mark.parametrize(
    "code",
    [
        f"{TF}x = tf.reshape(tf.ones(6), (4, 4))",
        f"{TF}x = tf.ones((2, 3)) + tf.ones((4, 5))",
        f"{TF}x = tf.one_hot([0, 1])",
        f"{MODEL}net.predict(np.ones((4, 5)), verbose=0)",
        # What it is for would be lost.
        f"{KERAS}top = keras.layers.Dense(3, regularization=0.1)",
        f"{TF}a = tf.ones(3)\nx = tf.reduce_sum(a, weights=a)",
        "x = 1 / 0",
        "x = int('seven')",
    ],
)
def test_nothing_is_invented(code: str, mended) -> None:
    (treated,) = mended(code)
    assert treated.fixes == ()
    assert treated.tries <= 6
