"""In which other environments a failing snippet is worth trying."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import document, fault, run, snippet

from verifier.index import open_index
from verifier.model import Diagnosis, Evidence, Lookup
from verifier.probe.elsewhere import FIRST, IN_ORDER, LAST_KERAS_2, LEGACY_KERAS, choices
from verifier.sandbox import names

INDEX = open_index("tf-2.21")


def _chosen(code: str, message: str = "x", type_: str = "ValueError", **fields: object) -> dict[str, str]:
    claim = snippet("s", code, **fields)
    told = Evidence(claim="s", environment="tf-2.21", run=run(code, {0: fault(type_, message)}))
    return choices(document(), (claim,), [claim], [told], INDEX)["s"]


def test_the_environments_exist() -> None:
    assert set(IN_ORDER) <= set(names())


@pytest.mark.parametrize(
    ("code", "environments"),
    [
        ("tf.Session()", [FIRST]),
        ("import tensorflow.contrib.slim", [FIRST]),
        ("tf.train.AdamOptimizer(0.1)", [FIRST]),
        ("tf.estimator.Estimator(f)", [LAST_KERAS_2]),
        ("tf.keras.optimizers.Adam(lr=1)", [LEGACY_KERAS, LAST_KERAS_2]),
        ("from tensorflow import keras\nkeras.Model()", [LEGACY_KERAS, LAST_KERAS_2]),
        ("import keras\nkeras.Sequential()", [LEGACY_KERAS, LAST_KERAS_2]),
        ("tf.reshape([1], [2])", [LAST_KERAS_2]),
    ],
)
def test_names_in_the_code_choose(code: str, environments: list[str]) -> None:
    assert list(_chosen(code)) == environments


def test_what_the_text_says_of_its_release_chooses() -> None:
    assert list(_chosen("tf.reshape([1], [2])", release="1.4")) == [FIRST]
    assert list(_chosen("tf.keras.Model()", release="2.3")) == [LAST_KERAS_2]
    assert _chosen("tf.add(1)", release="1.4")[FIRST] == "the text speaks of TensorFlow 1.4"


@pytest.mark.parametrize(
    ("message", "environments"),
    [
        ("tf.gradients is not supported when eager execution is enabled", [FIRST]),
        ("The Session graph is empty. Add operations to the graph before calling run().", [FIRST]),
        ("`keras.optimizers.legacy` is not supported in Keras 3", [LEGACY_KERAS, LAST_KERAS_2]),
    ],
)
def test_what_was_raised_chooses(message: str, environments: list[str]) -> None:
    assert list(_chosen("f(1)", message)) == environments


def test_a_method_that_only_earlier_releases_had_chooses() -> None:
    """Its class is known only where the code runs: the oracles told its history then."""
    claim = snippet("s", "it = data.make_one_shot_iterator()")
    told = Lookup(name="make_one_shot_iterator", found=False, first="1.3", last="1.15")
    seen = run(claim.code, {0: fault("AttributeError", "no attribute")})
    diagnosis = Diagnosis(statement=0, target="Dataset.make_one_shot_iterator", lookup=told)
    evidence = Evidence(claim="s", environment="tf-2.21", run=replace(seen, diagnoses=(diagnosis,)))
    chosen = choices(document(), (claim,), [claim], [evidence], INDEX)["s"]
    assert chosen == {FIRST: "`Dataset.make_one_shot_iterator` ended with 1.15"}


@pytest.mark.parametrize(
    ("owners", "chosen"),
    [
        (("tensorflow.compat.v1.data.Dataset", "tensorflow.compat.v1.data.TFRecordDataset"), FIRST),
        (("tensorflow.compat.v1.data.Dataset", "tensorflow.data.Dataset"), LAST_KERAS_2),
        ((), LAST_KERAS_2),
    ],
)
def test_an_attribute_that_only_classes_of_release_1_have_chooses(owners: tuple[str, ...], chosen: str) -> None:
    claim = snippet("s", "it = data.make_one_shot_iterator()")
    told = Lookup(name="make_one_shot_iterator", found=False, unknown=True, owners=owners)
    seen = run(claim.code, {0: fault("AttributeError", "no attribute")})
    diagnosis = Diagnosis(statement=0, target="_RangeDataset.make_one_shot_iterator", lookup=told)
    evidence = Evidence(claim="s", environment="tf-2.21", run=replace(seen, diagnoses=(diagnosis,)))
    assert list(choices(document(), (claim,), [claim], [evidence], INDEX)["s"]) == [chosen]


def test_a_release_that_code_of_the_same_session_states_chooses() -> None:
    stating = snippet("a", "assert tf.__version__.startswith('1.')")
    failing = snippet("s", "f(data.output_types)")
    claims = (stating, failing)
    chosen = choices(document(), claims, [failing], [], INDEX)["s"]
    assert chosen == {FIRST: "of the code beside it: the code asserts release '1.'"}
    named = (snippet("a", "tf.Session()"), failing)
    assert FIRST not in choices(document(), named, [failing], [], INDEX)["s"]


def test_an_error_of_keras_itself_chooses() -> None:
    assert LEGACY_KERAS in _chosen("f(1)", "x", "keras.src.errors.Oops")
