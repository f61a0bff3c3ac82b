"""The task that the code of a session is about: what goes into its models and what they are trained towards."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from math import prod

from verifier.probe.sessions import Session
from verifier.probe.standins.arrays import FEW, SAMPLES, Sample, count_for, input_of, labelled, labels_of
from verifier.probe.standins.names import held_out, like_images
from verifier.probe.standins.paths import last_word, nodes_of
from verifier.probe.standins.supplies import Facts, Live, Use

_CLASSES = 10
_KNOWN_LOSSES = (
    "sparse_categorical_crossentropy", "categorical_crossentropy", "binary_crossentropy", "mse", "mae",
    "mean_squared_error", "mean_absolute_error", "huber",
)  # fmt: skip
_LOSS_CLASSES = (
    "SparseCategoricalCrossentropy", "CategoricalCrossentropy", "BinaryCrossentropy", "MeanSquaredError",
    "MeanAbsoluteError", "Huber", "MSE", "sparse_softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits", "sigmoid_cross_entropy_with_logits",
)  # fmt: skip
# What is fitted to data and is no model of Keras.
_PREPARING = frozenset({
    "ImageDataGenerator", "StandardScaler", "MinMaxScaler", "PCA", "LabelEncoder", "OneHotEncoder", "Tokenizer",
    "LinearRegression", "LogisticRegression", "RandomForestClassifier", "KMeans", "SVC", "LabelBinarizer",
})  # fmt: skip
_SIZES = {784: (28, 28), 3072: (32, 32, 3), 1024: (32, 32)}


class World:
    """What is known of the task. `waiting`: models that the code makes and that are not there yet."""

    def __init__(self, session: Session, live: Live, absent: Iterable[str]) -> None:
        self.live = live
        self._absent = frozenset(absent)
        self._bound = frozenset().union(*(parsed.binds for parsed in session.parsed))
        self._models = [name for name, facts in live.items() if facts.what == "model"]
        self.loss = self._loss(session)
        self.logits = _says(session, "from_logits")
        self.spatial = _says(session, "Conv2D") or _says(session, "ImageDataGenerator")
        self._prepared = frozenset(_made_by(session, _PREPARING))

    def model_for(self, uses: Iterable[Use]) -> str:
        """The model that a name goes into: the one it is used with, else the only one."""
        named = [use.partner for use in uses if use.kind in {"features", "labels", "whole"} and use.partner]
        live = [name for name in named if name in self._models]
        unknown = [name for name in named if not self._is_made(name)]
        if live or unknown:
            return (live or unknown)[0]
        return self._models[-1] if self._models else ""

    def _is_made(self, name: str) -> bool:
        """Whether a name is bound to something that is fitted and is no model, such as a generator of images."""
        return name in self._prepared

    def comes_later(self, array: str) -> bool:
        """Whether the code makes this array, but has not done so."""
        return bool(array) and array in self._bound and array not in self.live

    def not_there_yet(self, model: str) -> bool:
        """Whether the code makes this model, but has not done so."""
        return bool(model) and model in self._bound and model not in self.live and model not in self._absent

    def features(self, name: str, uses: tuple[Use, ...]) -> Sample | None:
        """One sample of the features of this name, before the code itself reshapes or scales it."""
        now = [use for use in uses if not use.later]
        kinds = {use.kind for use in now}
        model = self.live.get(self.model_for(uses))
        sample = input_of(model) if model is not None else self._unknown(name, kinds)
        if sample is None:
            return None
        reshaped = _reshaped(uses)
        shape = _before_reshape(reshaped, sample.shape) if reshaped else sample.shape
        if "widened" in kinds and shape[-1:] == (1,):
            shape = shape[:-1]
        if sample.values == "units" and "scaled" in kinds:
            return Sample(values="pixels", shape=shape)
        return Sample(values=sample.values, shape=shape, high=sample.high)

    def labels(self, uses: tuple[Use, ...]) -> Sample | None:
        """One sample of the labels of this name, before the code itself turns them into one-hot rows."""
        model = self.live.get(self.model_for(uses))
        classes = next((use for use in uses if use.kind == "classes" and not use.later), None)
        if classes is not None:
            given = next((size for size in classes.sizes if size > 1), 0)
            output = model.outputs[0][-1] if model is not None and len(model.outputs) == 1 and model.outputs[0] else 0
            return Sample(values="classes", high=given or output or _CLASSES)
        if model is not None:
            return labels_of(model, self.loss) or labelled((_CLASSES,), self.loss or "sparse")
        return labelled(self.output_shape(), self.loss or "sparse")

    def count(self, name: str, uses: tuple[Use, ...], others: Mapping[str, tuple[Use, ...]]) -> int:
        """How many samples there are of a name: as many as of the array that goes with it."""
        partner = self.partner_of(uses)
        if partner is not None and partner.shape and partner.shape[0]:
            return partner.shape[0]
        kin = {name, *(use.detail for use in uses if use.kind in {"features", "labels"})}
        asked = max((samples_asked(others.get(item, ())) for item in kin), default=0)
        if asked > 0:
            return asked
        model = self.live.get(self.model_for(uses))
        sample = input_of(model) if model is not None else None
        count = count_for(sample) if sample is not None else SAMPLES
        return max(count // 2, min(count, FEW)) if held_out(name) else count

    def output_shape(self) -> tuple[int, ...]:
        """The shape of a prediction where the code has no model of its own."""
        word = self.loss.replace("_", "").lower()
        many = not word or "categorical" in word or "softmax" in word
        return (_CLASSES,) if many else (1,)

    def partner_of(self, uses: Iterable[Use]) -> Facts | None:
        """What is known of the array that goes with a name: it decides how many samples there are."""
        for use in uses:
            facts = self.live.get(use.detail)
            if use.kind in {"features", "labels"} and facts is not None and facts.what == "array":
                return facts
        return None

    def _unknown(self, name: str, kinds: set[str]) -> Sample:
        images = like_images(name) or "image" in kinds or "scaled" in kinds or self.spatial
        return Sample(values="units", shape=(32, 32, 3) if images else (8,))

    def _loss(self, session: Session) -> str:
        """The loss that the code trains with, by any spelling; empty when it names none or several kinds."""
        found = {facts.loss for facts in self.live.values() if facts.loss and facts.what in {"loss", "model"}}
        for parsed in session.parsed:
            for part in (part for node in parsed.nodes for part in _without_metrics(node)):
                if isinstance(part, ast.Constant) and part.value in _KNOWN_LOSSES:
                    found.add(str(part.value))
                elif isinstance(part, ast.Attribute | ast.Name):
                    word = part.attr if isinstance(part, ast.Attribute) else part.id
                    found |= {word} & {*_LOSS_CLASSES, *_KNOWN_LOSSES}
        kinds = {word.replace("_", "").lower() for word in found}
        return min(found) if len(kinds) == 1 else ""


def _made_by(session: Session, makers: frozenset[str]) -> Iterator[str]:
    """Names that are bound to what one of these classes makes."""
    for _, node in nodes_of(session):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=function)) if (
                last_word(function) in makers
            ):
                yield name


def _without_metrics(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node without what is only measured: a metric is mostly named like a loss."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.keyword) and child.arg in {"metrics", "weighted_metrics"}):
            yield from _without_metrics(child)


def _says(session: Session, word: str) -> bool:
    return any(word in program.code for program in session.programs)


def _before_reshape(sizes: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a sample that the code reshapes to `sizes`, the first of which counts the samples."""
    rest = sizes[1:]
    if not rest or any(size < 1 for size in rest):
        return _SIZES.get(prod(wanted), wanted)
    if len(rest) == 3 and rest[-1] == 1:
        return rest[:-1]
    return _SIZES.get(prod(rest), rest) if len(rest) == 1 else rest


def _reshaped(uses: Iterable[Use]) -> tuple[int, ...]:
    """The sizes to which the code brings an array before it goes into a model."""
    for use in uses:
        if use.kind in {"features", "labels", "whole"}:
            break
        if use.kind == "reshaped" and not use.later:
            return use.sizes
    return ()


def samples_asked(uses: Iterable[Use]) -> int:
    """How many samples the code itself says that there are; 0 when it does not."""
    sizes = _reshaped(uses)
    return max(sizes[0], 0) if len(sizes) > 1 else 0
