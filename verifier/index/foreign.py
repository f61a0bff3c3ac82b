"""Names of other libraries: whether they have a path, and who else has a name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from verifier.index.store import KINDS, Library, Store
from verifier.index.suggest import misspelt

# Where a reader of TensorFlow texts would look first; the rest follow by name.
_ORDER = ("numpy", "torch", "jax", "apache_beam", "pandas", "matplotlib", "sklearn", "tensorflow_addons",
          "tensorflow_probability", "tensorflow_datasets", "tensorflow_hub", "transformers", "cv2", "PIL")  # fmt: skip
# Of the many classes that inherit a member, those that a reader means.
_FAMILIAR = frozenset({"numpy.ndarray", "pandas.DataFrame", "pandas.Series", "torch.Tensor", "torch.nn.Module",
                       "torch.optim.Optimizer", "matplotlib.axes.Axes", "matplotlib.figure.Figure",
                       "sklearn.base.BaseEstimator", "sklearn.base.ClassifierMixin"})  # fmt: skip
_MOST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """A path of another library: `found`, or `unknown` when that cannot be told."""

    found: bool
    unknown: bool = False
    kind: str = ""


class Foreign:
    """Answers for every root but TensorFlow."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def lookup(self, path: str) -> Outside:
        """Whether the library has this public path, or a class in it this member."""
        library = self._store.library(path.partition(".")[0])
        if library is None:
            return Outside(found=False, unknown=True)
        if path in library.names:
            return Outside(found=True, kind=KINDS[library.names[path]])
        holder, _, leaf = path.rpartition(".")
        if leaf in library.members.get(holder, ()):
            return Outside(found=True, kind="method")
        return Outside(found=False, unknown=_untold(library, holder) or leaf.startswith("__"))

    def elsewhere(self, path: str) -> tuple[str, ...]:
        """Functions and classes of other libraries with the same last word, most plausible first, at most three."""
        *parents, leaf = path.split(".")
        shared = {word.lower() for word in parents[1:]}
        found = [one for one in self._leaves.get(leaf, ()) if not one.startswith(f"{parents[0] if parents else ''}.")]

        def rank(candidate: str) -> tuple[int, int, int, str]:
            place, deep, name = _rank(candidate)
            return (place, deep, -len(shared & set(candidate.lower().split(".")[1:-1])), name)

        return tuple(_one_each(sorted(found, key=rank)))

    def nearest(self, path: str) -> tuple[str, ...]:
        """The name beside this one that was meant by it: `numpy.arange` for `numpy.arrange`; empty without a winner."""
        holder, _, leaf = path.rpartition(".")
        library = self._store.library(path.partition(".")[0])
        beside = (name.rpartition(".") for name in (library.names if library else ()))
        word = misspelt(leaf, tuple(last for above, _, last in beside if above == holder))
        return (f"{holder}.{word}",) if word else ()

    def classes_with(self, member: str) -> tuple[str, ...]:
        """Classes of other libraries that have this member, as full paths of the member."""
        found = self._members.get(member, ())
        return tuple(sorted(found, key=lambda path: (path.rpartition(".")[0] not in _FAMILIAR, *_rank(path))))

    @cached_property
    def _leaves(self) -> dict[str, list[str]]:
        table: dict[str, list[str]] = {}
        for name in self._store.libraries:
            library = self._store.library(name)
            for path, kind in library.names.items() if library else ():
                if KINDS[kind] != "module":
                    table.setdefault(path.rpartition(".")[2], []).append(path)
        return table

    @cached_property
    def _members(self) -> dict[str, list[str]]:
        table: dict[str, list[str]] = {}
        for name in self._store.libraries:
            library = self._store.library(name)
            for holder, members in library.members.items() if library else ():
                for member in members:
                    table.setdefault(member, []).append(f"{holder}.{member}")
        return table


def _untold(library: Library, holder: str) -> bool:
    """Whether absence below `holder` proves nothing: it is open, unknown itself, or neither module nor class."""
    if holder in library.open:
        return True
    kind = library.names.get(holder)
    if kind is None:
        above = holder.rpartition(".")[0]
        return bool(above) and _untold(library, above)
    return KINDS[kind] not in ("module", "class", "function")


def _rank(path: str) -> tuple[int, int, str]:
    root = path.partition(".")[0]
    return (_ORDER.index(root) if root in _ORDER else len(_ORDER), path.count("."), path)


def _one_each(paths: list[str]) -> list[str]:
    """The first path of each library, at most three."""
    first: dict[str, str] = {}
    for path in paths:
        first.setdefault(path.partition(".")[0], path)
    return list(first.values())[:_MOST]
