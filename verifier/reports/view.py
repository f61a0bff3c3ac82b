"""Hides the joins: which verdict, evidence, document, passage and lines belong to a claim.

A report may come from a file that somebody edited. Dangling references and offsets outside the text are therefore
put right here, and no renderer has to think of them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from verifier.model import (
    Claim,
    Confidence,
    Document,
    Evidence,
    LeftAlone,
    Notice,
    Passage,
    Report,
    Role,
    Run,
    Span,
    Status,
    Verdict,
)
from verifier.text import Lines

# What needs a reader's eyes, gravest first.
PROBLEMS = (Status.BROKEN, Status.OUTDATED, Status.UNPROVEN, Status.NOT_RUN)
_GRAVITY = {status: rank for rank, status in enumerate((*PROBLEMS, Status.WORKS))}
_SURENESS = {confidence: rank for rank, confidence in enumerate(Confidence)}
# Claims that are told apart: those of the people who ask and who judge, and of whoever wrote the heading.
_APART = (Role.QUESTION, Role.REVIEW, Role.HEADER)
UNFINISHED = "the run ended before this was looked at"


@dataclass(frozen=True, kw_only=True, eq=False)
class Finding:
    """One claim with all that is known about it. `place` is what to point at: the verdict's span or the claim's.

    Not slotted: its derived values are computed once and kept.
    """

    claim: Claim
    verdict: Verdict
    document: Document
    lines: Lines
    passage: Passage
    evidence: tuple[Evidence, ...]

    @property
    def apart(self) -> bool:
        """Whether the interviewer or a reviewer said it, so that it is charged to nobody."""
        return self.passage.role in _APART

    @property
    def problem(self) -> bool:
        """Whether it needs a reader's eyes."""
        return self.verdict.status is not Status.WORKS

    @cached_property
    def span(self) -> Span:
        """The claim's range, inside the text."""
        return clamped(self.claim.span, self.document.text)

    @cached_property
    def place(self) -> Span:
        """The failing range where the verdict gives one, else the claim's, inside the text."""
        span = self.verdict.span
        return self.span if span is None else clamped(span, self.document.text)

    @cached_property
    def position(self) -> tuple[int, int]:
        """Line and column of the place."""
        return self.lines.position(self.place.start)

    @property
    def run(self) -> Run | None:
        """The first run among the evidence."""
        return next((item.run for item in self.evidence if item.run is not None), None)


@dataclass(frozen=True, kw_only=True, eq=False)
class DocumentView:
    """One document with its findings (gravest and surest first) and what was left alone or noticed in it."""

    document: Document
    lines: Lines
    findings: tuple[Finding, ...]
    left_alone: tuple[LeftAlone, ...]
    notices: tuple[Notice, ...]

    @property
    def interview(self) -> bool:
        """Whether the document has questions or answers, so that claims are charged to who answers."""
        return any(passage.role in (Role.QUESTION, Role.ANSWER) for passage in self.document.passages)

    @property
    def charged(self) -> tuple[Finding, ...]:
        """The findings that count: not those of an interviewer or reviewer."""
        return tuple(finding for finding in self.findings if not finding.apart)

    @property
    def apart(self) -> tuple[Finding, ...]:
        """The findings in questions and reviews."""
        return tuple(finding for finding in self.findings if finding.apart)


def clamped(span: Span, text: str) -> Span:
    """`span` cut to the characters that `text` has."""
    start = min(max(span.start, 0), len(text))
    return Span(start=start, end=min(max(span.end, start), len(text)))


def views(report: Report) -> tuple[DocumentView, ...]:
    """The documents of a report, in its order, each with its findings."""
    findings = defaultdict(list)
    for finding in _joined(report):
        findings[finding.document.path].append(finding)
    left_alone = defaultdict(list)
    for region in report.left_alone:
        left_alone[region.document].append(region)
    notices = defaultdict(list)
    for notice in report.notices:
        notices[notice.document].append(notice)
    return tuple(
        DocumentView(
            document=document,
            lines=Lines(document.text),
            findings=tuple(sorted(findings[path], key=_rank)),
            left_alone=tuple(left_alone[path]),
            notices=tuple(dict.fromkeys((*document.notices, *notices[path]))),
        )
        for path, document in _documents(report).items()
    )


def _documents(report: Report) -> dict[str, Document]:
    """The documents by path; a claim about a document that is not there gets an empty one."""
    known = {document.path: document for document in report.documents}
    for claim in report.claims:
        if claim.document not in known:
            known[claim.document] = Document(path=claim.document, sha256="", encoding="", text="", passages=())
    return known


def _joined(report: Report) -> tuple[Finding, ...]:
    documents = _documents(report)
    lines = {path: Lines(document.text) for path, document in documents.items()}
    verdicts = {verdict.claim: verdict for verdict in report.verdicts}
    evidence = defaultdict(list)
    for item in report.evidence:
        evidence[item.claim].append(item)
    return tuple(
        Finding(
            claim=claim,
            verdict=verdicts.get(claim.id) or _unfinished(claim),
            document=documents[claim.document],
            lines=lines[claim.document],
            passage=passage_of(claim, documents[claim.document]),
            evidence=tuple(evidence[claim.id]),
        )
        for claim in report.claims
    )


def _unfinished(claim: Claim) -> Verdict:
    return Verdict(claim=claim.id, status=Status.NOT_RUN, rule="sandbox-failed", message=UNFINISHED)


def passage_of(claim: Claim, document: Document) -> Passage:
    """The passage that a claim stands in; one of role `other` when its index is out of range."""
    if 0 <= claim.passage < len(document.passages):
        return document.passages[claim.passage]
    return Passage(span=Span(start=0, end=len(document.text)), role=Role.OTHER)


def _rank(finding: Finding) -> tuple[int, int, Span, str]:
    verdict = finding.verdict
    return (_GRAVITY[verdict.status], _SURENESS[verdict.confidence], finding.place, finding.claim.id)
