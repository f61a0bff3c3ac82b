"""Arrays as stand-ins: the code that makes one, and what it is in words."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from verifier.probe.standins.supplies import Facts

SAMPLES, FEW = 64, 8
_HEAVY = 64 * 64 * 3  # values of one sample from which on a few samples must do
_HUGE = 1 << 21
_IMAGE, _SEQUENCE, _FEATURES = 32, 10, 8
_SEQUENTIAL = frozenset({
    "LSTM", "GRU", "SimpleRNN", "Bidirectional", "Conv1D", "TimeDistributed", "MultiHeadAttention", "RNN",
    "GlobalAveragePooling1D", "MaxPooling1D",
})  # fmt: skip
_SPATIAL = frozenset({
    "Conv2D", "SeparableConv2D", "DepthwiseConv2D", "MaxPooling2D", "Rescaling", "RandomFlip", "RandomRotation",
    "Functional", "Conv2DTranspose", "RandomZoom", "GlobalAveragePooling2D", "Resizing",
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One sample of an array: its shape and what its values are.

    values: `pixels` (whole numbers 0..255), `units` (0..1), `words` (whole numbers below `high`), `classes` (the
    same, one for each sample or place), `one-hot` (of `high` classes), `binary` (0 or 1), `targets` (numbers)
    """

    values: str
    shape: tuple[int, ...] = ()
    high: int = 0


def count_for(sample: Sample) -> int:
    """How many samples make a useful and quick data set."""
    size = prod(sample.shape)
    return 2 if size >= _HUGE else FEW if size >= _HEAVY else SAMPLES


def expression(sample: Sample, count: int, seed: int) -> str:
    """NumPy code that makes `count` samples."""
    shape = (count, *sample.shape)
    random = f"numpy.random.default_rng({seed})"
    turns = f"numpy.arange({prod(shape)}) % {max(sample.high, 1)}"
    match sample.values:
        case "pixels":
            return f'{random}.integers(0, 256, {shape}).astype("uint8")'
        case "units":
            return f'{random}.random({shape}).astype("float32")'
        case "words":
            return f"{random}.integers(1, {max(sample.high, 2)}, {shape})"
        case "classes":
            return f"({turns}).reshape({shape})" if sample.shape else turns
        case "one-hot":
            places = shape[:-1]
            return f'numpy.eye({sample.high}, dtype="float32")[({_turns(prod(places), sample.high)}).reshape({places})]'
        case "binary":
            return f'({_turns(prod(shape), 2)}).reshape({shape}).astype("float32")'
    return f'{random}.normal(size={shape}).astype("float32")'


def in_words(sample: Sample, count: int) -> str:
    """What the array is, as a reader wants it: `64 images of 28x28, values 0..1`."""
    size = "x".join(str(part) for part in sample.shape)
    picture = len(sample.shape) in {2, 3} and min(sample.shape[:2]) > 9
    noun = f"images of {size}" if picture else f"samples of {size}" if sample.shape else "samples"
    match sample.values:
        case "pixels":
            return f"{count} {noun}, whole numbers 0..255"
        case "units":
            return f"{count} {noun}, values 0..1"
        case "words":
            return f"{count} sequences of {size or 1} word numbers below {sample.high}"
        case "classes":
            return f"{count} labels 0..{sample.high - 1}" + (f", one for each place of {size}" if size else "")
        case "one-hot":
            return f"{count} one-hot labels of {sample.high} classes"
        case "binary":
            return f"{count} labels 0 or 1" + (f", in the shape {size}" if size else "")
    return f"{count} numbers to be predicted" + (f", in the shape {size}" if size else "")


def input_of(model: Facts) -> Sample | None:
    """One sample of a model's input; None when it has several inputs or takes something else than numbers."""
    if len(model.inputs) > 1 or model.input_dtype == "string":
        return None
    shape = _filled(model.inputs[0]) if model.inputs else _unbuilt(model.first)
    if model.first == "Embedding" or "int" in model.input_dtype:
        return Sample(values="words", shape=shape or (_SEQUENCE,), high=model.vocabulary or 100)
    return Sample(values="units", shape=shape)


def labels_of(model: Facts, loss: str) -> Sample | None:
    """One sample of what a model is trained towards; None when its output is not known, or it has several."""
    if len(model.outputs) > 1:
        return None
    return labelled(_filled(model.outputs[0]) if model.outputs else None, model.loss or loss, model.activation)


def labelled(output: tuple[int, ...] | None, loss: str, activation: str = "") -> Sample | None:
    """Labels for an output of this shape under a loss, known by any spelling of its name."""
    word = loss.replace("_", "").lower()
    if "sparse" in word:
        return Sample(values="classes", shape=output[:-1] if output else (), high=output[-1] if output else 10)
    if not output:
        return None
    if "categorical" in word or "softmaxcross" in word:
        return Sample(values="one-hot", shape=output, high=output[-1])
    if any(part in word for part in ("binary", "hinge", "sigmoid")):
        return Sample(values="binary", shape=output if output != (1,) else ())
    if any(part in word for part in ("mean", "mse", "mae", "huber", "cosh", "poisson", "mape", "msle")):
        return Sample(values="targets", shape=output if output != (1,) else ())
    if activation == "softmax" and not word:
        return Sample(values="classes", shape=output[:-1], high=output[-1])
    return Sample(values="units", shape=output)


def _turns(count: int, high: int) -> str:
    return f"numpy.arange({count}) % {high}"


def _filled(shape: tuple[int | None, ...]) -> tuple[int, ...]:
    """A shape without free sizes."""
    free = _IMAGE if len(shape) == 3 else _SEQUENCE
    sizes = [free if size is None else size for size in shape]
    if len(shape) == 3 and shape[-1] is None:
        sizes[-1] = 3
    return tuple(sizes)


def _unbuilt(first: str) -> tuple[int, ...]:
    """A shape that a model without a fixed input takes, judged by its first layer."""
    if first in _SPATIAL:
        return (_IMAGE, _IMAGE, 3)
    if first in _SEQUENTIAL:
        return (_SEQUENCE, _FEATURES)
    if first == "Embedding":
        return (_SEQUENCE,)
    return (28, 28) if first == "Flatten" else (_FEATURES,)
