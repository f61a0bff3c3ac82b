"""Names that exist, for a name that does not: moved, elsewhere in TensorFlow, misspelt.

Hides the order of preference. Fewer good suggestions are better than many: fuzzy matches need a clear winner.
"""

from __future__ import annotations

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from verifier.index.catalog import Catalog, depth, plain
from verifier.index.related import related

_MOST = 3
_CROWD = 5
_ROOT = "tensorflow"
# Similarity in percent (rapidfuzz `ratio`): above the first a lone candidate counts, and it must lead by the second.
_NEAR = 78
_LEAD = 4
# Of two names that share all other words, the odd words may differ by one edit; by two when they are this long.
_LONG = 7
# What other libraries call it -> what TensorFlow calls it.
_COUSINS = {
    "arange": "tensorflow.range",
    "permute": "tensorflow.transpose",
    "cat": "tensorflow.concat",
    "concatenate": "tensorflow.concat",
    "hstack": "tensorflow.concat",
    "vstack": "tensorflow.concat",
    "view": "tensorflow.reshape",
    "unsqueeze": "tensorflow.expand_dims",
    "mm": "tensorflow.matmul",
    "dot": "tensorflow.tensordot",
    "randn": "tensorflow.random.normal",
    "rand": "tensorflow.random.uniform",
    "randint": "tensorflow.random.uniform",
    "mean": "tensorflow.reduce_mean",
    "sum": "tensorflow.reduce_sum",
    "max": "tensorflow.reduce_max",
    "min": "tensorflow.reduce_min",
    "prod": "tensorflow.reduce_prod",
    "std": "tensorflow.math.reduce_std",
    "var": "tensorflow.math.reduce_variance",
    "nonzero": "tensorflow.where",
    "clip": "tensorflow.clip_by_value",
    "clamp": "tensorflow.clip_by_value",
    "from_numpy": "tensorflow.convert_to_tensor",
    "array": "tensorflow.constant",
    "full": "tensorflow.fill",
}
# Over the whole library there are thousands of words to be near to by chance.
_NEAR_ANYWHERE = 86


def elsewhere_inside(path: str, catalog: Catalog) -> list[str]:
    """Public paths with the same last word, in other case, or in another number; the nearest place first."""
    *parents, leaf = path.split(".")
    shared = set(parents)
    exact = list(catalog.leaves.get(leaf, ()))
    alike = [one for other in catalog.near.get(plain(leaf), ()) if other != leaf for one in catalog.leaves[other]]

    def rank(candidate: str) -> tuple[int, bool, bool, int, str]:
        # Whoever leaves out a package (`tf.layers.Dense`) wrote the others; whoever guesses a place shares none.
        return (-len(shared & set(candidate.split(".")[:-1])), *depth(candidate))

    ranked = sorted(exact, key=rank) + sorted(alike, key=rank)
    found = _distinct([one for one in ranked if ".compat." not in one] or ranked)
    # A word that many places have in the same way (`load_data`) says nothing about the one that was meant.
    crowd = len(found) > _CROWD and rank(found[0])[0] == rank(found[_CROWD])[0]
    return [] if crowd and parents[-1:] != [_ROOT] else found


def _distinct(paths: list[str]) -> list[str]:
    """One path per last word and parent's last word: `keras.losses.mse` also stands at `losses.mse`."""
    seen: dict[tuple[str, ...], str] = {}
    for path in paths:
        seen.setdefault(tuple(path.split(".")[-2:]), path)
    return list(seen.values())


def misspelt(leaf: str, words: tuple[str, ...], *, near: int = _NEAR) -> str:
    """The word that was meant among these, or "" when none is near enough or two are."""
    public = [word for word in words if not word.startswith("_")]
    scored = process.extract(leaf, public, scorer=fuzz.ratio, score_cutoff=near, limit=_CROWD, processor=str.lower)
    best = [(word, score) for word, score, _ in scored if _one_slip(leaf.lower(), word.lower())]
    if not best or (len(best) > 1 and best[0][1] - best[1][1] < _LEAD):
        return ""
    return best[0][0]


def _one_slip(wrong: str, right: str) -> bool:
    """Whether words that differ in one part differ in its spelling: `reduce_maen`, but not `reduce_median`."""
    pairs = list(zip(wrong.split("_"), right.split("_"), strict=False))
    different = [(one, other) for one, other in pairs if one != other]
    if wrong.count("_") != right.count("_") or len(pairs) == 1 or len(different) != 1:
        return True
    one, other = different[0]
    return OSA.distance(one, other) <= (2 if min(len(one), len(other)) >= _LONG else 1)


def suggestions(path: str, catalog: Catalog, moved: str, siblings: tuple[str, ...], holder: str) -> tuple[str, ...]:
    """At most three paths that exist, best first.

    `moved` is where the rename tables send it; `siblings` are the last words below `holder`, the longest part of
    the path that exists.
    """
    leaf = path.rpartition(".")[2]
    found = [moved] if moved else []
    direct = path.rpartition(".")[0] == holder
    close = misspelt(leaf, siblings) if direct and siblings else ""
    if close and plain(close) == plain(leaf):
        # Right place, wrong case or number: nothing further away was meant.
        return tuple(dict.fromkeys([*found, f"{holder}.{close}"]))
    cousin = _COUSINS.get(leaf, "")
    if cousin and path == f"tensorflow.{leaf}":
        found.append(cousin)
    found += elsewhere_inside(path, catalog)
    if close:
        found.append(f"{holder}.{close}")
    if not found and leaf not in catalog.leaves:
        anywhere = misspelt(leaf, tuple(catalog.leaves), near=_NEAR_ANYWHERE)
        found += catalog.leaves[anywhere][:1] if anywhere else ()
    return tuple(dict.fromkeys(found))[:_MOST] or related(leaf, holder, siblings if direct else (), catalog)
