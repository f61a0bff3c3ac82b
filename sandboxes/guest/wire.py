"""How bytes travel between guest and host. Hides the framing of both streams.

Link between zygote and host, both ways: length of the payload (4 bytes, big endian), channel (1 byte), payload.
Claims, from a session to the zygote, which passes them on unread: length (4 bytes, big endian), JSON object.
"""

from __future__ import annotations

import json
import os
import struct

PROTOCOL = 1

# Channels of the link.
MESSAGE = 1  # JSON object of a trusted process
CLAIMS = 2  # bytes that a session wrote on its claims pipe
STDOUT = 3
STDERR = 4

_HEADER = struct.Struct("!IB")
_LENGTH = struct.Struct("!I")


class Closed(Exception):
    """The other end of the link is gone."""


def write_all(descriptor, data):
    """Write all of `data`; raises OSError."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _read_exactly(descriptor, size):
    parts = []
    while size:
        part = os.read(descriptor, min(size, 1 << 20))
        if not part:
            raise Closed
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def send(descriptor, channel, payload):
    """Send one frame on the link."""
    write_all(descriptor, _HEADER.pack(len(payload), channel) + payload)


def tell(descriptor, **message):
    """Send one message on the link."""
    send(descriptor, MESSAGE, json.dumps(message).encode("ascii"))


def receive_bytes(descriptor):
    """The next message of the host, not decoded; raises Closed."""
    length, _ = _HEADER.unpack(_read_exactly(descriptor, _HEADER.size))
    return _read_exactly(descriptor, length)


def receive(descriptor):
    """The next message of the host as a dictionary; raises Closed."""
    return json.loads(receive_bytes(descriptor).decode("utf-8"))


def claim(descriptor, **message):
    """Write one claim; raises OSError when the pipe was closed."""
    payload = json.dumps(message).encode("ascii")
    write_all(descriptor, _LENGTH.pack(len(payload)) + payload)
