"""Hides what a page says about one claim: plain values, ready for a template; nothing is escaped or styled here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from verifier.model import Claim, Confidence, Evidence, Repair, Run, Span, Verdict
from verifier.reports.correction import Line, correction
from verifier.reports.grouping import Entry
from verifier.reports.safe import printed, shortened
from verifier.reports.view import Finding
from verifier.reports.wording import (
    SYMBOLS,
    additions,
    claimed,
    command,
    first_line,
    repairs_note,
    supplied,
    title,
    who,
    word,
)
from verifier.rules import RULES

_CONTEXT = 200  # characters of the document shown on each side of a place
_QUOTED = 1500  # characters of the place itself
_CODE = 8000
_REPAIRS = 40
# A PNG in base64 and nothing else: eight fixed bytes, then the alphabet.
_PNG = re.compile(r"iVBORw0KGgo[A-Za-z0-9+/]*={0,2}")
_FIGURE = 400_000  # characters of base64; larger figures stay in the JSON report
_SURENESS = {
    Confidence.SURE: "sure",
    Confidence.LIKELY: "likely, not sure",
    Confidence.GUESS: "a guess",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A place with the text around it; `left` and `right` tell that more text follows there."""

    before: str
    marked: str
    after: str
    left: bool
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A figure as a data URL can hold it."""

    png: str
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What a run left behind, cut to what a page can bear; `omitted` figures were too large or no PNG.

    correction  the code with the changes that made more of it run, as a difference
    """

    added: tuple[str, ...]
    code: str
    stdout: str
    stderr: str
    warnings: tuple[str, ...]
    pictures: tuple[Picture, ...]
    omitted: int
    ending: str
    correction: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A claim that is told in the card of another."""

    anchor: str
    line: int
    kind: str
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Everything that a page says about one claim."""

    anchor: str
    status: str
    symbol: str
    word: str
    rule: str
    rule_title: str
    explanation: str
    state: str
    confidence: str
    because: str
    message: str
    who: str
    line: int
    column: int
    kind: str
    code: str
    excerpt: Excerpt
    claimed: str
    observed: str
    suggestion: str
    notes: tuple[str, ...]
    repairs_note: str
    repairs: tuple[Repair, ...]
    more_repairs: int
    trace: Trace
    environments: tuple[tuple[str, str], ...]
    command: str
    repeats: tuple[Reference, ...]
    blocked: tuple[Reference, ...]

    @property
    def understood(self) -> bool:
        """Whether there is something to tell about how we read the code or what it printed."""
        trace = self.trace
        told = trace.code or trace.stdout or trace.stderr or trace.warnings or trace.pictures or trace.omitted
        return bool(told or self.repairs)


def anchor_of(claim: Claim) -> str:
    """The name of a claim on a page: safe inside an attribute and inside a fragment of a URL."""
    return "claim-" + quote(claim.id, safe="", errors="backslashreplace").replace("%", "_")


def card_of(entry: Entry) -> Card:
    """The card of one entry."""
    finding = entry.finding
    claim, verdict = finding.claim, finding.verdict
    rule = RULES.get(verdict.rule)
    return Card(
        anchor=anchor_of(claim),
        status=str(verdict.status),
        symbol=SYMBOLS[verdict.status],
        word=word(verdict.status),
        rule=verdict.rule,
        rule_title=title(verdict.rule),
        explanation=rule.explanation if rule else "",
        state="" if verdict.state == "new" else verdict.state,
        confidence=_SURENESS[verdict.confidence],
        because=verdict.because,
        message=verdict.message or title(verdict.rule) or claimed(claim),
        who=who(finding.passage),
        line=finding.position[0],
        column=finding.position[1],
        kind=str(claim.kind),
        code=first_line(claim.code or claim.quote),
        excerpt=_excerpt(finding),
        claimed=claimed(claim),
        observed=shortened(printed(verdict.observed)).strip(),
        suggestion=entry.suggestion,
        notes=(*verdict.notes, *additions(finding)),
        repairs_note=repairs_note(claim),
        repairs=claim.repairs[:_REPAIRS],
        more_repairs=max(len(claim.repairs) - _REPAIRS, 0),
        trace=_trace(claim, finding.evidence),
        environments=_environments(verdict),
        command=command(finding),
        repeats=tuple(_reference(item) for item in entry.repeats),
        blocked=tuple(_reference(item) for item in entry.blocked),
    )


def _environments(verdict: Verdict) -> tuple[tuple[str, str], ...]:
    """The status in each environment, where there are several to compare."""
    pairs = verdict.per_environment
    return tuple((name, word(status)) for name, status in pairs) if len(pairs) > 1 else ()


def _reference(finding: Finding) -> Reference:
    claim = finding.claim
    return Reference(
        anchor=anchor_of(claim),
        line=finding.position[0],
        kind=str(claim.kind),
        code=first_line(claim.code or claim.quote),
        message=finding.verdict.message,
    )


def _excerpt(finding: Finding) -> Excerpt:
    """The place in the lines of its claim, cut to a readable size."""
    text, lines, place = finding.document.text, finding.lines, finding.place
    around = Span(start=min(finding.span.start, place.start), end=max(finding.span.end, place.end))
    first = lines.start(lines.line(around.start))
    last = lines.end(lines.line(max(around.end - 1, around.start)))
    start, end = max(first, place.start - _CONTEXT), min(max(last, place.end), place.end + _CONTEXT)
    marked = place.of(text)
    if len(marked) > _QUOTED:
        marked = f"{marked[: _QUOTED // 2]}\n…\n{marked[-_QUOTED // 2 :]}"
    return Excerpt(
        before=text[start : place.start],
        marked=marked,
        after=text[place.end : end].rstrip("\n"),
        left=start > first,
        right=end < last,
    )


def _trace(claim: Claim, evidence: tuple[Evidence, ...]) -> Trace:
    run = next((item.run for item in evidence if item.run is not None), None)
    code = claim.code if len(claim.code) <= _CODE else f"{claim.code[:_CODE]}\n…"
    if run is None:
        failure = next((item.failure for item in evidence if item.failure), "")
        return Trace(added=(), code=code, stdout="", stderr="", warnings=(), pictures=(), omitted=0, ending=failure)
    figures = [figure for step in run.steps for figure in step.figures]
    good = [figure for figure in figures if len(figure.png) <= _FIGURE and _PNG.fullmatch(figure.png)]
    return Trace(
        added=(*run.added, *supplied(run)),
        code=code,
        stdout=_log(step.stdout for step in run.steps),
        stderr=_log(step.stderr for step in run.steps),
        warnings=_warnings(run),
        pictures=tuple(Picture(png=item.png, width=item.width, height=item.height) for item in good),
        omitted=len(figures) - len(good),
        ending=f"{run.fate}{f': {run.detail}' if run.detail else ''}",
        correction=correction(claim, run),
    )


def _warnings(run: Run) -> tuple[str, ...]:
    lines = (
        f"{warned.category}: {' '.join(warned.message.split())}{f' (×{warned.count})' if warned.count > 1 else ''}"
        for step in run.steps
        for warned in step.warnings
    )
    return tuple(shortened(line, 500) for line in dict.fromkeys(lines))[:12]


def _log(parts: Iterable[str]) -> str:
    return shortened(printed("".join(parts))).strip("\n")
