"""Names that are wrong: spelt otherwise, moved, of another library, or not imported. Each fix ran in TensorFlow."""

from __future__ import annotations

import pytest

TF = "import tensorflow as tf\n"
KERAS = "from tensorflow import keras\n"
NP = "import numpy as np\n"
MODEL = f"{TF}net = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name='head')])\n"
CASES = [
    # The error message offers what was meant.
    (f"{MODEL}top = net.get_layer('Head')", [("'Head'", "'head'")]),
    (f'{MODEL}top = net.get_layer("haed")', [('"haed"', '"head"')]),
    (f"{NP}size = np.float(3)\nsame = np.float('2')", [("np.float", "float"), ("np.float", "float")]),
    (
        "import pandas as pd\ntable = pd.DataFrame({'price': [1, 2]})\nprint(table['Price'].mean())",
        [("'Price'", "'price'")],
    ),
    # The index knows where it is now, or what is near it.
    (f"{TF}y = tf.log(1.0)\nz = tf.log(2.0)", [("tf.log", "tf.math.log"), ("tf.log", "tf.math.log")]),
    (f"{TF}y = tf.random_uniform([2])", [("tf.random_uniform", "tf.random.uniform")]),
    (f"{TF}there = tf.gfile.Exists('/tmp')", [("tf.gfile.Exists", "tf.io.gfile.exists")]),
    (f"{TF}options = tf.ConfigProto()", [("tf.ConfigProto", "tf.compat.v1.ConfigProto")]),
    (
        f"{TF}tf.logging.set_verbosity(tf.logging.ERROR)",
        [
            ("tf.logging.set_verbosity", "tf.compat.v1.logging.set_verbosity"),
            ("tf.logging.ERROR", "tf.compat.v1.logging.ERROR"),
        ],
    ),
    (f"{TF}pool = tf.keras.layers.MaxPooling2d(2)", [("tf.keras.layers.MaxPooling2d", "tf.keras.layers.MaxPooling2D")]),
    (f"{TF}top = tf.Keras.layers.Dense(2)", [("tf.Keras.layers.Dense", "tf.keras.layers.Dense")]),
    (f"{KERAS}stop = keras.callback.EarlyStopping()", [("keras.callback.EarlyStopping", "keras.callbacks.EarlyStopping")]),
    (f"{TF}m = tf.math.mean([1.0, 2.0])", [("tf.math.mean", "tf.reduce_mean")]),
    (f"{NP}row = np.arrange(4)", [("np.arrange", "np.arange")]),
    ("import matplotlib.pyplot as plt\nplt.xlable('t')", [("plt.xlable", "plt.xlabel")]),
    (f"{TF}@tf.function\ndef f(x):\n    return tf.log(x)\nprint(f(tf.constant(1.0)))", [("tf.log", "tf.math.log")]),
    (f"{TF}mix = tf.keras.layers.SelfAttention(num_heads=2, key_dim=4)", [("tf.keras.layers.SelfAttention", "tf.keras.layers.MultiHeadAttention")]),
    # Members of objects.
    (f"{MODEL}net.sumary()", [("sumary", "summary")]),
    (f"{MODEL}print(net.layers[0].output_shape)", [("output_shape", "output.shape")]),
    (f"{MODEL}print(net.get_layers())", [("net.get_layers()", "net.layers")]),
    (f"{TF}few = tf.data.Dataset.range(9).suffle(3)", [("suffle", "shuffle")]),
    (
        f"{TF}data = tf.data.Dataset.range(3)\nfirst = data.make_one_shot_iterator().get_next()",
        [("data.make_one_shot_iterator()", "iter(data)")],
    ),
    (f"{TF}x = tf.constant([[1.0], [2.0]])\nprint(x.mean())", [("x.mean()", "tf.reduce_mean(x)")]),
    (f"{TF}x = tf.constant([1, 2])\ny = x.reshape(2, 1)", [("x.reshape(2, 1)", "tf.reshape(x, [2, 1])")]),
    (f"{TF}x = tf.constant([1, 2]).numpy()\nprint(x.numpy())", [("x.numpy()", "x")]),
    ("x = [[1, 2], [3, 4]]\nprint(x.shape)", [("", "import numpy as np\n"), ("x", "np.array(x)")]),
    # Imports.
    ("from keras.layers.core import Dense, Dropout", [("from keras.layers.core import Dense, Dropout", "from keras.layers import Dense, Dropout")]),
    (
        "from keras.utils import np_utils\nprint(np_utils.to_categorical([1, 0]))",
        [("from keras.utils import np_utils", "from keras import utils as np_utils")],
    ),
    (
        "from tensorflow.keras.layers import Dense, CuDNNLSTM\ncell = CuDNNLSTM(3)",
        [("from tensorflow.keras.layers import Dense, CuDNNLSTM", "from tensorflow.keras.layers import Dense, LSTM"), ("CuDNNLSTM", "LSTM")],
    ),
    (
        "from tensorflow.keras.layers.experimental import preprocessing\nscale = preprocessing.Rescaling(0.5)",
        [("from tensorflow.keras.layers.experimental import preprocessing", "from tensorflow.keras import layers as preprocessing")],
    ),
    (
        "from keras.preprocessing.text import Tokenizer\nwords = Tokenizer(num_words=5)",
        [("from keras.preprocessing.text import Tokenizer", "from tensorflow.keras.preprocessing.text import Tokenizer")],
    ),
    (
        "import keras.backend as K\nprint(K.mean(K.square([1.0, 2.0])))",
        [("import keras.backend as K", "import tensorflow.keras.backend as K")],
    ),
    ("net = Sequential([Dense(2)])", [("", "from tensorflow.keras.layers import Dense\n")]),
    (
        f"{TF}labels = to_categorical([0, 1])",
        [("", "from tensorflow.keras.utils import to_categorical\n")],
    ),
    ("weights = [1, 2]\nprint(wieghts)", [("wieghts", "weights")]),
]  # fmt: skip


@pytest.mark.parametrize(("code", "swaps"), CASES, ids=[code.splitlines()[-1][:50] for code, _ in CASES])
def test_what_was_meant_is_found_and_runs(code: str, swaps: list[tuple[str, str]], mended) -> None:
    (treated,) = mended(code)
    assert treated.swaps == swaps
    assert set(treated.fates) == {"f"}
    assert treated.tries <= 6


@pytest.mark.parametrize(
    "code",
    [
        # Nothing is near it, or what has the same name does something else.
        f"{TF}x = tf.flatten([[1, 2]])",
        f"{TF}x = tf.contrib.layers.flatten([[1, 2]])",
        f"{TF}x = tf.quux.frobnicate(3)",
        # Whose name it is, nobody can tell.
        "print(normalize(3))",
        "x_train = [1]\nprint(x_test)",
        "x1 = [1]\nprint(x2)",
        "print(data.shape)",
        # What is missing is no slip of the code.
        f"{TF}print(tf.io.read_file('/tmp/nowhere.txt'))",
        "import pandas as pd\ntable = pd.read_csv('prices.csv')",
        "import nowhere_to_be_found\nnowhere_to_be_found.go()",
        "raise AssertionError('so it is')",
    ],
)  # fmt: skip
def test_a_guess_is_no_fix(code: str, mended) -> None:
    (treated,) = mended(code)
    assert treated.fixes == ()
