"""Calls of Keras that take something else in version 3: tensors of a model being built, lists, data sets, paths."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from verifier.model import NameQuery
from verifier.probe.fixes.scene import Idea, Scene

_SYMBOLIC = re.compile(r"KerasTensor cannot be used as input to a TensorFlow function|KerasTensor is symbolic")
_LISTS = re.compile(r"Unrecognized data type: \w+=")
_OPS = {"concat": "concatenate", "batch_flatten": "reshape", "reduce_std": "std", "reduce_variance": "var"}
_UNMADE = re.compile(
    r"[Oo]nly instances of `?keras\.Layer`? can be added.*?Received: <class '[\w.]*?(\w+)'>", re.DOTALL
)
_ONE_LIST = re.compile(
    r"(?:must|should) be called on a list of|expects a list of|must be passed as a list|too many positional arguments"
)
_TRAINED = re.compile(r"'History' object is not subscriptable")
_UNROLLED = re.compile(r"expected ndim=3, found ndim=2")
_RECURRENT = frozenset({"LSTM", "GRU", "SimpleRNN", "ConvLSTM2D"})


def symbolic(scene: Scene) -> Iterator[Idea]:
    """Forms that Keras 3 takes for those that it refuses."""
    if _SYMBOLIC.search(scene.message):
        yield from _operation(scene)
    if _LISTS.search(scene.message):
        yield from _arrays(scene)
    if match := _UNMADE.search(scene.message):
        yield from _made(scene, match[1])
    if _ONE_LIST.search(scene.message):
        yield from _one_list(scene)
    if _TRAINED.search(scene.message):
        for node in scene.nodes(ast.Subscript):
            edit = scene.put(scene.span(node.value).end, "", ".history")
            yield Idea(edits=(edit,), reason="the figures of a training are in its `history`")
            break
    if _UNROLLED.search(scene.message):
        yield from _sequences(scene)


def _operation(scene: Scene) -> Iterator[Idea]:
    """Keras's own operation, or the function inside a layer."""
    for call in scene.nodes(ast.Call):
        path = scene.path(call.func)
        if not path.startswith("tensorflow.") or ".keras." in path:
            continue
        leaf = path.rpartition(".")[2]
        for name in dict.fromkeys([_OPS.get(leaf, leaf.removeprefix("reduce_")), leaf]):
            home = f"tensorflow.keras.ops.{name}"
            if scene.names.lookup(NameQuery(path=home)).found:
                text = scene.spelled(home)
                if text:
                    reason = f"`keras.ops.{name}` works on the tensors of a model that is being built"
                    yield Idea(edits=(scene.swap(call.func, text),), reason=reason)
                break
        layer = scene.spelled("tensorflow.keras.layers.Lambda")
        if layer and call.args and isinstance(call.args[0], ast.Name):
            given = scene.text(call.args[0])
            inner = scene.text(call).replace(f"({given}", "(value", 1)
            edit = scene.swap(call, f"{layer}(lambda value: {inner})({given})")
            yield Idea(edits=(edit,), reason="a layer carries a TensorFlow function into the model")
        return


def _made(scene: Scene, cls: str) -> Iterator[Idea]:
    """A class where an object of it is wanted."""
    called = {id(node.func) for node in scene.nodes(ast.Call)}
    for node in scene.nodes(ast.expr):
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        if name == cls and id(node) not in called:
            yield Idea(
                edits=(scene.put(scene.span(node).end, "", "()"),), reason=f"`{cls}` is a class, not a layer made of it"
            )
            return


def _one_list(scene: Scene) -> Iterator[Idea]:
    """Layers that merge take what they merge as one list."""
    call = scene.call()
    if call is not None and isinstance(call.func, ast.Call | ast.Name) and len(call.args) > 1:
        given = scene.code[scene.span(call.args[0]).start : scene.span(call.args[-1]).end]
        edit = scene.put(scene.span(call.args[0]).start, given, f"[{given}]")
        yield Idea(edits=(edit,), reason="the layer takes its inputs as one list")


def _arrays(scene: Scene) -> Iterator[Idea]:
    """Lists are given to Keras 3 as arrays or tensors."""
    make = scene.spelled("numpy.array") or scene.spelled("tensorflow.constant")
    call = scene.call()
    if not make or call is None or not isinstance(call.func, ast.Attribute):
        return
    count = 2 if call.func.attr in {"fit", "evaluate", "train_on_batch", "test_on_batch"} else 1
    given = [*call.args[:count], *(item.value for item in call.keywords if item.arg in {"x", "y"})]
    edits = tuple(scene.swap(node, f"{make}({scene.text(node)})") for node in given)
    if edits:
        yield Idea(edits=edits[:1], reason="Keras 3 takes arrays and tensors, no lists")
        yield Idea(edits=edits, reason="Keras 3 takes arrays and tensors, no lists")


def _sequences(scene: Scene) -> Iterator[Idea]:
    """A recurrent layer gives its whole sequence to one that stands behind it only when it is told to."""
    found: list[ast.Call] = []
    for node in ast.walk(scene.tree):
        if isinstance(node, ast.Call) and scene.span(node).start < scene.place.end:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in _RECURRENT and all(item.arg != "return_sequences" for item in node.keywords):
                found.append(node)
    found.sort(key=lambda node: scene.span(node).start)
    earlier = found[:-1] if found and scene.place.covers(scene.span(found[-1])) else found
    for node in reversed(earlier):
        end = scene.span(node).end - 1
        edit = scene.put(end, "", f"{', ' if node.args or node.keywords else ''}return_sequences=True")
        yield Idea(edits=(edit,), reason="the recurrent layer behind it needs the whole sequence")
