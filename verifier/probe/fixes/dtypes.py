"""Operands of types that do not go together: a cast of one of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from verifier.probe.fixes.scene import Idea, Scene

_TYPES = {"float": "float32", "double": "float64", "half": "float16", "int": "int32"}
_FLOATS = ("float32", "float64", "float16", "bfloat16")
_OPERAND = re.compile(
    r"input #(?P<at>\d+)\S* was expected to be an? (?P<wanted>\w+) tensor but is an? (?P<given>\w+) tensor"
)
_REQUESTED = re.compile(r"[Rr]equested (?:a tensor with )?dtype (?P<wanted>\w+)\b.*?\bdtype (?P<given>\w+)", re.DOTALL)
_BOTH = re.compile(r"must have the same dtype, got tf\.(?P<wanted>\w+) != tf\.(?P<given>\w+)")
_MUST_MATCH = re.compile(
    r"has type (?P<given>\w+) that does not match type (?P<wanted>\w+) of argument '?(?P<other>\w+)"
)
_ALLOWED = re.compile(
    r"Value for attr 'T\w*' of (?P<given>\w+) is not in the list of allowed values: (?P<allowed>[\w, ]+)"
)
_CONSTANT = re.compile(r"Cannot convert (?P<value>[-\w.]+) to EagerTensor of dtype (?P<wanted>\w+)")
_NO_KERNEL = re.compile(r"Could not find device for node: .*?\[T=DT_(?P<given>\w+)", re.DOTALL)


def dtypes(scene: Scene) -> Iterator[Idea]:
    """The failing expression with one of its operands cast, without loss first."""
    tf = scene.spelled("tensorflow")
    if not tf or scene.fault is None:
        return
    operands = _operands(scene)
    if (
        match := _OPERAND.search(scene.message)
        or _REQUESTED.search(scene.message)
        or _MUST_MATCH.search(scene.message)
        or _BOTH.search(scene.message)
    ):
        wanted, given = _type(match["wanted"]), _type(match["given"])
        # A number with a fraction must not lose it: then the other operand is cast.
        first = wanted if not (given in _FLOATS and wanted not in _FLOATS) else given
        second = given if first == wanted else wanted
        order = operands if "at" not in match.groupdict() else _turned(operands, int(match["at"]))
        if first == given:
            order = list(reversed(order)) if len(order) == 2 else order
        for target in (first, second):
            for node in order:
                yield _cast(scene, tf, node, target)
            order = list(reversed(order))
    elif match := _ALLOWED.search(scene.message) or _NO_KERNEL.search(scene.message):
        allowed = match.groupdict().get("allowed") or "float"
        for node in operands[:2]:
            yield _cast(scene, tf, node, "float32" if "float" in allowed.replace("bfloat16", "") else "int32")
    elif match := _CONSTANT.search(scene.message):
        others = [node for node in operands if not isinstance(node, ast.Constant)]
        for node in others:
            yield _cast(scene, tf, node, "float32")


def _type(word: str) -> str:
    return _TYPES.get(word, word)


def _operands(scene: Scene) -> list[ast.expr]:
    """What the failing expression works on: both sides of an operator, or the arguments of a call."""
    for node in scene.nodes(ast.expr):
        if isinstance(node, ast.BinOp):
            return [node.left, node.right]
        if isinstance(node, ast.Compare):
            return [node.left, *node.comparators]
        if isinstance(node, ast.Call):
            return [*node.args, *(item.value for item in node.keywords if item.arg in {"x", "y", "a", "b", "input"})][
                :2
            ]
    return []


def _turned(operands: list[ast.expr], at: int) -> list[ast.expr]:
    """The operand that the message complains about first."""
    if at >= len(operands):
        return operands
    return [operands[at], *operands[:at], *operands[at + 1 :]]


def _cast(scene: Scene, tf: str, node: ast.expr, target: str) -> Idea:
    text = scene.text(node)
    return Idea(
        edits=(scene.swap(node, f"{tf}.cast({text}, {tf}.{target})"),),
        reason=f"`{text}` is of another type than {target}",
    )
