"""Hides the sentences about a document or a whole report: headlines, counts with their denominators, last lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from verifier.model import Report, Role, Status
from verifier.reports.safe import flat
from verifier.reports.tally import tally
from verifier.reports.view import PROBLEMS, DocumentView, Finding
from verifier.reports.wording import PLACES, first_line, plural, verb, word

# The kind of regions that look like code and that no repair could make Python again.
UNRECOVERED = "unrecovered"
_APART = {
    frozenset({Role.QUESTION}): "said by the interviewer, not charged to the candidate",
    frozenset({Role.REVIEW}): "said by the reviewer, not charged to the candidate",
    frozenset({Role.HEADER}): "said in the heading, not charged to the candidate",
}
_APART_BOTH = "said outside the answers, not charged to the candidate"


def headline(view: DocumentView) -> str:
    """`3 of 23 claims in answers are broken, 1 outdated`; what works when nothing is wrong."""
    findings = view.charged
    counts = tally(findings)
    total = len(findings)
    noun = f"claim{'' if total == 1 else 's'}{_scope(view)}"
    wrong = [(counts[status], word(status)) for status in PROBLEMS if counts[status]]
    if not wrong:
        return f"{total} of {total} {noun} {verb(total, 'works')}"
    (first, name), *rest = wrong
    others = "".join(f", {count} {label}" for count, label in rest)
    return f"{first} of {total} {noun} {verb(first, 'is')} {name}{others}"


def _scope(view: DocumentView) -> str:
    if not view.interview:
        return ""
    answered = all(finding.passage.role is Role.ANSWER for finding in view.charged)
    return " in answers" if answered else " outside questions and reviews"


def apart_heading(findings: Iterable[Finding]) -> str:
    """Whose claims those are that are told apart."""
    return _APART.get(frozenset(finding.passage.role for finding in findings), _APART_BOTH)


def nothing(view: DocumentView) -> str:
    """Why there is nothing to verify in a document without claims that count."""
    scope = "in the answers of" if view.apart else "in"
    path = flat(view.document.path)
    unread = sum(region.kind == UNRECOVERED for region in view.left_alone)
    message = f"no code and no API name found {scope} {path}"
    if unread:
        message = f"no claim found {scope} {path}, {plural(unread, 'code-like region')} could not be read"
    if view.apart:
        places = Counter(PLACES[finding.passage.role].split()[0] for finding in view.apart)
        stand = "; ".join(
            f"{plural(count, 'mention')} {verb(count, 'stands')} in a {place}" for place, count in places.items()
        )
        names = dict.fromkeys(flat(item.claim.target) or first_line(item.claim.quote, 40) for item in view.apart)
        message = f"{message}; {stand}: {', '.join(list(names)[:5])}{'…' if len(names) > 5 else ''}"
    return message


def left_alone(view: DocumentView) -> tuple[str, ...]:
    """One line for each kind of region that was not taken as a claim, with its count."""
    kinds = Counter(region.kind for region in view.left_alone)
    lines = []
    for kind, count in sorted(kinds.items()):
        if kind == UNRECOVERED:
            lines.append(f"{plural(count, 'code-like region')} could not be read")
        else:
            lines.append(f"{plural(count, 'region')} left alone: {flat(kind)}")
    return tuple(lines)


def counts(findings: Iterable[Finding]) -> str:
    """`9 works, 2 broken (1 new), 1 unproven`; statuses without a claim are not named."""
    every = tuple(findings)
    known = any(finding.verdict.state != "new" for finding in every)
    numbers = tally(every)
    parts = []
    for status in (Status.WORKS, *PROBLEMS):
        if not numbers[status]:
            continue
        new = sum(finding.verdict.status is status and finding.verdict.state == "new" for finding in every)
        parts.append(f"{numbers[status]} {word(status)}" + (f" ({new} new)" if known and status in PROBLEMS else ""))
    return ", ".join(parts)


def setting(report: Report) -> str:
    """Where and how long: `tf-2.21, bubblewrap, 3.1 s`."""
    parts = [environment.name for environment in report.environments]
    parts += dict.fromkeys(environment.backend for environment in report.environments)
    return ", ".join([*(flat(part) for part in parts if part), f"{report.timing.seconds:.1f} s"])


def totals(report: Report, documents: tuple[DocumentView, ...]) -> str:
    """The last line: all claims, whoever says them, and the setting."""
    findings = tuple(finding for view in documents for finding in view.findings)
    found = f": {counts(findings)}" if findings else ""
    stopped = "interrupted, " if report.interrupted else ""
    claims = f"{plural(len(findings), 'claim')} in {plural(len(documents), 'document')}"
    return f"{stopped}{claims}{found} · {setting(report)}"
