"""Hides the bytes of the JSON report: order, escapes, and how a file that is no report is refused.

The standard library writes and reads the text itself, because a lone surrogate (half a character, found in damaged
notebooks) must survive the way there and back, and msgspec refuses it; msgspec checks and builds the types.
"""

from __future__ import annotations

import json
from math import isfinite, nan
from typing import Any

import msgspec

from verifier import model
from verifier.errors import InputError
from verifier.model import SCHEMA
from verifier.reports import wire

# The only fields that hold figures with a fraction; null stands for one that is not finite.
_FIGURES = frozenset({"seconds", "wall_seconds"})
_FIGURE_LISTS = frozenset({"sessions"})


def to_json(report: model.Report) -> bytes:
    """The report as UTF-8 JSON, schema `verifier/report/1`: keys sorted, indented by one, ending in a line end.

    Lossless: `from_json` gives back an equal report. Figures that are not finite are written as null.
    """
    return dumped(_finite(msgspec.to_builtins(wire.expand(report))))


def dumped(tree: object) -> bytes:
    """A tree of plain values in the form that all our JSON files have."""
    text = json.dumps(tree, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=1)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def from_json(raw: bytes) -> model.Report:
    """The report that `to_json` wrote; null figures come back as NaN, unknown fields are ignored.

    Raises InputError when the bytes are not JSON, of another schema, or not of the shape that the schema tells.
    """
    try:
        tree = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not a JSON report: {error}") from None
    found = tree.get("schema") if isinstance(tree, dict) else None
    if found != SCHEMA:
        raise InputError(f"is not a report that this version reads: its schema is {found!r}, wanted {SCHEMA!r}")
    try:
        return wire.collapse(msgspec.convert(_figures(tree), wire.Report))
    except msgspec.ValidationError as error:
        raise InputError(f"is not a valid {SCHEMA}: {error}") from None


def schema_bytes() -> bytes:
    """The JSON Schema file that is shipped with the package."""
    return dumped(wire.schema())


def _finite(node: Any) -> Any:
    if isinstance(node, float):
        return node if isfinite(node) else None
    if isinstance(node, dict):
        return {key: _finite(value) for key, value in node.items()}
    return [_finite(item) for item in node] if isinstance(node, list | tuple) else node


def _figures(node: Any, key: str = "") -> Any:
    """`node` with NaN where a figure is null."""
    if node is None:
        return nan if key in _FIGURES else None
    if isinstance(node, dict):
        return {name: _figures(value, name) for name, value in node.items()}
    if not isinstance(node, list):
        return node
    return [nan if item is None and key in _FIGURE_LISTS else _figures(item) for item in node]


def to_plain_json(value: object) -> bytes:
    """Dataclasses, tuples and texts as UTF-8 JSON in the form of the report: keys sorted, ending in a line end."""
    return dumped(msgspec.to_builtins(value))
