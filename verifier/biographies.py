"""One API name over all releases: asks the index, for `verify api`."""

from __future__ import annotations

from verifier.index import TargetedIndex
from verifier.model import NameQuery
from verifier.names import ROOTS, expand
from verifier.reports import Biography


def told(index: TargetedIndex, name: str) -> Biography:
    """What the index knows about a name: dotted under a library, a member of a class, or a last word alone."""
    root, dot, _ = name.partition(".")
    if root in ROOTS:
        path = expand(name)
        history = index.history(path)
        present = tuple(release for ranges, _, _ in history for release in _releases(ranges, index.releases))
        return Biography(
            name=name,
            release=index.release,
            lookup=index.lookup(NameQuery(path=path)),
            history=history,
            present=tuple(dict.fromkeys(present)),
        )
    receiver, _, leaf = name.rpartition(".")
    return Biography(name=name, release=index.release, lookup=index.lookup_bare(leaf, receiver=receiver if dot else ""))


def _releases(ranges: str, releases: tuple[str, ...]) -> list[str]:
    """The single releases of a text such as `1.0-1.15, 2.3`."""
    found: list[str] = []
    for part in filter(None, ranges.split(", ")):
        first, _, last = part.partition("-")
        found += releases[releases.index(first) : releases.index(last or first) + 1]
    return found
