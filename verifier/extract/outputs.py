"""Stated outputs: what a document says that its code prints, returns, shows or raises.

Four places are read: comments inside the code, outputs of prompt sessions and notebook cells, output blocks right
behind a block of code, and the sentence right behind it. Each is tied to the statements that show the value.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from verifier.extract.parts import Region, RegionKind, ShownOutput, Snippet
from verifier.extract.stated.comments import comments_of
from verifier.extract.stated.sentences import Said, said_behind
from verifier.extract.stated.statements import Shown, Shows, statements_of
from verifier.extract.stated.values import lasting, normal
from verifier.model import Claim, ClaimKind, Document, Polarity, Span

# Prose between a block and its output block: nothing, or a few words that lead to it.
_LONGEST_GAP = 70
_LEADS = re.compile(
    r"输出|结果|显示|打印|运行|得到|执行|返回|\boutputs?\b|\bprint\w*|\bresults?\b|\bgives?\b"
    r"|\bshows?\b|\bsee\b|\bproduces?\b|\byields?\b|\breturns?\b|→|=>|⇒",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"日志|例如|比如|类似|换成|改成|如果|另|\blogs?\b|\blonger\b|\bsomething like\b|\bsimilar\b"
    r"|\binstead\b|\bif\b|\banother\b|\bmay\b|\bmight\b",
    re.IGNORECASE,
)
_RAISED = re.compile(
    r"^(?:[a-z_]+\.)*([A-Z][A-Za-z]*(?:Error|Exception|Interrupt|Warning)|StopIteration)\b", re.MULTILINE
)


def find_outputs(document: Document, regions: tuple[Region, ...], snippets: tuple[Snippet, ...]) -> tuple[Claim, ...]:
    """The output claims of `document`, sorted by span, without ids.

    `about` is the index of the snippet (as text), `code` the stated value, `code_span` the statements in that snippet's
    code that show it. `said_kind` is `shape` when only the shape is stated, `exception` when `code` is the name of an
    exception, else "".
    """
    claims: list[Claim] = []
    starts = [region.span.start for region in regions]
    for index, snippet in enumerate(snippets):
        statements = statements_of(snippet.code)
        next_region = bisect_left(starts, snippet.region.span.end)
        following = regions[next_region] if next_region < len(regions) else None
        claims.extend(_in_code(document, snippet, index, statements))
        claims.extend(_shown(document, snippet, index))
        claims.extend(_behind(document, snippet, index, statements, following))
    return tuple(sorted(claims, key=lambda claim: (claim.span.start, claim.span.end)))


def _claim(  # noqa: PLR0913, PLR0917 - the facts of one claim
    document: Document, snippet: Snippet, index: int, span: Span, value: str, at: Span, kind: str = ""
) -> Claim:
    return Claim(
        id="",
        kind=ClaimKind.OUTPUT,
        document=document.path,
        span=span,
        quote=span.of(document.text),
        passage=document.passage_at(span.start),
        code=value,
        about=str(index),
        code_span=at,
        interactive=snippet.interactive,
        release=snippet.release,
        said_kind=kind,
    )


def _in_code(document: Document, snippet: Snippet, index: int, statements: tuple[Shown, ...]) -> Iterator[Claim]:
    for comment in comments_of(snippet.code, statements):
        place = snippet.source_map.locate(comment.span)
        if place.end > len(document.text) or place.start == place.end:
            continue
        yield _claim(document, snippet, index, place, comment.value, comment.statement, comment.kind)


def _shown(document: Document, snippet: Snippet, index: int) -> Iterator[Claim]:
    for shown in snippet.shown:
        text = shown.text_span.of(document.text)
        value = _exception(text) if shown.failure else normal(lasting(text))
        if not value:
            continue
        span = _trimmed(document.text, shown)
        yield _claim(document, snippet, index, span, value, shown.code_span, "exception" if shown.failure else "")


def _trimmed(text: str, shown: ShownOutput) -> Span:
    start, end = shown.text_span.start, shown.text_span.end
    inside = text[start:end]
    return Span(
        start=start + len(inside) - len(inside.lstrip()), end=max(end - len(inside) + len(inside.rstrip()), start)
    )


def _exception(text: str) -> str:
    named = _RAISED.findall(text)
    return named[-1] if named else ""


def _behind(
    document: Document, snippet: Snippet, index: int, statements: tuple[Shown, ...], following: Region | None
) -> Iterator[Claim]:
    """The sentence right behind a snippet, and the region `following` it when that is an output block."""
    if snippet.interactive and snippet.shown:
        return
    start = snippet.region.span.end
    end = following.span.start if following else len(document.text)
    passage = document.passages[document.passage_at(max(start - 1, 0))].span if document.passages else None
    end = min(end, passage.end) if passage and passage.end > start else end
    prose = document.text[start : min(end, start + 500)]
    said = said_behind(prose)
    if said is not None and not (said.kind == "exception" and snippet.polarity is Polarity.NEGATED):
        at = _tied(snippet, statements, said)
        if at is not None:
            span = Span(start=start + said.span.start, end=start + said.span.end)
            yield _claim(document, snippet, index, span, "\n".join(said.values), at, _kind(snippet, at, said))
            return
    if following is None or not _is_output(document, start, following):
        return
    text = following.body.of(document.text)
    at = _whole(statements)
    told = lasting(text)
    if at is not None and told.strip():
        inside = Span(
            start=following.body.start + len(text) - len(text.lstrip()),
            end=following.body.end - len(text) + len(text.rstrip()),
        )
        yield _claim(document, snippet, index, inside, normal(told), at)


def _is_output(document: Document, start: int, region: Region) -> bool:
    """Whether a block is what the code before it printed.

    Lines of `name: value` without a tag look like a configuration; what leads to them tells.
    """
    if region.kind is RegionKind.CONFIGURATION and not region.language:
        return bool(_gap(document, start, region.span.start)) and _leads(document, start, region.span.start)
    return region.kind is RegionKind.OUTPUT and _leads(document, start, region.span.start)


def _gap(document: Document, start: int, end: int) -> str:
    return document.text[start:end].strip(" \t\n`~*>#")


def _leads(document: Document, start: int, end: int) -> bool:
    gap = _gap(document, start, end)
    if not gap:
        return True
    return len(gap) <= _LONGEST_GAP and not _OTHER.search(gap) and bool(_LEADS.search(gap))


def _showing(statements: tuple[Shown, ...]) -> list[Shown]:
    """The statements that print; without any, the last one when it is a bare expression."""
    printing = [statement for statement in statements if statement.shows is Shows.PRINT]
    if printing:
        return printing
    return [statements[-1]] if statements and statements[-1].shows is Shows.EXPRESSION else []


def _tied(snippet: Snippet, statements: tuple[Shown, ...], said: Said) -> Span | None:
    if said.kind == "exception":
        return statements[-1].span if statements else None
    showing = _showing(statements)
    if not showing:
        return None
    if said.counted and "len(" not in showing[-1].span.of(snippet.code):
        return None
    count = len(said.values) if len(said.values) <= len(showing) else 1
    return Span(start=showing[-count].span.start, end=showing[-1].span.end)


def _kind(snippet: Snippet, at: Span, said: Said) -> str:
    """`shape` only when the statement does not print the shape itself."""
    if said.kind == "shape" and re.search(r"shape", at.of(snippet.code)):
        return ""
    return said.kind


def _whole(statements: tuple[Shown, ...]) -> Span | None:
    """From the first statement that shows something to the last of all: what it calls may print as well."""
    showing = _showing(statements)
    return Span(start=showing[0].span.start, end=statements[-1].span.end) if showing else None
