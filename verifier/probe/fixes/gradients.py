"""Gradients that come out as nothing, and gradients that are applied without saying to what."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from verifier.model import Span
from verifier.probe.fixes.scene import Idea, Scene

_NOTHING = re.compile(r"NoneType|None values not supported|No gradients provided|\bNone\b")
_SPENT = re.compile(r"non-persistent GradientTape can only be used to compute one set of gradients")
_NOT_PAIRS = re.compile(
    r"[Cc]annot iterate over|not iterable|not enough values to unpack|too many values to unpack|unpack"
)


def gradients(scene: Scene) -> Iterator[Idea]:
    """A tape that is told to watch what is no variable; gradients in pairs with their variables."""
    asked = [node for node in _calls(scene) if _method(node) == "gradient" and len(node.args) >= 2]
    if not asked:
        return
    if _SPENT.search(scene.message):
        yield from _persistent(scene)
    if _NOTHING.search(scene.message):
        for node in asked:
            yield from _watched(scene, node)
    call = scene.call()
    if call is not None and _method(call) == "apply_gradients" and _NOT_PAIRS.search(scene.message) and call.args:
        variables = scene.text(asked[-1].args[1])
        given = scene.text(call.args[0])
        if not given.startswith("zip("):
            pairs = f"zip({given}, {variables})" if _many(asked[-1]) else f"[({given}, {variables})]"
            yield Idea(
                edits=(scene.swap(call.args[0], pairs),), reason="gradients are applied in pairs with their variables"
            )


def _persistent(scene: Scene) -> Iterator[Idea]:
    for call in _calls(scene):
        if scene.path(call.func).rpartition(".")[2] == "GradientTape" and not call.keywords and not call.args:
            edit = scene.put(scene.span(call).end - 1, "", "persistent=True")
            yield Idea(edits=(edit,), reason="a tape gives gradients once, unless it is persistent")


def _calls(scene: Scene) -> list[ast.Call]:
    return list(scene.nodes(ast.Call, Span(start=0, end=len(scene.code))))


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _many(call: ast.Call) -> bool:
    return not isinstance(call.args[1], ast.Name) or call.args[1].id.endswith("s")


def _watched(scene: Scene, asked: ast.Call) -> Iterator[Idea]:
    """`tape.watch(x)` as the first statement under the tape that is asked for a gradient by `x`."""
    sources = asked.args[1].elts if isinstance(asked.args[1], ast.List | ast.Tuple) else [asked.args[1]]
    names = [node.id for node in sources if isinstance(node, ast.Name)]
    tape = scene.text(asked.func.value) if isinstance(asked.func, ast.Attribute) else ""
    for node in ast.walk(scene.tree):
        if not isinstance(node, ast.With) or not names or len(names) != len(sources):
            continue
        if any(isinstance(item.optional_vars, ast.Name) and item.optional_vars.id == tape for item in node.items):
            start = scene.span(node.body[0]).start
            line = scene.code[:start].rpartition("\n")[2]
            gap = "\n" + line if not line.strip() else "; "
            text = "; ".join(f"{tape}.watch({name})" for name in names) + gap
            yield Idea(
                edits=(scene.put(start, "", text),), reason="a tape watches variables only, unless it is told to"
            )
