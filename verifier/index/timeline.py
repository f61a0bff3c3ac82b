"""What a dotted path was in every release: through modules, then through classes and their ancestors.

Hides how the data file stores symbols. The answer for a release is a fact, or absence, or "cannot be told" when a
class or module on the way may have more than its sources show.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from verifier.index.store import KINDS, Store

# Kinds whose own attributes depend on a type that the index does not follow.
_OPAQUE = ("", "constant", "property", "attribute")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A symbol as it was in the releases of `mask`."""

    mask: int
    kind: str
    canonical: str = ""
    signature: str = ""
    deprecated: str = ""
    stub: str = ""
    open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """A path over all releases. `known` do not overlap, oldest first; `unknown`: releases that cannot be told.

    private  the path is a module file that nothing exports: importable, but no public name
    """

    known: tuple[Known, ...] = ()
    unknown: int = 0
    private: bool = False

    @property
    def mask(self) -> int:
        """The releases that have it."""
        mask = 0
        for one in self.known:
            mask |= one.mask
        return mask

    def at(self, mask: int) -> Known | None:
        """What it is in the newest of these releases that has it."""
        found = [one for one in self.known if one.mask & mask]
        return max(found, key=lambda one: one.mask & mask, default=None)


class Timeline:
    """Answers for paths under `tensorflow`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def public(self, path: str) -> tuple[Known, ...]:
        """The states of a path that is exported as it stands; members of classes are not."""
        row = self._store.paths.get(path)
        return () if row is None else tuple(self._known(self._store.states[row]))

    def track(self, path: str) -> Track:
        """The path in every release, public or a member of something public."""
        words = path.split(".")
        for size in range(len(words), 0, -1):
            prefix = ".".join(words[:size])
            if prefix in self._store.paths:
                return self._members(self.public(prefix), words[size:])
            if size > 1 and prefix in self._store.modules:
                return self._private(prefix, rest=len(words) - size)
        return Track()

    def file(self, module: str) -> int:
        """The releases whose wheel has a module of exactly this name."""
        return self._store.modules.get(module, 0)

    def shadowed(self, module: str, known: Known) -> bool:
        """Whether importing from a public module finds a real folder of the same name instead of the module.

        TensorFlow 2 generates its public modules into a folder that comes last on its search path; `tensorflow.lite`
        and `tensorflow.distribute` also are real packages, and have none of the public names.
        """
        return known.canonical.startswith("tensorflow._api.v2.") and bool(self.file(module) & known.mask)

    def _private(self, module: str, *, rest: int) -> Track:
        mask = self._store.modules[module]
        if rest:
            return Track(unknown=mask, private=True)
        return Track(known=(Known(mask=mask, kind="module", canonical=module),), private=True)

    def _members(self, known: tuple[Known, ...], words: list[str]) -> Track:
        unknown = 0
        for word in words:
            onward: list[Known] = []
            for one in known:
                found, untold = self._step(one, word)
                onward += found
                unknown |= untold
            known = tuple(onward)
        return Track(known=tuple(sorted(known, key=lambda one: one.mask)), unknown=unknown)

    def _step(self, holder: Known, word: str) -> tuple[list[Known], int]:
        if holder.kind == "class":
            return self.member(holder.canonical, word, holder.mask)
        if holder.kind in _OPAQUE or holder.open or _special(word):
            return [], holder.mask
        return [], 0

    def member(self, canonical: str, word: str, mask: int) -> tuple[list[Known], int]:
        """A member of a class over the releases of `mask`, and the releases in which it cannot be told."""
        record = self._store.record(canonical)
        if record is None:
            return [], mask
        found: list[Known] = []
        unknown = 0
        for line in record.lines:
            left = line.mask & mask
            for ancestor in line.mro if left else ():
                name = self._store.strings[ancestor]
                holder = self._store.record(name)
                for one in self._known(holder.members.get(word, ())) if holder else ():
                    if one.mask & left:
                        canonical = one.canonical or f"{name}.{word}"
                        found.append(replace(one, mask=one.mask & left, canonical=canonical))
                        left &= ~one.mask
            if line.open or _special(word):
                unknown |= left
        return found, unknown

    def defines(self, path: str, word: str, mask: int) -> bool:
        """Whether the public class itself, not an ancestor, has the member in one of these releases."""
        for one in self.public(path):
            record = self._store.record(one.canonical) if one.mask & mask else None
            if record is not None and any(part & mask for part in record.members.get(word, ())[::2]):
                return True
        return False

    def ancestors(self, path: str, mask: int) -> set[str]:
        """Canonical names of a public class and all its ancestors in one of these releases."""
        found: set[str] = set()
        for one in self.public(path):
            record = self._store.record(one.canonical) if one.mask & mask else None
            for line in record.lines if record else ():
                found.update(self._store.strings[row] for row in line.mro if line.mask & mask)
        return found

    def line(self, canonical: str, mask: int) -> tuple[str, ...]:
        """Canonical names of a class and its ancestors, itself first, in the newest of these releases; () for none."""
        record = self._store.record(canonical)
        lines = [line for line in record.lines if line.mask & mask] if record else []
        newest = max(lines, key=lambda line: line.mask & mask, default=None)
        return tuple(self._store.strings[row] for row in newest.mro) if newest else ()

    def descending(self, canonical: str, ends: tuple[str, ...]) -> int:
        """The releases in which a class, or an ancestor of it, has a canonical name with one of these ends."""
        record = self._store.record(canonical)
        mask = 0
        for line in record.lines if record else ():
            if any(self._store.strings[row].endswith(ends) for row in line.mro):
                mask |= line.mask
        return mask

    def names_of(self, canonical: str, mask: int) -> set[str]:
        """Every member that the class has in one of these releases."""
        record = self._store.record(canonical)
        names: set[str] = set()
        for line in record.lines if record else ():
            if not line.mask & mask:
                continue
            for ancestor in line.mro:
                holder = self._store.record(self._store.strings[ancestor])
                for name, state in holder.members.items() if holder else ():
                    if any(part & mask for part in state[::2]):
                        names.add(name)
        return names

    def _known(self, state: tuple[int, ...]) -> Iterator[Known]:
        strings = self._store.strings
        for mask, row in zip(state[::2], state[1::2], strict=True):
            fact = self._store.facts[row]
            yield Known(
                mask=mask,
                kind=KINDS[fact.kind],
                canonical=strings[fact.canonical],
                signature=strings[fact.signature],
                deprecated=strings[fact.deprecated],
                stub=strings[fact.stub],
                open=fact.open,
            )


def _special(word: str) -> bool:
    return word.startswith("__") and word.endswith("__")
