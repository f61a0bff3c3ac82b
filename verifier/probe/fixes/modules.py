"""Import statements that fail, and modules that are there but were not imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verifier.model import Edit, NameQuery, Span
from verifier.probe.fixes.scene import Idea, Scene
from verifier.probe.fixes.spelling import near

_PRIVATE = "tensorflow.python."
_ROOTS = ("tensorflow.", "keras.", "tf_keras.")
_MOST = 2


def modules(scene: Scene) -> Iterator[Idea]:
    """The failing import from where its names are now, or the import that an attribute needs."""
    if scene.raised("ImportError"):
        for node in scene.nodes(ast.stmt, scene.statement):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield from _from(scene, node, node.module)
            elif isinstance(node, ast.Import):
                yield from _plain(scene, node)
    elif scene.raised("AttributeError"):
        yield from _unimported(scene)
        yield from _twin(scene)


def _from(scene: Scene, node: ast.ImportFrom, module: str) -> Iterator[Idea]:
    homes = [_homes(scene, module, item.name) for item in node.names]
    for choice in range(_MOST):
        picked = [found[min(choice, len(found) - 1)] if found else "" for found in homes]
        if all(picked):
            moved = [path for path, item in zip(picked, node.names, strict=True) if path != f"{module}.{item.name}"]
            yield Idea(edits=_rewritten(scene, node, picked), reason=f"it is now `{moved[0] if moved else picked[0]}`")
    # What was in a module that is gone is mostly in the one above it; `X.name` tells when it is used.
    if len(node.names) == 1 and node.names[0].name.islower():
        yield from _above(scene, node, module, node.names[0])


def _homes(scene: Scene, module: str, name: str) -> list[str]:
    """Paths that have a name which the code imports from this module, best first; its own if that is in order."""
    path = f"{module}.{name}"
    public = module.replace(_PRIVATE, "tensorflow.", 1)
    if f"{public}.".startswith("tensorflow.keras.src."):
        public = public.replace(".src", "", 1)
    lookup = scene.names.lookup(NameQuery(path=f"{public}.{name}", form="from"))
    if lookup.found:
        twin = [f"tensorflow.{public}.{name}"] if public.startswith("keras") else []
        return [f"{public}.{name}", *twin]
    if not path.startswith(_ROOTS):
        return []
    likely = [one for one in lookup.suggestions if near(f"{public}.{name}", one)]
    likely.sort(key=lambda one: one.rpartition(".")[2].lower() != name.lower())
    known = [one for one in dict.fromkeys([lookup.replacement, *likely]) if one] or _unprefixed(name)
    if module.partition(".")[0] == "keras":
        own = [one.removeprefix("tensorflow.") for one in known if one.startswith("tensorflow.keras.")]
        return list(dict.fromkeys([*own[:1], *known]))
    return known


def _unprefixed(name: str) -> list[str]:
    """Layers that had a variant for one sort of device are one layer now: `CuDNNLSTM` is `LSTM`."""
    bare = name.removeprefix("CuDNN")
    return [f"tensorflow.keras.layers.{bare}"] if bare != name else []


def _rewritten(scene: Scene, node: ast.ImportFrom, paths: list[str]) -> tuple[Edit, ...]:
    """The import from these places; a name that is another one now is called so wherever the code uses it."""
    names, edits = [], []
    for path, item in zip(paths, node.names, strict=True):
        leaf = path.rpartition(".")[2]
        whole = Span(start=0, end=len(scene.code))
        uses = [use for use in scene.nodes(ast.Name, whole) if use.id == item.name] if not item.asname else []
        if leaf != item.name and uses:
            edits += [scene.swap(use, leaf) for use in uses]
            names.append(ast.alias(name=leaf))
        else:
            names.append(item)
    edits.append(scene.swap(node, _joined(scene, node, _lines(paths, names))))
    return tuple(sorted(edits, key=lambda edit: edit.span))


def _lines(paths: list[str], names: list[ast.alias]) -> list[str]:
    grouped: dict[str, list[str]] = {}
    for path, item in zip(paths, names, strict=True):
        module, _, leaf = path.rpartition(".")
        local = item.asname or item.name
        grouped.setdefault(module, []).append(leaf if leaf == local else f"{leaf} as {local}")
    return [f"from {module} import {', '.join(items)}" for module, items in grouped.items()]


def _joined(scene: Scene, node: ast.stmt, lines: list[str]) -> str:
    start = scene.span(node).start
    fresh = start == 0 or scene.code[start - 1] == "\n"
    return ("\n" if fresh else "; ").join(lines)


def _above(scene: Scene, node: ast.ImportFrom, module: str, item: ast.alias) -> Iterator[Idea]:
    holder = module
    while holder.count(".") >= 1:
        lookup = scene.names.lookup(NameQuery(path=holder, form="import"))
        if lookup.found:
            parent, _, leaf = holder.rpartition(".")
            text = f"from {parent} import {leaf} as {item.asname or item.name}"
            yield Idea(edits=(scene.swap(node, text),), reason=f"what was in `{item.name}` is in `{holder}` now")
            return
        holder = holder.rpartition(".")[0]


def _plain(scene: Scene, node: ast.Import) -> Iterator[Idea]:
    """`import a.b.c as d` of a module that is gone: the nearest one above it, or its public place."""
    if len(node.names) != 1:
        return
    path, local = node.names[0].name, node.names[0].asname
    public = path.replace(_PRIVATE, "tensorflow.", 1)
    lookup = scene.names.lookup(NameQuery(path=public, form="import"))
    known = [public] if lookup.found and public != path else [lookup.replacement, *lookup.suggestions[:1]]
    known += [f"{public}s", public.removesuffix("s")]
    # What was in a module that is gone is mostly in the one above it.
    known += [path.rpartition(".")[0]] if lookup.last else []
    for home in dict.fromkeys(known):
        if home.count(".") >= 1 and home != path and local:
            yield Idea(edits=(scene.swap(node, f"import {home} as {local}"),), reason=f"it is in `{home}` now")


def _unimported(scene: Scene) -> Iterator[Idea]:
    """A module below an imported package that needs an import of its own."""
    node = scene.chain()
    path = scene.path(node) if node is not None else ""
    fault = scene.fault
    if not path or fault is None or not fault.name:
        return
    words = path.split(".")
    module = ".".join(words[: words.index(fault.name) + 1]) if fault.name in words else ""
    if module and not module.startswith(_ROOTS) and scene.names.lookup(NameQuery(path=module)).kind == "module":
        yield Idea(edits=(scene.ahead(f"import {module}"),), reason=f"`{module}` needs an import of its own")


def _twin(scene: Scene) -> Iterator[Idea]:
    """Keras by itself lacks some of what Keras inside TensorFlow has kept."""
    node = scene.chain()
    path = scene.path(node) if node is not None else ""
    if not path.startswith("keras.") or not scene.names.lookup(NameQuery(path=f"tensorflow.{path}")).found:
        return
    for item in scene.tree.body:
        if isinstance(item, ast.Import) and len(item.names) == 1 and item.names[0].name.split(".")[0] == "keras":
            name, local = item.names[0].name, item.names[0].asname
            text = f"import tensorflow.{name} as {local}" if local else "from tensorflow import keras"
            yield Idea(edits=(scene.swap(item, text),), reason="Keras inside TensorFlow still has it")
        elif isinstance(item, ast.ImportFrom) and item.module and item.module.split(".")[0] == "keras":
            start = scene.span(item).start + scene.text(item).index("keras")
            yield Idea(
                edits=(scene.put(start, "keras", "tensorflow.keras"),), reason="Keras inside TensorFlow still has it"
            )
