"""Hides how findings are counted: per status, and by who is charged with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from verifier.model import Report, Role, Status
from verifier.reports.view import DocumentView, Finding, views


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts of one report. Each table has an entry for every status.

    `statuses` counts every claim; `answers`, `questions_and_reviews` and `elsewhere` split it by who said it.
    """

    documents: int
    claims: int
    left_alone: int
    statuses: dict[Status, int]
    answers: dict[Status, int]
    questions_and_reviews: dict[Status, int]
    elsewhere: dict[Status, int]


def tally(findings: Iterable[Finding]) -> dict[Status, int]:
    """How many findings have each status; every status has an entry."""
    counted = Counter(finding.verdict.status for finding in findings)
    return {status: counted[status] for status in Status}


def summarise(report: Report) -> Summary:
    """The counts of a report."""
    return summary_of(views(report), left_alone=len(report.left_alone))


def summary_of(documents: tuple[DocumentView, ...], *, left_alone: int) -> Summary:
    """The counts over some documents."""
    findings = [finding for document in documents for finding in document.findings]
    answers = [finding for finding in findings if finding.passage.role is Role.ANSWER]
    apart = [finding for finding in findings if finding.apart]
    elsewhere = [finding for finding in findings if not finding.apart and finding.passage.role is not Role.ANSWER]
    return Summary(
        documents=len(documents),
        claims=len(findings),
        left_alone=left_alone,
        statuses=tally(findings),
        answers=tally(answers),
        questions_and_reviews=tally(apart),
        elsewhere=tally(elsewhere),
    )
