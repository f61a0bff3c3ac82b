"""Wires the stages: load, extract, gather, decide. The only place with concurrency; it tells, it never prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from time import monotonic

from verifier.config import Settings, charged
from verifier.documents import find_documents, load
from verifier.errors import InputError, SandboxError
from verifier.extract import extract
from verifier.index import open_index
from verifier.judge import decide
from verifier.model import (
    Claim,
    Document,
    Environment,
    Evidence,
    Extraction,
    Notice,
    Report,
    Status,
    Timing,
    Verdict,
)
from verifier.probe import gather, needs_sandbox
from verifier.reports import SCHEMA
from verifier.sandbox import Sandbox, open_sandbox

STDIN = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Something takes long: what it is, in words for a person."""

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """A document is being verified: which, of how many, and how many of its sessions are done."""

    document: str
    number: int
    documents: int
    session: int = 0
    sessions: int = 0


Event = Waiting | Working
Listener = Callable[[Event], None]


@dataclass(slots=True)
class _Case:
    """One document on its way through the stages."""

    document: Document
    extraction: Extraction
    evidence: list[Evidence] = field(default_factory=list)


@dataclass(slots=True)
class _Desk:
    """What the run has so far; a report can be made of it at any moment."""

    cases: list[_Case] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    environments: list[Environment] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    unread: int = 0
    interrupted: bool = False


def read(paths: Sequence[str], stdin: bytes | None, notices: list[Notice]) -> list[Document]:
    """The documents behind the paths. One that cannot be read becomes a notice, unless it is the only one.

    Raises InputError when nothing at all can be read.
    """
    found = [path for given in paths for path in ([STDIN] if given == STDIN else find_documents([given]))]
    unique = list(dict.fromkeys(found))
    documents = []
    for path in unique:
        try:
            documents.append(load(path, stdin if path == STDIN else None))
        except InputError as error:
            if len(unique) == 1:
                raise
            notices.append(Notice(message=f"not read: {error}", document=str(path)))
    if not documents:
        raise InputError("; ".join(notice.message for notice in notices) or "there is nothing to read")
    return documents


def verify(
    paths: Sequence[str],
    settings: Settings,
    *,
    stdin: bytes | None = None,
    listen: Listener = lambda _event: None,
) -> Report:
    """Verify documents and report. Raises UsageError or InputError; everything else becomes part of the report.

    An interrupt (KeyboardInterrupt) ends the work early and gives a report of what was done, marked as such.
    """
    started, clock = datetime.now(UTC), monotonic()
    desk = _Desk()
    try:
        documents = read(paths, stdin, desk.notices)
        for document in documents:
            desk.cases.append(_Case(document, extract(document)))
        _settle(desk, settings, listen)
    except KeyboardInterrupt:
        desk.interrupted = True
    timing = Timing(
        started=started.isoformat(timespec="seconds"),
        seconds=round(monotonic() - clock, 3),
        sessions=tuple(round(seconds, 3) for seconds in desk.seconds),
    )
    return _report(desk, settings, timing)


def _settle(desk: _Desk, settings: Settings, listen: Listener) -> None:
    """Gather evidence for every case, with one sandbox for all of them."""
    names = open_index(settings.target)
    sandbox: Sandbox | None = None
    failure = ""
    try:
        if any(needs_sandbox(case.extraction.claims) for case in desk.cases):
            try:
                sandbox = open_sandbox(
                    settings.target, settings.sandbox, progress=lambda text: listen(Waiting(message=text))
                )
                desk.environments.append(sandbox.environment)
                sandbox.start()
            except SandboxError as error:
                failure = str(error)
                desk.notices.append(Notice(message=f"nothing was run: {failure}"))
        for number, case in enumerate(desk.cases, 1):
            path = case.document.path
            listen(Working(document=path, number=number, documents=len(desk.cases)))
            gathered = gather(
                case.document,
                case.extraction.claims,
                names,
                sandbox,
                settings.limits,
                environment=settings.target,
                failure=failure,
                on_session=lambda done, of, path=path, number=number: listen(
                    Working(document=path, number=number, documents=len(desk.cases), session=done, sessions=of)
                ),
            )
            case.evidence = gathered.evidence
            desk.seconds += gathered.seconds
    finally:
        if sandbox is not None:
            sandbox.close()


def _report(desk: _Desk, settings: Settings, timing: Timing) -> Report:
    claims = tuple(claim for case in desk.cases for claim in case.extraction.claims)
    evidence = [item for case in desk.cases for item in case.evidence]
    if desk.interrupted:
        settled = {item.claim for item in evidence}
        evidence += [
            Evidence(claim=claim.id, environment=settings.target, failure="interrupted")
            for claim in claims
            if claim.id not in settled
        ]
    verdicts = decide(claims, evidence, settings.target)
    report = Report(
        schema=SCHEMA,
        tool=f"verifier {version('verifier')}",
        environments=tuple(desk.environments),
        documents=tuple(case.document for case in desk.cases),
        claims=claims,
        left_alone=tuple(item for case in desk.cases for item in case.extraction.left_alone),
        evidence=tuple(evidence),
        verdicts=verdicts,
        notices=(
            *desk.notices,
            *(notice for case in desk.cases for notice in (*case.document.notices, *case.extraction.notices)),
        ),
        interrupted=desk.interrupted,
        timing=timing,
    )
    return _selected(report, settings.claims) if settings.claims else report


def _selected(report: Report, wanted: tuple[str, ...]) -> Report:
    """The report about some claims only: those whose ids begin so, and the calls and outputs inside them."""
    chosen = {claim.id for claim in report.claims if claim.id.startswith(wanted)}
    if not chosen:
        raise InputError(f"no claim of these documents has the id {' or '.join(wanted)}")
    kept = {claim.id for claim in report.claims if claim.id in chosen or claim.about in chosen}
    return replace(
        report,
        claims=tuple(claim for claim in report.claims if claim.id in kept),
        evidence=tuple(item for item in report.evidence if item.claim in kept),
        verdicts=tuple(verdict for verdict in report.verdicts if verdict.claim in kept),
    )


def exit_code(report: Report, settings: Settings) -> int:
    """What the process should end with: 0, 1, 3, 4 or 130; see the README for their meaning.

    Only claims in answers and in plain documents count; what an interviewer or a reviewer says does not.
    """
    if report.interrupted:
        return 130
    counted = charged_verdicts(report)
    if not counted:
        return 3
    statuses = {verdict.status for _, verdict in counted}
    if statuses & set(settings.fail_on) and not settings.exit_zero:
        return 1
    return 4 if Status.NOT_RUN in statuses else 0


def charged_verdicts(report: Report) -> list[tuple[Claim, Verdict]]:
    """Claims with their verdicts that are charged to the author of a document."""
    roles = {document.path: [passage.role for passage in document.passages] for document in report.documents}
    verdicts = {verdict.claim: verdict for verdict in report.verdicts}
    return [
        (claim, verdicts[claim.id])
        for claim in report.claims
        if charged(roles[claim.document][claim.passage]) and claim.id in verdicts
    ]
