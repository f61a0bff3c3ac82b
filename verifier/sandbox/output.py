"""What a session printed: cut into statements, freed of TensorFlow's own log, kept as head and tail."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Lines that TensorFlow's C++ code writes: `E0000 00:00:1.2 12 file.cc:1] …` and `2025-01-01 …: W file.cc:1] …`.
_NATIVE_LOG = re.compile(
    rb"^(?:[IWEF]\d{4} \d\d:\d\d:\d+\.\d+ +\d+ [^\s:]+:\d+\]|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: [IWEF] [^\n:]+:\d+\]"
    rb"|WARNING: All log messages before absl::InitializeLog\(\)).*\n?",
    re.MULTILINE,
)


@dataclass(slots=True)
class Stream:
    """The bytes of one stream of a session. `word` is in every mark and known to the session only."""

    word: str
    limit: int
    _data: bytearray
    size: int = 0

    @classmethod
    def begin(cls, word: str, limit: int) -> Stream:
        """An empty stream of which at most `limit` bytes are held; `size` counts all."""
        return cls(word, limit, bytearray())

    def feed(self, data: bytes) -> None:
        """Add what was written."""
        self.size += len(data)
        self._data += data[: max(self.limit - len(self._data), 0)]

    def tail(self) -> bytes:
        """The last bytes that are held."""
        return bytes(self._data[-4096:])

    def sections(self) -> dict[int, bytes]:
        """What was written per statement, by number in the order they ran; -1 is what came before the first."""
        mark = re.compile(b"\x1e" + self.word.encode() + rb":(\d{1,9})\x1e")
        parts = mark.split(bytes(self._data))
        found = {-1: parts[0]}
        for number, text in zip(parts[1::2], parts[2::2], strict=True):
            found[int(number)] = found.get(int(number), b"") + text
        return found


def without_native_log(text: bytes) -> bytes:
    """What is left of stderr when TensorFlow's own log lines are taken out."""
    return _NATIVE_LOG.sub(b"", text)


def abridge(text: bytes, limit: int) -> tuple[str, bool]:
    """The characters of at most `limit` bytes of `text`, head and tail, and whether any were left out."""
    if len(text) <= limit:
        return _characters(text), False
    half = limit // 2
    omitted = len(text) - 2 * half
    head, tail = text[:half], text[len(text) - half :]
    return f"{_characters(head)}\n… {omitted} bytes left out …\n{_characters(tail)}", True


def _characters(text: bytes) -> str:
    return text.decode("utf-8", "replace")
