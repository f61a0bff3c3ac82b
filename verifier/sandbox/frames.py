"""The framing of both streams that come out of a sandbox. Bytes in, frames out, ProtocolError for all else.

Link: length (4 bytes, big endian), channel (1 byte), payload. Claims and notices: length (4 bytes, big endian),
payload.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator

from verifier.errors import ProtocolError

PROTOCOL = 3

MESSAGE, CLAIMS, STDOUT, STDERR, NOTICES = 1, 2, 3, 4, 5
_CHANNELS = frozenset((MESSAGE, CLAIMS, STDOUT, STDERR, NOTICES))

_LINK = struct.Struct("!IB")
_CLAIM = struct.Struct("!I")
_LINK_MAX = 1 << 20  # the zygote passes on at most 64 KiB at a time; its own messages are short
CLAIM_MAX = 8 << 20  # a figure of 2 MiB in base64 fits in


class LinkDecoder:
    """Cuts the bytes of the link into (channel, payload)."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Every frame that is complete now; raises ProtocolError for a header that cannot be."""
        self._buffer += data
        while len(self._buffer) >= _LINK.size:
            length, channel = _LINK.unpack_from(self._buffer)
            if channel not in _CHANNELS or length > _LINK_MAX:
                raise ProtocolError(f"The guest sent a frame of {length} bytes on channel {channel}.")
            end = _LINK.size + length
            if len(self._buffer) < end:
                return
            payload = bytes(self._buffer[_LINK.size : end])
            del self._buffer[:end]
            yield channel, payload


class ClaimDecoder:
    """Cuts the bytes of the claims pipe into payloads."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Every payload that is complete now; raises ProtocolError for a length that cannot be."""
        self._buffer += data
        while len(self._buffer) >= _CLAIM.size:
            (length,) = _CLAIM.unpack_from(self._buffer)
            if length > CLAIM_MAX:
                raise ProtocolError(f"A session claimed {length} bytes at once.")
            end = _CLAIM.size + length
            if len(self._buffer) < end:
                return
            payload = bytes(self._buffer[_CLAIM.size : end])
            del self._buffer[:end]
            yield payload

    def finish(self) -> None:
        """Raises ProtocolError when the stream broke off within a payload."""
        if self._buffer:
            raise ProtocolError("A session's last claim breaks off.")


def encode_message(message: dict[str, object]) -> bytes:
    """One message to the guest."""
    payload = json.dumps(message).encode("ascii")
    return _LINK.pack(len(payload), MESSAGE) + payload


def decode_message(payload: bytes) -> dict[str, object]:
    """One message of the zygote; raises ProtocolError."""
    try:
        message = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"The guest sent a message that is no JSON: {error}.") from error
    if not isinstance(message, dict) or not isinstance(message.get("kind"), str):
        raise ProtocolError("The guest sent a message without a kind.")
    return message
