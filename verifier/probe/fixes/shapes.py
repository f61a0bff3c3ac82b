"""Values of shapes that do not fit: a transposed matrix, a shape in pieces, pictures and lines to be drawn."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from verifier.probe.fixes.scene import Idea, Scene

_MATRICES = re.compile(
    r"Matrix size-incompatible: In\[0\]: \[(?P<a>\d+),(?P<b>\d+)\], In\[1\]: \[(?P<c>\d+),(?P<d>\d+)\]"
)
_VECTORS = re.compile(
    r"In\[0\] and In\[1\] (?:has different ndims|ndims must be >= 2)|In\[[01]\] is not a matrix|"
    r"must have the same (?:rank|ndims)|mismatch in its core dimension|rank >= 2|at least 2"
)
_SCALAR_SHAPE = re.compile(
    r"shape must be a vector of|Cannot interpret '\S+' as a data type|Attempting to get dtype|"
    r"Cannot convert \S+ to (?:a |EagerTensor )?dtype|'int' object is not iterable|data type '?\S+'? not understood|"
    r"takes (?:from \d+ to )?\d+ positional arguments?|the requested shape has \d"
)
_SPREAD = re.compile(r"'(?:tuple|list)' object cannot be interpreted as an integer")
_PLOTTED = re.compile(r"x and y can be no greater than 2D|x must be 1D|must be 1-?(?:D|dimensional)|only 1D arrays")
_IMAGE = re.compile(r"Invalid shape \((?P<shape>[\d, ]+)\) for image data")


def shapes(scene: Scene) -> Iterator[Idea]:
    """The failing call with an argument brought into another shape."""
    if scene.fault is None:
        return
    call = scene.call()
    if _MATRICES.search(scene.message):
        yield from _transposed(scene)
    if _VECTORS.search(scene.message):
        yield from _vectors(scene)
    if call is None:
        return
    if _SCALAR_SHAPE.search(scene.message):
        yield from _together(scene, call)
    if _SPREAD.search(scene.message):
        yield from _apart(scene, call)
    if _IMAGE.search(scene.message) and call.args:
        yield from _image(scene, call)
    if _PLOTTED.search(scene.message) and call.args:
        yield from _plotted(scene, call)


def _transposed(scene: Scene) -> Iterator[Idea]:
    match = _MATRICES.search(scene.message)
    tf = scene.spelled("tensorflow")
    if match is None or not tf:
        return
    fits = [("b", 1)] * (match["b"] == match["d"]) + [("a", 0)] * (match["a"] == match["c"])
    for node in scene.nodes(ast.expr):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            sides = (node.left, node.right)
        elif isinstance(node, ast.Call) and len(node.args) >= 2:
            sides = (node.args[0], node.args[1])
        else:
            continue
        for letter, side in fits:
            operand = sides[side]
            text = f"{tf}.transpose({scene.text(operand)})"
            if isinstance(node, ast.Call) and scene.path(node.func).endswith("matmul"):
                end = scene.span(node).end - 1
                yield Idea(
                    edits=(scene.put(end, "", f", transpose_{letter}=True"),), reason="the inner dimensions must agree"
                )
            else:
                yield Idea(edits=(scene.swap(operand, text),), reason="the inner dimensions must agree")
        return


def _vectors(scene: Scene) -> Iterator[Idea]:
    tf = scene.spelled("tensorflow")
    for call in scene.nodes(ast.Call):
        if tf and scene.path(call.func) in {"tensorflow.matmul", "tensorflow.linalg.matmul"} and len(call.args) == 2:
            edit = scene.swap(call, f"{tf}.tensordot({scene.text(call.args[0])}, {scene.text(call.args[1])}, 1)")
            yield Idea(edits=(edit,), reason="`matmul` takes matrices, not vectors")
            return


def _together(scene: Scene, call: ast.Call) -> Iterator[Idea]:
    """A shape that is given number by number becomes one argument."""
    numbers = [item for item in call.args if isinstance(item, ast.Constant) and isinstance(item.value, int)]
    if len(numbers) < 2:
        return
    first, last = scene.span(numbers[0]), scene.span(numbers[-1])
    if call.args[call.args.index(numbers[0]) :][: len(numbers)] == numbers:
        inner = scene.code[first.start : last.end]
        yield Idea(edits=(scene.put(first.start, inner, f"({inner})"),), reason="a shape is one argument, not several")


def _apart(scene: Scene, call: ast.Call) -> Iterator[Idea]:
    """A shape that is given as one becomes single numbers."""
    if len(call.args) == 1 and isinstance(call.args[0], ast.Tuple | ast.List) and call.args[0].elts:
        inner = ", ".join(scene.text(item) for item in call.args[0].elts)
        yield Idea(edits=(scene.swap(call.args[0], inner),), reason="it takes the sizes one by one")


def _plotted(scene: Scene, call: ast.Call) -> Iterator[Idea]:
    """Numbers in many dimensions are drawn one after another."""
    given = call.args[-1]
    ravel = scene.spelled("numpy.ravel")
    text = f"{ravel}({scene.text(given)})" if ravel else f"{scene.text(given)}.ravel()"
    yield Idea(edits=(scene.swap(given, text),), reason="a line is drawn through numbers in one dimension")


def _image(scene: Scene, call: ast.Call) -> Iterator[Idea]:
    match = _IMAGE.search(scene.message)
    squeeze = scene.spelled("numpy.squeeze") or scene.spelled("tensorflow.squeeze")
    if match and squeeze and "1" in match["shape"].replace(" ", "").split(","):
        edit = scene.swap(call.args[0], f"{squeeze}({scene.text(call.args[0])})")
        yield Idea(edits=(edit,), reason="a picture has no dimensions of length one")
