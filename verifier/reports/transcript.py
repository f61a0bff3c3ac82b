"""Hides how the transcript is laid out: passages without gaps, each with its text cut into marked pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from verifier.model import ClaimKind, Passage, Role, Span
from verifier.reports.card import anchor_of
from verifier.reports.marks import Mark, Segment, segments
from verifier.reports.view import DocumentView, clamped
from verifier.reports.wording import SYMBOLS, who, word


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One passage of the transcript with its text in segments."""

    role: str
    label: str
    line: int
    pieces: tuple[tuple[Segment, str], ...]


def turns(view: DocumentView) -> tuple[Turn, ...]:
    """The passages of the transcript; gaps between passages become passages without a role."""
    text = view.document.text
    passages = _gapless(view)
    cuts = [passage.span.start for passage in passages]
    pieces = list(segments(len(text), (*_claims(view), *_regions(view)), cuts))
    several = any(passage.conversation for passage in passages)
    found, at = [], 0
    for passage in passages:
        own = []
        while at < len(pieces) and pieces[at].span.start < passage.span.end:
            own.append((pieces[at], pieces[at].span.of(text)))
            at += 1
        if passage.span.of(text).strip():
            label = _label(passage, several=several)
            line = view.lines.line(passage.span.start)
            found.append(Turn(role=str(passage.role), label=label, line=line, pieces=_trimmed(own)))
    return tuple(found)


def _label(passage: Passage, *, several: bool) -> str:
    label = who(passage) or ("" if passage.role is Role.OTHER else str(passage.role))
    return f"conversation {passage.conversation + 1}: {label}" if several and label else label


def _trimmed(pieces: list[tuple[Segment, str]]) -> tuple[tuple[Segment, str], ...]:
    """`pieces` without the empty lines at either end."""
    (first, head), (last, tail) = pieces[0], pieces[-1]
    pieces[0] = (first, head.lstrip("\n"))
    pieces[-1] = (last, (tail if len(pieces) > 1 else pieces[0][1]).rstrip())
    return tuple(pieces)


def _gapless(view: DocumentView) -> tuple[Passage, ...]:
    text = view.document.text
    passages: list[Passage] = []
    end = 0
    for passage in sorted(view.document.passages, key=lambda item: item.span):
        span = clamped(Span(start=max(passage.span.start, end), end=passage.span.end), text)
        if span.start > end:
            passages.append(Passage(span=Span(start=end, end=span.start), role=Role.OTHER))
        if span.end > span.start:
            passages.append(replace(passage, span=span))
        end = span.end
    if end < len(text):
        passages.append(Passage(span=Span(start=end, end=len(text)), role=Role.OTHER))
    return tuple(passages)


def _claims(view: DocumentView) -> Iterator[Mark]:
    """A mark for each claim, and one for the failing place inside a snippet."""
    for finding in view.findings:
        mark = Mark(
            span=finding.span,
            style=str(finding.verdict.status),
            anchor=anchor_of(finding.claim),
            title=f"{word(finding.verdict.status)}: {finding.verdict.message}",
            symbol=SYMBOLS[finding.verdict.status],
            block=finding.claim.kind is ClaimKind.SNIPPET,
        )
        yield mark
        if finding.problem and mark.block and finding.place != finding.span:
            yield replace(mark, span=finding.place, block=False)


def _regions(view: DocumentView) -> list[Mark]:
    text = view.document.text
    return [
        Mark(span=clamped(region.span, text), style="left-alone", title=f"left alone, {region.kind}: {region.reason}")
        for region in view.left_alone
    ]
