"""Merges the releases into the one data file. Equal input gives equal bytes: every table is sorted."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping

import msgspec

from verifier.index.build.classes import Record
from verifier.index.build.exports import Exports
from verifier.index.build.facts import Fact
from verifier.index.store import KINDS, MAGIC, ClassRecord, Header, Library, Line, Renames
from verifier.index.store import Fact as StoredFact


class Packer:
    """Collects releases bit by bit, then writes the file."""

    def __init__(self) -> None:
        self._paths: dict[str, dict[Fact, int]] = {}
        self._lines: dict[str, dict[tuple[bool, tuple[str, ...]], int]] = {}
        self._members: dict[str, dict[str, dict[Fact, int]]] = {}
        self._modules: dict[str, int] = {}
        self._ever: dict[str, int] = {}

    def add(self, bit: int, exports: Exports, modules: Iterable[str]) -> None:
        """Add what one release exports, under its bit."""
        mask = 1 << bit
        for path, fact in exports.paths.items():
            _mark(self._paths.setdefault(path, {}), fact, mask)
            self._words(path, fact, exports, mask)
        for name, record in exports.classes.items():
            self._class(name, record, mask)
        for module in modules:
            self._modules[module] = self._modules.get(module, 0) | mask

    def _words(self, path: str, fact: Fact, exports: Exports, mask: int) -> None:
        """Note the last word of a public path, and the members of a public class."""
        words = [path.rpartition(".")[2]]
        for ancestor in exports.classes[fact.canonical].mro if fact.kind == "class" else ():
            words += exports.classes[ancestor].members
        for word in words:
            self._ever[word] = self._ever.get(word, 0) | mask

    def _class(self, name: str, record: Record, mask: int) -> None:
        lines = self._lines.setdefault(name, {})
        key = (record.open, record.mro)
        lines[key] = lines.get(key, 0) | mask
        members = self._members.setdefault(name, {})
        for member, fact in record.members.items():
            _mark(members.setdefault(member, {}), fact, mask)

    def file(
        self,
        releases: tuple[str, ...],
        flavours: tuple[str, ...],
        wheels: tuple[str, ...],
        libraries: Mapping[str, Library],
        renames: Renames,
    ) -> bytes:
        """The bytes of the data file."""
        facts = sorted({fact for table in self._tables() for fact in table})
        texts = {part for fact in facts for part in (fact.canonical, fact.signature, fact.deprecated, fact.stub)}
        ancestors = {name for lines in self._lines.values() for _, mro in lines for name in mro}
        strings = sorted(texts | ancestors | {""})
        text = {one: row for row, one in enumerate(strings)}
        number = {one: row for row, one in enumerate(facts)}
        stored = [
            StoredFact(KINDS.index(one.kind), text[one.canonical], text[one.signature], text[one.deprecated],
                       text[one.stub], one.open) for one in facts
        ]  # fmt: skip
        classes = {name: msgspec.msgpack.encode(self._record(name, text, number)) for name in sorted(self._lines)}
        sections = {
            "paths": sorted(self._paths),
            "states": [_state(self._paths[path], number) for path in sorted(self._paths)],
            "facts": stored,
            "strings": strings,
            "classes": classes,
            "ever": dict(sorted(self._ever.items())),
            "modules": dict(sorted(self._modules.items())),
            "libraries": {name: msgspec.msgpack.encode(libraries[name], order="sorted") for name in sorted(libraries)},
            "renames": renames,
        }
        return _assemble(releases, flavours, wheels, sections)

    def _tables(self) -> Iterable[dict[Fact, int]]:
        yield from self._paths.values()
        for members in self._members.values():
            yield from members.values()

    def _record(self, name: str, text: dict[str, int], number: dict[Fact, int]) -> ClassRecord:
        lines = [
            Line(mask, key[0], tuple(text[one] for one in key[1])) for key, mask in sorted(self._lines[name].items())
        ]
        members = {member: _state(table, number) for member, table in sorted(self._members[name].items())}
        return ClassRecord(tuple(lines), members)


def _mark(table: dict[Fact, int], fact: Fact, mask: int) -> None:
    table[fact] = table.get(fact, 0) | mask


def _state(table: dict[Fact, int], number: dict[Fact, int]) -> tuple[int, ...]:
    pairs = sorted((mask, number[fact]) for fact, mask in table.items())
    return tuple(value for pair in pairs for value in pair)


def _assemble(
    releases: tuple[str, ...], flavours: tuple[str, ...], wheels: tuple[str, ...], sections: Mapping[str, object]
) -> bytes:
    places: dict[str, tuple[int, int]] = {}
    body = b""
    for name, value in sections.items():
        packed = zlib.compress(msgspec.msgpack.encode(value, order="sorted"), 9)
        places[name] = (len(body), len(packed))
        body += packed
    header = msgspec.msgpack.encode(
        Header(releases=releases, flavours=flavours, wheels=wheels, sections=places), order="sorted"
    )
    return MAGIC + len(header).to_bytes(4, "big") + header + body
