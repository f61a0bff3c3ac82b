"""What an audit hook writes is believed like a claim: with the token, in order, in bounds."""

from __future__ import annotations

import json
import struct
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.errors import ProtocolError
from verifier.sandbox.notices import Notices

TOKEN = "t" * 32


def framed(**facts) -> bytes:
    data = json.dumps({"what": "notice", "token": TOKEN, "event": "gc.get_objects", "reach": "all objects", **facts})
    return struct.pack("!I", len(data)) + data.encode()


def test_areas_are_kept_in_order_and_once() -> None:
    notices = Notices(TOKEN)
    data = framed() + framed(reach="native code") + framed()
    for at in range(len(data)):
        notices.feed(data[at : at + 1])
    notices.finish(3)
    assert notices.areas == ["all objects", "native code"]


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"reach": "guest", "event": "sys._getframe"}, r"reached for what watches it \(sys\._getframe\)"),
        ({"token": "x" * 32}, "did not come from"),
        ({"what": "finished", "ended": ""}, "malformed"),
        ({"more": 1}, "malformed"),
        ({"reach": 7}, "malformed"),
    ],
)
def test_attacks_and_forgeries_are_refused(facts: dict[str, object], message: str) -> None:
    with pytest.raises(ProtocolError, match=message):
        Notices(TOKEN).feed(framed(**facts))


def test_a_claim_among_notices_is_refused() -> None:
    data = json.dumps({"what": "started", "token": TOKEN}).encode()
    with pytest.raises(ProtocolError, match="among its notices"):
        Notices(TOKEN).feed(struct.pack("!I", len(data)) + data)


def test_a_flood_is_refused() -> None:
    with pytest.raises(ProtocolError, match="more notices"):
        Notices(TOKEN).feed(framed() * 1001)


def test_held_back_and_broken_notices_are_noticed() -> None:
    notices = Notices(TOKEN)
    notices.feed(framed())
    with pytest.raises(ProtocolError, match="held back"):
        notices.finish(2)
    notices.feed(framed()[:9])
    with pytest.raises(ProtocolError, match="breaks off"):
        notices.finish(1)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=64)))
def test_random_bytes_raise_nothing_but_protocol_errors(chunks: list[bytes]) -> None:
    notices = Notices(TOKEN)
    with suppress(ProtocolError):
        for chunk in chunks:
            notices.feed(chunk)
        notices.finish(0)
