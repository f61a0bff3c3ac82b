"""Hides the plan of a page: what stands where, for each document and for the report, as plain values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath

from verifier.model import Confidence, Environment, LeftAlone, Limits, Report, Role, Status
from verifier.reports.card import Card, card_of
from verifier.reports.grouping import Entry, entries
from verifier.reports.sentences import apart_heading, headline, nothing, totals
from verifier.reports.tally import tally
from verifier.reports.transcript import Turn, turns
from verifier.reports.view import PROBLEMS, DocumentView, Finding, clamped, views
from verifier.reports.wording import SYMBOLS, plural, title, verb, word


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """One status of the headline."""

    status: str
    symbol: str
    word: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A region that was left alone."""

    line: int
    kind: str
    reason: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPage:
    """One document as the page tells it."""

    path: str
    anchor: str
    sha256: str
    encoding: str
    interview: bool
    total: int
    counts: tuple[Count, ...]
    headline: str
    summary: str
    caveats: tuple[str, ...]
    eyes: tuple[Card, ...]
    unproven: tuple[Card, ...]
    not_run: tuple[Card, ...]
    works: tuple[Card, ...]
    apart: tuple[Card, ...]
    apart_heading: str
    turns: tuple[Turn, ...]
    left_alone: tuple[Left, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The whole page."""

    title: str
    totals: str
    tool: str
    started: str
    seconds: float
    interrupted: bool
    notices: tuple[str, ...]
    environments: tuple[Environment, ...]
    limits: Limits | None
    documents: tuple[DocumentPage, ...]


def page_of(report: Report) -> Page:
    """The plan of the page of a report."""
    documents = views(report)
    pages = tuple(_document(view, number) for number, view in enumerate(documents, 1))
    paths = {page.path for page in pages}
    limits = next((item.run.limits for item in report.evidence if item.run is not None), None)
    return Page(
        title=PurePath(pages[0].path).name if len(pages) == 1 else plural(len(pages), "document"),
        totals=totals(report, documents),
        tool=report.tool,
        started=_moment(report.timing.started),
        seconds=report.timing.seconds,
        interrupted=report.interrupted,
        notices=tuple(notice.message for notice in report.notices if notice.document not in paths),
        environments=report.environments,
        limits=limits,
        documents=pages,
    )


def _moment(started: str) -> str:
    """`2031-05-04 09:30 UTC` for an ISO time in UTC; another form stays as it is."""
    utc = started.endswith(("Z", "+00:00")) and started[10:11] == "T"
    return f"{started[:10]} {started[11:16]} UTC" if utc else started


def _document(view: DocumentView, number: int) -> DocumentPage:
    charged = entries(view.charged)
    counted = tally(view.charged)
    return DocumentPage(
        path=view.document.path,
        anchor=f"document-{number}",
        sha256=view.document.sha256,
        encoding=view.document.encoding,
        interview=view.interview,
        total=len(view.charged),
        counts=tuple(
            Count(status=str(status), symbol=SYMBOLS[status], word=word(status), count=counted[status])
            for status in (Status.WORKS, *PROBLEMS)
        ),
        headline=headline(view) if view.charged else f"Nothing to verify: {nothing(view)}",
        summary=_summary(view),
        caveats=_caveats(view),
        eyes=_cards(charged, Status.BROKEN, Status.OUTDATED),
        unproven=_cards(charged, Status.UNPROVEN),
        not_run=_cards(charged, Status.NOT_RUN),
        works=_cards(charged, Status.WORKS),
        apart=_cards(entries(view.apart), *Status),
        apart_heading=apart_heading(view.apart) if view.apart else "",
        turns=turns(view),
        left_alone=tuple(_left(view, region) for region in view.left_alone),
    )


def _cards(shown: tuple[Entry, ...], *statuses: Status) -> tuple[Card, ...]:
    return tuple(card_of(entry) for entry in shown if entry.finding.verdict.status in statuses)


def _summary(view: DocumentView) -> str:
    """One sentence: how much works, and the causes of what does not, most frequent first."""
    if not view.charged:
        return ""
    counted = tally(view.charged)
    works = counted[Status.WORKS]
    sentences = [f"{works} of {plural(len(view.charged), 'claim')} {verb(works, 'works')}"]
    for status in (Status.BROKEN, Status.OUTDATED):
        findings = [item for item in view.charged if item.verdict.status is status]
        if findings:
            sentences.append(f"{len(findings)} {verb(len(findings), 'is')} {word(status)}: {_causes(findings)}")
    undecided = counted[Status.UNPROVEN] + counted[Status.NOT_RUN]
    if undecided:
        sentences.append(f"{undecided} could not be decided, which is not held against anybody")
    return "; ".join(sentences) + "."


def _causes(findings: list[Finding]) -> str:
    causes = Counter(title(finding.verdict.rule) or "no reason given" for finding in findings)
    return ", ".join(cause if count == 1 else f"{cause} (×{count})" for cause, count in causes.most_common(3))


def _caveats(view: DocumentView) -> tuple[str, ...]:
    caveats = [notice.message for notice in view.notices]
    repairs = sum(len(finding.claim.repairs) for finding in view.findings)
    if repairs:
        caveats.append(
            f"The text was damaged: it was read through {plural(repairs, 'repair')}, none held against the author."
        )
    doubtful = sum(item.verdict.confidence is not Confidence.SURE for item in view.charged if item.problem)
    if doubtful:
        caveats.append(f"{plural(doubtful, 'verdict')} {verb(doubtful, 'is')} likely or guessed, not sure; see each.")
    if view.apart:
        caveats.append(f"{plural(len(view.apart), 'claim')} {_apart(view)} not counted above.")
    return tuple(caveats)


def _apart(view: DocumentView) -> str:
    roles = {finding.passage.role for finding in view.apart}
    places = " and ".join(f"{role}s" for role in (Role.QUESTION, Role.REVIEW, Role.HEADER) if role in roles)
    return f"in {places} {verb(len(view.apart), 'is')}"


def _left(view: DocumentView, region: LeftAlone) -> Left:
    span = clamped(region.span, view.document.text)
    code = span.of(view.document.text)
    return Left(
        line=view.lines.line(span.start),
        kind=region.kind,
        reason=region.reason,
        code=code if len(code) <= 240 else f"{code[:240]}…",
    )
