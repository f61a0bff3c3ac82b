"""Words for things of Keras that a call takes as text: activations, optimizers, losses, metrics, initializers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from verifier.model import NameQuery
from verifier.probe.fixes.scene import Idea, Scene

_UNKNOWN = re.compile(
    r"(?:Could not interpret|Unknown) (?P<what>activation|optimizer|loss|metric|initializer|regularizer|constraint)"
    r"[\w ]*?(?: identifier)?: *'?(?P<word>[\w-]+)"
)
_HOMES = {
    "activation": "activations", "optimizer": "optimizers", "loss": "losses", "metric": "metrics",
    "initializer": "initializers", "regularizer": "regularizers", "constraint": "constraints",
}  # fmt: skip
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")
# What Keras called the results of its first metrics until 2.3, and what it calls them now.
_METRICS = {"acc": "accuracy", "mae": "mean_absolute_error", "mse": "mean_squared_error"}
_METRICS |= {now: before for before, now in _METRICS.items()}


def words(scene: Scene) -> Iterator[Idea]:
    """The nearest word that Keras knows, and the present names of metrics in a training history."""
    if match := _UNKNOWN.search(scene.message):
        yield from _identifier(scene, match["what"], match["word"])
    if scene.raised("KeyError"):
        yield from _metric(scene)


def _identifier(scene: Scene, what: str, word: str) -> Iterator[Idea]:
    home = f"tensorflow.keras.{_HOMES[what]}"
    suggestions: list[str] = []
    for form in dict.fromkeys([word, word.replace("-", "_"), word.replace("cross_entropy", "crossentropy")]):
        lookup = scene.names.lookup(NameQuery(path=f"{home}.{form}"))
        suggestions += [form] if lookup.found else []
        for path in lookup.suggestions:
            leaf = path.rpartition(".")[2]
            # A class has its name in small letters too, and that is the same thing under the other spelling.
            small = _HUMPS.sub("_", leaf).lower()
            suggestions += [small, leaf] if word.islower() else [leaf]
    for node in ast.walk(scene.tree):
        if isinstance(node, ast.Constant) and node.value == word:
            for near in dict.fromkeys(suggestions):
                if near != word:
                    mark = scene.text(node)[-1]
                    edit = scene.swap(node, f"{mark}{near}{mark}")
                    yield Idea(edits=(edit,), reason=f"'{near}' is the nearest {what} that Keras knows")


def _metric(scene: Scene) -> Iterator[Idea]:
    for node in scene.nodes(ast.Constant):
        value = node.value
        if not isinstance(value, str) or value not in scene.message:
            continue
        prefix = "val_" if value.startswith("val_") else ""
        now = _METRICS.get(value.removeprefix(prefix))
        if now:
            mark = scene.text(node)[-1]
            edit = scene.swap(node, f"{mark}{prefix}{now}{mark}")
            yield Idea(edits=(edit,), reason=f"the metric is called '{prefix}{now}' in other releases")
