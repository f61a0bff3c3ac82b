"""Tables from the last word of a name to everything that ends in it, made when they are first asked for.

Hides the searching: which public paths end in a word, which classes have a member, over one release or over all.
"""

from __future__ import annotations

import re
from functools import cached_property

from verifier.index.store import KINDS, Store
from verifier.index.timeline import Timeline

# Exported, but meant for TensorFlow itself, or for generated code: never suggested and never an owner of a name.
_INTERNAL = re.compile(r"\.(?:__internal__|__operators__|raw_ops|pywrap_\w+)(?:\.|$)")
# Of the many classes that have a member, and of the many names of one class, those that a reader means first.
FAMILIAR = (
    "tensorflow.keras.Model", "tensorflow.keras.Sequential", "tensorflow.keras.layers.Layer", "tensorflow.data.Dataset",
    "tensorflow.Tensor", "tensorflow.Variable", "tensorflow.GradientTape", "tensorflow.keras.optimizers.Optimizer",
    "tensorflow.distribute.Strategy", "tensorflow.Graph", "tensorflow.compat.v1.Session",
)  # fmt: skip
# Keras packages that TensorFlow 2 also shows at its root; hardly anybody writes them so.
_SHORT_CUT = re.compile(r"tensorflow\.(?:losses|metrics|optimizers|initializers)\.")


def plain(word: str) -> str:
    """A word without case, underscores and a plural `s`: how near-misses of one name become equal."""
    flat = word.replace("_", "").lower()
    return flat[:-1] if flat.endswith("s") and len(flat) > 3 else flat


def depth(path: str) -> tuple[bool, bool, int, str]:
    """Sorts public paths from the most ordinary one: outside `compat`, by its full name, short, then by name."""
    return (".compat." in path, bool(_SHORT_CUT.match(path)), path.count("."), path)


class Catalog:
    """The tables of one release (or several: `mask`)."""

    def __init__(self, store: Store, timeline: Timeline, mask: int) -> None:
        self._store = store
        self._timeline = timeline
        self._mask = mask

    @cached_property
    def paths(self) -> list[tuple[str, int]]:
        """Public paths with the number of one fact that holds in these releases."""
        found = []
        for path, row in self._store.paths.items():
            if _INTERNAL.search(path):
                continue
            state = self._store.states[row]
            for mask, fact in zip(state[::2], state[1::2], strict=True):
                if mask & self._mask:
                    found.append((path, fact))
                    break
        return sorted(found, key=lambda pair: depth(pair[0]))

    @cached_property
    def leaves(self) -> dict[str, tuple[str, ...]]:
        """Last word -> public paths, the most ordinary first."""
        table: dict[str, list[str]] = {}
        for path, _ in self.paths:
            table.setdefault(path.rpartition(".")[2], []).append(path)
        return {leaf: tuple(paths) for leaf, paths in table.items()}

    @cached_property
    def near(self) -> dict[str, tuple[str, ...]]:
        """Last word without case, underscores and plural -> the exact last words."""
        table: dict[str, list[str]] = {}
        for leaf in self.leaves:
            table.setdefault(plain(leaf), []).append(leaf)
        return {key: tuple(leaves) for key, leaves in table.items()}

    @cached_property
    def children(self) -> dict[str, tuple[str, ...]]:
        """Public module (or class) -> last words directly below it."""
        table: dict[str, list[str]] = {}
        for path, _ in self.paths:
            parent, _, leaf = path.rpartition(".")
            table.setdefault(parent, []).append(leaf)
        return {parent: tuple(leaves) for parent, leaves in table.items()}

    @cached_property
    def classes(self) -> dict[str, str]:
        """Canonical class name -> its most ordinary public path."""
        strings, facts = self._store.strings, self._store.facts
        found: dict[str, str] = {}
        for path, row in sorted(self.paths, key=lambda pair: pair[0] not in FAMILIAR):
            if KINDS[facts[row].kind] == "class":
                found.setdefault(strings[facts[row].canonical], path)
        return found

    @cached_property
    def members(self) -> dict[str, tuple[str, ...]]:
        """Member name -> public classes that have it, the most ordinary first."""
        table: dict[str, list[str]] = {}
        for canonical, path in sorted(self.classes.items(), key=lambda pair: depth(pair[1])):
            for name in self._timeline.names_of(canonical, self._mask):
                table.setdefault(name, []).append(path)
        return {name: tuple(paths) for name, paths in table.items()}

    @cached_property
    def canonicals(self) -> dict[str, str]:
        """Canonical name -> its most ordinary public path, for all kinds but modules."""
        strings, facts = self._store.strings, self._store.facts
        found: dict[str, str] = {}
        for path, row in self.paths:
            if KINDS[facts[row].kind] != "module" and facts[row].canonical:
                found.setdefault(strings[facts[row].canonical], path)
        return found
