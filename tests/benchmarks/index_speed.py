"""How fast the index opens and answers: `python tests/benchmarks/index_speed.py`. Times are medians, in milliseconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import verifier.index
from verifier.index import Index
from verifier.index.store import FILE
from verifier.model import NameQuery

_PRESENT = ("tf.reshape", "tf.keras.Model.fit", "tf.data.Dataset.map", "tf.compat.v1.placeholder", "tf.io.read_file")
_ABSENT = ("tf.placeholder", "tf.keras.Conv2D", "tf.io.ReadFromText", "tf.keras.Model.get_layers", "tf.arange")
_BARE = ("get_layer", "model.fit", "reshape", "fit_generator", "xlabel")


def main() -> int:
    """Print size, opening time, first answers and answers per second."""
    data = Path(verifier.index.__file__).parent / "data" / FILE
    _say(f"size {data.stat().st_size / 1e6:.2f} MB, open {_median(Index.load, 15):.1f} ms")
    index = Index.load()
    _say(f"first present name {_once(lambda: _ask(index, _PRESENT[0])):.1f} ms")
    _say(f"first absent name {_once(lambda: _ask(index, _ABSENT[0])):.1f} ms")
    _say(f"first absent name elsewhere {_once(lambda: _ask(index, _ABSENT[2])):.1f} ms")
    _say(f"first bare name {_once(lambda: index.lookup_bare(_BARE[0])):.1f} ms")
    for title, names, ask in (
        ("present", _PRESENT, lambda name: _ask(index, name)),
        ("absent", _ABSENT, lambda name: _ask(index, name)),
        ("bare", _BARE, index.lookup_bare),
    ):
        seconds = _median(lambda names=names, ask=ask: [ask(name) for name in names], 50) / 1000 / len(names)
        _say(f"{title}: {1 / seconds:,.0f} answers per second")
    return 0


def _ask(index: Index, name: str) -> object:
    return index.lookup(NameQuery(path=name))


def _once(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1000


def _median(work: Callable[[], object], times: int) -> float:
    return median(_once(work) for _ in range(times))


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
