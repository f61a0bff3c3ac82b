r"""The data file: its layout on disk and how it is opened without decoding most of it.

    magic  b"VIDX1\n"
    4 bytes, big endian: length of the header
    header   MessagePack: `Header`
    sections each zlib-compressed MessagePack, at the offsets that the header names

Only the header is decoded when the file is opened; every section waits for its first use, and each class and each
other library is decoded by itself.
"""

from __future__ import annotations

import zlib
from functools import cached_property
from importlib.resources import files
from typing import TypeVar

import msgspec

from verifier.errors import InputError

MAGIC = b"VIDX1\n"
FILE = "index.bin"
KINDS = ("", "module", "class", "function", "method", "property", "constant", "attribute")

T = TypeVar("T")


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What the file holds. `releases`: minor releases, oldest first, one bit each; `flavours` have the next bits."""

    releases: tuple[str, ...]
    flavours: tuple[str, ...]
    wheels: tuple[str, ...]
    sections: dict[str, tuple[int, int]]


class Fact(msgspec.Struct, frozen=True, array_like=True):
    """One symbol over some releases; `kind` is an index into KINDS, the texts are indexes into the strings."""

    kind: int
    canonical: int
    signature: int
    deprecated: int
    stub: int
    open: bool


class Line(msgspec.Struct, frozen=True, array_like=True):
    """The ancestors of a class in the releases of `mask`, itself first, as indexes into the strings."""

    mask: int
    open: bool
    mro: tuple[int, ...]


class ClassRecord(msgspec.Struct, frozen=True, array_like=True):
    """One class by canonical name. `members`: name -> mask and fact in turn."""

    lines: tuple[Line, ...]
    members: dict[str, tuple[int, ...]]


class Library(msgspec.Struct, frozen=True, kw_only=True):
    """Another library at one version.

    names    public dotted path -> index into KINDS
    members  path of a class -> names of its public members
    open     modules and classes that may have more than was read
    """

    version: str
    names: dict[str, int]
    members: dict[str, tuple[str, ...]]
    open: frozenset[str]


class Renames(msgspec.Struct, frozen=True, kw_only=True):
    """TensorFlow's own tables for the change from 1 to 2, full paths.

    symbols   old name -> new name
    keywords  function -> {old keyword: new keyword, or "" when it was dropped}; `*.name` means any method of that name
    """

    symbols: dict[str, str]
    keywords: dict[str, dict[str, str]]


class Store:
    """The opened file. Every attribute is decoded once, when it is first asked for."""

    def __init__(self, raw: bytes) -> None:
        if not raw.startswith(MAGIC):
            raise InputError("the index data is not in the format that this version reads; reinstall the package")
        size = int.from_bytes(raw[len(MAGIC) : len(MAGIC) + 4], "big")
        start = len(MAGIC) + 4
        self.header = msgspec.msgpack.decode(raw[start : start + size], type=Header)
        self._raw = memoryview(raw)
        self._start = start + size
        self._classes: dict[str, ClassRecord | None] = {}
        self._libraries: dict[str, Library] = {}

    @classmethod
    def shipped(cls) -> Store:
        """The file inside this package."""
        return cls((files("verifier.index") / "data" / FILE).read_bytes())

    def _section(self, name: str, kind: type[T]) -> T:
        offset, length = self.header.sections[name]
        begin = self._start + offset
        return msgspec.msgpack.decode(zlib.decompress(self._raw[begin : begin + length]), type=kind)

    @cached_property
    def paths(self) -> dict[str, int]:
        """Public path -> its row in `states`."""
        return {path: row for row, path in enumerate(self._section("paths", list[str]))}

    @cached_property
    def states(self) -> list[tuple[int, ...]]:
        """Per public path: mask, fact, mask, fact …; the masks do not overlap."""
        return self._section("states", list[tuple[int, ...]])

    @cached_property
    def facts(self) -> list[Fact]:
        """All facts."""
        return self._section("facts", list[Fact])

    @cached_property
    def strings(self) -> list[str]:
        """All texts of facts and classes."""
        return self._section("strings", list[str])

    @cached_property
    def modules(self) -> dict[str, int]:
        """Every module file of the wheels, public or not -> mask of the releases that have it."""
        return self._section("modules", dict[str, int])

    @cached_property
    def ever(self) -> dict[str, int]:
        """Last word of any public path, or member of any public class -> mask of the releases that have one."""
        return self._section("ever", dict[str, int])

    @cached_property
    def renames(self) -> Renames:
        """TensorFlow's own rename tables."""
        return self._section("renames", Renames)

    @cached_property
    def _class_blobs(self) -> dict[str, bytes]:
        return self._section("classes", dict[str, bytes])

    @property
    def classes(self) -> tuple[str, ...]:
        """Canonical names of all classes."""
        return tuple(self._class_blobs)

    def record(self, canonical: str) -> ClassRecord | None:
        """The class with this canonical name."""
        if canonical not in self._classes:
            blob = self._class_blobs.get(canonical)
            self._classes[canonical] = msgspec.msgpack.decode(blob, type=ClassRecord) if blob is not None else None
        return self._classes[canonical]

    @cached_property
    def _library_blobs(self) -> dict[str, bytes]:
        return self._section("libraries", dict[str, bytes])

    @property
    def libraries(self) -> tuple[str, ...]:
        """Import names of the other libraries."""
        return tuple(self._library_blobs)

    def library(self, name: str) -> Library | None:
        """Another library by its import name."""
        if name not in self._libraries:
            blob = self._library_blobs.get(name)
            if blob is None:
                return None
            self._libraries[name] = msgspec.msgpack.decode(blob, type=Library)
        return self._libraries[name]
