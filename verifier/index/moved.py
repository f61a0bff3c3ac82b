"""Where a name lives now: by TensorFlow's rename tables, by its definition, or by what its deprecation note says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from verifier.index.catalog import Catalog
from verifier.index.store import Renames
from verifier.index.timeline import Timeline

# "use distribute.MultiWorkerMirroredStrategy instead": a dotted name, with or without its root.
_MENTIONED = re.compile(r"(?<![\w.])(?:tf\.)?([A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)+)")
# Packages that hold what is not final, or no longer is; the same name one level up is the ordinary one.
_ANTEROOMS = ("experimental", "legacy")
# What 1.0 took away or renamed, from its release notes; no later table has these. They end in names of 1.0.
_BEFORE_1 = {
    "mul": "multiply",
    "sub": "subtract",
    "neg": "negative",
    "pack": "stack",
    "unpack": "unstack",
    "select": "where",
    "concat_v2": "concat",
    "listdiff": "setdiff1d",
    "batch_matmul": "matmul",
    "complex_abs": "abs",
    "inv": "reciprocal",
    "all_variables": "global_variables",
    "initialize_all_variables": "global_variables_initializer",
    "initialize_variables": "variables_initializer",
    "initialize_local_variables": "local_variables_initializer",
    "scalar_summary": "summary.scalar",
    "histogram_summary": "summary.histogram",
    "image_summary": "summary.image",
    "audio_summary": "summary.audio",
    "merge_summary": "summary.merge",
    "merge_all_summaries": "summary.merge_all",
    "train.SummaryWriter": "summary.FileWriter",
}


class Moved:
    """Answers where a path went. `catalog` gives the tables of some releases."""

    def __init__(self, renames: Renames, timeline: Timeline, catalog: Callable[[int], Catalog]) -> None:
        self._renames = renames
        self._timeline = timeline
        self._catalog = catalog

    def of(self, path: str, mask: int) -> str:
        """The new path, which exists in these releases or belongs to another library; "" when none is known."""
        for candidate in self._candidates(path, mask):
            if candidate and candidate != path and self._exists(candidate, mask):
                return candidate
        return ""

    def _candidates(self, path: str, mask: int) -> Iterator[str]:
        yield self._by_table(path)
        yield from self._by_note(path)
        yield ".".join(word for word in path.split(".") if word not in _ANTEROOMS)
        yield self._by_definition(path, mask)
        since = _BEFORE_1.get(path.removeprefix("tensorflow."), "")
        if since:
            yield f"tensorflow.{since}"
            yield self._by_table(f"tensorflow.{since}")
        if self._timeline.track(path).at(mask) is None and ".compat." not in path:
            yield path.replace("tensorflow.", "tensorflow.compat.v1.", 1)

    def _by_table(self, path: str) -> str:
        """The table's answer for the longest part of the path that it knows; the rest is kept."""
        words = path.split(".")
        for size in range(len(words), 1, -1):
            new = self._renames.symbols.get(".".join(words[:size]))
            if new:
                return ".".join([new, *words[size:]])
        return ""

    def _by_note(self, path: str) -> Iterator[str]:
        known = self._timeline.track(path).known
        for mentioned in _MENTIONED.findall(known[-1].deprecated) if known else ():
            yield f"tensorflow.{mentioned}"

    def _by_definition(self, path: str, mask: int) -> str:
        """Another public path of the same definition, for a path that is gone."""
        known = self._timeline.track(path).known
        if not known or self._timeline.track(path).at(mask) is not None:
            return ""
        return self._catalog(mask).canonicals.get(known[-1].canonical, "")

    def _exists(self, path: str, mask: int) -> bool:
        if not path.startswith("tensorflow."):
            return True
        known = self._timeline.track(path).at(mask)
        return known is not None and not known.stub
