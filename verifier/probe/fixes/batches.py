"""Examples given to a model in another shape than it takes: one for a batch, without channels, not flattened."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from math import prod

from verifier.probe.fixes.scene import Idea, Scene

_RANKED = re.compile(
    r"expected (?:min_|max_)?ndim=\d+, found ndim=\d+|expected \d+ dimension\(s\)|"
    r"expected (?:shape|axis)[^,]*, (?:but )?found shape"
)
_BATCHED = re.compile(
    r"Computed output size would be negative|Negative dimension size|Invalid input shape for input|"
    r"incompatible with the layer|Exception encountered when calling|Shape must be rank \d but is rank \d|"
    r"expected a batch of images|must be (?:rank )?4-?D|input must be 4-dimensional"
)
_SIZES = re.compile(r"Expected shape \(([^)]*)\), but input has incompatible shape \(([^)]*)\)")
_RECEIVED = re.compile(r"Full shape received: \(([^)]*)\)")
_FLAT = re.compile(
    r"Expected shape \(None, (?P<wants>\d+)\), but input has incompatible shape \((?P<has>[^)]*)\)|"
    r"expected axis -1 of input shape to have value (?P<wanted>\d+), but received input with shape \((?P<shape>[^)]*)\)"
)
_RECEIVED = re.compile(r"Full shape received: \(([^)]*)\)")
_FLAT = re.compile(
    r"Expected shape \(None, (?P<wants>\d+)\), but input has incompatible shape \((?P<has>[^)]*)\)|"
    r"expected axis -1 of input shape to have value (?P<wanted>\d+), but received input with shape \((?P<shape>[^)]*)\)"
)
_FLAT = re.compile(
    r"Expected shape \(None, (?P<wants>\d+)\), but input has incompatible shape \((?P<has>[^)]*)\)|"
    r"expected axis -1 of input shape to have value (?P<wanted>\d+), but received input with shape \((?P<shape>[^)]*)\)"
)


def batches(scene: Scene) -> Iterator[Idea]:
    """The failing call with its examples, or its layer, in the shape that the model takes."""
    call = scene.call()
    if scene.fault is None or call is None:
        return
    ranked = bool(_RANKED.search(scene.message))
    yield from _flattened(scene, call)
    if ranked:
        yield from _declared(scene)
    if (ranked or _BATCHED.search(scene.message)) and not _same_rank(scene.message):
        yield from _batched(scene, call)


def _batched(scene: Scene, call: ast.Call) -> Iterator[Idea]:
    """One example becomes a batch of one; a grey image gets its channel."""
    given = (
        call.args[0] if call.args else next((item.value for item in call.keywords if item.arg in {"x", "inputs"}), None)
    )
    if given is None or not isinstance(given, ast.Name | ast.Subscript | ast.Attribute | ast.Call):
        return
    expand = scene.spelled("tensorflow.expand_dims") or scene.spelled("numpy.expand_dims")
    path = scene.path(call.func)
    if not expand or path.rpartition(".")[2][:1].isupper() or path.startswith("tensorflow.keras.Sequential"):
        return
    text = scene.text(given)
    batch = Idea(
        edits=(scene.swap(given, f"{expand}({text}, 0)"),), reason="a model takes a batch of examples, not one"
    )
    channel = Idea(
        edits=(scene.swap(given, f"{expand}({text}, -1)"),), reason="images need a dimension for their channels"
    )
    shape = _RECEIVED.search(scene.message)
    last = shape[1].replace(" ", "").split(",")[-1] if shape else "1"
    yield from (batch, channel) if last in {"", "1", "3", "4"} else (channel, batch)


def _same_rank(message: str) -> bool:
    """Whether the message complains about the size of a dimension, not about their number."""
    match = _SIZES.search(message)
    return "expected axis" in message or bool(match and match[1].count(",") == match[2].count(","))


def _declared(scene: Scene) -> Iterator[Idea]:
    """An image's shape that was declared without its channels."""
    for keyword in scene.nodes(ast.keyword):
        value = keyword.value
        if keyword.arg in {"input_shape", "shape"} and isinstance(value, ast.Tuple) and len(value.elts) == 2:
            edit = scene.put(scene.span(value.elts[-1]).end, "", ", 1")
            yield Idea(edits=(edit,), reason="images need a dimension for their channels")


def _flattened(scene: Scene, call: ast.Call) -> Iterator[Idea]:
    """Examples whose dimensions make up the number that the first layer takes."""
    match = _FLAT.search(scene.message)
    given = call.args[0] if call.args else None
    tf = scene.spelled("tensorflow")
    if match is None or given is None or not tf:
        return
    wanted = match["wanted"] or match["wants"]
    sizes = [int(size) for size in re.findall(r"\d+", match["shape"] or match["has"])]
    for count in range(2, len(sizes) + 1):
        if prod(sizes[-count:]) == int(wanted):
            text = f"{tf}.reshape({scene.text(given)}, (-1, {wanted}))"
            yield Idea(edits=(scene.swap(given, text),), reason=f"the layer takes rows of {wanted} numbers")
            return
