"""How an engine carries a container's output and errors on one connection. Bytes in, parts out.

Each part: stream (1 byte: 1 output, 2 errors), three zero bytes, length (4 bytes, big endian), payload.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from verifier.errors import ProtocolError

OUTPUT, ERRORS = 1, 2
_HEADER = struct.Struct("!B3xI")
_MOST = 1 << 24  # an engine passes on what it read at once, some 32 KiB


class Demultiplexer:
    """Cuts the bytes of a connection into (stream, payload). A payload is passed on as it comes, not held back."""

    def __init__(self) -> None:
        self._header = b""
        self._stream = OUTPUT
        self._left = 0

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """What has come of each stream; raises ProtocolError for a header that cannot be."""
        while data:
            if self._left:
                payload, data = data[: self._left], data[self._left :]
                self._left -= len(payload)
                yield self._stream, payload
                continue
            missing = _HEADER.size - len(self._header)
            self._header, data = self._header + data[:missing], data[missing:]
            if len(self._header) == _HEADER.size:
                self._stream, self._left = _HEADER.unpack(self._header)
                self._header = b""
                if self._stream not in (OUTPUT, ERRORS) or self._left > _MOST:
                    raise ProtocolError("The container engine sent something else than a container's output.")
