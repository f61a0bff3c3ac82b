"""What the error message itself offers: names that exist, values that are taken, endings that are wanted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from rapidfuzz import fuzz

from verifier.model import Edit
from verifier.probe.fixes.scene import Idea, Scene

_QUOTED = re.compile(r"(?<!\w)['\"]([^'\"\n]{1,80})['\"]|`([^`\n]{1,80})`")
_USE = re.compile(r"[Uu]se `?([A-Za-z_][\w.]*(?:\(\))?)`? (?:instead|by itself)")
_DEAD = re.compile(r"`(?P<name>[\w.]+)` was (?:a deprecated|removed)")
_REF = re.compile(r"use \w+\.(?P<method>\w+\(\)) as")
_ENDING = re.compile(r"must end (?:in|with) [`'\"](\.[\w.]+)[`'\"]|add either an? [`'\"](\.\w+)[`'\"] extension")
# Likeness in percent: words that only share some letters are no offer.
_LIKE = 55
_OWN = 60
_MOST = 3
_SUFFIX = re.compile(r"(?:\.weights)?\.(?:h5|hdf5|keras|tf|ckpt|pb|weights|model|json)$")


def offered(scene: Scene) -> Iterator[Idea]:
    """A text or name of the code exchanged for one that the message offers for it."""
    if scene.fault is None:
        return
    yield from _endings(scene)
    yield from _instead(scene)
    yield from _values(scene)
    yield from _keys(scene)


def _strings(scene: Scene) -> Iterator[tuple[ast.Constant, str]]:
    for node in scene.nodes(ast.Constant):
        if isinstance(node.value, str) and "\n" not in node.value:
            yield node, node.value


def _quoted(node: str, like: str) -> str:
    """A text as a literal with the quotation marks that the code uses."""
    mark = like[-1:] if like[-1:] in "'\"" else "'"
    return f"{mark}{node}{mark}" if mark not in node and "\\" not in node else repr(node)


def _values(scene: Scene) -> Iterator[Idea]:
    """Texts that the message lists, for the text that it complains about; the most alike first."""
    message = scene.message
    for node, value in _strings(scene):
        if not value or value.lower() not in message.lower():
            continue
        listed = [one or other for one, other in _QUOTED.findall(message)]
        others = [name for name in dict.fromkeys(listed) if name != value]
        scored = sorted(
            ((fuzz.ratio(value.lower(), name.lower()), name) for name in others), key=lambda p: (-p[0], p[1])
        )
        # Of names that differ in their numbers only, the first is the one that a reader counts from.
        near = [name for score, name in scored if score >= _LIKE][:_MOST]
        for name in near:
            reason = f"'{name}' is the nearest of what the error message offers for '{value}'"
            yield Idea(edits=(scene.swap(node, _quoted(name, scene.text(node))),), reason=reason)


def _keys(scene: Scene) -> Iterator[Idea]:
    """For a key that is not there, texts and argument names that the code itself uses."""
    if not scene.raised("KeyError"):
        return
    used = {
        node.value for node in ast.walk(scene.tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    used |= {node.arg for node in ast.walk(scene.tree) if isinstance(node, ast.keyword) and node.arg}
    for node, value in _strings(scene):
        if value not in scene.message:
            continue
        prefix = "val_" if value.startswith("val_") else ""
        bare = value.removeprefix(prefix)
        scored = sorted((-_likeness(bare, word), word) for word in used if word not in {value, bare} and len(word) > 1)
        for score, word in scored[:2]:
            if -score >= _OWN:
                edit = scene.swap(node, _quoted(f"{prefix}{word}", scene.text(node)))
                yield Idea(edits=(edit,), reason=f"'{word}' is what the code itself calls it")


def _likeness(wanted: str, word: str) -> float:
    if word.lower().startswith(wanted.lower()) or wanted.lower().startswith(word.lower()):
        return max(fuzz.ratio(wanted.lower(), word.lower()), 70.0)
    return fuzz.ratio(wanted.lower(), word.lower())


def _endings(scene: Scene) -> Iterator[Idea]:
    """A file name with the ending that the message asks for."""
    match = _ENDING.search(scene.message)
    if match is None:
        return
    wanted = match[1] or match[2]
    for node, value in _strings(scene):
        if value in scene.message and not value.endswith(wanted):
            text = _quoted(_SUFFIX.sub("", value.rstrip("/")) + wanted, scene.text(node))
            yield Idea(edits=(scene.swap(node, text),), reason=f"the file name must end in `{wanted}`")
    for joined in scene.nodes(ast.JoinedStr):
        text = scene.text(joined)
        edit = Edit(span=scene.span(joined), before=text, after=f"{_SUFFIX.sub('', text[:-1])}{wanted}{text[-1]}")
        yield Idea(edits=(edit,), reason=f"the file name must end in `{wanted}`")


def _instead(scene: Scene) -> Iterator[Idea]:
    """What the message says to use instead of the name that failed."""
    node = scene.chain()
    dead, use = _DEAD.search(scene.message), _USE.search(scene.message)
    if node is not None and dead and use and scene.raised("AttributeError"):
        edits = tuple(sorted((scene.swap(one, use[1]) for one in scene.chains()), key=lambda edit: edit.span))
        yield Idea(edits=edits, reason="the error message says to use it instead")
    method = _REF.search(scene.message)
    call = scene.call()
    if method and scene.raised("TypeError"):
        places = [item for item in scene.nodes(ast.Name) if call is None or item is not call.func]
        for place in places[:_MOST]:
            text = f"{scene.text(place)}.{method['method']}"
            yield Idea(edits=(scene.swap(place, text),), reason="the error message says to use it instead")
