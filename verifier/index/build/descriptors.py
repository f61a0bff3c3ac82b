"""Messages of generated protobuf modules, read from the serialised descriptor inside the source.

Hides the wire format (https://protobuf.dev/programming-guides/encoding/) and the generations of `*_pb2.py` files;
what they have in common is one literal that holds a FileDescriptorProto.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

# Field numbers of descriptor.proto.
_FILE_MESSAGE, _FILE_ENUM = 4, 5
_NAME = 1
_MESSAGE_FIELD, _MESSAGE_NESTED, _MESSAGE_ENUM, _MESSAGE_ONEOF = 2, 3, 4, 8
_ENUM_VALUE = 2

# The public interface of google.protobuf.message.Message and of the generated classes.
METHODS = (
    "ByteSize", "Clear", "ClearExtension", "ClearField", "CopyFrom", "DESCRIPTOR", "DiscardUnknownFields", "Extensions",
    "FindInitializationErrors", "FromString", "HasExtension", "HasField", "IsInitialized", "ListFields", "MergeFrom",
    "MergeFromString", "ParseFromString", "RegisterExtension", "SerializePartialToString", "SerializeToString",
    "SetInParent", "UnknownFields", "WhichOneof",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message type: its qualified name in the module, its fields, and the names nested in it."""

    name: str
    fields: tuple[str, ...]
    nested: tuple[str, ...]


def messages(tree: ast.Module) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """The message types of a generated module, and the names of its top-level enums and enum values."""
    for node in ast.walk(tree):
        raw = _literal(node)
        if raw is None or not raw.startswith(b"\n") or b".proto" not in raw[:200]:
            continue
        try:
            fields = list(_fields(raw))
        except (IndexError, ValueError):
            continue
        found = [message for number, value in fields if number == _FILE_MESSAGE for message in _message(value, "")]
        enums = [name for number, value in fields if number == _FILE_ENUM for name in _enum(value)]
        return tuple(found), tuple(enums)
    return (), ()


def _literal(node: ast.AST) -> bytes | None:
    if not isinstance(node, ast.Constant):
        return None
    if isinstance(node.value, bytes):
        return node.value
    if isinstance(node.value, str) and node.value.startswith("\n"):
        try:
            return node.value.encode("latin-1")
        except UnicodeEncodeError:
            return None
    return None


def _message(raw: bytes, prefix: str) -> Iterator[Message]:
    fields = list(_fields(raw))
    name = prefix + _text(fields, _NAME)
    inner = [value for number, value in fields if number == _MESSAGE_NESTED]
    nested = [_text(list(_fields(value)), _NAME) for value in inner]
    nested += [one for number, value in fields if number == _MESSAGE_ENUM for one in _enum(value)]
    names = [_text(list(_fields(value)), _NAME) for number, value in fields if number == _MESSAGE_FIELD]
    yield Message(name=name, fields=tuple(names), nested=tuple(nested))
    for value in inner:
        yield from _message(value, f"{name}.")


def _enum(raw: bytes) -> list[str]:
    fields = list(_fields(raw))
    values = [_text(list(_fields(value)), _NAME) for number, value in fields if number == _ENUM_VALUE]
    return [_text(fields, _NAME), *values]


def _text(fields: list[tuple[int, bytes]], number: int) -> str:
    return next((value.decode("utf-8", "replace") for one, value in fields if one == number), "")


def _fields(raw: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(raw):
        key, at = _varint(raw, at)
        number, wire = key >> 3, key & 7
        if wire == 2:
            size, at = _varint(raw, at)
            yield number, raw[at : at + size]
            at += size
        elif wire == 0:
            _, at = _varint(raw, at)
        elif wire in (1, 5):
            at += 8 if wire == 1 else 4
        else:
            raise ValueError(f"wire type {wire}")


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = raw[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
