"""Slips of the language itself, most of them habits of Python 2 that Python 3 compiles and then refuses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from verifier.probe.fixes.scene import Idea, Scene

_RENAMED = {
    "xrange": "range", "unicode": "str", "raw_input": "input", "long": "int", "basestring": "str", "unichr": "chr",
}  # fmt: skip
_UNBOUND = re.compile(r"name '(\w+)' is not defined")
_LAZY = re.compile(
    r"'(?:dict_keys|dict_values|dict_items|map|filter|zip|range)' object (?:is not subscriptable|has no attribute|"
    r"does not support)|object of type '(?:map|filter|zip)' has no len|"
    r"unsupported operand type\(s\) for \+: '(?:range|dict_keys|map)'"
)
_WHOLE = re.compile(
    r"'float' object cannot be interpreted as an integer|slice indices must be integers|"
    r"list indices must be integers or slices, not float|only integer scalar arrays|"
    r"integer argument expected, got float"
)
_ASSIGNED = re.compile(r"Tensor' object does not support item assignment")
_JOINED = re.compile(
    r"can only concatenate str \(not .*\) to str|must be str, not \w+|Cannot convert '.*' to EagerTensor of dtype"
)


def language(scene: Scene) -> Iterator[Idea]:
    """What Python 3 and immutable tensors want instead."""
    names = scene.missing or tuple(_UNBOUND.findall(scene.message))
    for name in names:
        yield from _renamed(scene, name)
    if _LAZY.search(scene.message):
        yield from _listed(scene)
    if _WHOLE.search(scene.message):
        yield from _whole(scene)
    if _ASSIGNED.search(scene.message):
        yield from _scattered(scene)
    if _JOINED.search(scene.message):
        yield from _text(scene)


def _renamed(scene: Scene, name: str) -> Iterator[Idea]:
    uses = [node for node in ast.walk(scene.tree) if isinstance(node, ast.Name) and node.id == name]
    if name in _RENAMED and uses:
        edits = tuple(scene.swap(node, _RENAMED[name]) for node in uses)
        yield Idea(edits=edits, reason=f"`{name}` of Python 2 is `{_RENAMED[name]}`")
    if name == "reduce" and uses:
        yield Idea(edits=(scene.ahead("from functools import reduce"),), reason="`reduce` is in `functools`")


def _listed(scene: Scene) -> Iterator[Idea]:
    for node in scene.nodes(ast.expr):
        inner = node.value if isinstance(node, ast.Subscript) else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args:
            inner = node.args[0]
        if isinstance(node, ast.BinOp):
            inner = node.left
        if inner is not None:
            edit = scene.swap(inner, f"list({scene.text(inner)})")
            yield Idea(edits=(edit,), reason="in Python 3 it is no list before it is made one")
            return


def _whole(scene: Scene) -> Iterator[Idea]:
    for node in scene.nodes(ast.BinOp):
        if isinstance(node.op, ast.Div):
            end = scene.span(node.left).end
            edit = scene.put(scene.code.index("/", end), "/", "//")
            yield Idea(edits=(edit,), reason="`/` gives a fraction; `//` gives a whole number")
    for call in scene.nodes(ast.Call):
        for item in call.args:
            if not isinstance(item, ast.Constant):
                yield Idea(edits=(scene.swap(item, f"int({scene.text(item)})"),), reason="it must be a whole number")
        return


def _scattered(scene: Scene) -> Iterator[Idea]:
    tf = scene.spelled("tensorflow")
    for node in scene.nodes(ast.Assign, scene.statement):
        target = node.targets[0]
        if (
            not tf
            or len(node.targets) != 1
            or not isinstance(target, ast.Subscript)
            or not isinstance(target.value, ast.Name)
        ):
            continue
        index = target.slice
        if isinstance(index, ast.Slice) or (
            isinstance(index, ast.Tuple) and any(isinstance(i, ast.Slice) for i in index.elts)
        ):
            continue
        at = scene.text(index).strip("()")
        name = scene.text(target.value)
        text = f"{name} = {tf}.tensor_scatter_nd_update({name}, [[{at}]], [{scene.text(node.value)}])"
        yield Idea(
            edits=(scene.swap(node, text),), reason="a tensor cannot be changed, only made anew with another value"
        )


def _text(scene: Scene) -> Iterator[Idea]:
    for node in scene.nodes(ast.BinOp):
        if isinstance(node.op, ast.Add):
            for side in (node.right, node.left):
                if not (isinstance(side, ast.Constant) and isinstance(side.value, str)):
                    edit = scene.swap(side, f"str({scene.text(side)})")
                    yield Idea(edits=(edit,), reason="a text is joined with texts only")
