"""Data sets of `tf.data` as stand-ins: what an element is, and whether it is a batch."""

from __future__ import annotations

from verifier.probe.standins.arrays import Sample, expression, in_words
from verifier.probe.standins.supplies import Use
from verifier.probe.standins.world import World

_BATCH = 8
_COUNT = 32


def dataset(name: str, uses: tuple[Use, ...], world: World) -> tuple[str, str] | None:
    """A data set as (what it is, the expression that makes it), or None when its elements are not plain."""
    relevant = [use for use in uses if use.kind in {"dataset", "whole", "iterated"}]
    arities = {2 if use.kind == "whole" else use.arity for use in relevant} - {0}
    if not relevant or arities != {2}:
        return None
    features, labels = world.features(name, uses), world.labels(uses)
    if features is None or labels is None:
        return None
    batched = not any({"batch", "padded_batch"} & set(use.detail.split(".")) for use in relevant)
    return _words(features, labels, batched=batched), _expression(features, labels, batched=batched)


def _words(features: Sample, labels: Sample, *, batched: bool) -> str:
    batches = f", in batches of {_BATCH}" if batched else ""
    return f"a data set of {in_words(features, _COUNT)}, with {in_words(labels, _COUNT)}{batches}"


def _expression(features: Sample, labels: Sample, *, batched: bool) -> str:
    pair = f"({expression(features, _COUNT, 0)}, {expression(labels, _COUNT, 1)})"
    batch = f".batch({_BATCH})" if batched else ""
    return f"tensorflow.data.Dataset.from_tensor_slices({pair}){batch}"
