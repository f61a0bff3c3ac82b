"""All regions of a document: containers first, then marked blocks, then unmarked ones, then single statements."""

from __future__ import annotations

import re

from verifier.extract.classify.kind import classify
from verifier.extract.classify.tags import KINDS, plain_tag
from verifier.extract.parts import Region, RegionKind
from verifier.extract.regions.fences import find_fences
from verifier.extract.regions.found import Found, gaps, trimmed
from verifier.extract.regions.inline import find_inline
from verifier.extract.regions.runs import find_runs
from verifier.extract.repair.draft import Draft
from verifier.extract.repair.lift import lift
from verifier.model import Cell, Document, Span

_LEAD = 600
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


def find_regions(document: Document) -> tuple[Region, ...]:
    """The regions of a document, sorted; they never overlap and never cross the border of a passage."""
    cells = [cell for cell in document.cells if cell.kind != "prose" and cell.span.of(document.text).strip()]
    found = [_of_cell(document.text, cell) for cell in cells]
    taken = sorted(cell.span for cell in cells)
    for passage in document.passages:
        for gap in gaps(passage.span, [span for span in taken if span.overlaps(passage.span)]):
            found += _in_prose(document.text, gap)
    found = _apart(sorted(found, key=lambda one: one.span.start))
    return tuple(_regions(document, found))


def _of_cell(text: str, cell: Cell) -> Found:
    language = cell.language or ("output" if cell.kind == "output" else "")
    return Found(span=cell.span, body=trimmed(text, cell.span.start, cell.span.end), shape="cell", language=language)


def _in_prose(text: str, span: Span) -> list[Found]:
    found = find_fences(text, span)
    for finder in (find_runs, find_inline):
        for gap in gaps(span, [one.span for one in found]):
            found += finder(text, gap)
        found.sort(key=lambda one: one.span.start)
    return found


def _apart(found: list[Found]) -> list[Found]:
    kept: list[Found] = []
    for one in found:
        if one.body.end > one.body.start and (not kept or one.span.start >= kept[-1].span.end):
            kept.append(one)
    return kept


def _regions(document: Document, found: list[Found]) -> list[Region]:
    regions: list[Region] = []
    for one in found:
        kind, reason = _decide(document.text, one)
        regions.append(
            Region(
                span=one.span,
                body=one.body,
                kind=kind,
                shape=one.shape,
                language=one.language,
                reason=reason,
                lead=_lead(document, one, regions[-1] if regions else None),
            )
        )
    return regions


def _decide(text: str, one: Found) -> tuple[RegionKind, str]:
    if one.shape == "inline":
        return RegionKind.CODE, "whole statements inside a sentence"
    body = one.body.of(text)
    if one.shape == "cell" and KINDS.get(plain_tag(one.language)) is RegionKind.OUTPUT:
        kind, reason = classify(body, "output")
        return (kind, reason) if kind is RegionKind.TRACEBACK else (RegionKind.OUTPUT, "the output of a cell")
    return classify(lift(Draft.of(text, one.body)).draft.text if one.shape != "prompt" else body, one.language)


def _lead(document: Document, one: Found, before: Region | None) -> Span | None:
    """The paragraph, or the part of it, that stands just before a region and in no other region."""
    passage = document.passages[document.passage_at(one.span.start)].span if document.passages else one.span
    floor = max(passage.start, before.span.end if before else 0, one.span.start - 4 * _LEAD)
    end = one.span.start
    while end > floor and document.text[end - 1].isspace():
        end -= 1
    if end <= floor:
        return None
    start = max(floor, end - _LEAD)
    borders = [border.end() for border in _PARAGRAPH.finditer(document.text, start, end)]
    start = borders[-1] if borders else start
    while start < end and document.text[start].isspace():
        start += 1
    return Span(start=start, end=end)
