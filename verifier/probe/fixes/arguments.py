"""Arguments that a call does not take: under their present names, in the form that it wants, or left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from rapidfuzz import fuzz

from verifier.index.suggest import misspelt
from verifier.model import Diagnosis, Edit
from verifier.probe.fixes.scene import Idea, Scene

_NAMES = re.compile(r"(\w+)(?::[^,=]+)?\s*(?==|,|$|\))")
_NEAR = 70
_REQUIRED = re.compile(r"[Mm]issing (?:\d+ )?required positional arguments?(?:: '(\w+)')?")
_BY_NAME = re.compile(r"`(\w+)` must be passed as a keyword argument|got multiple values for argument")
_RETIRED = re.compile(r"`(\w+)` argument is deprecated[^.]*\. Please remove")
_JOINING = frozenset({"concat", "concatenate", "stack", "vstack", "hstack"})
_SHAPED = re.compile(r"Cannot convert '(?P<value>[^']+)' to a shape|'int' object is not iterable")


def arguments(scene: Scene) -> Iterator[Idea]:
    """Changes of the arguments of the call that failed."""
    yield from _renamed(scene)
    told = scene.diagnosis
    if told is not None and told.keyword:
        for call in scene.nodes(ast.Call):
            keyword = next((item for item in call.keywords if item.arg == told.keyword), None)
            if keyword is not None:
                yield from _refused(scene, call, keyword, told)
                break
    yield from _retired(scene)
    yield from _named_only(scene)
    yield from _axis(scene)
    yield from _shape(scene)


def _renamed(scene: Scene) -> Iterator[Idea]:
    """Arguments of earlier releases under their present names, all those of the call that failed at once."""
    call = scene.call()
    told = scene.diagnosis
    path = scene.path(call.func) if call is not None else ""
    if call is not None and not path and isinstance(call.func, ast.Attribute):
        path = next((f"{owner}.{call.func.attr}" for owner in scene.names.lookup_bare(call.func.attr).owners), "")
    if call is None or not path or not (_REQUIRED.search(scene.message) or (told is not None and told.keyword)):
        return
    given = {item.arg for item in call.keywords}
    found = [(item, _present(scene, path, item.arg)) for item in call.keywords if item.arg]
    if match := _REQUIRED.search(scene.message):
        wanted = match[1] or ""
        found = [(item, now or (wanted if _is_slip(item.arg or "", wanted) else "")) for item, now in found]
    now = [(item, name) for item, name in found if name and name not in given]
    if now:
        words = ", ".join(f"`{item.arg}` is `{name}`" for item, name in now)
        yield Idea(edits=tuple(_named(scene, item, name) for item, name in now), reason=f"{words} now")


def _present(scene: Scene, path: str, word: str) -> str:
    if path.rpartition(".")[2] == "Model" and word in {"input", "output"}:
        return f"{word}s"
    return scene.names.renamed_keyword(path, word)


def _is_slip(word: str, wanted: str) -> bool:
    return fuzz.ratio(word.lower(), wanted.lower()) >= _NEAR


def _retired(scene: Scene) -> Iterator[Idea]:
    """An argument that the message itself asks to be removed."""
    match, call = _RETIRED.search(scene.message), scene.call()
    keyword = next((item for item in call.keywords if match and item.arg == match[1]), None) if call else None
    if call is not None and keyword is not None:
        yield Idea(edits=(scene.without(call, keyword),), reason="the error message asks to leave it out")


def _named_only(scene: Scene) -> Iterator[Idea]:
    """An argument that must be given by name."""
    match, call = _BY_NAME.search(scene.message), scene.call()
    if match is None or call is None or not call.args:
        return
    first = call.args[0]
    # A text in front of what is given a second time by name can only be the name of the thing.
    word = match[1] or ("name" if isinstance(first, ast.Constant) and isinstance(first.value, str) else "")
    if word:
        edit = scene.swap(first, f"{word}={scene.text(first)}")
        yield Idea(edits=(edit,), reason=f"`{word}` is given by name")


def _axis(scene: Scene) -> Iterator[Idea]:
    """Functions that need an axis, called without one, or with it in the place that it had before release 1."""
    call = scene.call()
    leaf = scene.path(call.func).rpartition(".")[2] if call is not None else ""
    if call is None or leaf not in _JOINING:
        return
    if len(call.args) == 2 and isinstance(call.args[0], ast.Constant):
        one, other = (scene.text(item) for item in call.args)
        edits = (scene.swap(call.args[0], other), scene.swap(call.args[1], one))
        yield Idea(edits=edits, reason="the axis stands behind the tensors since release 1.0")
    elif len(call.args) >= 2 and not any(
        isinstance(item, ast.List | ast.Tuple | ast.Constant) for item in call.args[:2]
    ):
        joined = scene.code[scene.span(call.args[0]).start : scene.span(call.args[-1]).end]
        axis = ", axis=0" if leaf == "concat" and all(item.arg != "axis" for item in call.keywords) else ""
        edit = scene.put(scene.span(call.args[0]).start, joined, f"[{joined}]{axis}")
        yield Idea(edits=(edit,), reason=f"`{leaf}` takes the tensors as one list")
    elif len(call.args) == 1 and leaf == "concat" and _REQUIRED.search(scene.message):
        edit = scene.put(scene.span(call.args[0]).end, "", ", axis=0")
        yield Idea(edits=(edit,), reason="`concat` needs an axis; it was tried with the first")


def _refused(scene: Scene, call: ast.Call, keyword: ast.keyword, told: Diagnosis) -> Iterator[Idea]:
    word = told.keyword
    if word == "batch_input_shape" and isinstance(keyword.value, ast.Tuple) and len(keyword.value.elts) > 1:
        inner = ", ".join(scene.text(item) for item in keyword.value.elts[1:])
        tail = "," if len(keyword.value.elts) == 2 else ""
        edit = scene.swap(keyword, f"input_shape=({inner}{tail})")
        yield Idea(edits=(edit,), reason="a layer is given its input's shape without the batch")
    if word == "weights" and isinstance(keyword.value, ast.List) and len(keyword.value.elts) == 1:
        make = scene.spelled("tensorflow.keras.initializers.Constant")
        if make:
            edit = scene.swap(keyword, f"embeddings_initializer={make}({scene.text(keyword.value.elts[0])})")
            yield Idea(edits=(edit,), reason="given weights are an initializer now")
    name = _similar(word, told.lookup.signature, {item.arg for item in call.keywords if item.arg})
    if name:
        yield Idea(edits=(_named(scene, keyword, name),), reason=f"`{name}` is the nearest argument that it takes")
    # What no release took is a mistake of another kind: without it the call may not do what it is there for. Where
    # nobody knows whose the call is, it may at least be a knob that is set to a plain value.
    unknown = told.lookup.unknown or "." not in told.target
    plain = not any(isinstance(node, ast.Name | ast.Call) for node in ast.walk(keyword.value))
    if told.accepted or (unknown and plain):
        last = f" any more, last in {told.accepted.rpartition('-')[2]}" if told.accepted else ""
        yield Idea(edits=(scene.without(call, keyword),), reason=f"`{scene.text(call.func)}` takes no `{word}`{last}")


def _named(scene: Scene, keyword: ast.keyword, name: str) -> Edit:
    return scene.put(scene.span(keyword).start, keyword.arg or "", name)


def _similar(word: str, signature: str, given: set[str]) -> str:
    """The parameter of a signature that a word is a slip of; empty when none is."""
    names = [name for name in _NAMES.findall(signature.partition("->")[0].strip("()")) if name != "kwargs"]
    return misspelt(word, tuple(name for name in dict.fromkeys(names) if name not in given))


def _shape(scene: Scene) -> Iterator[Idea]:
    """A shape given as a number is a tuple of one."""
    if not _SHAPED.search(scene.message):
        return
    for keyword in scene.nodes(ast.keyword):
        if keyword.arg in {"input_shape", "shape", "target_shape"} and not isinstance(
            keyword.value, ast.Tuple | ast.List
        ):
            edit = scene.swap(keyword.value, f"({scene.text(keyword.value)},)")
            yield Idea(edits=(edit,), reason=f"`{keyword.arg}` is a tuple")
