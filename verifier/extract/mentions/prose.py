"""The prose of a document: what is left when its regions, addresses and paths are blanked out.

Blanking keeps every offset, so a position in the prose is a position in the document.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from verifier.extract.clauses import split
from verifier.extract.mentions.words import NOUNS_EN, NOUNS_ZH
from verifier.extract.parts import Region
from verifier.model import Document, Span

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_NOUNS = "|".join(NOUNS_ZH)
# A dot, an underscore, a bracket, a code mark, an equals sign or a type noun at a Latin letter or digit.
_PROMISE = re.compile(
    rf"`|[A-Za-z0-9_](?:[.．_(（=＝]|\s{{0,2}}[)”\"'’]?\s?(?:这.{{0,2}}|该|等)?(?:{_NOUNS}))"
    rf"|(?:{_NOUNS}).{{0,4}}[A-Za-z]"
)
BLANK = "~"  # no part of any name or number
_ADDRESS = re.compile(
    r"(?:https?|ftp|file|git|ssh)://[^\s<>\"'）】，。；`]+|\bwww\.[^\s<>\"'）】，。；`]+"
    r"|(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9-]{1,64}(?:\.[A-Za-z0-9-]{1,64})+"
    r"|<[a-zA-Z/!][^<>\n]{0,200}>"
    r"|(?<![A-Za-z0-9_.~/])(?:~|\.{1,2})?/[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+"
    r"|(?<![A-Za-z0-9_.~/])[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+){0,8}/[A-Za-z0-9_-]+\.[a-z0-9]{1,6}(?![A-Za-z0-9_(.])"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """Blanked text with its sentences. Every offset is one of the document."""

    text: str
    sentences: tuple[tuple[Span, ...], ...]
    _starts: list[int] = field(repr=False)

    def sentence(self, at: int) -> tuple[Span, ...]:
        """The clauses of the sentence that holds `at`."""
        if not self.sentences:
            return (Span(start=0, end=len(self.text)),)
        return self.sentences[max(bisect_right(self._starts, at) - 1, 0)]

    def clause(self, at: int) -> int:
        """Index, within its sentence, of the clause that holds `at`."""
        clauses = self.sentence(at)
        return max(bisect_right(clauses, at, key=lambda clause: clause.start) - 1, 0)


def prose_of(document: Document, regions: tuple[Region, ...]) -> Prose:
    """The prose of `document`: everything that is in none of the `regions` and may hold a name."""
    parts: list[str] = []
    at = 0
    for region in regions:
        if region.span.start < at:
            continue
        parts.append(document.text[at : region.span.start])
        parts.append("\n" * (region.span.end - region.span.start))
        at = region.span.end
    parts.append(document.text[at:])
    text = "".join(_promising("".join(parts)))
    text = _ADDRESS.sub(lambda found: BLANK * len(found.group()), text)
    sentences = split(text)
    return Prose(text=text, sentences=sentences, _starts=[sentence[0].start for sentence in sentences])


def _promising(text: str) -> Iterator[str]:
    """The paragraphs of `text`; those that cannot name anything are blanked, which saves most of the work."""
    start = 0
    for found in _PARAGRAPH.finditer(text):
        yield _kept(text[start : found.end()])
        start = found.end()
    yield _kept(text[start:])


def _kept(paragraph: str) -> str:
    if _PROMISE.search(paragraph) or any(noun in paragraph for noun in NOUNS_EN):
        return paragraph
    return "\n" * len(paragraph)
