"""Regions of code to snippets: repaired, with what the text around them says about them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace

from verifier.extract.classify.printed import exception_in, is_traceback
from verifier.extract.parts import Region, RegionKind, ShownOutput, Snippet
from verifier.extract.polarity import announces_failure
from verifier.extract.release import stated_release
from verifier.extract.repair.doubts import doubt_about
from verifier.extract.repair.draft import Draft
from verifier.extract.repair.lift import Lifted, lift
from verifier.extract.repair.placeholders import placeholder_in
from verifier.extract.repair.printed import printed_edits, printed_ranges
from verifier.extract.repair.restore import Restored, restore
from verifier.extract.repair.scan import Kind, scan
from verifier.extract.trees import Tree
from verifier.model import Document, Polarity, Span

_HEADING = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+(.+)|(.+)\n[=-]{3,}[ \t]*)$", re.MULTILINE)
# Characters of prose between code and a traceback that belongs to it.
_NEAR = 160
_HEADING_REACH = 4_000


def make_snippets(document: Document, regions: tuple[Region, ...]) -> tuple[tuple[Snippet, ...], tuple[Region, ...]]:
    """The snippets of the regions of code, and all regions; those that could not be repaired are now `UNRECOVERED`."""
    snippets: list[Snippet] = []
    kept: list[Region] = []
    headings = list(_HEADING.finditer(document.text))
    ends = [heading.end() for heading in headings]
    for index, region in enumerate(regions):
        following = regions[index + 1] if index + 1 < len(regions) else None
        above = bisect_right(ends, region.span.start)
        heading = headings[above - 1] if above else None
        made = _snippet(document, region, following, heading) if region.kind is RegionKind.CODE else region
        if isinstance(made, Snippet):
            snippets.append(made)
            kept.append(region)
        else:
            kept.append(made)
    return tuple(snippets), tuple(kept)


def _snippet(
    document: Document, region: Region, following: Region | None, heading: re.Match[str] | None
) -> Snippet | Region:
    lifted = _without_outputs(lift(Draft.of(document.text, region.body)))
    restored = restore(lifted.draft)
    code = restored.draft.text
    if not _has_statement(code):
        reason = "nothing but comments" if code.strip() else "nothing but lines for the notebook or the shell"
        return replace(region, kind=RegionKind.SHELL if not code.strip() else RegionKind.PSEUDO_CODE, reason=reason)
    if restored.complaint:
        return replace(region, kind=RegionKind.UNRECOVERED, reason=f"no repair makes it Python: {restored.complaint}")
    announced = _announced(document, region, following)
    reading, doubt = doubt_about(restored, published=region.shape == "mangled-fence")
    invented = any(repair.rule == "placeholder" for repair in restored.draft.repairs)
    return Snippet(
        region=region,
        code=code,
        source_map=restored.draft.source_map(),
        repairs=restored.draft.repairs,
        interactive=lifted.interactive or region.shape == "cell",
        polarity=Polarity.AFFIRMED if announced is None else Polarity.NEGATED,
        announced=announced or "",
        release=_release(document, region, heading),
        truncated=restored.truncated,
        placeholder=placeholder_in(code, invented=invented),
        python2=restored.python2,
        shown=_shown(document, lifted, restored),
        reading=reading,
        doubt=doubt,
    )


def _without_outputs(lifted: Lifted) -> Lifted:
    """Printed lines between statements become comments; they are outputs, as in a prompt session.

    Lines that are all there is were printed by no statement: then they are a call that looks like its result.
    """
    if lifted.interactive:
        return lifted
    draft = lifted.draft
    ranges = printed_ranges(draft.text)
    if len(ranges) == 1 and not (draft.text[: ranges[0][0]] + draft.text[ranges[0][1] :]).strip():
        return lifted
    spans = tuple(Span(start=draft.place(*one)[0], end=draft.place(*one)[1]) for one in ranges)
    return replace(lifted, draft=draft.apply(printed_edits(draft.text, ranges)), outputs=spans)


def _has_statement(code: str) -> bool:
    return any(token.kind not in {Kind.NEWLINE, Kind.COMMENT} for token in scan(code))


def _announced(document: Document, region: Region, following: Region | None) -> str | None:
    """The exception that the text says the code raises, "" when it names none, None when it announces no failure."""
    if region.shape == "prompt":
        return None
    said = announces_failure(region.lead.of(document.text)) if region.lead else None
    if said:
        return said
    # A traceback shown behind the code is its own; one of another program may follow a while later.
    if following and following.kind is RegionKind.TRACEBACK and following.span.start - region.span.end <= _NEAR:
        return exception_in(following.body.of(document.text))
    return said


def _release(document: Document, region: Region, heading: re.Match[str] | None) -> str | None:
    """The release named by the words just before the region, else by the `heading` above it in its passage."""
    said = stated_release(region.lead.of(document.text)) if region.lead else None
    if said:
        return said
    passage = document.passages[document.passage_at(region.span.start)].span if document.passages else region.span
    if heading is None or heading.start() < max(passage.start, region.span.start - _HEADING_REACH):
        return None
    return stated_release(heading.group(1) or heading.group(2))


def _shown(document: Document, lifted: Lifted, restored: Restored) -> tuple[ShownOutput, ...]:
    """The outputs of a prompt session, each with the statement that stands just before it."""
    if not lifted.outputs:
        return ()
    tree = Tree(restored.draft.text)
    source_map = restored.draft.source_map()
    spans = [tree.span(node) for node in tree.module.body]
    ends = [source_map.locate(span).end for span in spans]
    shown = []
    for output in lifted.outputs:
        before = bisect_right(ends, output.start)
        if before:
            failure = is_traceback(output.of(document.text))
            shown.append(ShownOutput(code_span=spans[before - 1], text_span=output, failure=failure))
    return tuple(shown)
