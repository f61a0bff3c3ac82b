"""What the shipped index offers instead of a name that is not there."""

from __future__ import annotations

import pytest

from verifier.model import NameQuery


def ask(index, path: str, release: str = "2.21"):
    return index.lookup(NameQuery(path=path), release)


@pytest.mark.parametrize(
    ("path", "best"),
    [
        # another place
        ("tf.layers.Dense", "tensorflow.keras.layers.Dense"),
        ("tf.keras.Conv2D", "tensorflow.keras.layers.Conv2D"),
        ("tf.keras.EarlyStopping", "tensorflow.keras.callbacks.EarlyStopping"),
        ("tf.Example", "tensorflow.train.Example"),
        ("tf.MirroredStrategy", "tensorflow.distribute.MirroredStrategy"),
        # case, underscore, number
        ("tf.keras.layers.Conv2d", "tensorflow.keras.layers.Conv2D"),
        ("tf.keras.layer.Dense", "tensorflow.keras.layers.Dense"),
        ("tf.nn.conv2D", "tensorflow.nn.conv2d"),
        ("tf.Tensors", "tensorflow.Tensor"),
        ("tf.data.Datasets", "tensorflow.data.Dataset"),
        ("tf.feature_columns", "tensorflow.feature_column"),
        # spelling
        ("tf.keras.callbacks.EarlyStoping", "tensorflow.keras.callbacks.EarlyStopping"),
        ("tf.keras.Model.get_layers", "tensorflow.keras.Model.get_layer"),
        ("tf.reduce_maen", "tensorflow.reduce_mean"),
        # moved, or called so elsewhere
        ("tf.placeholder", "tensorflow.compat.v1.placeholder"),
        ("tf.matrix_inverse", "tensorflow.linalg.inv"),
        ("tf.arange", "tensorflow.range"),
        ("tf.permute", "tensorflow.transpose"),
        ("tf.scalar_summary", "tensorflow.summary.scalar"),
        # in other libraries
        ("np.arrange", "numpy.arange"),
        ("plt.xlable", "matplotlib.pyplot.xlabel"),
    ],
)
def test_the_first_suggestion(index, path, best):
    answer = ask(index, path)
    assert not answer.found
    assert answer.suggestions[0] == best


@pytest.mark.parametrize(
    "path",
    [
        "tf.layers.Dense",
        "tf.placeholder",
        "tf.keras.layers.Conv2d",
        "tf.keras.Dataset",
        "tf.reduce_maen",
        "tf.model.Layer",
    ],
)
def test_everything_suggested_exists(index, path):
    suggestions = ask(index, path).suggestions
    assert len(suggestions) <= 3
    for one in suggestions:
        assert ask(index, one).found


@pytest.mark.parametrize(
    "path",
    [
        "tf.keras.datasets.dogs_cats",
        "tf.zorblify",
        "tf.data.node",
        "tf.keras.layers.Xyzzy",
        "tf.reduce_fancy",
        "tf.keras.datasets.dogs.load_data",
    ],
)
def test_nothing_near_means_no_suggestion(index, path):
    assert ask(index, path).suggestions == ()


def test_suggestions_are_of_the_release_asked(index):
    assert ask(index, "tf.layer.dense", "1.15").suggestions[0] == "tensorflow.layers.dense"


@pytest.mark.parametrize(
    ("path", "library"),
    [
        ("tf.io.ReadFromText", "apache_beam.io.ReadFromText"),
        ("tf.arange", "numpy.arange"),
        ("tf.permute", "torch.permute"),
        ("tf.read_csv", "pandas.read_csv"),
        ("tf.io.read_csv", "pandas.read_csv"),
        ("tf.keras.utils.train_test_split", "sklearn.model_selection.train_test_split"),
        ("tf.train_test_split", "sklearn.model_selection.train_test_split"),
        ("tf.AutoModelForCausalLM", "transformers.AutoModelForCausalLM"),
        ("tf.xlabel", "matplotlib.pyplot.xlabel"),
    ],
)
def test_another_library_has_it(index, path, library):
    answer = ask(index, path)
    assert not answer.found
    assert library in answer.elsewhere


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("np.arange", True),
        ("np.ndarray.reshape", True),
        ("np.aranje", False),
        ("pd.DataFrame.groupby", True),
        ("plt.plot", True),
        ("plt.plott", False),
        ("torch.nn.Linear", True),
        ("torch.optim.Adam", True),
        ("torch.Tensor.permute", True),
        ("sklearn.preprocessing.StandardScaler.fit_transform", True),
        ("jnp.arange", True),
        ("cv2.imread", True),
        ("PIL.Image.open", True),
        ("tfds.load", True),
        ("hub.KerasLayer", True),
        ("tfp.distributions.Normal", True),
        ("tfa.layers.GroupNormalization", True),
        ("beam.Pipeline", True),
        ("transformers.AutoTokenizer.from_pretrained", True),
    ],
)
def test_names_of_other_libraries(index, path, found):
    answer = ask(index, path)
    assert answer.found is found
    assert not answer.unknown
