"""Decoding, offsets and edits: bytes to characters, characters to lines and columns, and changes of them."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterable
from unicodedata import east_asian_width

from charset_normalizer import from_bytes

from verifier.errors import InputError
from verifier.model import Edit

# Longest mark first: the UTF-32 mark begins with the UTF-16 one.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PROBE = 1 << 16
# AutoGraph quotes the traceback with the exception on its last line; Keras sets the message in bold.
_IN_GRAPH = re.compile(r"\Ain user code:.*\n\s*[\w.]+: (?P<message>[^\n]*\S)\s*\Z", re.DOTALL)
_IN_KERAS = re.compile(r"\AException encountered when calling [^\n]*\n\n\x1b\[1m(?P<message>.*?)\x1b\[0m", re.DOTALL)
# Punctuation and letters that Western text in Windows-1252 is made of, beside ASCII.
_WESTERN = frozenset("“”‘’–—…•·«»°§©®™€£¥±×¿¡\u00a0") | {chr(code) for code in range(0xC0, 0x100)} - set("×÷ÞþÐð")


def decode(raw: bytes) -> tuple[str, str]:
    """The characters of `raw` and the encoding they were in; line ends become newlines.

    A byte order mark decides, else UTF-8, else GB18030, else Windows-1252, else the best guess of
    charset-normalizer. A few damaged bytes in UTF-8 or GB18030 become U+FFFD.
    Raises InputError when the bytes are not text.
    """
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return _lines(_decode_marked(raw[len(mark) :] if encoding == "utf-8" else raw, encoding)), encoding
    if b"\0" in raw:
        return _decode_wide(raw)
    if _is_binary(raw):
        raise InputError("is not a text file (it holds binary data)")
    for encoding, good in (("utf-8", 10), ("gb18030", 100)):
        text = _decode_mostly(raw, encoding, good)
        if text is not None and (encoding == "utf-8" or _reads_like_chinese(text)):
            return _lines(text), encoding
    if _reads_like_western(raw):
        return _lines(raw.decode("cp1252")), "cp1252"
    guess = from_bytes(raw[:_PROBE]).best()
    if guess is None:
        raise InputError("is in no known text encoding; convert it to UTF-8")
    return _lines(raw.decode(guess.encoding, "replace")), guess.encoding.replace("_", "-")


def patched(text: str, edits: Iterable[Edit]) -> str:
    """The text with these edits, none of which overlaps another, in any order."""
    parts, at = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        parts += [text[at : edit.span.start], edit.after]
        at = edit.span.end
    return "".join([*parts, text[at:]])


def inner_message(message: str) -> str:
    """What an exception said before AutoGraph or Keras put it into a message of their own; else the message itself."""
    found = _IN_GRAPH.search(message) or _IN_KERAS.search(message)
    return found["message"] if found else message


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode_marked(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        name = encoding.upper()
        raise InputError(f"starts with a {name} mark but is not {name}: {error.reason}") from None


def _decode_wide(raw: bytes) -> tuple[str, str]:
    """UTF-16 without a mark, taken for text in the byte order in which nearly all characters are common ones."""
    if raw.isascii() and raw.count(0) < 0.4 * len(raw):
        raise InputError("is not a text file (it holds binary data)")
    for encoding in ("utf-16-le", "utf-16-be"):
        text = raw.decode(encoding, "replace")
        probe = text[:_PROBE]
        latin = sum("\t" <= char <= "~" for char in probe)
        if "\0" not in text and latin >= 0.02 * len(probe) and latin + sum(map(_is_common, probe)) >= 0.9 * len(probe):
            return _lines(text), encoding
    raise InputError("is not a text file (it holds binary data)")


def _decode_mostly(raw: bytes, encoding: str, good: int) -> str | None:
    """The text when all bytes fit, or when `good` characters beyond ASCII stand for each place that is damaged.

    A text that was cut off inside its last character needs three of them.
    """
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        text = raw.decode(encoding, "replace")
        cut_off = error.end == len(raw)
    damaged = text.count("\ufffd")
    foreign = sum(not char.isascii() for char in text) - damaged
    return text if foreign >= (3 if cut_off else good * damaged) else None


def _is_binary(raw: bytes) -> bool:
    head = raw[:_PROBE]
    controls = sum(head.count(bytes([code])) for code in (*range(1, 7), *range(14, 27), 28, 29, 30, 31))
    return controls > 0.1 * max(len(head), 1)


def _reads_like_western(raw: bytes) -> bool:
    """Whether the text is mostly ASCII, and the rest is what Windows-1252 is used for."""
    try:
        foreign = [char for char in raw.decode("cp1252") if char > "~"]
    except UnicodeDecodeError:
        return False
    return len(foreign) <= 0.3 * len(raw) and all(char in _WESTERN for char in foreign)


def _reads_like_chinese(text: str) -> bool:
    """Whether text decoded as GB18030 is plausibly Chinese: most of its non-ASCII characters are common Han.

    Almost any byte string of a Western single-byte encoding decodes as GB18030 too, into rare characters.
    """
    foreign = [char for char in text[:_PROBE] if ord(char) > 127 and char != "\ufffd"]
    common = sum(map(_is_common, foreign))
    # GB2312, the characters in daily use, sorts its level-1 Han first: rare ones lie outside it.
    daily = sum(_in_gb2312(char) for char in foreign)
    return common >= 0.7 * len(foreign) and daily >= 0.9 * len(foreign)


def _is_common(char: str) -> bool:
    """Whether the character is Han, CJK or general punctuation, or full-width."""
    return (
        "\u4e00" <= char <= "\u9fa5"
        or "\u3000" <= char <= "\u303f"
        or "\uff00" <= char <= "\uffef"
        or "\u2010" <= char <= "\u2026"
    )


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
