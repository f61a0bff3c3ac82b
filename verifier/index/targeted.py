"""The index as one target release sees it: the same questions without naming the release each time."""

from __future__ import annotations

from dataclasses import replace

from verifier.index.lookup import Index
from verifier.model import Lookup, NameQuery


class TargetedIndex:
    """Answers for one release, with the memory of all others. `target` is an environment such as `tf-2.21`."""

    def __init__(self, index: Index, target: str) -> None:
        self._index = index
        self._release = target.removeprefix("tf-")

    @property
    def releases(self) -> tuple[str, ...]:
        """Every minor release that is known, oldest first."""
        return self._index.releases

    @property
    def release(self) -> str:
        """The target without its prefix: `2.21`."""
        return self._release

    @property
    def knows_target(self) -> bool:
        """Whether the target is one of the releases, or a flavour of one."""
        return self._release.partition("-")[0] in self._index.releases

    def history(self, path: str) -> tuple[tuple[str, str, str], ...]:
        """See `Index.history`."""
        return self._index.history(path)

    def lookup(self, query: NameQuery) -> Lookup:
        """See `Index.lookup`; an argument that the target refuses is looked for in the other releases."""
        lookup = self._index.lookup(query, self._release)
        keyword = _refused(query, lookup)
        if not keyword:
            return lookup
        return replace(
            lookup,
            keyword=keyword,
            accepted=self.accepting(query.path, keyword),
            renamed_to=self.renamed_keyword(query.path, keyword),
        )

    def lookup_bare(self, leaf: str, *, said_kind: str = "", receiver: str = "") -> Lookup:
        """See `Index.lookup_bare`."""
        return self._index.lookup_bare(leaf, said_kind, receiver, self._release)

    def renamed_keyword(self, path: str, keyword: str) -> str:
        """See `Index.renamed_keyword`."""
        return self._index.renamed_keyword(path, keyword, self._release)

    def takers(self, keyword: str) -> tuple[str, ...]:
        """See `Index.takers`."""
        return self._index.takers(keyword, self._release)

    def accepting(self, path: str, keyword: str) -> str:
        """See `Index.accepting`."""
        return self._index.accepting(path, keyword)


def _refused(query: NameQuery, lookup: Lookup) -> str:
    """The keyword that a signature refuses, or an empty string."""
    if not lookup.found:
        return ""
    if query.argument:
        return query.argument if lookup.has_argument is False else ""
    words = query.call.keywords if query.call and lookup.binds else ()
    return next((word for word in words if f"'{word}'" in (lookup.binds or "")), "")


def open_index(target: str) -> TargetedIndex:
    """The index that ships with this package, for a target such as `tf-2.21`. Cheap to open."""
    return TargetedIndex(Index.load(), target)
