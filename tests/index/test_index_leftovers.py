"""Keywords that only `**kwargs` can take: who refuses them, who takes them, and who took them once.

What TensorFlow 2.21 does was established by running it; see `verifier.index.leftovers`.
"""

from __future__ import annotations

import pytest

from verifier.index import bind, leftovers, open_index
from verifier.index.lookup import Index
from verifier.model import CallForm, NameQuery

LAYERS, OPTIMIZERS = "tensorflow.keras.layers", "tensorflow.keras.optimizers"
# The public layers of 2.21 that take any keyword, and the optimizer whose own signature says nothing.
ANY_KEYWORD = {f"{LAYERS}.HashedCrossing", f"{LAYERS}.InputLayer", f"{OPTIMIZERS}.Optimizer"}


@pytest.fixture(scope="module")
def target():
    return open_index("tf-2.21")


def public_classes(index: Index, package: str) -> list[str]:
    """The classes directly below a public module, in the newest release."""
    known = {path: index.lookup(NameQuery(path=path)) for path in index._store.paths if path.startswith(f"{package}.")}
    return sorted(p for p, one in known.items() if one.kind == "class" and p.count(".") == package.count(".") + 1)


@pytest.mark.parametrize(("package", "least"), [(LAYERS, 130), (OPTIMIZERS, 14)])
def test_all_but_a_few_classes_refuse_a_keyword_that_nobody_names(index, package, least):
    found = {path: index.lookup(NameQuery(path=path, argument="zorble")) for path in public_classes(index, package)}
    assert {path for path, one in found.items() if one.has_argument is not False} <= ANY_KEYWORD
    assert sum(one.has_argument is False for one in found.values()) >= least


@pytest.mark.parametrize(
    ("path", "keyword"),
    [
        ("layers.Dense", "activate"),
        ("layers.Dense", "dropout"),
        ("layers.Dense", "kernel_size"),
        ("layers.Dense", "weights"),
        ("layers.Dense", "batch_input_shape"),
        ("layers.MaxPooling2D", "kernel_size"),
        ("layers.LSTM", "hidden_size"),
        ("layers.Bidirectional", "units"),
        ("layers.RandomFlip", "probability"),
        ("layers.Rescaling", "factor_of"),
        ("optimizers.Adam", "lr"),
        ("optimizers.Adam", "betas"),
        ("optimizers.SGD", "step_size"),
        ("optimizers.LossScaleOptimizer", "zorble"),
        ("Model.evaluate", "data"),
        ("Model.save", "format"),
        ("Model.load_weights", "path"),
        ("models.save_model", "format"),
        ("models.clone_model", "zorble"),
        ("random.SeedGenerator", "zorble"),
    ],
)
def test_a_keyword_that_is_refused(index, path, keyword):
    answer = index.lookup(NameQuery(path=f"tf.keras.{path}", call=CallForm(positional=1, keywords=(keyword,))))
    assert answer.binds == f"got an unexpected keyword argument '{keyword}'"
    assert index.lookup(NameQuery(path=f"tf.keras.{path}", argument=keyword)).has_argument is False


@pytest.mark.parametrize(
    ("path", "keyword"),
    [
        ("layers.Dense", "input_shape"),
        ("layers.Dense", "input_dim"),
        ("layers.Dense", "name"),
        ("layers.Dense", "trainable"),
        ("layers.Dense", "dtype"),
        ("layers.Conv2D", "lora_rank"),
        ("layers.LSTM", "implementation"),
        ("layers.LSTM", "activity_regularizer"),
        ("layers.LeakyReLU", "alpha"),
        ("layers.Embedding", "input_length"),
        ("layers.LayerNormalization", "rms_scaling"),
        ("layers.StringLookup", "vocabulary_size"),
        ("layers.RandomFlip", "bounding_box_format"),
        ("layers.TextVectorization", "trainable"),
        ("optimizers.SGD", "decay"),
        ("optimizers.Adam", "clipnorm"),
        ("Model.save", "include_optimizer"),
        ("Model.load_weights", "by_name"),
    ],
)
def test_a_keyword_that_is_taken_is_not_refused(index, path, keyword):
    assert index.lookup(NameQuery(path=f"tf.keras.{path}", argument=keyword)).has_argument is not False


@pytest.mark.parametrize(
    "path",
    [
        "layers.HashedCrossing",
        "layers.InputLayer",
        "metrics.MeanMetricWrapper",
        "callbacks.ReduceLROnPlateau",
        "callbacks.LambdaCallback",
        "callbacks.CallbackList",
        "Model",
        "Model.to_json",
        "Model.export",
    ],
)
def test_what_drops_its_keywords_or_hands_them_on_stays_undecided(index, path):
    assert index.lookup(NameQuery(path=f"tf.keras.{path}", argument="zorble")).has_argument is None


@pytest.mark.parametrize("release", ["2.2", "2.15", "1.15"])
def test_keras_2_stays_undecided(index, release):
    query = NameQuery(path="tf.keras.layers.Dense", argument="zorble")
    assert index.lookup(query, release).has_argument is None


@pytest.mark.parametrize("release", ["2.16", "2.18", "2.21"])
def test_every_release_with_keras_3_refuses(index, release):
    query = NameQuery(path="tf.keras.layers.Dense", argument="zorble")
    assert index.lookup(query, release).has_argument is False


@pytest.mark.parametrize(
    ("path", "keyword", "releases"),
    [
        ("optimizers.Adam", "lr", "1.4-2.15"),
        ("layers.LSTM", "time_major", "2.0-2.15"),
        ("layers.Dense", "weights", "1.7-2.15"),
        ("layers.Dense", "batch_input_shape", "1.7-2.15"),
        ("layers.Dense", "units", "1.4-2.21"),
        ("layers.Dense", "activate", ""),
        ("optimizers.Adam", "betas", ""),
    ],
)
def test_the_releases_that_took_a_keyword_are_one_list(target, path, keyword, releases):
    """Also those in which only the base class took it; and states of one range are not told one by one."""
    assert target.accepting(f"tf.keras.{path}", keyword) == releases


def test_a_keyword_of_keras_2_is_told_with_its_releases_and_its_new_name(target):
    answer = target.lookup(NameQuery(path="tf.keras.optimizers.Adam", call=CallForm(keywords=("lr",))))
    assert (answer.keyword, answer.accepted, answer.renamed_to) == ("lr", "1.4-2.15", "learning_rate")


@pytest.mark.parametrize(
    ("signature", "taken", "answer"),
    [
        ("(a, **k)", None, None),
        ("(a, **k)", (), False),
        ("(a, **k)", ("c",), None),
        ("(a, **k)", ("d",), False),
        ("(a)", ("c",), False),
        ("(a, c, **k)", (), True),
    ],
)
def test_what_may_be_left_over_decides_about_a_keyword(signature, taken, answer):
    assert bind.accepts(signature, "c", taken) is answer
    complaint = bind.complaint(signature, CallForm(positional=1, keywords=("c",)), taken)
    assert complaint == {None: None, True: "", False: "got an unexpected keyword argument 'c'"}[answer]


@pytest.mark.parametrize(
    "canonical",
    sorted({*leftovers._TOPS, *leftovers._ON_THE_WAY, *leftovers._SWALLOWING}),
)
def test_every_class_of_the_tables_is_one_of_the_newest_keras(index, canonical):
    assert index._timeline.line(canonical, index._calendar.mask("2.21"))[:1] == (canonical,)


@pytest.mark.parametrize("canonical", sorted(leftovers._STRICT))
def test_every_strict_function_still_has_its_kwargs(index, canonical):
    holder, _, name = canonical.rpartition(".")
    mask = index._calendar.mask("2.21")
    members, _ = index._timeline.member(holder, name, mask)
    public = index._catalog(mask).canonicals.get(canonical, "")
    known = [*members, *index._timeline.public(public)]
    assert any(bind.accepts(one.signature, "zorble") is None for one in known if one.mask & mask)


@pytest.mark.parametrize("end", sorted(leftovers._KERAS_2))
def test_every_base_of_keras_2_is_one_of_some_public_class(index, end):
    paths = ("tensorflow.keras.layers.Dense", "tensorflow.keras.optimizers.Adam")
    states = [one for path in paths for one in index._timeline.public(path)]
    assert any(index._timeline.descending(one.canonical, (end,)) & one.mask for one in states)
