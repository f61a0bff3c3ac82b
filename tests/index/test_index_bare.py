"""Names without a library: methods, and functions of whatever library has them."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("name", "owner", "kind"),
    [
        ("get_layer", "tensorflow.keras.Model", "method"),
        ("get_weights", "tensorflow.keras.Model", "method"),
        ("compile", "tensorflow.keras.Model", "method"),
        ("prefetch", "tensorflow.data.Dataset", "method"),
        ("apply_gradients", "tensorflow.keras.optimizers.Optimizer", "method"),
        ("reshape", "tensorflow", "function"),
        ("reduce_mean", "tensorflow", "function"),
        ("model.export", "tensorflow.keras.Model", "method"),
        ("Model.fit", "tensorflow.keras.Model", "method"),
        ("Dataset.map", "tensorflow.data.Dataset", "method"),
        ("sess.run", "tensorflow.compat.v1.Session", "method"),
        ("sess.partial_run", "tensorflow.compat.v1.Session", "method"),
        ("train_ds.batch", "tensorflow.data.Dataset", "method"),
        ("base_model.summary", "tensorflow.keras.Model", "method"),
        ("tape.gradient", "tensorflow.GradientTape", "method"),
        ("xlabel", "matplotlib.pyplot", ""),
        ("plt.xlabel", "matplotlib.pyplot", ""),
        ("df.head", "pandas.DataFrame", ""),
        ("ax.set_title", "matplotlib.axes.Axes", ""),
        ("train_test_split", "sklearn.model_selection", ""),
        ("ReadFromText", "apache_beam.io", ""),
    ],
)
def test_the_best_owner_comes_first(index, name, owner, kind):
    answer = index.lookup_bare(name)
    assert answer.found
    assert answer.owners[0] == owner
    assert not kind or answer.kind == kind
    assert len(answer.owners) <= 8


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("model.fit_generator", "1.5", "2.15"),
        ("model.to_yaml", "1.5", "2.15"),
        ("model.predict_classes", "1.5", "2.5"),
        ("predict_classes", "1.0", "2.5"),
        ("fit_generator", "1.1", "2.15"),
        ("xavier_initializer", "1.0", "1.15"),
        # Only the heirs in `compat.v1` still have these.
        ("dataset.make_one_shot_iterator", "1.4", "1.15"),
        ("train_ds.make_initializable_iterator", "1.4", "1.15"),
        ("ds.output_types", "1.4", "1.15"),
    ],
)
def test_what_a_class_once_had(index, name, first, last):
    answer = index.lookup_bare(name)
    assert (answer.found, answer.unknown, answer.first, answer.last) == (False, False, first, last)


@pytest.mark.parametrize("name", ["zorble.fit", "foo.bar", "self.fit", "thing2.get_layer"])
def test_an_unknown_receiver_gives_unknown_with_candidates(index, name):
    answer = index.lookup_bare(name)
    assert (answer.found, answer.unknown) == (False, True)


def test_candidates_of_an_unknown_receiver_are_named(index):
    assert "tensorflow.keras.Model" in index.lookup_bare("thing.get_layer").owners


@pytest.mark.parametrize(
    ("name", "owner"),
    [("layer.units", "tensorflow.keras.layers.Dense"), ("optimizer.beta_1", "tensorflow.keras.optimizers.Adam")],
)
def test_a_variable_may_hold_any_class_derived_from_the_customary_one(index, name, owner):
    answer = index.lookup_bare(name)
    assert answer.found
    assert owner in answer.owners


@pytest.mark.parametrize(
    "name",
    [
        "model.predict_proba",
        "model.state_dict",
        "dataset.head",
        "history.keys",
        "encoder.inverse_zorble",
        "graph.nodes",
    ],
)
def test_a_member_that_another_class_could_have_is_unknown_not_absent(index, name):
    answer = index.lookup_bare(name)
    assert (answer.found, answer.unknown) == (False, True)


def test_a_column_of_a_data_frame_is_unknown(index):
    assert index.lookup_bare("df.salary").unknown


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [("model.get_layers", "tensorflow.keras.Model.get_layer"), ("ds.prefetsh", "tensorflow.data.Dataset.prefetch")],
)
def test_a_misspelt_method_of_a_known_receiver_is_absent_and_corrected(index, name, suggestion):
    answer = index.lookup_bare(name)
    assert (answer.found, answer.unknown) == (False, False)
    assert answer.suggestions == (suggestion,)


@pytest.mark.parametrize("name", ["get_closure_interface", "zorblify", "", ".", "...", "获取权重"])
def test_names_that_nobody_has(index, name):
    answer = index.lookup_bare(name)
    assert (answer.found, answer.unknown, answer.first) == (False, False, "")


def test_the_kind_said_decides_between_a_method_and_a_function(index):
    assert index.lookup_bare("map_fn", said_kind="function").owners[0] == "tensorflow"
    assert index.lookup_bare("assign", said_kind="method").owners[0] == "tensorflow.Variable"


def test_the_receiver_may_come_apart_and_the_release_counts(index):
    assert index.lookup_bare("fit_generator", receiver="model", release="2.0").found
    assert not index.lookup_bare("fit_generator", receiver="model").found
    assert index.lookup_bare("fit", release="9.9").unknown
