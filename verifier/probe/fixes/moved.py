"""Names that the library no longer has, or never had: where they live now, and the nearest that exist."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verifier.index.related import words_of
from verifier.model import Edit, NameQuery
from verifier.names import customary, expand
from verifier.probe.fixes.scene import Idea, Scene
from verifier.probe.fixes.spelling import near

_ROOT = "tensorflow."
_MOST = 3
# Optimizers of TensorFlow 1 and of other libraries that Keras has under another name.
_DESCENT = {
    "GradientDescentOptimizer": "SGD", "MomentumOptimizer": "SGD", "Momentum": "SGD", "GradientDescent": "SGD",
    "RMSPropOptimizer": "RMSprop",
}  # fmt: skip
# Below these, people look for the functions that NumPy has under the same plain name.
_MATHEMATICAL = ("tensorflow.math.", "tensorflow.linalg.", "tensorflow.nn.")


def moved(scene: Scene) -> Iterator[Idea]:
    """The dotted name that fails, put where the index knows it or one like it; wherever the code writes it."""
    yield from _stub(scene)
    if not scene.raised("AttributeError"):
        return
    chains = [(node, _homes(scene, scene.path(node))) for node in scene.chains()]
    if not chains:
        return
    first, homes = chains[0]
    homes = list(dict.fromkeys([*_by_arguments(scene, first), *homes]))
    chains[0] = first, homes
    present = scene.names.lookup(NameQuery(path=scene.path(first))).replacement if homes else ""
    for choice, home in enumerate(homes):
        here = [(first, home)]
        everywhere = [(node, found[min(choice, len(found) - 1)]) for node, found in chains if found]
        for picked in (everywhere, here):
            edits = _written(scene, picked)
            yield Idea(edits=edits, reason=_reason(scene.path(first), home, present))


def _reason(path: str, home: str, present: str) -> str:
    if home == present:
        return f"`{customary(home)}` is what it is called now"
    if path.rpartition(".")[2] in _DESCENT:
        return f"`{customary(home)}` is that optimizer in Keras"
    return f"`{customary(home)}` is the nearest name that exists"


def _by_arguments(scene: Scene, node: ast.Attribute) -> list[str]:
    """What stands beside a name that does not exist, shares a word with it, and takes all that it is given by name."""
    call = next((item for item in scene.nodes(ast.Call, scene.around()) if item.func is node), None)
    given = [item.arg for item in call.keywords if item.arg] if call is not None else []
    holder, _, leaf = expand(scene.path(node)).rpartition(".")
    if not given or scene.names.lookup(NameQuery(path=f"{holder}.{leaf}")).last:
        return []
    takers = set.intersection(*(set(scene.names.takers(word)) for word in given))
    alike = (path for path in takers if path.rpartition(".")[0] == holder)
    return sorted(path for path in alike if words_of(path.rpartition(".")[2]) & words_of(leaf))[:1]


def _stub(scene: Scene) -> Iterator[Idea]:
    """What takes the place of something that is still there, but only to raise."""
    call = scene.call()
    path = scene.path(call.func) if call is not None else ""
    lookup = scene.names.lookup(NameQuery(path=path)) if path else None
    home = scene.spelled(lookup.replacement) if lookup is not None and lookup.stub and lookup.replacement else ""
    if call is not None and home:
        yield Idea(edits=(scene.swap(call.func, home),), reason=f"`{home}` takes its place")


def _homes(scene: Scene, path: str) -> list[str]:
    """Where the name of a path may be found, best first: its new place, then what is near it."""
    lookup = scene.names.lookup(NameQuery(path=path)) if path else None
    if lookup is None or lookup.found or lookup.unknown:
        return []
    likely = [*_under(scene, path), *(home for home in lookup.suggestions[:_MOST] if near(path, home))]
    leaf = path.rpartition(".")[2]
    if path.startswith(_MATHEMATICAL) and not lookup.last:
        likely = [*scene.names.lookup(NameQuery(path=_ROOT + leaf)).suggestions[:1], *likely]
    if leaf in _DESCENT or (path.startswith("tensorflow.train.") and leaf.endswith("Optimizer")):
        likely.append(f"tensorflow.keras.optimizers.{_DESCENT.get(leaf, leaf.removesuffix('Optimizer'))}")
    root = path.partition(".")[0].replace("keras", "tensorflow")
    return [home for home in dict.fromkeys([lookup.replacement, *likely]) if home.startswith(f"{root}.")]


def _under(scene: Scene, path: str) -> list[str]:
    """The same name in the module that was meant, where the name of the module is wrong."""
    words = path.split(".")
    for size in range(2, len(words)):
        holder = scene.names.lookup(NameQuery(path=".".join(words[:size])))
        if not holder.found:
            meant = (".".join([other, *words[size:]]) for other in holder.suggestions[:1])
            return [home for home in meant if scene.names.lookup(NameQuery(path=home)).found]
    return []


def _written(scene: Scene, picked: list[tuple[ast.Attribute, str]]) -> tuple[Edit, ...]:
    """The edits that write each path with what the code has imported, or with an import put in front."""
    edits = [scene.swap(node, scene.spelled(path) or customary(path)) for node, path in picked]
    if not all(scene.spelled(path) for _, path in picked):
        edits.append(scene.ahead("import tensorflow as tf"))
    return tuple(sorted(edits, key=lambda edit: edit.span))
