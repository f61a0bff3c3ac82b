"""Models and loss functions as stand-ins, of the kind that their use makes plain."""

from __future__ import annotations

import re
from collections.abc import Mapping

from verifier.probe.standins.arrays import Sample
from verifier.probe.standins.supplies import Use
from verifier.probe.standins.world import World

# What other libraries' models have and Keras's do not, or what tells nothing of the kind of model.
_FOREIGN = re.compile(r"\b(?:sklearn|torch|xgboost|lightgbm)\b")
_KERAS = re.compile(r"\b(?:keras|tensorflow|tf)\b")
_OTHERS = frozenset({
    "score", "predict_proba", "coef_", "feature_importances_", "parameters", "train", "eval", "to", "state_dict",
    "cuda", "named_parameters", "zero_grad", "forward", "get_params", "set_params", "kneighbors", "wv", "generate",
    "modules", "best_estimator_", "cv_results_", "load_state_dict", "intercept_", "most_similar", "train_model",
})  # fmt: skip


def model(
    name: str, uses: tuple[Use, ...], every: Mapping[str, tuple[Use, ...]], world: World, code: str
) -> tuple[str, str] | None:
    """A small compiled Keras model as (what it is, the code that binds it), or None when the kind is not plain."""
    kinds = {use.kind for use in uses}
    attributes = {use.detail for use in uses if use.kind == "attribute"}
    if attributes & {"add", "pop"}:
        return _empty(name, attributes)
    if "model" not in kinds or attributes & _OTHERS or kinds & {"dataset", "strategy", "reshaped", "scaled"}:
        return None
    if _FOREIGN.search(code) and not _KERAS.search(code):
        return None
    features = next((use.partner for use in uses if use.kind == "model" and use.partner), "")
    sample = _input(features, every, world)
    if sample is None:
        return None
    outputs = world.output_shape()[-1]
    return _words(sample, outputs), _code(name, sample, outputs, world)


def loss_function(world: World) -> str:
    """A loss of the kind that the code trains with, as an expression below `tensorflow.keras.losses`."""
    word = world.loss.replace("_", "").lower()
    logits = f"from_logits={world.logits}"
    if "binary" in word or "sigmoid" in word:
        return f"BinaryCrossentropy({logits})"
    if word and "sparse" not in word and ("categorical" in word or "softmax" in word):
        return f"CategoricalCrossentropy({logits})"
    return f"SparseCategoricalCrossentropy({logits})" if not word or "sparse" in word else "MeanSquaredError()"


def _empty(name: str, attributes: set[str]) -> tuple[str, str] | None:
    if attributes & _OTHERS:
        return None
    return "an empty Sequential model", f"import tensorflow\n{name} = tensorflow.keras.Sequential()"


def _input(features: str, every: Mapping[str, tuple[Use, ...]], world: World) -> Sample | None:
    facts = world.live.get(features)
    if facts is None:
        return world.features(features or "x", every.get(features, ()))
    if facts.what != "array" or not facts.shape or None in facts.shape[1:]:
        return None
    return Sample(values="units", shape=tuple(size or 1 for size in facts.shape[1:]))


def _words(sample: Sample, outputs: int) -> str:
    size = "x".join(str(part) for part in sample.shape) or "1"
    return f"a small Keras model with input {size} and output {outputs}"


def _code(name: str, sample: Sample, outputs: int, world: World) -> str:
    """Layers with names of their own: those that Keras numbers are for the document's models."""
    activation = "None" if world.logits else '"softmax"' if outputs > 1 else '"sigmoid"'
    return (
        "import tensorflow\n"
        f'{name} = tensorflow.keras.Input({sample.shape or (1,)}, name="given")\n'
        f"{name} = tensorflow.keras.Model({name}, tensorflow.keras.layers.Dense({outputs}, activation={activation}, "
        f'name="answer")(tensorflow.keras.layers.Flatten(name="flat")({name})), name="standin")\n'
        f'{name}.compile("adam", tensorflow.keras.losses.{loss_function(world)}, metrics=["accuracy"])'
    )
