"""Files of arrays and of records as stand-ins: what is in them is what the code takes out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from math import prod
from pathlib import PurePosixPath

from verifier.probe.sessions import Session
from verifier.probe.standins.arrays import expression, in_words
from verifier.probe.standins.folders import EACH
from verifier.probe.standins.names import held_out, like_features, like_labels
from verifier.probe.standins.paths import last_word, nodes_of
from verifier.probe.standins.reading import Content, Reading, pixels, written
from verifier.probe.standins.world import World

_DESCRIBED = {"FixedLenFeature": 1, "VarLenFeature": 0}  # with the place of the type among the arguments
_FEATURE = {
    "int64": "tensorflow.train.Feature(int64_list=tensorflow.train.Int64List(value=[number % 2] * {size}))",
    "float32": "tensorflow.train.Feature(float_list=tensorflow.train.FloatList(value=[0.5] * {size}))",
    "string": "tensorflow.train.Feature(bytes_list=tensorflow.train.BytesList(value=[{text}] * {size}))",
}
_TAKEN_APART = re.compile(r"\bdecode_raw\b|\bparse_tensor\b")
_IMAGE = re.compile(r"\bdecode_(?:jpeg|png|image)\b")


def arrays(reading: Reading) -> Content | None:
    """A `.npy` file by its name, or a `.npz` file with the keys that the code takes from it."""
    if reading.suffix not in {".npy", ".npz"}:
        return None
    world = World(reading.session, reading.live, ())
    if reading.suffix == ".npy":
        made = _array(world, PurePosixPath(reading.path).stem)
        save = f"numpy.save({reading.path!r}, {made[1]})" if made else ""
        return Content(kind="array", role=made[0], code=written(reading.path, save, "numpy, os")) if made else None
    parts = {key: _array(world, key) for key in _keys(reading.session)}
    known = {key: part for key, part in parts.items() if part is not None}
    if not parts or len(known) < len(parts):
        return None
    given = ", ".join(f"{key!r}: {part[1]}" for key, part in known.items())
    role = "; ".join(f"{key}: {part[0]}" for key, part in known.items())
    save = f"numpy.savez({reading.path!r}, **{{{given}}})"
    return Content(kind="arrays", role=role, code=written(reading.path, save, "numpy, os"))


def records(reading: Reading) -> Content | None:
    """Records with the features that the code itself says it parses."""
    described = dict(_described(reading.session))
    unknown = any(kind not in _FEATURE for kind, _ in described.values())
    if not described or unknown or _TAKEN_APART.search(reading.code):
        return None
    text = "image" if _IMAGE.search(reading.code) else "b'a short text'"
    features = ", ".join(
        f"{name!r}: {_FEATURE[kind].format(size=size, text=text)}" for name, (kind, size) in described.items()
    )
    body = (
        f"buffer = io.BytesIO()\nPIL.Image.fromarray({pixels(0)}).save(buffer, 'JPEG')\nimage = buffer.getvalue()\n"
        f"with tensorflow.io.TFRecordWriter({reading.path!r}) as writer:\n"
        f"    for number in range({EACH}):\n"
        f"        features = tensorflow.train.Features(feature={{{features}}})\n"
        "        writer.write(tensorflow.train.Example(features=features).SerializeToString())"
    )
    role = f"{EACH} records with the features {', '.join(described)}"
    needs = "io, numpy, os, PIL.Image, tensorflow"
    return Content(kind="records", role=role, code=written(reading.path, body, needs))


def _array(world: World, name: str) -> tuple[str, str] | None:
    """An array of a customary name, in words and as code."""
    count = 32 if held_out(name) else 64
    labels = like_labels(name)
    if not labels and not like_features(name):
        return None
    sample = world.labels(()) if labels else world.features(name, ())
    return None if sample is None else (in_words(sample, count), expression(sample, count, int(labels)))


def _keys(session: Session) -> Iterator[str]:
    """The keys that the code takes from what `numpy.load` gave."""
    holders: set[str] = set()
    for _, node in nodes_of(session):
        if isinstance(node, ast.Assign) and _loads(node.value):
            holders |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.withitem) and _loads(node.context_expr) and isinstance(node.optional_vars, ast.Name):
            holders.add(node.optional_vars.id)
    for _, node in nodes_of(session):
        match node:
            case ast.Subscript(value=ast.Name(id=holder), slice=ast.Constant(value=str(key))) if holder in holders:
                yield key


def _loads(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_word(node.func) == "load"


def _described(session: Session) -> Iterator[tuple[str, tuple[str, int]]]:
    """Every feature that the code describes: its name, its type, and how many values it has."""
    for _, node in nodes_of(session):
        if not isinstance(node, ast.Dict):
            continue
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(value, ast.Call) and last_word(value.func) in _DESCRIBED:
                yield str(key.value), _kind_and_size(value)


def _kind_and_size(call: ast.Call) -> tuple[str, int]:
    place = _DESCRIBED[last_word(call.func)]
    named = next((item.value for item in call.keywords if item.arg == "dtype"), None)
    kind = call.args[place] if len(call.args) > place else named
    shape = call.args[0] if place and call.args else None
    sizes = shape.elts if isinstance(shape, ast.List | ast.Tuple) else []
    known = [part.value for part in sizes if isinstance(part, ast.Constant) and type(part.value) is int]
    return last_word(kind) if kind is not None else "", prod(known)
