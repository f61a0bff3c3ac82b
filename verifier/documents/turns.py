"""Who speaks from where: the markers of a document put in order, with those that its layout hides.

Beside labels at line starts there are labels that lost their line break ("… 考察目标： … 回答： …"), speakers known
by name only, and questions that nothing but an answer behind them gives away.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from verifier.documents.labels import LABELS, Kind, number
from verifier.documents.markers import Marker
from verifier.documents.speech import Line

_TIME = r"(?:[\[(（]?\d{1,2}:\d{2}(?::\d{2})?[\])）]?)?"
_LATIN_NAME = r"[A-Z][A-Za-z.'’-]{0,20}(?:[ ][A-Z][A-Za-z.'’-]{0,20}){0,2}"
_NAMED = re.compile(
    rf"[ \t\u3000>*_-]{{0,8}}{_TIME}[ \t*_]{{0,4}}(?P<name>[\u4e00-\u9fff]{{1,4}}|{_LATIN_NAME})"
    rf"[ \t*_]{{0,4}}{_TIME}[ \t*_]{{0,4}}[:：][ \t*_]*"
)
_NAME_LINE = re.compile(rf"[ \t]*(?P<name>[\u4e00-\u9fff]{{2,4}}|{_LATIN_NAME})[ \t*_]*$")
_NUMBERED = re.compile(r"[\s#>*_-]{0,12}[(（]?(?P<digits>[0-9]{1,3}|[一二三四五六七八九十]{1,3})[.)、．）]")
_DIGITS = r"[0-9０-９]{1,3}|[一二三四五六七八九十]{1,3}"
_INLINE_WORDS = "|".join(
    sorted(
        (
            word
            for word, meaning in LABELS.items()
            if not word.isascii() and meaning.telling and not meaning.speaker and meaning.kind is not Kind.HEADER
        ),
        key=len,
        reverse=True,
    )
)
_INLINE = re.compile(
    rf"(?<=[\s。？！?!；;”\"）)])(?:(?P<label>{_INLINE_WORDS})[ ]?(?P<number>{_DIGITS})?[ ]?[：:]"
    rf"|(?P<english>Answer|Question|A|Q)[ ]?(?P<count>[0-9]{{1,3}})?:(?=[ ]))[ \t\u3000]*"
)
_FOLLOWS = {
    Kind.PURPOSE: {Kind.QUESTION},
    Kind.ANSWER: {Kind.QUESTION, Kind.PURPOSE},
    Kind.REVIEW: {Kind.ANSWER},
    Kind.QUESTION: {Kind.HEADER, Kind.ANSWER, Kind.REVIEW},
}


def collect(text: str, spoken: Sequence[Line]) -> list[Marker]:
    """All markers of the document in order of their offsets."""
    found = [line.marker for line in spoken if line.marker is not None]
    found = _without_options(text, spoken, found)
    found = _settle_names(text, spoken, found)
    found = _with_inline(text, spoken, found)
    return _with_implied(text, spoken, found)


def _without_options(text: str, spoken: Sequence[Line], found: list[Marker]) -> list[Marker]:
    """Drop `A:` where `B:` and `C:` follow: those are choices of a quiz."""
    letters = {text[line.start : line.start + 2] for line in spoken}
    if not {"B:", "C:"} <= letters and not {"B：", "C："} <= letters:
        return found
    return [marker for marker in found if marker.label != "A" or marker.number is not None]


def _settle_names(text: str, spoken: Sequence[Line], found: list[Marker]) -> list[Marker]:
    """Turn `候选人：张三` at the top into a header, and find the turns of speakers who are called by name."""
    used = Counter(marker.label for marker in found)
    turns = {match["name"] for _, match in _named_lines(text, spoken)}
    known: dict[str, Kind] = {}
    settled: list[Marker] = []
    for marker in found:
        name = "" if any(one.kind is not Kind.HEADER for one in settled[-1:]) else _names_somebody(text, marker)
        if name and (name in turns or used[marker.label] == 1):
            known[name] = marker.kind
            settled.append(replace(marker, kind=Kind.HEADER, speaker=""))
        else:
            settled.append(marker)
    named = _by_name(text, spoken, settled, known)
    return sorted([*settled, *named], key=lambda marker: marker.start) if named else settled


def _names_somebody(text: str, marker: Marker) -> str:
    """The name on a line such as `候选人：张三`; empty when the line is speech."""
    if not marker.speaker:
        return ""
    end = text.find("\n", marker.content)
    line = text[marker.content : min(len(text) if end < 0 else end, marker.content + 80)]
    match = _NAME_LINE.match(line)
    return match["name"] if match else ""


def _named_lines(text: str, spoken: Sequence[Line]) -> list[tuple[Line, re.Match[str]]]:
    """The lines that begin with something like a name and a colon."""
    unlabelled = [line for line in spoken if line.marker is None]
    matches = [(line, _NAMED.match(text, line.start, min(line.end, line.start + 100))) for line in unlabelled]
    return [(line, match) for line, match in matches if match is not None]


def _by_name(text: str, spoken: Sequence[Line], found: list[Marker], known: dict[str, Kind]) -> list[Marker]:
    candidates = _named_lines(text, spoken)
    answering = _answering_name(candidates, found)
    roles = known | ({answering: Kind.ANSWER} if answering else {})
    return [
        Marker(
            start=line.start, content=match.end(), kind=roles[match["name"]], label=match["name"], speaker=match["name"]
        )
        for line, match in candidates
        if match["name"] in roles
    ]


def _answering_name(candidates: Sequence[tuple[Line, re.Match[str]]], found: Sequence[Marker]) -> str:
    """The name that takes turns with a known interviewer, in a document where nobody else answers."""
    asked = [marker.start for marker in found if marker.kind is Kind.QUESTION and marker.speaker]
    if len(asked) < 2 or any(marker.kind is Kind.ANSWER for marker in found):
        return ""
    replies: Counter[str] = Counter()
    at = 0
    for begin, end in zip(asked, [*asked[1:], None], strict=True):
        while at < len(candidates) and candidates[at][0].start < begin:
            at += 1
        if at < len(candidates) and (end is None or candidates[at][0].start < end):
            replies[candidates[at][1]["name"]] += 1
    name, turns = next(iter(replies.most_common(1)), ("", 0))
    return name if turns >= 2 and turns >= 0.7 * (len(asked) - 1) else ""


def _with_inline(text: str, spoken: Sequence[Line], found: list[Marker]) -> list[Marker]:
    """Add the labels that stand behind a sentence in the middle of a line, where the order of turns allows one."""
    starts = {marker.start: marker for marker in found}
    candidates: list[Marker] = []
    for line in spoken:
        if line.start in starts:
            candidates.append(starts[line.start])
        after = starts[line.start].content if line.start in starts else line.start
        candidates += _inside(text, after, line.end)
    kept: list[Marker] = []
    last = 0
    for index, marker in enumerate(candidates):
        following = candidates[index + 1].kind if index + 1 < len(candidates) else None
        if marker.start in starts or _is_due(marker, kept[-1].kind if kept else None, last, following):
            kept.append(marker)
            last = marker.number or last if marker.kind is Kind.QUESTION else last
    return kept


def _inside(text: str, start: int, end: int) -> list[Marker]:
    found = []
    for match in _INLINE.finditer(text, start, end):
        label = match["label"] or match["english"]
        kind = LABELS[label.lower()].kind
        if (
            len(label) == 1
            and text[match.start() - 1 : match.start()].isspace()
            and text[max(match.start() - 2, 0)] not in "?？.。!！"
        ):
            continue
        count = number(match["number"] or match["count"] or "")
        found.append(Marker(start=match.start(), content=match.end(), kind=kind, label=label, number=count))
    return found


def _is_due(marker: Marker, before: Kind | None, last: int, following: Kind | None) -> bool:
    """Whether a label inside a line is the next turn, after one of kind `before` and question number `last`."""
    if before is not None and before not in _FOLLOWS[marker.kind]:
        return False
    if marker.kind is not Kind.QUESTION:
        return before is not None
    return following in {Kind.PURPOSE, Kind.ANSWER} and marker.number == last + 1


def _with_implied(text: str, spoken: Sequence[Line], found: list[Marker]) -> list[Marker]:
    """Add the question in front of an answer that has none: its numbered or asking paragraph."""
    result: list[Marker] = []
    floor, at = 0, 0
    for marker in found:
        if (
            marker.kind is Kind.ANSWER
            and not marker.speaker
            and (not result or result[-1].kind not in _FOLLOWS[Kind.ANSWER])
        ):
            while at < len(spoken) and spoken[at].start < marker.start:
                at += 1
            question = _question_before(text, spoken, at, floor)
            if question:
                result.append(question)
        result.append(marker)
        floor = marker.content
    return result


def _question_before(text: str, spoken: Sequence[Line], at: int, floor: int) -> Marker | None:
    """The paragraph that ends before line `at`, when it is numbered, a heading, or asks."""
    index = last = at - 1
    if index < 0 or spoken[index].start < floor:
        return None
    head = _NUMBERED.match(text, spoken[index].start, spoken[index].end)
    while head is None and index > 0 and spoken[index - 1].start >= floor:
        if spoken[index - 1].end + 1 != spoken[index].start:
            break
        index -= 1
        head = _NUMBERED.match(text, spoken[index].start, spoken[index].end)
    begin = spoken[index].start
    asks = text[begin : spoken[last].end].rstrip(" *_\t").endswith(("?", "？"))
    if not (head or asks or text[begin : begin + 1] == "#"):
        return None
    count = number(head["digits"]) if head else None
    return Marker(start=begin, content=begin, kind=Kind.QUESTION, number=count, telling=False)
