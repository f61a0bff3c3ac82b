"""Whether calls fit signatures, and what keywords are called now."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.index import bind
from verifier.model import CallForm, NameQuery


@pytest.mark.parametrize(
    ("signature", "call", "complaint"),
    [
        ("(a, b=None)", CallForm(positional=1), ""),
        ("(a, b=None)", CallForm(keywords=("a", "b")), ""),
        ("(a, b=None)", CallForm(), "missing a required argument: 'a'"),
        ("(a, b=None)", CallForm(positional=3), "too many positional arguments"),
        ("(a, b=None)", CallForm(positional=1, keywords=("c",)), "got an unexpected keyword argument 'c'"),
        ("(a, b=None)", CallForm(positional=1, keywords=("a",)), "multiple values for argument 'a'"),
        ("(a, **options)", CallForm(positional=1), ""),
        ("(a, **options)", CallForm(positional=1, keywords=("c",)), None),
        ("(a, **options)", CallForm(keywords=("c",)), "missing a required argument: 'a'"),
        ("(a, b)", CallForm(positional=1, starred=True), None),
        ("(a, b)", CallForm(positional=1, keywords=("c",), starred=True), "got an unexpected keyword argument 'c'"),
        ("(*, key)", CallForm(positional=1), "too many positional arguments"),
        ("(*args, **kwargs)", CallForm(positional=9), ""),
        ("", CallForm(positional=9), None),
        ("(a, /, b)", CallForm(positional=1, keywords=("b",)), ""),
    ],
)
def test_complaints_are_those_of_python(signature, call, complaint):
    assert bind.complaint(signature, call) == complaint


@pytest.mark.parametrize(
    ("signature", "keyword", "answer"),
    [
        ("(a, b=1)", "b", True),
        ("(a, b=1)", "c", False),
        ("(a, **k)", "c", None),
        ("(a, **k)", "a", True),
        ("", "a", None),
    ],
)
def test_arguments_of_a_signature(signature, keyword, answer):
    assert bind.accepts(signature, keyword) is answer


@given(st.text(max_size=60), st.integers(0, 5), st.lists(st.text(max_size=5), max_size=3, unique=True))
@settings(deadline=None)
def test_odd_signatures_and_keywords_never_raise(text, positional, keywords):
    bind.complaint(f"({text})", CallForm(positional=positional, keywords=tuple(keywords)))


@pytest.mark.parametrize(
    ("path", "call", "complaint"),
    [
        (
            "tf.argmax",
            CallForm(positional=1, keywords=("dimension",)),
            "got an unexpected keyword argument 'dimension'",
        ),
        ("tf.argmax", CallForm(positional=1, keywords=("axis",)), ""),
        ("tf.constant", CallForm(), "missing a required argument: 'value'"),
        ("tf.data.Dataset.batch", CallForm(positional=1), ""),
        ("tf.data.Dataset.batch", CallForm(), "missing a required argument: 'batch_size'"),
        (
            "tf.keras.layers.Dense",
            CallForm(positional=1, keywords=("activate",)),
            "got an unexpected keyword argument 'activate'",
        ),
        ("tf.keras.layers.Dense", CallForm(positional=1, keywords=("input_shape",)), None),
        (
            "tf.compat.v1.ConfigProto",
            CallForm(keywords=("gpu_count",)),
            "got an unexpected keyword argument 'gpu_count'",
        ),
        ("tf.compat.v1.ConfigProto", CallForm(keywords=("device_count",)), ""),
        ("tf.keras.Model.count_params", CallForm(positional=1), ""),  # called on the class, the object in front
        ("tf.keras.Model.get_layer", CallForm(positional=4), "too many positional arguments"),
        ("tf.data.Dataset.take", CallForm(positional=2), ""),
        ("tf.data.Dataset.take", CallForm(positional=3), "too many positional arguments"),
        ("tf.data.Dataset.batch", CallForm(positional=6), "too many positional arguments"),
        ("tf.Variable.assign_add", CallForm(positional=5), "too many positional arguments"),
    ],
)
def test_calls_in_the_newest_release(index, path, call, complaint):
    assert index.lookup(NameQuery(path=path, call=call)).binds == complaint


def test_a_call_that_is_not_asked_about_is_not_judged(index):
    assert index.lookup(NameQuery(path="tf.argmax")).binds is None


@pytest.mark.parametrize(
    ("path", "argument", "answer"),
    [("tf.argmax", "axis", True), ("tf.argmax", "dimension", False), ("tf.keras.optimizers.Adam", "lr", False)],
)
def test_arguments_in_the_newest_release(index, path, argument, answer):
    assert index.lookup(NameQuery(path=path, argument=argument)).has_argument is answer


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("tf.argmax", "dimension", "axis"),
        ("tf.reduce_sum", "keep_dims", "keepdims"),
        ("tf.reduce_sum", "reduction_indices", "axis"),
        ("tf.expand_dims", "dim", "axis"),
        ("tf.nn.softmax", "dim", "axis"),
        ("tf.keras.optimizers.Adam", "lr", "learning_rate"),
        ("tf.keras.layers.Dense", "output_dim", "units"),
        ("tf.keras.layers.Conv2D", "nb_filter", "filters"),
        ("tf.keras.Model.fit", "nb_epoch", "epochs"),
        ("tf.keras.callbacks.ModelCheckpoint", "period", "save_freq"),
        ("tf.nn.dropout", "keep_prob", "rate"),
        ("tf.keras.layers.LeakyReLU", "alpha", ""),  # which is still taken
        ("tf.argmax", "axis", ""),
        ("tf.argmax", "nonsense", ""),
        # These merely stood where another stands now.
        ("tf.keras.Model.fit", "use_multiprocessing", ""),
        ("tf.keras.Model.predict", "max_queue_size", ""),
        ("tf.keras.layers.BatchNormalization", "renorm", ""),
        ("tf.keras.layers.LSTM", "implementation", ""),
        ("tf.keras.callbacks.TensorBoard", "batch_size", ""),
        ("tf.ones_like", "optimize", ""),
        ("tf.keras.callbacks.ModelCheckpoint", "options", ""),  # beside `initial_value_threshold` in 2.15
        ("tf.keras.layers.GRUCell", "implementation", ""),
        ("tf.nowhere", "lr", ""),
    ],
)
def test_renamed_keywords(index, path, old, new):
    assert index.renamed_keyword(path, old) == new
