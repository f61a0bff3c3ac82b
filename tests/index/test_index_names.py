"""What the shipped index says about full names. The truths were checked against running releases."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.index import Index
from verifier.model import NameQuery


def ask(index: Index, path: str, release: str = "2.21", form: str = "attribute"):
    return index.lookup(NameQuery(path=path, form=form), release)


def test_every_minor_release_is_there(index):
    assert index.releases == (*(f"1.{minor}" for minor in range(16)), *(f"2.{minor}" for minor in range(22)))


@pytest.mark.parametrize(
    ("path", "kind", "first"),
    [
        ("tf.GradientTape", "class", "1.8"),
        ("tf.linspace", "function", "1.0"),
        ("tf.io.read_file", "function", "1.10"),
        ("tf.distribute.MultiWorkerMirroredStrategy", "class", "2.4"),
        ("tf.config.list_physical_devices", "function", "2.1"),
        ("tf.config.experimental.list_physical_devices", "function", "1.14"),
        ("tf.data.Dataset.from_tensor_slices", "method", "1.4"),
        ("tf.keras.layers.Conv2D.get_weights", "method", "1.4"),
        ("tf.keras", "module", "1.4"),
        ("tf.float32", "constant", "1.0"),
        ("tf.Tensor.shape", "property", "1.0"),
        ("tf.compat.v1.placeholder", "function", "1.13"),
        ("tf.compat.v1.Session.run", "method", "1.13"),
        ("tensorflow.raw_ops.Add", "function", "1.14"),
        ("keras.layers.Dense", "class", "1.4"),
        ("layers.Dense", "class", "1.4"),
    ],
)
def test_names_of_the_newest_release(index, path, kind, first):
    answer = ask(index, path)
    assert (answer.found, answer.kind, answer.first, answer.last) == (True, kind, first, "2.21")
    assert not answer.deprecated
    assert not answer.stub


@pytest.mark.parametrize(
    ("path", "first", "last", "replacement"),
    [
        ("tf.placeholder", "1.0", "1.15", "tensorflow.compat.v1.placeholder"),
        ("tf.Session", "1.0", "1.15", "tensorflow.compat.v1.Session"),
        ("tf.get_default_graph", "1.0", "1.15", "tensorflow.compat.v1.get_default_graph"),
        ("tf.summary.FileWriter", "1.0", "1.15", "tensorflow.compat.v1.summary.FileWriter"),
        ("tf.train.exponential_decay", "1.0", "1.15", "tensorflow.compat.v1.train.exponential_decay"),
        ("tf.train.AdamOptimizer", "1.0", "1.15", "tensorflow.compat.v1.train.AdamOptimizer"),
        ("tf.matrix_inverse", "1.0", "1.15", "tensorflow.linalg.inv"),
        ("tf.nn.static_rnn", "1.2", "1.15", "tensorflow.compat.v1.nn.static_rnn"),
        ("tf.gfile.Exists", "1.0", "1.15", "tensorflow.io.gfile.exists"),
        ("tf.contrib", "1.0", "1.15", ""),
        ("tf.contrib.layers.xavier_initializer", "1.0", "1.15", ""),
        ("tf.layers.dense", "1.0", "1.15", "tensorflow.keras.layers.Dense"),
        ("tf.keras.layers.CuDNNLSTM", "1.9", "1.15", ""),
        ("tf.estimator.Estimator", "1.1", "2.15", ""),
        ("tf.keras.layers.experimental.SyncBatchNormalization", "2.2", "2.15", ""),
        ("tf.keras.utils.multi_gpu_model", "1.5", "2.3", "tensorflow.distribute.MirroredStrategy"),
        ("tf.keras.Sequential.predict_classes", "1.5", "2.5", ""),
        ("tf.keras.Model.fit_generator", "1.5", "2.15", ""),
        ("tf.compat.v1.layers.dense", "1.13", "2.15", ""),
        ("tf.examples.tutorials.mnist.input_data", "1.0", "1.15", ""),
        ("tf.mul", "", "", "tensorflow.multiply"),
    ],
)
def test_names_that_are_gone(index, path, first, last, replacement):
    answer = ask(index, path)
    assert (answer.found, answer.unknown, answer.first, answer.last) == (False, False, first, last)
    assert answer.replacement == replacement


@pytest.mark.parametrize(
    "path", ["tf.placeholder", "tf.Session", "tf.contrib.layers.xavier_initializer", "tf.nn.static_rnn"]
)
def test_what_is_gone_is_found_in_its_own_time(index, path):
    for release in ("1.4", "1.15", "1.x"):
        assert ask(index, path, release).found
    assert not ask(index, path, "2.0").found


@pytest.mark.parametrize(
    "path", ["tf.io.ReadFromText", "tf.data.Dataset.from_nothing", "tf.keras.layers.Foo", "tf.Tensor.foo"]
)
def test_what_never_existed(index, path):
    answer = ask(index, path)
    assert (answer.found, answer.unknown, answer.first, answer.last) == (False, False, "", "")


def test_a_deprecation_on_the_constructor_is_seen_and_says_where_to_go(index):
    answer = ask(index, "tf.distribute.experimental.MultiWorkerMirroredStrategy")
    assert answer.found
    assert "MultiWorkerMirroredStrategy" in answer.deprecated
    assert answer.replacement == "tensorflow.distribute.MultiWorkerMirroredStrategy"


@pytest.mark.parametrize("path", ["tf.config.list_physical_devices", "tf.signal.fft", "tf.keras.Model.fit"])
def test_a_deprecated_old_endpoint_does_not_deprecate_the_new_one(index, path):
    assert ask(index, path).deprecated == ""


def test_a_stub_resolves_but_says_what_it_raises(index):
    answer = ask(index, "tf.keras.optimizers.legacy.Adam")
    assert answer.found
    assert answer.stub.startswith("ImportError")
    assert answer.replacement == "tensorflow.keras.optimizers.Adam"
    assert ask(index, "tf.keras.optimizers.legacy.Adam", "2.15").stub == ""


def test_the_flavour_with_keras_2_differs_and_the_plain_release_says_so(index):
    path = "tf.keras.layers.experimental.SyncBatchNormalization"
    assert ask(index, path, "2.21-keras2").found
    assert "Keras 2" in ask(index, path).error
    assert ask(index, path, "2.0").error == ""


def test_instances_have_the_members_of_what_is_really_made(index):
    assert ask(index, "tf.Tensor.numpy").found
    assert ask(index, "tf.Variable.assign_add").found
    assert ask(index, "tf.Variable.numpy").found


@pytest.mark.parametrize(
    ("path", "form", "found"),
    [
        ("tensorflow.keras.layers", "import", True),
        ("tensorflow.keras.Model", "import", False),
        ("tensorflow.keras.Model", "from", True),
        ("tensorflow.keras.Model.fit", "from", False),
        ("tensorflow.keras.layers.Dense", "from", True),
        ("tensorflow.python.framework", "import", True),
        ("tensorflow.lite.TFLiteConverter", "from", False),
        ("tensorflow.lite.TFLiteConverter", "attribute", True),
        ("tensorflow.lite.experimental", "from", True),
        ("tensorflow.distribute.MirroredStrategy", "from", False),
        ("tensorflow.io.read_file", "from", True),
    ],
)
def test_the_form_of_an_import_counts(index, path, form, found):
    answer = ask(index, path, form=form)
    assert answer.found is found
    assert bool(answer.error) is not found


def test_private_modules_are_importable_but_nothing_is_said_about_what_is_in_them(index):
    assert ask(index, "tensorflow.python.keras.layers.Dense").unknown
    assert ask(index, "tensorflow.python.keras.layers").unknown


@pytest.mark.parametrize(
    "path", ["tf.float32.name", "tf.keras.Model.__class__", "tf.reshape.__doc__", "unknown_library.f"]
)
def test_what_cannot_be_told_is_unknown(index, path):
    assert ask(index, path).unknown


def test_an_unknown_release_makes_every_answer_unknown(index):
    assert ask(index, "tf.constant", "9.9").unknown


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("tf.keras.layers.Conv2D.get_weights", "keras.src.layers.layer.Layer.get_weights"),
        ("tf.linspace", "tensorflow.python.ops.math_ops.linspace_nd"),
        ("tf.optimizers.Adam", "keras.src.optimizers.adam.Adam"),
    ],
)
def test_the_canonical_name_is_where_it_is_defined(index, path, canonical):
    assert ask(index, path).canonical == canonical


def test_aliases_of_the_document_win(index):
    answer = index.lookup(NameQuery(path="K.layers.Dense"), aliases={"K": "tensorflow.keras"})
    assert answer.found
    assert answer.name == "K.layers.Dense"


def test_history_reads_in_ranges(index):
    ranges = [when for when, _, _ in index.history("tf.argmax")]
    assert ranges[0].startswith("1.0")
    assert ranges[-1].endswith("2.21")
    assert index.history("tf.nowhere.to_be_seen") == ()


WORDS = st.sampled_from(
    [
        "tf",
        "tensorflow",
        "keras",
        "np",
        "layers",
        "Model",
        "fit",
        ".",
        "..",
        "__init__",
        "data",
        "Dataset",
        "数据",
        "compat",
        "v1",
        "contrib",
        "é",
        "-",
        "1",
    ]
)


@given(
    st.lists(st.one_of(WORDS, st.text(max_size=8)), max_size=6),
    st.sampled_from(["2.21", "1.15", "1.x", "2.21-keras2", "?"]),
)
@settings(deadline=None, max_examples=150)
def test_no_name_raises(index, words, release):
    for form in ("attribute", "import", "from"):
        answer = ask(index, ".".join(words), release, form)
        assert not (answer.found and answer.unknown)
    assert dataclasses.is_dataclass(index.lookup_bare("".join(words), release=release))


def test_huge_names_are_answered_at_once(index):
    assert not ask(index, "tf." + "a" * 200_000).found
    assert not ask(index, "tf" + ".x" * 5_000).found
