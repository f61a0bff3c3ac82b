"""Where a line begins with the label of a speaker: decoration, numbering, bold, colons of every width.

A label in the middle of a sentence is none. Only the first characters of a line are looked at, so the time is
linear in the length of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.documents.labels import LABELS, Kind, Meaning, number


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A label that begins a turn.

    start    offset where the turn begins (decoration of the label included)
    content  offset of the first character behind the label
    label    the word itself, empty for a turn that was inferred
    speaker  the person, as far as the label names one
    telling  counts as evidence that the document is an interview
    closed   the line is a heading or wholly bold, so it holds the whole question
    """

    start: int
    content: int
    kind: Kind
    label: str = ""
    number: int | None = None
    speaker: str = ""
    telling: bool = True
    closed: bool = False


_HEAD = 120
_TIME = r"[\[(（]?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?[\])）]?"
_DECORATION = re.compile(
    rf"(?:\s|\#{{1,6}}(?![\#!])|[\u200b-\u200d\u2060\ufeff>*_~+•●○■□◆◇▪★☆–—-]|[【\[「『]|{_TIME}"
    r"|[(（]?(?P<arabic>[0-9０-９]{1,3})[.)、．）]|[(（]?(?P<han>[一二三四五六七八九十]{1,3})[、.．)）])*"
)
_DIGITS = r"[0-9０-９]{1,3}|[一二三四五六七八九十]{1,3}"
_CLOCK = r"\d{2}:\d{2}|\d:\d{2}:\d{2}"
_WORDS = "|".join(
    re.escape(word).replace(r"\ ", r"[ ]+").replace("'", "['’]") for word in sorted(LABELS, key=len, reverse=True)
)
_LABEL = re.compile(
    rf"(?:第\s*(?P<before>{_DIGITS})\s*[个道]?\s*)?(?P<label>{_WORDS})(?:(?<=[^\x00-\x7f])|(?![a-z]))(?:['’]s)?"
    rf"\s*(?:\#|No\.?\s|第)?\s*(?P<after>(?!{_CLOCK})(?:{_DIGITS}))?(?P<letter>[A-Z甲乙丙丁])?(?:[ ]of[ ]\d{{1,3}})?"
    rf"(?:\s*[(（](?P<note>[^()（）\n]{{1,24}})[)）])?(?P<time>\s*{_TIME})?",
    re.IGNORECASE,
)
_CLOSERS = r"[ \t\u3000\u00a0\u200b-\u200d\u2060\ufeff*_~】\]」』]*"
_COLON = re.compile(rf"(?P<close>{_CLOSERS})[:：﹕∶︰](?P<rest>{_CLOSERS})")
_STOP = re.compile(rf"(?P<close>{_CLOSERS})(?:[.．、)）]|[–—-]{{1,2}}(?=\s))(?P<rest>{_CLOSERS})")
_BARE = re.compile(_CLOSERS)
_TYPES = re.compile(
    r"(?:int|str|float|bool|bytes|list|dict|tuple|set|object|None|Any|Optional|Union|Sequence|Callable|Iterable|Literal)"
    r"(?:\[[^\n]*\])?\s*(?:=[^\n]*|,|\|[^\n]*)?$"
)


def read(text: str, start: int, end: int) -> Marker | None:
    """The marker that the line [start, end) begins with, or None."""
    limit = min(end, start + _HEAD)
    decoration = _DECORATION.match(text, start, limit)
    at = decoration.end() if decoration else start
    match = _LABEL.match(text, at, limit)
    if match is None:
        return None
    label = match["label"]
    meaning = LABELS.get(" ".join(label.replace("’", "'").lower().split()))
    dressed = text[start:at]
    if meaning is None or not (_is_written_as_label(label) or _is_loud(dressed)):
        return None
    digits = match["before"] or match["after"] or ""
    count = None if meaning.speaker else number(digits)
    content = _content(text, match, end, dressed, numbered=count is not None)
    if content is None:
        return None
    if count is None and decoration and meaning.kind is Kind.QUESTION and not meaning.speaker:
        count = number(decoration["arabic"] or decoration["han"] or "")
    after_colon = text[match.end() : content]
    telling = meaning.telling and (
        count is not None or any(char in ":：﹕∶︰】" for char in after_colon) or bool(match["time"])
    )
    return Marker(
        start=start,
        content=content,
        kind=meaning.kind,
        label=label,
        number=count,
        speaker=_speaker(meaning, match),
        telling=telling,
        closed=_is_closed(text[start:end], dressed),
    )


def _content(text: str, match: re.Match[str], end: int, dressed: str, *, numbered: bool) -> int | None:
    """Offset behind the punctuation that ends the label; None when what stands there shows that it is no label."""
    at, label = match.end(), match["label"]
    colon = _COLON.match(text, at, end)
    if colon:
        rest = text[colon.end() : min(end, colon.end() + _HEAD)]
        return colon.end() if _is_speech(rest, colon[0], label) else None
    stop = _STOP.match(text, at, end) if numbered else None
    if stop:
        return stop.end()
    bare = _BARE.match(text, at, end)
    behind = bare.end() if bare else at
    if "【" in dressed and "】" in text[at:behind]:
        return behind
    if behind == end:
        alone = _is_loud(dressed) or bool(match["time"]) or (numbered and len(label) > 1)
        return behind if alone else None
    asked = text[at:end].rstrip(" *_").endswith(("?", "？"))
    spaced = behind > at and text[at] in " \t\u3000*_"
    return behind if numbered and spaced and (asked or _is_loud(dressed)) else None


def _is_speech(rest: str, punctuation: str, label: str) -> bool:
    """Whether what follows the colon can be speech, rather than code, a path or an address."""
    ascii_colon = punctuation.endswith(":")
    if ascii_colon and rest.startswith((":", "=", "/", "\\")):
        return False
    if ascii_colon and len(label) == 1 and label.isascii() and rest[:1].isascii() and rest[:1].isalnum():
        return False
    return not _TYPES.match(rest)


def _is_written_as_label(label: str) -> bool:
    return not label[0].isascii() or label[0].isupper()


def _is_loud(dressed: str) -> bool:
    """Whether the decoration makes the line a heading or bold."""
    return "#" in dressed or "**" in dressed or "__" in dressed


def _is_closed(line: str, dressed: str) -> bool:
    bare = line.strip()
    bold = any(mark in dressed and bare.endswith(mark) and bare.count(mark) == 2 for mark in ("**", "__"))
    return bold or dressed.lstrip().startswith("#")


def _speaker(meaning: Meaning, match: re.Match[str]) -> str:
    if not meaning.speaker:
        return ""
    end = max(match.end("label"), match.end("after"), match.end("letter"))
    return match["note"] or match.string[match.start("label") : end]
