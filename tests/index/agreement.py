"""Compares the index with a walk over a live TensorFlow of the same release.

Hides what counts as agreement. Every difference is a row with a name and what either side says, and is explained by an
entry of `differences.toml` or by none.
"""

from __future__ import annotations

import json
import os
import subprocess
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from verifier.index.bind import parse
from verifier.index.calendar import Calendar
from verifier.index.store import Store
from verifier.index.timeline import Known, Timeline
from verifier.sandbox import ensure

NEWEST = "2.21"
HERE = Path(__file__).parent
WALK = HERE / "walk.py"
DIFFERENCES = HERE / "differences.toml"

Row = dict[str, Any]


class Place(StrEnum):
    """Where a public name lives; each has figures of its own."""

    OUTSIDE = "outside"
    COMPAT = "compat"
    CONTRIB = "contrib"


class Aspect(StrEnum):
    """What the two sides differ about."""

    NAME_ONLY_IN_INDEX = "name only in index"
    NAME_ONLY_LIVE = "name only live"
    KIND = "kind"
    FUNCTION_SIGNATURE = "function signature"
    CLASS_SIGNATURE = "class signature"
    DEPRECATION = "deprecation"
    MEMBER_ONLY_IN_INDEX = "member only in index"
    MEMBER_ONLY_LIVE = "member only live"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One name about which the two sides differ; `index` and `live` are what each says, "" for nothing."""

    aspect: Aspect
    name: str
    index: str = ""
    live: str = ""

    def __str__(self) -> str:
        return f"{self.aspect}: {self.name}  index: {self.index or '-'}  live: {self.live or '-'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Why some differences are as they are: all of one aspect whose name fits a pattern, and whose live side does."""

    aspect: Aspect
    releases: tuple[str, ...]
    names: tuple[str, ...]
    why: str
    live: str = "*"

    def fits(self, difference: Difference, pattern: str) -> bool:
        """Whether one of the entry's patterns explains a difference."""
        same = difference.aspect is self.aspect and fnmatchcase(difference.live, self.live)
        return same and fnmatchcase(difference.name, pattern)


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many names each side has."""

    index: int
    live: int
    both: int

    @property
    def precision(self) -> float:
        """The share of the index's names that are real."""
        return self.both / self.index if self.index else 1.0

    @property
    def recall(self) -> float:
        """The share of the real names that the index has."""
        return self.both / self.live if self.live else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The figures of one release. `functions`, `classes`: equal signatures of all that both sides know.

    deprecated, really  paths of deprecated functions by the index, and live
    renamed             paths of functions that are not deprecated themselves and have deprecated older names
    """

    names: dict[Place, Share]
    functions: tuple[int, int]
    classes: tuple[int, int]
    deprecated: frozenset[str]
    really: frozenset[str]
    renamed: frozenset[str]
    members: int
    differences: tuple[Difference, ...]


def newest() -> Path:
    """The interpreter of the environment with the newest release, which is built now if it is missing."""
    return ensure(f"tf-{NEWEST}").path / "bin" / "python"


@cache
def walk(python: Path) -> dict[str, Row]:
    """What TensorFlow exports in the environment of this interpreter, by path. Takes about ten seconds."""
    # Variables of the caller must not choose another Keras; `-I` leaves out other settings and this folder.
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("TF_", "KERAS_"))}
    command = [str(python), "-I", str(WALK)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300, env=variables)
    found: dict[str, Row] = json.loads(done.stdout[done.stdout.index("{") :])
    return {path: row for path, row in found.items() if not _nested(path)}


def compare(release: str, live: dict[str, Row]) -> Agreement:
    """The shipped index at one release against what a walk found."""
    store = Store.shipped()
    mask = Calendar(store.header.releases, store.header.flavours).mask(release)
    timeline = Timeline(store)
    ours = dict(_indexed(store, timeline, mask))
    both = sorted(ours.keys() & live.keys(), key=lambda path: (".compat." in path, path.count("."), path))
    differences = [
        *(_only_in_index(path, ours[path]) for path in sorted(ours.keys() - live.keys())),
        *(_only_live(path, live[path]) for path in sorted(_public(live) - ours.keys())),
        *(one for path in both for one in _described(path, ours[path], live[path])),
        *(one for path in _once(both, ours) for one in _members(path, ours[path], live[path], timeline, mask)),
    ]
    functions = [path for path in both if live[path]["kind"] == "function"]
    return Agreement(
        names={place: _share(place, ours, live) for place in Place},
        functions=_equal(functions, ours, live),
        classes=_equal([path for path in both if live[path]["kind"] == "class"], ours, live),
        deprecated=frozenset(path for path in functions if ours[path].deprecated),
        really=frozenset(path for path in functions if live[path]["deprecated"]),
        renamed=frozenset(path for path in functions if live[path]["renamed"] and not live[path]["deprecated"]),
        members=sum(len(live[path].get("members", ())) for path in _once(both, ours)),
        differences=tuple(differences),
    )


def entries() -> tuple[Entry, ...]:
    """The explanations, as they stand in the file."""
    rows = tomllib.loads(DIFFERENCES.read_text("utf-8"))["difference"]
    return tuple(
        Entry(
            aspect=Aspect(row["aspect"]),
            releases=tuple(row["releases"]),
            names=tuple(row["names"]),
            why=row["why"],
            live=row.get("live", "*"),
        )
        for row in rows
    )


def unexplained(differences: Iterable[Difference], release: str) -> list[Difference]:
    """The differences that no entry for the release explains."""
    fit = [(one, pattern) for one in entries() if release in one.releases for pattern in one.names]
    return [found for found in differences if not any(one.fits(found, pattern) for one, pattern in fit)]


def stale(differences: Iterable[Difference], release: str) -> list[str]:
    """The patterns of entries for the release that explain nothing any more."""
    found = list(differences)
    fit = [(one, pattern) for one in entries() if release in one.releases for pattern in one.names]
    return [f"{one.aspect}: {pattern}" for one, pattern in fit if not any(one.fits(other, pattern) for other in found)]


def _indexed(store: Store, timeline: Timeline, mask: int) -> Iterator[tuple[str, Known]]:
    for path in store.paths:
        known = next((one for one in timeline.public(path) if one.mask & mask), None)
        if known is not None and "." in path and "._" not in path and not _nested(path):
            yield path, known


def _nested(path: str) -> bool:
    """`tf.compat.v1.compat.v2.compat…` has no end; the names in it are those of the first."""
    return path.count(".compat.v") > 1


def _public(live: dict[str, Row]) -> set[str]:
    return {path for path, row in live.items() if not row.get("private")}


def _place(path: str) -> Place:
    words = path.split(".")[1:-1]
    return Place.CONTRIB if "contrib" in words else Place.COMPAT if "compat" in words else Place.OUTSIDE


def _share(place: Place, ours: dict[str, Known], live: dict[str, Row]) -> Share:
    said = {path for path in ours if _place(path) is place}
    real = {path for path in _public(live) if _place(path) is place}
    # A private module is no public name, but whoever says that it exists is not wrong.
    there = {path for path in live if _place(path) is place}
    return Share(index=len(said), live=len(real | (said & there)), both=len(said & there))


def _once(paths: Iterable[str], ours: dict[str, Known]) -> list[str]:
    """One path for each class."""
    first: dict[str, str] = {}
    for path in paths:
        if ours[path].kind == "class":
            first.setdefault(ours[path].canonical, path)
    return list(first.values())


def _only_in_index(path: str, known: Known) -> Difference:
    return Difference(aspect=Aspect.NAME_ONLY_IN_INDEX, name=path, index=known.kind or "name")


def _only_live(path: str, row: Row) -> Difference:
    return Difference(aspect=Aspect.NAME_ONLY_LIVE, name=path, live=row["kind"])


def _equal(paths: list[str], ours: dict[str, Known], live: dict[str, Row]) -> tuple[int, int]:
    known = [path for path in paths if ours[path].signature and "signature" in live[path]]
    return sum(_parameters(ours[path].signature) == live[path]["signature"] for path in known), len(known)


def _described(path: str, known: Known, row: Row) -> Iterator[Difference]:
    if known.kind and known.kind != row["kind"]:
        yield Difference(aspect=Aspect.KIND, name=path, index=known.kind, live=row["kind"])
    if known.signature and "signature" in row and _parameters(known.signature) != row["signature"]:
        aspect = Aspect.CLASS_SIGNATURE if row["kind"] == "class" else Aspect.FUNCTION_SIGNATURE
        yield Difference(aspect=aspect, name=path, index=known.signature, live=_text(row["signature"]))
    if bool(known.deprecated) != row.get("deprecated", False):
        live = "deprecated" if row.get("deprecated") else "current"
        yield Difference(aspect=Aspect.DEPRECATION, name=path, index=known.deprecated or "current", live=live)


def _members(path: str, known: Known, row: Row, timeline: Timeline, mask: int) -> Iterator[Difference]:
    said, real = timeline.names_of(known.canonical, mask), set(row.get("members", ()))
    # Of an open class, the index calls what it does not know unknown, and never absent.
    for name in () if known.open else sorted(real - said):
        yield Difference(aspect=Aspect.MEMBER_ONLY_LIVE, name=f"{path}.{name}", live="member")
    for name in sorted(said - real):
        found, _ = timeline.member(known.canonical, name, mask)
        # What `__init__` sets is on instances, where a walk over classes cannot see it.
        if found and found[0].kind != "attribute" and not name.startswith("_"):
            yield Difference(aspect=Aspect.MEMBER_ONLY_IN_INDEX, name=f"{path}.{name}", index=found[0].kind)


def _parameters(signature: str) -> list[list[object]]:
    parsed = parse(signature)
    listed = parsed.parameters.values() if parsed else ()
    return [[one.name, int(one.kind), one.default is not one.empty] for one in listed]


def _text(parameters: list[list[Any]]) -> str:
    stars = {2: "*", 4: "**"}
    parts = [f"{stars.get(kind, '')}{name}{'=...' if given else ''}" for name, kind, given in parameters]
    return f"({', '.join(parts)})"
