"""Splits an interview into passages: header, question, answer, review; and says when a text is no interview.

Evidence is asked for: two kinds of labels, one of them a question's or an answer's, or a numbered series of
questions. A page of questions and answers without such labels is not an interview.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from verifier.documents.labels import Kind
from verifier.documents.markers import Marker
from verifier.documents.speech import speech
from verifier.documents.turns import collect
from verifier.model import Passage, Role, Span

_ROLES = {
    Kind.HEADER: Role.HEADER,
    Kind.QUESTION: Role.QUESTION,
    Kind.PURPOSE: Role.QUESTION,
    Kind.ANSWER: Role.ANSWER,
    Kind.REVIEW: Role.REVIEW,
}
_TITLE = re.compile(r"[ \t]*(?:#{1,6}\s|[-=*_]{3,}\s*$|[^\n。！？.!?]{0,40}(?:面试|访谈|Interview|Candidate))")
_BLANK = re.compile(r"\n[ \t\u3000]*\n")
# Characters; the heads of real interview notes stay far below, articles with a few questions at the end do not.
_LONGEST_HEAD = 2000
_ASKS = re.compile(r"[?？][ \t*_]*\n")


def passages(text: str, code: Sequence[Span] = ()) -> tuple[Passage, ...]:
    """The passages of an interview, sorted and covering the text; empty when the text is no interview.

    `code` are spans known to be code or output, sorted; labels inside them do not count.
    """
    markers = collect(text, speech(text, code))
    if not _is_interview(markers):
        return ()
    markers = _headers_in_place(text, _without_listed_problems(_with_named_sections(text, markers)))
    if text[: markers[0].start].strip():
        markers.insert(0, Marker(start=0, content=0, kind=Kind.HEADER))
    markers[0] = replace(markers[0], start=0)
    parts = _merge(_number(text, _with_answers(text, markers)), len(text))
    return (replace(parts[0], role=Role.OTHER), *parts[1:]) if _is_article(parts[0]) else parts


def _is_article(part: Passage) -> bool:
    """Whether what stands before the first question is too long to be the head of an interview."""
    return part.role is Role.HEADER and part.span.end - part.span.start > _LONGEST_HEAD


def _is_interview(markers: Sequence[Marker]) -> bool:
    """Whether the labels are evidence enough: a bare heading such as `Answer` is none by itself."""
    telling = [marker for marker in markers if marker.telling]
    kinds = {marker.kind for marker in telling}
    if len(kinds) >= 2 and kinds & {Kind.QUESTION, Kind.ANSWER}:
        return True
    answers = sum(marker.kind is Kind.ANSWER for marker in telling)
    if answers >= 2 and any(marker.kind is Kind.QUESTION for marker in markers):
        return True
    numbers = [marker.number for marker in telling if marker.kind is Kind.QUESTION and marker.number is not None]
    if numbers and any(marker.kind is Kind.ANSWER for marker in markers):
        return True
    return any(after == before + 1 for before, after in pairwise(numbers))


def _without_listed_problems(markers: Sequence[Marker]) -> list[Marker]:
    """Drop `问题1：…` where an answer counts problems: nobody answers it, and its number is out of order.

    Only where most questions have labelled answers; elsewhere a missing label tells nothing.
    """
    if not _answers_are_labelled(markers):
        return list(markers)
    kept: list[Marker] = []
    last = 0
    for marker, (answered, coming) in zip(markers, _prospects(markers), strict=True):
        if marker.kind is Kind.QUESTION and marker.number is not None:
            if not answered and (marker.number <= last or 1 < coming <= marker.number):
                continue
            last = marker.number
        kept.append(marker)
    return kept


def _prospects(markers: Sequence[Marker]) -> list[tuple[bool, int]]:
    """For each marker, whether an answer or a purpose comes next, and the number of the next question with one."""
    prospects: list[tuple[bool, int]] = []
    coming, following = 0, None
    for marker in reversed(markers):
        answered = following in {Kind.ANSWER, Kind.PURPOSE}
        prospects.append((answered, coming))
        if answered and marker.kind is Kind.QUESTION:
            coming = marker.number or 0
        following = marker.kind
    return prospects[::-1]


def _answers_are_labelled(markers: Sequence[Marker]) -> bool:
    """Whether more than half of the questions have a labelled answer; a number that returns counts once."""
    questions = [marker.number for marker in markers if marker.kind is Kind.QUESTION]
    asked = questions.count(None) + len(set(questions) - {None})
    return 2 * sum(marker.kind is Kind.ANSWER for marker in markers) > asked


def _headers_in_place(text: str, markers: Sequence[Marker]) -> list[Marker]:
    """Drop header labels inside the talk; let another interview of the same file begin at its title."""
    kept: list[Marker] = []
    highest = 0
    for index, marker in enumerate(markers):
        within = any(one.kind is not Kind.HEADER for one in kept[-1:])
        if marker.kind is not Kind.HEADER:
            if within and marker.kind is Kind.QUESTION and marker.number == 1 and highest > 1:
                title = _title_before(text, kept[-1], marker)
                kept += [Marker(start=title, content=title, kind=Kind.HEADER)] if title < marker.start else []
            highest = 0 if kept and kept[-1].kind is Kind.HEADER else highest
            highest = max(highest, marker.number or 1)
            kept.append(marker)
        elif not within:
            kept.append(marker)
        elif _begins_another(markers, index):
            kept.append(replace(marker, start=_title_before(text, kept[-1], marker)))
    return kept


def _with_named_sections(text: str, markers: Sequence[Marker]) -> list[Marker]:
    """Take a heading that only names a speaker, right before a first question, for the head of an interview."""
    result = list(markers)
    for index, (marker, following) in enumerate(pairwise(markers)):
        names = marker.closed and marker.speaker and marker.kind is Kind.ANSWER
        if names and following.number == 1 and not text[marker.content : following.start].strip():
            result[index] = replace(marker, kind=Kind.HEADER, speaker="", telling=False)
    return result


def _begins_another(markers: Sequence[Marker], index: int) -> bool:
    following = next((marker for marker in markers[index : index + 12] if marker.kind is not Kind.HEADER), None)
    if following is None or following.kind is not Kind.QUESTION:
        return False
    return following.number == 1 or (following.number is None and markers[index].telling)


def _title_before(text: str, previous: Marker, marker: Marker) -> int:
    """Where the heading of the next interview begins, at most twelve lines above its first label."""
    best = at = marker.start
    for _ in range(12):
        at = text.rfind("\n", 0, max(at - 1, 0)) + 1
        if at < previous.content:
            break
        if _TITLE.match(text, at):
            best = at
    return best


def _with_answers(text: str, turns: Sequence[Marker]) -> list[Marker]:
    """Add the answers that no label announces: what stands between a question and the next turn."""
    announced = _answers_are_labelled(turns)
    result: list[Marker] = []
    ends = [marker.start for marker in turns[1:]] + [len(text)]
    for index, (marker, end) in enumerate(zip(turns, ends, strict=True)):
        result.append(marker)
        following = turns[index + 1].kind if index + 1 < len(turns) else None
        open_question = marker.kind is Kind.PURPOSE or (
            marker.kind is Kind.QUESTION and not announced and not marker.speaker
        )
        if open_question and following not in {Kind.ANSWER, Kind.PURPOSE}:
            split = _question_end(text, marker, end)
            if text[split:end].strip():
                result.append(Marker(start=split, content=split, kind=Kind.ANSWER))
    return result


def _question_end(text: str, marker: Marker, end: int) -> int:
    """Where the words of the interviewer end: at the line when it is whole or asks, else at the paragraph.

    In a text without blank lines a paragraph is a line.
    """
    at = marker.content
    while at < end and text[at].isspace():
        at += 1
    line = _line_end(text, at, end)
    own_line = "\n" not in text[marker.content : at]
    if marker.kind is Kind.PURPOSE:
        return line if own_line else _line_end(text, marker.content, end)
    if own_line and marker.closed:
        return line
    blank = _BLANK.search(text, at, at + len(text[at:end].rstrip()))
    third = _line_end(text, _line_end(text, line, end), end)
    asks = _ASKS.search(text, at, min(third, blank.end() if blank else end))
    if asks:
        return asks.end()
    return blank.end() if blank else line


def _line_end(text: str, at: int, end: int) -> int:
    found = text.find("\n", at, end)
    return end if found < 0 else found + 1


def _number(text: str, turns: Sequence[Marker]) -> list[Passage]:
    """Carry question numbers and conversations to what belongs to them."""
    many_reviews = sum(marker.kind is Kind.REVIEW for marker in turns) > 1
    result: list[Passage] = []
    conversation, current = 0, None
    for index, marker in enumerate(turns):
        if marker.kind is Kind.HEADER:
            conversation += bool(result) and result[-1].role is not Role.HEADER
            current = None
        elif marker.kind is Kind.QUESTION:
            current = marker.number
        own = marker.number if marker.number is not None else current
        if marker.kind is Kind.REVIEW and marker.number is None and not many_reviews:
            own = None
        end = turns[index + 1].start if index + 1 < len(turns) else len(text)
        result.append(
            Passage(
                span=Span(start=marker.start, end=end),
                role=_ROLES[marker.kind],
                speaker=marker.speaker,
                number=own,
                conversation=conversation,
            )
        )
    return result


def _merge(parts: Sequence[Passage], length: int) -> tuple[Passage, ...]:
    """Join neighbouring headers into one; the last passage reaches to the end."""
    merged: list[Passage] = []
    for part in parts:
        if merged and part.role is Role.HEADER and merged[-1].role is Role.HEADER:
            merged[-1] = replace(merged[-1], span=Span(start=merged[-1].span.start, end=part.span.end))
        else:
            merged.append(part)
    merged[-1] = replace(merged[-1], span=Span(start=merged[-1].span.start, end=length))
    return tuple(merged)
