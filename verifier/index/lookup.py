"""Oracle 1: what a TensorFlow release, or another library, has under a name. Nothing is run.

Hides the data file and every table behind one class. Answers are facts about published wheels; where the sources
cannot tell (a base class in C++, computed attributes) the answer is `unknown`, never `absent`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from verifier.index import bind, keywords, suggest, takers
from verifier.index.bare import Bare
from verifier.index.calendar import Calendar
from verifier.index.catalog import Catalog
from verifier.index.foreign import Foreign
from verifier.index.forms import Forms
from verifier.index.leftovers import Leftovers
from verifier.index.moved import Moved
from verifier.index.store import Store
from verifier.index.timeline import Known, Timeline, Track
from verifier.model import CallForm, Lookup, NameQuery
from verifier.names import expand

_ROOT = "tensorflow"
# The longest public name has 108 characters; work on longer ones would grow with their square.
_LONGEST = 400
_OTHER_KERAS = "only there with Keras 2 (package tf_keras and TF_USE_LEGACY_KERAS=1)"


class Index:
    """The index of one data file. Cheap to open; tables are made when they are first needed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._calendar = Calendar(store.header.releases, store.header.flavours)
        self._timeline = Timeline(store)
        self._foreign = Foreign(store)
        self._catalogs: dict[int, Catalog] = {}

    @classmethod
    def load(cls) -> Index:
        """The index that ships with this package."""
        return cls(Store.shipped())

    @property
    def releases(self) -> tuple[str, ...]:
        """Every minor release that is known, oldest first."""
        return self._calendar.releases

    @property
    def libraries(self) -> tuple[str, ...]:
        """Import names of the other libraries whose names are known."""
        return self._store.libraries

    def lookup(self, query: NameQuery, release: str = "2.21", aliases: dict[str, str] | None = None) -> Lookup:
        """What `release` has under the path of a query; the root may be customary (`tf`) or one of `aliases`.

        A release that the index does not know makes every answer `unknown`. `1.x` asks for any release of 1.
        """
        path = expand(query.path.strip("."), aliases)
        if len(path) > _LONGEST:
            return Lookup(name=query.path, found=False)
        if path.partition(".")[0] != _ROOT:
            return self._outside(query, path)
        mask = self._calendar.mask(release)
        track = self._timeline.track(path)
        known = track.at(mask)
        writable = self._forms.writable(path, query.form)
        base = Lookup(
            name=query.path,
            found=known is not None,
            first=self._calendar.first(track.mask & writable),
            last=self._calendar.last(track.mask & writable),
        )
        if known is None:
            lone = self._forms.importable_only(path, query.form, mask)
            if lone is not None:
                return _imported(replace(base, last=self._calendar.last(mask)), lone)
            return self._absent(base, path, mask, unknown=not mask or bool(track.unknown & mask))
        if query.form == "attribute" and track.private:
            return replace(self._present(base, query, path, known, mask), unknown=True, found=False)
        if not writable & mask:
            return self._unwritable(base, query, path, known, mask)
        return self._present(base, query, path, known, mask)

    def lookup_bare(self, leaf: str, said_kind: str = "", receiver: str = "", release: str = "2.21") -> Lookup:
        """What a name without a library stands for: `get_layer`, or `export` of the receiver `model`.

        `found` when any public class or module has it; `owners` lists them, best first. A receiver that is not
        known to be of some class makes the answer `unknown` rather than absent.
        """
        mask = self._calendar.mask(release)
        if len(leaf) > _LONGEST or len(receiver) > _LONGEST:
            return Lookup(name=leaf, found=False)
        return self._bare.lookup(leaf, said_kind, receiver, mask)

    def history(self, path: str) -> tuple[tuple[str, str, str], ...]:
        """Every state of a path under TensorFlow: (release ranges, kind, signature), oldest first."""
        merged: dict[tuple[str, str], int] = {}
        for one in self._timeline.track(expand(path[:_LONGEST])).known:
            key = (one.kind, one.signature)
            merged[key] = merged.get(key, 0) | one.mask
        rows = sorted((mask & -mask, kind, text) for (kind, text), mask in merged.items())
        ranges = {(kind, text): self._calendar.ranges(mask) for (kind, text), mask in merged.items()}
        return tuple((ranges[kind, text], kind, text) for _, kind, text in rows if ranges[kind, text])

    def accepting(self, path: str, keyword: str) -> str:
        """The releases in which a function or class took this argument, as text; "" when in none."""
        path = expand(path[:_LONGEST])
        mask = 0
        for one in self._timeline.track(path).known:
            mask |= one.mask if bind.accepts(one.signature, keyword) else self._leftovers.took(one, keyword)
        return self._calendar.ranges(mask)

    def renamed_keyword(self, path: str, keyword: str, release: str = "2.21") -> str:
        """The present name of a keyword that a function or class once took; "" when none is known."""
        path = expand(path[:_LONGEST])
        track = self._timeline.track(path)
        mask = self._calendar.mask(release)
        known = track.at(mask)
        if known and keyword in (self._leftovers.taken(known, mask) or ()):
            return ""
        now = known.signature if known else ""
        return keywords.renamed(path, keyword, self._store.renames, track, now)

    def takers(self, keyword: str, release: str = "2.21") -> tuple[str, ...]:
        """Functions and classes of TensorFlow that name this argument in their signature, most ordinary first."""
        mask = self._calendar.mask(release)
        return takers.takers(keyword, self._store, self._catalog(mask), mask)

    def _outside(self, query: NameQuery, path: str) -> Lookup:
        outside = self._foreign.lookup(path)
        base = Lookup(name=query.path, found=outside.found, unknown=outside.unknown, kind=outside.kind)
        if outside.found:
            return replace(base, canonical=path)
        if outside.unknown:
            return base
        return replace(base, elsewhere=self._foreign.elsewhere(path), suggestions=self._foreign.nearest(path))

    def _present(self, base: Lookup, query: NameQuery, path: str, known: Known, mask: int) -> Lookup:
        leftovers = self._leftovers.taken(known, mask) if query.call or query.argument else None
        return replace(
            base,
            canonical=known.canonical or path,
            kind=known.kind,
            signature=known.signature,
            binds=_binds(known, query.call, leftovers) if query.call else None,
            has_argument=bind.accepts(known.signature, query.argument, leftovers) if query.argument else None,
            deprecated=known.deprecated,
            stub=known.stub,
            replacement=self._moved.of(path, mask) if known.deprecated or known.stub else "",
        )

    def _unwritable(self, base: Lookup, query: NameQuery, path: str, known: Known, mask: int) -> Lookup:
        """The answer for an import of what is only an attribute."""
        ordinary = self._catalog(mask).canonicals.get(known.canonical, path)
        return replace(
            self._present(base, query, path, known, mask),
            found=False,
            error=self._forms.refusal(path, query.form, mask),
            suggestions=() if ordinary == path else (ordinary,),
        )

    def _absent(self, base: Lookup, path: str, mask: int, *, unknown: bool) -> Lookup:
        if unknown:
            return replace(base, unknown=True)
        flavours = self._timeline.track(path).mask & self._calendar.flavours
        if flavours & ~mask and mask & self._calendar.newest:
            base = replace(base, error=_OTHER_KERAS)
        catalog = self._catalog(mask)
        moved = self._moved.of(path, mask)
        holder, siblings = self._siblings(path, mask)
        return replace(
            base,
            replacement=moved,
            elsewhere=() if base.first else self._foreign.elsewhere(path),
            suggestions=suggest.suggestions(path, catalog, moved, siblings, holder),
        )

    def _siblings(self, path: str, mask: int) -> tuple[str, tuple[str, ...]]:
        """The longest part of the path that exists, and the names directly below it."""
        holder = path.rpartition(".")[0]
        while holder:
            known = self._timeline.track(holder).at(mask)
            if known is not None and known.kind == "class":
                return holder, tuple(sorted(self._timeline.names_of(known.canonical, mask)))
            if known is not None:
                return holder, self._catalog(mask).children.get(holder, ())
            holder = holder.rpartition(".")[0]
        return "", ()

    def _catalog(self, mask: int) -> Catalog:
        if mask not in self._catalogs:
            self._catalogs[mask] = Catalog(self._store, self._timeline, mask)
        return self._catalogs[mask]

    @cached_property
    def _forms(self) -> Forms:
        return Forms(self._timeline, self._calendar)

    @cached_property
    def _leftovers(self) -> Leftovers:
        return Leftovers(self._timeline, self._catalog)

    @cached_property
    def _moved(self) -> Moved:
        return Moved(self._store.renames, self._timeline, self._catalog)

    @cached_property
    def _bare(self) -> Bare:
        return Bare(self._timeline, self._foreign, self._calendar, self._catalog, self._store.ever)


def _binds(known: Known, call: CallForm, leftovers: tuple[str, ...] | None) -> str | None:
    """The complaint about a call; a method may also be called on its class, with the object in front.

    Nobody who calls it so gives by place what he may leave out: then one is too many.
    """
    complaint = bind.complaint(known.signature, call, leftovers)
    others = call.positional - 1
    if complaint and known.kind == "method" and 0 <= others <= bind.required(known.signature):
        return bind.complaint(known.signature, replace(call, positional=others), leftovers) and complaint
    return complaint


def _imported(base: Lookup, track: Track) -> Lookup:
    """A name behind a module that can only be imported; what it is, is known from the releases before."""
    last = track.at(-1)
    if last is None:
        return replace(base, unknown=True)
    return replace(base, found=True, canonical=last.canonical, kind=last.kind)
