"""Inputs: decoded text with the passages that say whose words it holds."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum

from verifier.model.spans import Notice, Span


class Role(StrEnum):
    """Whose words a passage holds. Only answers are charged to the person who is interviewed."""

    QUESTION = "question"
    ANSWER = "answer"
    REVIEW = "review"
    HEADER = "header"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A span of a document with a speaker's role. `conversation` separates independent dialogues in one file."""

    span: Span
    role: Role
    speaker: str = ""
    number: int | None = None
    conversation: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A span whose nature the container itself tells: a notebook cell, an HTML `<pre>`, a code paragraph.

    `kind` is `code`, `prose` or `output`; `language` is the container's own word, lower case, or empty.
    """

    span: Span
    kind: str
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One input with its decoded text.

    `text` is what a reader sees (for containers such as notebooks, the visible text put together by the
    reader); every span of the report points into it. `markup` is how prose is written: `markdown`, `rst`, `text`.
    """

    path: str
    sha256: str
    encoding: str
    text: str
    passages: tuple[Passage, ...]
    markup: str = "markdown"
    cells: tuple[Cell, ...] = ()
    notices: tuple[Notice, ...] = ()

    def passage_at(self, offset: int) -> int:
        """Index of the passage that holds `offset`; passages are sorted and cover the text."""
        index = bisect_right(self.passages, offset, key=lambda passage: passage.span.start) - 1
        return max(index, 0)
