"""Members and ancestors of classes, read from source alone."""

from __future__ import annotations

import pytest

from verifier.index.build import descriptors
from verifier.index.build.sources import parse


def members(exports, name: str) -> dict[str, str]:
    record = exports.classes[name]
    return {member: fact.kind for one in record.mro for member, fact in exports.classes[one].members.items()}


BODY = """
    import abc, collections, threading
    class Base:
        flag = True
        def __init__(self, size, name=None):
            self.size = size
            self._secret = 1
        def run(self, fast=False): pass
        @property
        def shape(self): pass
        @shape.setter
        def shape(self, value): pass
        @staticmethod
        def make(kind): pass
        @classmethod
        def load(cls, path): pass
        again = run
    class Child(Base):
        def more(self): pass
    class Point(collections.namedtuple("Point", ["x", "y"])): pass
    class Worker(threading.Thread): pass
    class Mystery(somewhere.Else): pass
    class Magic:
        def __getattr__(self, name): return compute(name)
    class Strict:
        def __getattr__(self, name):
            if name == "T":
                raise AttributeError("use transpose")
            return self.__getattribute__(name)
"""


@pytest.fixture
def package(read_package):
    return read_package({"lib/__init__.py": BODY})


def test_members_have_kinds_and_bound_signatures(package):
    facts = package.classes["lib.Base"].members
    assert {name: (fact.kind, fact.signature) for name, fact in facts.items()} == {
        "flag": ("constant", ""),
        "run": ("method", "(fast=False)"),
        "shape": ("property", ""),
        "make": ("method", "(kind)"),
        "load": ("method", "(path)"),
        "again": ("method", "(fast=False)"),
        "size": ("attribute", ""),
    }


def test_subclasses_inherit_members_and_construction(package):
    assert package.classes["lib.Child"].mro == ("lib.Child", "lib.Base")
    assert {"run", "more", "size"} <= set(members(package, "lib.Child"))
    assert package.paths["lib.Child"].signature == "(size, name=None)"


@pytest.mark.parametrize(("name", "open_"), [("Child", False), ("Mystery", True), ("Magic", True), ("Strict", False)])
def test_a_class_is_open_when_something_of_it_cannot_be_read(package, name, open_):
    assert package.paths[f"lib.{name}"].open is open_


def test_named_tuples_and_standard_bases_are_known(package):
    assert {"x", "y", "_replace"} <= set(members(package, "lib.Point"))
    assert package.paths["lib.Point"].signature == "(x, y)"
    assert {"start", "join", "daemon"} <= set(members(package, "lib.Worker"))
    assert not package.paths["lib.Worker"].open


def test_a_shared_ancestor_comes_last(read_package):
    body = "class A: pass\nclass B(A): pass\nclass C(A): pass\nclass D(B, C): pass"
    assert read_package({"lib/__init__.py": body}).classes["lib.D"].mro == ("lib.D", "lib.B", "lib.C", "lib.A")


def varint_free(number: int, payload: bytes) -> bytes:
    assert len(payload) < 128
    return bytes([number << 3 | 2, len(payload)]) + payload


def test_protobuf_messages_are_read_from_their_descriptor(read_package):
    field = varint_free(2, varint_free(1, b"count"))
    inner = varint_free(3, varint_free(1, b"Inner"))
    message = varint_free(4, varint_free(1, b"Config") + field + inner)
    enum = varint_free(5, varint_free(1, b"Mode") + varint_free(2, varint_free(1, b"FAST")))
    raw = varint_free(1, b"lib/config.proto") + message + enum
    source = f"DESCRIPTOR = pool.AddSerializedFile({raw!r})"
    found, enums = descriptors.messages(parse(source))
    assert [(one.name, one.fields, one.nested) for one in found] == [
        ("Config", ("count",), ("Inner",)),
        ("Config.Inner", (), ()),
    ]
    assert enums == ("Mode", "FAST")
    package = read_package({"lib/__init__.py": "from lib.config_pb2 import Config", "lib/config_pb2.py": source})
    assert package.paths["lib.Config"].signature == "(*, count=None)"
    assert {"count", "Inner", "SerializeToString"} <= set(package.classes["lib.config_pb2.Config"].members)


@pytest.mark.parametrize("raw", [b"\n\xff\xff.proto", b"\n\x05a.proto\x22\x7f", b"", b"\n\x07a.proto" + b"\xff" * 20])
def test_a_broken_descriptor_gives_nothing(raw):
    assert descriptors.messages(parse(f"x = {raw!r}"))[0] == ()
