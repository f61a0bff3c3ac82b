"""What a variable's customary name says about its class: `model.fit` is Keras's, `df.head` is pandas's.

Hides the habits of authors. A word that is not listed says nothing, and nothing is concluded from it.
"""

from __future__ import annotations

import re

_MODEL = ("tensorflow.keras.Model", "tensorflow.keras.Sequential")
_DATASET = ("tensorflow.data.Dataset",)
_SESSION = ("tensorflow.Session", "tensorflow.compat.v1.Session", "tensorflow.InteractiveSession")
_OPTIMIZER = (
    "tensorflow.keras.optimizers.Optimizer",
    "tensorflow.train.Optimizer",
    "tensorflow.compat.v1.train.Optimizer",
)
_TENSOR = ("tensorflow.Tensor", "tensorflow.Variable")
_LAYER = ("tensorflow.keras.layers.Layer",)

# Whole words of a variable name, lower case -> classes, or modules, whose members it may have.
_WORDS: dict[str, tuple[str, ...]] = {
    "model": _MODEL,
    "models": _MODEL,
    "net": _MODEL,
    "network": _MODEL,
    "encoder": (*_MODEL, *_LAYER),
    "decoder": (*_MODEL, *_LAYER),
    "autoencoder": _MODEL,
    "discriminator": _MODEL,
    "dataset": _DATASET,
    "datasets": _DATASET,
    "ds": _DATASET,
    "sess": _SESSION,
    "session": _SESSION,
    "optimizer": _OPTIMIZER,
    "opt": _OPTIMIZER,
    "tensor": _TENSOR,
    "layer": _LAYER,
    "tape": ("tensorflow.GradientTape",),
    "graph": ("tensorflow.Graph",),
    "strategy": ("tensorflow.distribute.Strategy",),
    "estimator": ("tensorflow.estimator.Estimator",),
    "saver": ("tensorflow.train.Saver", "tensorflow.compat.v1.train.Saver"),
    "checkpoint": ("tensorflow.train.Checkpoint",),
    "ckpt": ("tensorflow.train.Checkpoint",),
    "coord": ("tensorflow.train.Coordinator",),
    "history": ("tensorflow.keras.callbacks.History",),
    "callback": ("tensorflow.keras.callbacks.Callback",),
    "metric": ("tensorflow.keras.metrics.Metric",),
    "tokenizer": ("tensorflow.keras.preprocessing.text.Tokenizer",),
    "datagen": ("tensorflow.keras.preprocessing.image.ImageDataGenerator",),
    "converter": ("tensorflow.lite.TFLiteConverter",),
    "interpreter": ("tensorflow.lite.Interpreter",),
    "df": ("pandas.DataFrame", "pandas.Series"),
    "dataframe": ("pandas.DataFrame",),
    "ax": ("matplotlib.axes.Axes",),
    "axes": ("matplotlib.axes.Axes",),
    "fig": ("matplotlib.figure.Figure",),
    "figure": ("matplotlib.figure.Figure",),
    "plt": ("matplotlib.pyplot",),
    "np": ("numpy",),
    "pd": ("pandas",),
}
# Words that are hardly ever anything else. For the others, a member that is missing proves nothing: an `encoder` may
# come from another library, a `graph` from the author.
_CERTAIN = frozenset({"model", "dataset", "ds", "sess", "session", "optimizer", "tape", "layer", "strategy", "plt",
                      "np", "pd"})  # fmt: skip
_PARTS = re.compile(r"[A-Za-z]+")


def holders(receiver: str) -> tuple[str, ...]:
    """The classes that a variable of this name customarily has: `train_ds` and `ds2` are data sets; else ().

    The last word decides: `keras_model` is a model, `model_fn` is not.
    """
    return _WORDS.get(_last(receiver), ())


def certain(receiver: str) -> bool:
    """Whether the name is so customary that a member its classes do not have is an error of the text."""
    return _last(receiver) in _CERTAIN


def _last(receiver: str) -> str:
    words = _PARTS.findall(receiver.rpartition(".")[2])
    return words[-1].lower() if words else ""
