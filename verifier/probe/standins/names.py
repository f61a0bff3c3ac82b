"""What a missing name is customarily the name of. A name alone proves nothing: its use must agree."""

from __future__ import annotations

import re

_SPLITS = re.compile(r"(?:^|_)(?:test|val|valid|validation|dev|eval|holdout)(?:_|$)|(?:test|val)$", re.IGNORECASE)
_FEATURES = re.compile(
    r"^(?:[xX]\d?|inputs?|features?|data|samples?|images?|imgs?|batch|examples?|sequences?)$|"
    r"^(?:padded|input|token)_(?:sequences?|data|ids)$|"
    r"^(?:[xX]|inputs?|features?|data|images?|imgs?|batch|sequences?|padded|padded_sequences?|input|sample)_"
    r"(?:train|test|val|valid|validation|dev|batch|data|images?|new|pred|sample|tensor|array|features|padded)\w*$|"
    r"^(?:train|test|val|valid|validation|dev|training|testing|new|partial_[xX]|normed|scaled|batch|input|dummy)_?"
    r"(?:[xX]|inputs?|features?|data|images?|imgs?|samples?|examples?|sequences?|padded|train|test|dataset)\w*$|"
    r"^X(?:train|test|val)$|^x(?:train|test|val)$",
    re.IGNORECASE,
)
_LABELS = re.compile(
    r"^(?:[yY]\d?|labels?|targets?|y_true|ground_truth|truth)$|"
    r"^(?:[yY]|labels?|targets?|categories)_(?:train|test|val|valid|validation|dev|batch|data|true|labels?|new)\w*$|"
    r"^(?:train|test|val|valid|validation|dev|training|testing|partial_[yY]|one_hot|batch)_?"
    r"(?:[yY]|labels?|targets?|train|truth)\w*$|^[yY](?:train|test|val)$",
    re.IGNORECASE,
)
_PREDICTIONS = re.compile(
    r"^(?:\w+_)?(?:logits?|preds?|predictions?|predicted|y_pred|outputs?|scores|probs?|probabilities)(?:_\w+)?$",
    re.IGNORECASE,
)
_DATASET = re.compile(
    r"^(?:\w+_)?(?:ds|dataset|datasets|data|loader|gen|generator|batches|iterator)(?:_(?:train|test|val|valid))?$|"
    r"^(?:ds|dataset)_\w+$|^(?:train|test|val|validation|valid)$",
    re.IGNORECASE,
)
_IMAGES = re.compile(r"(?:^|_)(?:images?|imgs?|pictures?|photos?|frames?)(?:_|\d|$)", re.IGNORECASE)
_TEXTS = re.compile(
    r"^(?:\w+_)?(?:texts?|sentences?|corpus|documents?|docs|reviews?|comments?|lines)(?:_\w+)?$", re.IGNORECASE
)
_MODEL = re.compile(
    r"^(?:\w+_)?(?:model|net|network|classifier|autoencoder|regressor|cnn|rnn|mlp|dnn)\d?(?:_\w+)?$", re.IGNORECASE
)
_OPTIMIZER = re.compile(r"^(?:\w+_)?(?:optimi[sz]er|opt|optim)$", re.IGNORECASE)
_LOSS = re.compile(
    r"^(?:\w+_)?(?:loss(?:_fn|_func|_function|_object|_obj|es)?|criterion|cross_entropy|bce|mse)$", re.IGNORECASE
)
_STRATEGY = re.compile(r"strategy$|^distribution$", re.IGNORECASE)
_RATE = re.compile(
    r"rate|^lr$|_lr$|^lr_|momentum|dropout|alpha|beta|epsilon|eps|decay|lambda|_l[12]$|^l[12]_|split", re.IGNORECASE
)
_SHAPE = re.compile(r"shape|(?:img|image|input|target)_?(?:size|dims?)", re.IGNORECASE)

# What a count is by a word of its name -> a small honest value. The first that fits is taken.
_COUNTS = (
    (re.compile(r"class|label|categor|output_dim|n_out|num_out", re.IGNORECASE), 10),
    (re.compile(r"vocab|num_words|max_features|max_tokens|n_words|num_tokens", re.IGNORECASE), 1000),
    (re.compile(r"batch", re.IGNORECASE), 32),
    (re.compile(r"epoch", re.IGNORECASE), 2),
    (re.compile(r"buffer|shuffle", re.IGNORECASE), 100),
    (re.compile(r"height|width|img|image|rows|cols|^size$", re.IGNORECASE), 32),
    (re.compile(r"channel|depth", re.IGNORECASE), 3),
    (re.compile(r"len|steps|seq|window|timestep", re.IGNORECASE), 20),
    (re.compile(r"head|num_layers|n_layers|patience|kernel|pool|stride", re.IGNORECASE), 2),
    (re.compile(r"embed|dim|unit|hidden|latent|filter|neuron|model|size|features|dff|nodes|rank", re.IGNORECASE), 16),
    (re.compile(r"num|^n_|_n$|count|samples|total", re.IGNORECASE), 10),
)  # fmt: skip


def held_out(name: str) -> bool:
    """Whether a name is that of a part of the data that is kept from training."""
    return bool(_SPLITS.search(name))


def like_features(name: str) -> bool:
    """Whether a name is customary for what goes into a model."""
    return bool(_FEATURES.match(name)) and not like_labels(name)


def like_labels(name: str) -> bool:
    """Whether a name is customary for what a model is trained towards."""
    return bool(_LABELS.match(name))


def like_predictions(name: str) -> bool:
    """Whether a name is customary for what comes out of a model."""
    return bool(_PREDICTIONS.match(name))


def like_dataset(name: str) -> bool:
    """Whether a name is customary for a `tf.data.Dataset`."""
    return bool(_DATASET.match(name))


def like_images(name: str) -> bool:
    """Whether a name speaks of images."""
    return bool(_IMAGES.search(name))


def like_texts(name: str) -> bool:
    """Whether a name is customary for a list of texts."""
    return bool(_TEXTS.match(name))


def like_model(name: str) -> bool:
    """Whether a name is customary for a model."""
    return bool(_MODEL.match(name))


def like_optimizer(name: str) -> bool:
    """Whether a name is customary for an optimizer."""
    return bool(_OPTIMIZER.match(name))


def like_loss(name: str) -> bool:
    """Whether a name is customary for a loss function."""
    return bool(_LOSS.match(name))


def like_strategy(name: str) -> bool:
    """Whether a name is customary for a distribution strategy."""
    return bool(_STRATEGY.search(name))


def like_rate(name: str) -> bool:
    """Whether a name is customary for a number between 0 and 1."""
    return bool(_RATE.search(name))


def like_shape(name: str) -> bool:
    """Whether a name is customary for the shape of an input."""
    return bool(_SHAPE.search(name))


def count_of(name: str) -> int:
    """A small value for a number of this name; 0 when the name does not say what is counted."""
    return next((value for pattern, value in _COUNTS if pattern.search(name)), 0)
