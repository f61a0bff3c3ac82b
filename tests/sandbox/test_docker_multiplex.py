"""A container's two streams on one connection."""

from __future__ import annotations

import contextlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.errors import ProtocolError
from verifier.sandbox.multiplex import Demultiplexer

PARTS = st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=300)), max_size=20)


def encode(parts: list[tuple[int, bytes]]) -> bytes:
    return b"".join(struct.pack("!B3xI", stream, len(data)) + data for stream, data in parts)


@given(PARTS, st.lists(st.integers(1, 40), min_size=1))
def test_every_way_of_cutting_gives_the_same_streams(parts: list[tuple[int, bytes]], sizes: list[int]) -> None:
    data, found, decoder, at, turn = encode(parts), {1: b"", 2: b""}, Demultiplexer(), 0, 0
    while at < len(data):
        size = sizes[turn % len(sizes)]
        for stream, payload in decoder.feed(data[at : at + size]):
            found[stream] += payload
        at, turn = at + size, turn + 1
    assert found == {stream: b"".join(text for kind, text in parts if kind == stream) for stream in (1, 2)}


def test_a_long_part_is_passed_on_before_it_is_complete() -> None:
    decoder = Demultiplexer()
    assert list(decoder.feed(struct.pack("!B3xI", 1, 10) + b"abc")) == [(1, b"abc")]


@pytest.mark.parametrize("header", [b"\0\0\0\0\0\0\0\1", b"\3\0\0\0\0\0\0\1", b"HTTP/1.1", b"\1\0\0\0\xff\xff\xff\xff"])
def test_what_is_no_stream_is_refused(header: bytes) -> None:
    with pytest.raises(ProtocolError):
        list(Demultiplexer().feed(header + b"x"))


@given(st.binary(max_size=200))
def test_any_bytes_give_parts_or_one_kind_of_error(data: bytes) -> None:
    with contextlib.suppress(ProtocolError):
        assert sum(len(payload) for _, payload in Demultiplexer().feed(data)) <= len(data)
