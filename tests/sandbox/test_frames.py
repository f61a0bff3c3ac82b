"""The framing: all bytes in, frames or ProtocolError out."""

from __future__ import annotations

import json
import struct
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.errors import ProtocolError
from verifier.sandbox.frames import (
    CLAIM_MAX,
    CLAIMS,
    MESSAGE,
    STDOUT,
    ClaimDecoder,
    LinkDecoder,
    decode_message,
    encode_message,
)


def framed(channel: int, payload: bytes) -> bytes:
    return struct.pack("!IB", len(payload), channel) + payload


@settings(deadline=None)
@given(st.lists(st.binary(max_size=64)))
def test_random_bytes_raise_nothing_but_protocol_errors(chunks: list[bytes]) -> None:
    link, claims = LinkDecoder(), ClaimDecoder()
    with suppress(ProtocolError):
        for chunk in chunks:
            list(link.feed(chunk))
    with suppress(ProtocolError):
        for chunk in chunks:
            list(claims.feed(chunk))
        claims.finish()


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from([MESSAGE, CLAIMS, STDOUT]), st.binary(max_size=40))), st.integers(1, 7))
def test_frames_survive_being_cut_anywhere(frames: list[tuple[int, bytes]], step: int) -> None:
    stream = b"".join(framed(channel, payload) for channel, payload in frames)
    decoder = LinkDecoder()
    found = [frame for at in range(0, len(stream), step) for frame in decoder.feed(stream[at : at + step])]
    assert found == frames


@settings(deadline=None)
@given(st.lists(st.binary(max_size=40)), st.integers(1, 7))
def test_claims_survive_being_cut_anywhere(claims: list[bytes], step: int) -> None:
    stream = b"".join(struct.pack("!I", len(claim)) + claim for claim in claims)
    decoder = ClaimDecoder()
    found = [claim for at in range(0, len(stream), step) for claim in decoder.feed(stream[at : at + step])]
    decoder.finish()
    assert found == claims


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_random_messages_raise_nothing_but_protocol_errors(payload: bytes) -> None:
    with suppress(ProtocolError):
        assert isinstance(decode_message(payload)["kind"], str)


@pytest.mark.parametrize("header", [struct.pack("!IB", 1 << 30, MESSAGE), struct.pack("!IB", 1, 9), b"\xff" * 5])
def test_impossible_headers_are_refused_before_anything_is_kept(header: bytes) -> None:
    with pytest.raises(ProtocolError):
        list(LinkDecoder().feed(header))


def test_an_oversized_claim_is_refused_at_its_header() -> None:
    with pytest.raises(ProtocolError, match="claimed"):
        list(ClaimDecoder().feed(struct.pack("!I", CLAIM_MAX + 1)))


def test_a_claim_that_breaks_off_is_noticed() -> None:
    decoder = ClaimDecoder()
    assert list(decoder.feed(struct.pack("!I", 5) + b"abc")) == []
    with pytest.raises(ProtocolError, match="breaks off"):
        decoder.finish()


@pytest.mark.parametrize("payload", [b"", b"[]", b"{}", b'{"kind": 1}', b"[" * 100_000, b"\xff"])
def test_messages_without_a_kind_are_refused(payload: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode_message(payload)


def test_messages_are_framed_as_the_guest_reads_them() -> None:
    data = encode_message({"kind": "kill", "text": "中\ud800"})
    length, channel = struct.unpack_from("!IB", data)
    assert (length, channel) == (len(data) - 5, MESSAGE)
    assert json.loads(data[5:]) == {"kind": "kill", "text": "中\ud800"}
