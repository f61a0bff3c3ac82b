"""How bytes travel between guest and host. Hides the framing of both streams.

Link between zygote and host, both ways: length of the payload (4 bytes, big endian), channel (1 byte), payload.
Claims and notices, from a session to the zygote, which passes them on unread: length (4 bytes, big endian),
JSON object.
"""

from __future__ import annotations

import json
import os
import select
import struct

PROTOCOL = 3

# Channels of the link.
MESSAGE = 1  # JSON object of a trusted process
CLAIMS = 2  # bytes that a session wrote on its claims pipe
STDOUT = 3
STDERR = 4
NOTICES = 5  # bytes that a session's audit hook wrote, framed like claims

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


def is_hung_up(descriptor):
    """Whether nobody is at the other end of the link any more."""
    watch = select.poll()
    watch.register(descriptor, 0)
    return any(event & (select.POLLHUP | select.POLLERR) for _, event in watch.poll(0))


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


def reporter(descriptor, token):
    """A function `tell(what, **facts)` that writes one claim; it raises OSError when the pipe was closed.

    All it uses is bound here, before a document can replace it, and out of reach of everybody who does not have
    the function itself. It is silent in other processes: a child that the document forks must not speak for it.
    """
    write, getpid, pack, join, view_of = os.write, os.getpid, _LENGTH.pack, "".join, memoryview
    # The encoder proper: the methods around it can be replaced.
    text = json.encoder.c_encode_basestring_ascii
    encode = json.encoder.c_make_encoder(None, None, text, None, ":", ",", False, False, True)
    head = '{"token":"%s",' % token
    process = getpid()

    def tell(what, **facts):
        if getpid() != process:
            return
        facts["what"] = what
        # No dictionary ever holds the token.
        payload = (head + join(encode(facts, 0))[1:]).encode("ascii")
        view = view_of(pack(len(payload)) + payload)
        while view:
            view = view[write(descriptor, view) :]

    return tell
