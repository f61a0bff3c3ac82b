"""Decoding and offsets: bytes to characters, characters to lines and columns."""

from __future__ import annotations

import codecs
from bisect import bisect_right
from unicodedata import east_asian_width

from charset_normalizer import from_bytes

from verifier.errors import InputError

# Longest mark first: the UTF-32 mark begins with the UTF-16 one.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PROBE = 1 << 16


def decode(raw: bytes) -> tuple[str, str]:
    """The characters of `raw` and the encoding they were in; line ends become a line feed.

    A byte order mark decides, else UTF-8, else GB18030, else the best guess of charset-normalizer.
    Raises InputError when the bytes are not text.
    """
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            try:
                return _lines(
                    raw[len(mark) :].decode("utf-8") if encoding == "utf-8" else raw.decode(encoding)
                ), encoding
            except UnicodeDecodeError as error:
                raise InputError(
                    f"starts with a {encoding.upper()} mark but is not {encoding.upper()}: {error.reason}"
                ) from None
    if _is_binary(raw):
        raise InputError("is not a text file (it holds binary data)")
    for encoding in ("utf-8", "gb18030"):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding == "utf-8" or _reads_like_chinese(text):
            return _lines(text), encoding
    guess = from_bytes(raw[:_PROBE]).best()
    if guess is None:
        raise InputError("is in no known text encoding; convert it to UTF-8")
    return _lines(raw.decode(guess.encoding, "replace")), guess.encoding.replace("_", "-")


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _is_binary(raw: bytes) -> bool:
    head = raw[:_PROBE]
    controls = sum(head.count(bytes([code])) for code in (*range(1, 7), *range(14, 27), 28, 29, 30, 31))
    return b"\0" in head or controls > 0.1 * max(len(head), 1)


def _reads_like_chinese(text: str) -> bool:
    """Whether text decoded as GB18030 is plausibly Chinese: most of its non-ASCII characters are common Han.

    Almost any byte string of a Western single-byte encoding decodes as GB18030 too, into rare characters.
    """
    foreign = [char for char in text[:_PROBE] if ord(char) > 127]
    common = sum(
        "\u4e00" <= char <= "\u9fa5"
        or "\u3000" <= char <= "\u303f"
        or "\uff00" <= char <= "\uffef"
        or "\u2010" <= char <= "\u2026"
        for char in foreign
    )
    # GB2312, the characters in daily use, sorts its level-1 Han first: rare ones lie outside it.
    daily = sum(_in_gb2312(char) for char in foreign)
    return common >= 0.7 * len(foreign) and daily >= 0.9 * len(foreign)


def _in_gb2312(char: str) -> bool:
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


class Lines:
    """Line and column of offsets into one text. Lines and columns count from 1, columns in characters."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def __len__(self) -> int:
        return len(self._starts)

    def line(self, offset: int) -> int:
        """The line that holds `offset`."""
        return bisect_right(self._starts, offset)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of `offset`."""
        line = self.line(offset)
        return line, offset - self._starts[line - 1] + 1

    def start(self, line: int) -> int:
        """Offset of the first character of a line."""
        return self._starts[line - 1]

    def end(self, line: int) -> int:
        """Offset just behind the last character of a line, before its line end."""
        return self._starts[line] - 1 if line < len(self._starts) else len(self._text)

    def content(self, line: int) -> str:
        """The characters of a line without its line end."""
        return self._text[self.start(line) : self.end(line)]


def width(text: str) -> int:
    """Columns that `text` takes in a terminal: two for a wide character, none for a combining one."""
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if char in "\u200b\u200c\u200d\ufeff" or 0x300 <= ord(char) < 0x370:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1
