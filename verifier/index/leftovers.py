"""What becomes of a keyword that no parameter names, but that `**kwargs` takes.

Hides which functions look at their leftover keywords and refuse what they do not know. A class hands them up to the
class at the top, which names what it takes and raises on the rest:

Keras 3  `if kwargs: raise` ends `Layer.__init__` (keras/src/layers/layer.py) and `BaseOptimizer.__init__`
         (keras/src/optimizers/base_optimizer.py); `Metric` and `Loss` take no `**kwargs`, so Python itself raises.
Keras 2  the set `allowed_kwargs` of `Layer.__init__` (engine/base_layer.py) and of `OptimizerV2.__init__`
         (optimizer_v2.py), and from 2.11 what `_BaseOptimizer` (optimizers/optimizer.py) looks for. Classes of Keras 2
         add words of their own, so this only tells what was taken.

The tables were compared with runs in TensorFlow 2.21: every public layer, optimizer, metric and loss was called with
every word that any of their classes names or looks for, and with a word that none does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from verifier.index.bind import parameters, takes_any_place
from verifier.index.catalog import Catalog
from verifier.index.timeline import Known, Timeline

# Classes at the top -> what they take beyond the named parameters that a public class shows.
_TOPS = {
    "keras.src.layers.layer.Layer": ("input_dim", "input_shape"),
    "keras.src.optimizers.base_optimizer.BaseOptimizer": (
        "learning_rate", "weight_decay", "clipnorm", "clipvalue", "global_clipnorm", "use_ema", "ema_momentum",
        "ema_overwrite_frequency", "loss_scale_factor", "gradient_accumulation_steps", "name", "decay",
    ),
    "keras.src.metrics.metric.Metric": (),
    "keras.src.losses.loss.Loss": (),
}  # fmt: skip
# Classes on the way that look for words in their `**kwargs`, or are not public and name more than their heirs show.
_ON_THE_WAY = {
    "keras.src.layers.activations.leaky_relu.LeakyReLU": ("alpha",),
    "keras.src.layers.convolutional.base_conv.BaseConv": ("lora_rank", "lora_alpha"),
    "keras.src.layers.core.embedding.Embedding": ("input_length",),
    "keras.src.layers.normalization.layer_normalization.LayerNormalization": ("rms_scaling",),
    "keras.src.layers.preprocessing.image_preprocessing.base_image_preprocessing_layer.BaseImagePreprocessingLayer": (
        "factor",
        "bounding_box_format",
        "data_format",
    ),
    "keras.src.layers.preprocessing.index_lookup.IndexLookup": (
        "vocabulary_size",
        "has_input_vocabulary",
        "oov_method",
    ),
    "keras.src.layers.preprocessing.text_vectorization.TextVectorization": ("vocabulary_size", "has_input_vocabulary"),
    "keras.src.layers.rnn.gru.GRU": ("implementation",),
    "keras.src.layers.rnn.gru.GRUCell": ("implementation",),
    "keras.src.layers.rnn.lstm.LSTM": ("implementation",),
    "keras.src.layers.rnn.lstm.LSTMCell": ("implementation",),
    "keras.src.optimizers.loss_scale_optimizer.LossScaleOptimizer": ("dynamic",),
}
# Classes that drop their `**kwargs` (`super().__init__(name=name)`), or give them to a function of the caller: any word
# is taken. Among the callbacks ReduceLROnPlateau, LambdaCallback and CallbackList do; callbacks have no top here.
_SWALLOWING = frozenset(
    {
        "keras.src.layers.core.input_layer.InputLayer",
        "keras.src.layers.preprocessing.hashed_crossing.HashedCrossing",
        "keras.src.losses.losses.LossFunctionWrapper",
        "keras.src.metrics.reduction_metrics.MeanMetricWrapper",
    }
)
# Functions, methods and one class of Keras 3 that raise on what they do not look for, and what they look for.
_STRICT = {
    "keras.src.backend.tensorflow.trainer.TensorFlowTrainer.evaluate": ("_use_cached_eval_dataset",),
    "keras.src.models.cloning.clone_model": ("cache",),
    "keras.src.models.model.Model.load_weights": ("by_name", "objects_to_skip"),
    "keras.src.models.model.Model.quantize": ("type_check",),
    "keras.src.models.model.Model.save": ("include_optimizer", "save_format"),
    "keras.src.random.seed_generator.SeedGenerator": ("backend",),
    "keras.src.saving.saving_api.save_model": ("include_optimizer", "save_format"),
}
# Ends of the names of classes of Keras 2, whose module moved with nearly every release -> `allowed_kwargs`.
_KERAS_2 = {
    ".base_layer.Layer": (
        "input_dim", "input_shape", "batch_input_shape", "batch_size", "weights", "activity_regularizer", "autocast",
        "trainable", "name", "dtype",
    ),
    ".optimizer_v2.OptimizerV2": ("lr", "decay", "clipnorm", "clipvalue", "global_clipnorm"),
    "._BaseOptimizer": ("lr",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leftovers:
    """Answers for states of symbols. `catalog` gives the tables of some releases."""

    timeline: Timeline
    catalog: Callable[[int], Catalog]

    def taken(self, known: Known, mask: int) -> tuple[str, ...] | None:
        """The keywords that `**kwargs` may take in these releases; None when it may take any."""
        strict = _STRICT.get(known.canonical)
        if strict is not None:
            return strict
        mask &= known.mask
        line = self.timeline.line(known.canonical, mask) if known.kind == "class" else ()
        if takes_any_place(known.signature) or not _TOPS.keys() & line or _SWALLOWING & set(line):
            return None
        words: list[str] = []
        for ancestor in line:
            words += _TOPS.get(ancestor, ())
            words += _ON_THE_WAY.get(ancestor, ())
            words += parameters(self._signature(ancestor, mask)) if ancestor != known.canonical else ()
        return tuple(dict.fromkeys(words))

    def took(self, known: Known, keyword: str) -> int:
        """The releases of a class of Keras 2 in which its base class took the keyword from `**kwargs`."""
        if known.kind != "class":
            return 0
        ends = tuple(end for end, words in _KERAS_2.items() if keyword in words)
        return self.timeline.descending(known.canonical, ends) & known.mask if ends else 0

    def _signature(self, canonical: str, mask: int) -> str:
        path = self.catalog(mask).classes.get(canonical, "")
        return next((one.signature for one in self.timeline.public(path) if one.mask & mask), "")
