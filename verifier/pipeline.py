"""Wires the stages: load, extract, gather, decide. The only place with concurrency; it tells, it never prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from time import monotonic
from typing import Self

from verifier.config import Settings, charged
from verifier.documents import find_documents, load
from verifier.errors import InputError, SandboxError
from verifier.extract import extract
from verifier.index import open_index
from verifier.judge import decide, worth_retrying
from verifier.model import (
    SCHEMA,
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
from verifier.probe import gather, needs_sandbox, retry
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
    with _Box(settings, listen) as box:
        try:
            for document in read(paths, stdin, desk.notices):
                extraction = extract(document)
                desk.cases.append(_Case(document, extraction))
                if needs_sandbox(extraction.claims) or (settings.live and extraction.claims):
                    box.want()
            _settle(desk, settings, box, listen)
            for name in settings.also:
                if name != settings.target:
                    _compare(desk, settings, name, listen)
        except KeyboardInterrupt:
            desk.interrupted = True
        desk.environments += box.environments
        if box.failure:
            desk.notices.append(Notice(message=f"nothing was run: {box.failure}"))
    timing = Timing(
        started=started.isoformat(timespec="seconds"),
        seconds=round(monotonic() - clock, 3),
        sessions=tuple(round(seconds, 3) for seconds in desk.seconds),
    )
    return _report(desk, settings, timing)


class _Box:
    """The sandbox of a run: opened when the first document wants it, closed with the run, or found missing."""

    def __init__(self, settings: Settings, listen: Listener) -> None:
        self._settings = settings
        self._listen = listen
        self.sandbox: Sandbox | None = None
        self.failure = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.sandbox is not None:
            self.sandbox.close()

    def want(self) -> None:
        """Begin to start it, if nobody has; the static work goes on meanwhile."""
        if self.sandbox is not None or self.failure:
            return
        try:
            self.sandbox = open_sandbox(
                self._settings.target, self._settings.sandbox, lambda text: self._listen(Waiting(message=text))
            )
            self.sandbox.start()
        except SandboxError as error:
            self.failure = str(error)

    @property
    def environments(self) -> list[Environment]:
        """How the report names it; none when there is none."""
        if self.sandbox is None:
            return []
        try:
            return [self.sandbox.environment]
        except SandboxError as error:
            self.failure = str(error)
            return []


def _settle(desk: _Desk, settings: Settings, box: _Box, listen: Listener) -> None:
    """Gather evidence for every case, with one sandbox for all of them."""
    names = open_index(settings.target)
    for number, case in enumerate(desk.cases, 1):
        working = Working(document=case.document.path, number=number, documents=len(desk.cases))
        listen(working)
        gathered = gather(
            case.document,
            case.extraction.claims,
            names,
            box.sandbox,
            settings.limits,
            environment=settings.target,
            failure=box.failure,
            on_session=lambda done, of, at=working: listen(replace(at, session=done, sessions=of)),  # type: ignore[misc]
        )
        case.evidence = gathered.evidence
        desk.seconds += gathered.seconds


def _compare(desk: _Desk, settings: Settings, name: str, listen: Listener) -> None:
    """Try in another environment what is broken in the target: true once is not the same as never true."""
    retried = [(case, wanted) for case in desk.cases if (wanted := _doubtful(case, settings.target))]
    if not retried:
        return
    with _Box(replace(settings, target=name), listen) as box:
        box.want()
        names = open_index(settings.target)
        for number, (case, wanted) in enumerate(retried, 1):
            if box.sandbox is None:
                break
            listen(Working(document=f"{case.document.path} in {name}", number=number, documents=len(retried)))
            claims = case.extraction.claims
            told = retry(case.document, claims, wanted, names, box.sandbox, settings.limits, name)
            case.evidence += told.evidence
            desk.seconds += told.seconds
        desk.environments += box.environments
        if box.failure:
            desk.notices.append(Notice(message=f"what is broken was not tried in {name}: {box.failure}"))


def _doubtful(case: _Case, target: str) -> frozenset[str]:
    """The snippets of a document with a verdict that another release could change."""
    claims = case.extraction.claims
    verdicts = zip(claims, decide(claims, case.evidence, target), strict=True)
    return frozenset(claim.about or claim.id for claim, verdict in verdicts if worth_retrying(verdict))


def survey(paths: Sequence[str], *, stdin: bytes | None = None) -> Report:
    """What would be checked in these documents, without verdicts; no sandbox is started. Raises InputError."""
    started, clock = datetime.now(UTC), monotonic()
    desk = _Desk()
    desk.cases = [_Case(document, extract(document)) for document in read(paths, stdin, desk.notices)]
    timing = Timing(started=started.isoformat(timespec="seconds"), seconds=round(monotonic() - clock, 3))
    return replace(_report(desk, Settings(), timing), verdicts=())


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
        environments=tuple(sorted(desk.environments, key=lambda item: (item.name != settings.target, item.name))),
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
