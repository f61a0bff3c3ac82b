"""Names that share words with one that does not exist: what a reader may look at when nothing is a misspelling of it.

`ReadFromText` in `tf.io` is no slip of `read_file`, yet that is the nearest thing there is. Rare words count more
than common ones, and the place where the name was said to be counts most.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from math import log

from verifier.index.catalog import Catalog

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SMALL = frozenset({"from", "to", "of", "with", "and", "by", "the", "as", "in", "on", "for", "a", "v"})
# Share of the words' weight that two names must have in common: beside the place that was named, and anywhere.
_BESIDE = 0.28
_ANYWHERE = 0.55
_MOST = 2


def words_of(leaf: str) -> frozenset[str]:
    """The words of a name, however it joins them: `TextLineDataset` and `text_line_dataset` have the same."""
    return frozenset(word.lower() for word in _WORDS.findall(leaf)) - _SMALL


def related(leaf: str, holder: str, siblings: Iterable[str], catalog: Catalog) -> tuple[str, ...]:
    """At most two public paths that share words with `leaf`: those below `holder` first, then from anywhere else."""
    wanted = words_of(leaf)
    # A last word that many places have (`load_data`) tells nothing about the one that was meant.
    if not wanted or leaf in catalog.leaves:
        return ()
    frequency = Counter(word for known in catalog.leaves for word in words_of(known))
    total = len(catalog.leaves)

    def likeness(other: str) -> float:
        theirs = words_of(other)
        weight = {word: log(1 + total / (1 + frequency[word])) for word in wanted | theirs}
        return sum(weight[word] for word in wanted & theirs) / (sum(weight.values()) or 1)

    beside = [(likeness(name), f"{holder}.{name}") for name in siblings if not name.startswith("_")]
    # At the root of a library everything stands beside everything.
    least = _BESIDE if "." in holder else _ANYWHERE
    near = [path for score, path in sorted(beside, key=lambda pair: (-pair[0], pair[1])) if score >= least]
    if near:
        return tuple(near[:_MOST])
    far = [(likeness(name), paths[0]) for name, paths in catalog.leaves.items() if ".compat." not in paths[0]]
    return tuple(path for score, path in sorted(far, key=lambda pair: (-pair[0], pair[1]))[:1] if score >= _ANYWHERE)
