"""Reads logs of conversations: one JSON document, a list, or one record a line.

The visible text is what was said, turn after turn; each record is a conversation of its own, numbered by questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from verifier.documents.reading import Reading, Sheet
from verifier.documents.records import Turn, conversations
from verifier.documents.structure import Json, parse
from verifier.errors import InputError
from verifier.model import Passage, Role, Span
from verifier.text import decode


def read(raw: bytes) -> Reading:
    """The conversations in `raw`; text as it stands, with a notice, when none is recognised.

    Raises InputError when the bytes are not text.
    """
    text, encoding = decode(raw)
    values, notices = _values(text)
    found = [turns for value in _grouped(values) for turns in conversations(value)]
    if not found:
        return Reading(
            text=text, encoding=encoding, notices=("holds no conversation of a known form and was read as plain text",)
        )
    sheet = Sheet()
    passages = [passage for index, turns in enumerate(found) for passage in _passages(sheet, turns, index)]
    ends = [passage.span.start for passage in passages[1:]] + [len(sheet.text)]
    covering = tuple(
        replace(passage, span=Span(start=passage.span.start, end=end))
        for passage, end in zip(passages, ends, strict=True)
    )
    return Reading(text=sheet.text, encoding=encoding, markup="markdown", passages=covering, notices=tuple(notices))


def _values(text: str) -> tuple[list[Json], list[str]]:
    """The JSON values in the text: one document, or one a line; and what was wrong with the lines."""
    try:
        return [parse(text)], []
    except InputError:
        pass
    values: list[Json] = []
    broken: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values.append(parse(line))
        except InputError:
            broken.append(number)
    if not broken:
        return values, []
    lines = ", ".join(map(str, broken[:5])) + (" …" if len(broken) > 5 else "")
    return values, [f"{len(broken)} of its lines are not JSON and were left out (line {lines})"]


def _grouped(values: list[Json]) -> list[Json]:
    """Lines that hold one message each are one conversation."""
    found = [conversations(value) for value in values]
    singles = all(len(turns) == 1 and len(turns[0]) == 1 for turns in found) if found else False
    return [values] if singles and len(values) > 1 else values


def _passages(sheet: Sheet, turns: Sequence[Turn], conversation: int) -> list[Passage]:
    number: int | None = None
    passages = []
    for turn in turns:
        if turn.role is Role.QUESTION:
            number = (number or 0) + 1
        span = sheet.add(turn.text)
        passages.append(
            Passage(
                span=span,
                role=turn.role,
                speaker=turn.speaker,
                number=None if turn.role is Role.OTHER else number,
                conversation=conversation,
            )
        )
    return passages
