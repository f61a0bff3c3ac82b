"""UTF-8 that was read in another encoding: as GB18030 (`缂栬瘧`, once `编译`) or as Windows-1252 (`cafÃ©`).

Hides how the wrong reading is undone and when that is believed: only if every byte of a run fits, and what comes
out is ordinary text. What the wrong reading lost (U+FFFD, or `?` for half a character) stays lost: U+FFFD.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from unicodedata import category

from verifier.extract.repair.draft import Edit
from verifier.model import RepairClass

_LOST = "\ufffd"
# Characters beyond ASCII, and the marks of loss between and behind them.
_RUN = re.compile(r"[^\x00-\x7f]+(?:\?+[^\x00-\x7f]+)*\??")
_PIECE = re.compile(r"[?\ufffd]|[^?\ufffd]+")
_CUT_QUOTE = re.compile("â€(?:[?\ufffd]|$)")
# The byte behind each character of Windows-1252 and Latin-1, which share all but the C1 controls.
_WESTERN = {
    **{chr(byte): byte for byte in range(0x80, 0x100)},
    **{bytes([byte]).decode("cp1252", "replace"): byte for byte in range(0x80, 0xA0)},
}
del _WESTERN[_LOST]
_MARKS = "?" + _LOST
_CONTINUATION = bytes(range(0x80, 0xC0))
_LEADS = re.compile(r"[Â-ô]")
# Han characters that must come out, and the share of them that must be in daily use (level 1 of GB2312).
_FEWEST, _DAILY, _RISE = 2, 0.6, 0.3
_BLANKS = "\u00a0\u3000\ufeff\u200b"
# Letters of other alphabets and Han; and what hardly stands in any document that is read here.
_FOREIGN = re.compile(r"[\u0100-\u07ff\u3040-\u9fff\uac00-\ud7a3]")
_RARE = re.compile(r"[\u0180-\u036f\u0800-\u1fff\u2800-\u2e7f\ua000-\uabff\ue000-\uf8ff]")
# Code that is about encodings means what it shows.
_ABOUT = re.compile(
    r"\b(?:encode|decode)\s*\(|\bftfy\b|\bencoding\s*=\s*['\"](?:gbk|gb18030|latin|cp1252)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Misread:
    """A run `start:end` of a text, what it was, and the encoding it was read in."""

    start: int
    end: int
    was: str
    encoding: str


def mojibake_edits(text: str) -> list[Edit]:
    """Edits that undo the wrong readings in code, wherever they stand; none in code that deals with encodings."""
    found = [] if text.isascii() or _ABOUT.search(text) else list(misread(text))
    return [
        Edit(
            start=one.start,
            end=one.end,
            after=one.was,
            rule="mojibake",
            klass=RepairClass.R2,
            reason=f"UTF-8 that was read as {one.encoding}",
            alternatives=(text[one.start : one.end],),
        )
        for one in found
    ]


def misread(text: str) -> Iterator[Misread]:
    """The runs of characters beyond ASCII that are UTF-8 in a wrong reading, in order."""
    runs = [run for run in _RUN.finditer(text) if run.group() != _LOST]
    # A single letter or Han character proves little, unless its neighbours were read wrongly too.
    fewest = 1 if any(_undone(run.group(), _FEWEST) for run in runs) else _FEWEST
    for run in runs:
        found = _undone(run.group(), fewest)
        if found:
            yield Misread(start=run.start(), end=run.end(), was=found[0], encoding=found[1])


def _undone(run: str, fewest: int) -> tuple[str, str] | None:
    """What `run` was and the encoding it was read in, if `fewest` characters prove it."""
    for encoding, undone in (("Windows-1252", _western), ("GB18030", _chinese)):
        was = undone(run, fewest)
        if was and was != run:
            return was, encoding
    return None


def _western(run: str, fewest: int) -> str | None:
    """What `run` was if it was read as Windows-1252, once or twice."""
    once = _western_once(run)
    twice = _western_once(once) if once else None
    return next((was for was in (twice, once) if was and _is_ordinary(was, fewest)), None)


def _western_once(run: str) -> str | None:
    if not _LEADS.search(run):
        return None
    # The last byte of a closing curly quote has no character in Windows-1252.
    run = _CUT_QUOTE.sub("â€\x9d", run)
    if any(char not in _WESTERN and char not in _MARKS for char in run):
        return None
    return _decoded(run, lambda piece: bytes(_WESTERN[char] for char in piece))


def _is_ordinary(text: str, fewest: int) -> bool:
    """Whether text holds no controls, rare letters or rare Han; `ą` alone, as in `Ä…`, is no proof."""
    foreign = [char for char in text if _FOREIGN.match(char)]
    if 0 < len(foreign) == len(text) < fewest:
        return False
    han = [char for char in foreign if "\u3400" <= char <= "\u9fff"]
    return all(category(char)[0] in "LNPSM" or char in _BLANKS for char in text) and (
        not _RARE.search(text) and sum(map(_is_daily, han)) >= _DAILY * len(han)
    )


def _chinese(run: str, fewest: int) -> str | None:
    """What `run` was if it was read as GB18030 and holds `fewest` Han characters."""
    # Code page 936 of Windows has € at 0x80, where GB18030 has nothing.
    was = _decoded(run, lambda piece: b"\x80".join(part.encode("gb18030", "replace") for part in piece.split("€")))
    if was is None or not all(_is_chinese(char) for char in was):
        return None
    han = sum("\u4e00" <= char <= "\u9fff" for char in was)
    return was if han >= fewest and _daily(was) >= max(_DAILY, _daily(run) + _RISE) else None


def _decoded(run: str, encoded: Callable[[str], bytes]) -> str | None:
    """The bytes of `run` as UTF-8, None when they are none; a character may be broken only where a mark of loss is.

    A `?` between whole characters is a question mark. Most of what comes out must be whole.
    """
    parts: list[str] = []
    lost = False
    for piece in _PIECE.findall(run):
        if piece in _MARKS:
            # The mark is dropped again if the character before or behind it is broken.
            parts.append(_LOST if lost else piece)
            continue
        raw = encoded(piece)
        whole = raw.lstrip(_CONTINUATION) if parts else raw
        if len(whole) < len(raw):
            parts[-1] = _LOST
        try:
            text, lost = whole.decode("utf-8"), False
        except UnicodeDecodeError as error:
            if error.reason != "unexpected end of data":
                return None
            text, lost = whole[: error.start].decode("utf-8"), True
        parts.append(text)
    was = "".join(parts)
    return was if not (lost and parts[-1] not in _MARKS) and was.count(_LOST) * 2 < len(was) else None


def _is_chinese(char: str) -> bool:
    return (
        ("\u4e00" <= char <= "\u9fff" or "\u3000" <= char <= "\u303f" or "\uff00" <= char <= "\uffef")
        or char in "“”‘’—…·×→≤≥≠°" + _LOST
        or char.isascii()
    )


def _daily(text: str) -> float:
    """The share of characters in daily use among the characters of `text` beyond ASCII that are not punctuation."""
    words = [char for char in text if not char.isascii() and category(char)[0] != "P" and char != _LOST]
    return sum(_is_daily(char) for char in words) / max(len(words), 1)


def _is_daily(char: str) -> bool:
    try:
        raw = char.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return 0xB0 <= raw[0] <= 0xD7
