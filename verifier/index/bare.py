"""Names without a library: methods without receiver, words such as `get_layer`, `xlabel`, `model.export`.

Hides the search for who has such a name, and how the word before the dot narrows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from verifier.index.calendar import Calendar
from verifier.index.catalog import FAMILIAR, Catalog, depth
from verifier.index.foreign import Foreign
from verifier.index.receivers import certain, holders
from verifier.index.suggest import misspelt
from verifier.index.timeline import Known, Timeline
from verifier.model import Lookup

_MOST = 8
# What a variable of any name may hold.
_BUILTINS = (dict, list, tuple, str, int, float)
# Classes as they were in TensorFlow 1.
_COMPATIBLE = "tensorflow.compat.v1."
# Words that say that the name is called on an object, not taken from a module.
_OF_CLASSES = ("method", "attribute", "property")


class Bare:
    """Answers for names without a library."""

    def __init__(
        self,
        timeline: Timeline,
        foreign: Foreign,
        calendar: Calendar,
        catalog: Callable[[int], Catalog],
        ever: Mapping[str, int],
    ) -> None:
        self._ever = ever
        self._timeline = timeline
        self._foreign = foreign
        self._calendar = calendar
        self._catalog = catalog

    def lookup(self, leaf: str, said_kind: str, receiver: str, mask: int) -> Lookup:
        """See `Index.lookup_bare`."""
        before, _, word = leaf.strip(".").rpartition(".")
        receiver = receiver or before
        base = Lookup(name=leaf, found=False)
        if not mask:
            return replace(base, unknown=True)
        if not receiver:
            return self._anywhere(base, word, said_kind, mask)
        customary = holders(receiver)
        classes = customary or self._classes_named(receiver, mask)
        if classes:
            sure = not customary or certain(receiver)
            return self._of(base, classes, word, mask, sure=sure)
        return replace(base, unknown=True, owners=self._owners(word, "method", mask))

    def _classes_named(self, receiver: str, mask: int) -> tuple[str, ...]:
        """Public classes whose own name the receiver is: `Model.fit`."""
        word = receiver.rpartition(".")[2]
        if not word[:1].isupper():
            return ()
        catalog = self._catalog(mask)
        known = set(catalog.classes.values())
        return tuple(path for path in catalog.leaves.get(word, ()) if path in known)[:_MOST]

    def _of(self, base: Lookup, classes: tuple[str, ...], word: str, mask: int, *, sure: bool) -> Lookup:
        """The name as a member of one of these classes or modules, or of a class derived from them."""
        found: list[tuple[str, Known]] = []
        ever, unknown, there = 0, False, []
        for holder in classes:
            path = f"{holder}.{word}"
            if not holder.startswith("tensorflow"):
                outside = self._foreign.lookup(path)
                there += [holder] if outside.found else []
                unknown |= outside.unknown
                continue
            track = self._timeline.track(path)
            ever |= track.mask
            unknown |= bool(track.unknown & mask)
            known = track.at(mask)
            if known is not None:
                found.append((holder, known))
        base = replace(base, first=self._calendar.first(ever), last=self._calendar.last(ever))
        owners = tuple(holder for holder, _ in found) + tuple(there)
        if owners:
            return _describe(replace(base, found=True, owners=owners), f"{owners[0]}.{word}", found)
        derived = self._derived(classes, word, mask)
        if derived:
            known = self._timeline.track(f"{derived[0]}.{word}").at(mask)
            found = [(derived[0], known)] if known else []
            return _describe(replace(base, found=True, owners=derived), f"{derived[0]}.{word}", found)
        others = tuple(path.rpartition(".")[0] for path in self._foreign.classes_with(word)[:_MOST])
        builtin = any(hasattr(kind, word) for kind in _BUILTINS)
        if unknown or others or (not ever and (builtin or not sure)):
            return replace(base, unknown=True, owners=others)
        close = self._near(classes, word, mask)
        return replace(base, suggestions=close, elsewhere=self._foreign.elsewhere(word))

    def _derived(self, classes: tuple[str, ...], word: str, mask: int) -> tuple[str, ...]:
        """Public classes with this member that descend from one of these: a `layer` may be a Dense one.

        What only `compat.v1` gives an heir is not meant by a word whose class has left it: `dataset.output_shapes`.
        """
        bases = {one.canonical for holder in classes for one in self._timeline.public(holder) if one.mask & mask}
        having = self._catalog(mask).members.get(word, ())
        if not any(holder.startswith(_COMPATIBLE) for holder in classes):
            having = tuple(path for path in having if not path.startswith(_COMPATIBLE))
        return tuple(path for path in having if bases & self._timeline.ancestors(path, mask))[:_MOST]

    def _near(self, classes: tuple[str, ...], word: str, mask: int) -> tuple[str, ...]:
        for holder in classes:
            known = self._timeline.track(holder).at(mask) if holder.startswith("tensorflow") else None
            if known is not None and known.kind == "class":
                names = tuple(sorted(self._timeline.names_of(known.canonical, mask)))
                close = misspelt(word, names)
                if close:
                    return (f"{holder}.{close}",)
        return ()

    def _anywhere(self, base: Lookup, word: str, said_kind: str, mask: int) -> Lookup:
        owners = self._owners(word, said_kind, mask)
        ever = self._ever.get(word, 0)
        base = replace(base, first=self._calendar.first(ever), last=self._calendar.last(ever))
        if owners:
            inside = owners[0] if owners[0].startswith("tensorflow") else ""
            known = self._timeline.track(f"{inside}.{word}").at(mask) if inside else None
            found = [(inside, known)] if known else []
            return _describe(replace(base, found=True, owners=owners), f"{owners[0]}.{word}", found)
        catalog = self._catalog(mask)
        close = misspelt(word, tuple(catalog.members), near=86) or misspelt(word, tuple(catalog.leaves), near=86)
        suggested = [f"{holder}.{close}" for holder in self._best(close, mask)]
        suggested += catalog.leaves.get(close, ())[:1] if close and not suggested else ()
        return replace(base, suggestions=tuple(suggested))

    def _owners(self, word: str, said_kind: str, mask: int) -> tuple[str, ...]:
        """Public classes and modules that have the name, best first, at most eight."""
        catalog = self._catalog(mask)
        classes = sorted(catalog.members.get(word, ()), key=lambda one: self._rank(one, word, mask))
        modules = [path.rpartition(".")[0] for path in catalog.leaves.get(word, ())]
        outside = [path.rpartition(".")[0] for path in self._foreign.elsewhere(word)]
        methods = [path.rpartition(".")[0] for path in self._foreign.classes_with(word)]
        well_known = bool(classes) and classes[0] in FAMILIAR and said_kind != "function"
        first = said_kind in _OF_CLASSES or well_known
        inside = [*classes[:4], *modules[:2]] if first else [*modules[:3], *classes[:3]]
        return tuple(dict.fromkeys([*inside, *outside[:2], *methods[:2], *classes[4:]]))[:_MOST]

    def _best(self, member: str, mask: int) -> list[str]:
        """The one class that is meant first among those that have the member; empty when none has it."""
        return sorted(self._catalog(mask).members.get(member, ()), key=lambda one: self._rank(one, member, mask))[:1]

    def _rank(self, holder: str, member: str, mask: int) -> tuple[int, bool, bool, bool, int, str]:
        best = FAMILIAR.index(holder) if holder in FAMILIAR else len(FAMILIAR)
        inherits = not self._timeline.defines(holder, member, mask)
        return (best, inherits, *depth(holder))


def _describe(base: Lookup, path: str, found: list[tuple[str, Known]]) -> Lookup:
    if not found:
        return replace(base, canonical=path)
    known = found[0][1]
    return replace(
        base,
        canonical=known.canonical or path,
        kind=known.kind,
        signature=known.signature,
        deprecated=known.deprecated,
        stub=known.stub,
    )
