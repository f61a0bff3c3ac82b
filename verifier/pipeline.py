"""Wires the stages: load, extract, gather, decide. The only place with concurrency; it tells, it never prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from time import monotonic

from verifier.config import AUTO, Settings, charged
from verifier.documents import find_documents, load
from verifier.errors import InputError
from verifier.extract import extract
from verifier.index import open_index
from verifier.judge import decide, worth_retrying
from verifier.model import (
    SCHEMA,
    Claim,
    ClaimKind,
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
from verifier.model.environments import is_substituted
from verifier.probe import (
    FIRST,
    IN_ORDER,
    Attempt,
    Names,
    choices,
    gather,
    modernise,
    needs_sandbox,
    retry,
)
from verifier.sandbox import Lease

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
    # The target as evidence names it, which tells when something takes its place.
    target: str = ""
    seconds: list[float] = field(default_factory=list)
    unread: int = 0
    interrupted: bool = False

    def close(self, lease: Lease, what: str) -> None:
        """Note what a lease was good for: its environment, or that `what` was not tried in it."""
        if (environment := lease.environment) is not None and environment not in self.environments:
            self.environments.append(environment)
            if is_substituted(environment.name):
                self.notices.append(Notice(message=f"{environment.name}: nothing here can run the release itself"))
        if lease.failure:
            self.notices.append(Notice(message=f"{what}: {lease.failure}"))


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
    desk = _Desk(target=settings.target)
    with _lease(settings.target, settings, listen) as box:
        try:
            for document in read(paths, stdin, desk.notices):
                extraction = extract(document)
                desk.cases.append(_Case(document, extraction))
                if needs_sandbox(extraction.claims) or (settings.live and extraction.claims):
                    box.want()
            _settle(desk, settings, box, listen)
            _compare(desk, settings, box, listen)
        except KeyboardInterrupt:
            desk.interrupted = True
        desk.close(box, "nothing was run")
    timing = Timing(
        started=started.isoformat(timespec="seconds"),
        seconds=round(monotonic() - clock, 3),
        sessions=tuple(round(seconds, 3) for seconds in desk.seconds),
    )
    return _report(desk, settings, timing)


def _lease(name: str, settings: Settings, listen: Listener) -> Lease:
    return Lease(name, settings.sandbox, lambda text: listen(Waiting(message=text)), settings.runtime)


def _settle(desk: _Desk, settings: Settings, box: Lease, listen: Listener) -> None:
    """Gather evidence for every case, with one sandbox for all of them."""
    names = open_index(settings.target)
    if box.environment is not None:
        desk.target = box.environment.name
    for number, case in enumerate(desk.cases, 1):
        working = Working(document=case.document.path, number=number, documents=len(desk.cases))
        listen(working)
        gathered = gather(
            case.document,
            case.extraction.claims,
            names,
            None if box.failure else box.sandbox,
            settings.limits,
            environment=desk.target,
            failure=box.failure,
            on_session=lambda done, of, at=working: listen(replace(at, session=done, sessions=of)),  # type: ignore[misc]
        )
        case.evidence = gathered.evidence
        desk.seconds += gathered.seconds
        desk.notices += gathered.notices


def _compare(desk: _Desk, settings: Settings, target: Lease, listen: Listener) -> None:
    """Try what fails in the target in the environments that could tell something, one after the other."""
    names = open_index(settings.target)
    automatic = settings.also == AUTO
    others = [name for name in (IN_ORDER if automatic else settings.also) if name != settings.target]
    waiting = _modernise(desk, names, settings, target, last=FIRST not in others)
    for name in others:
        told = [(case, _wanted(case, desk.target, name, names, automatic=automatic)) for case in desk.cases]
        wanted = [(case, reasons) for case, reasons in told if reasons]
        old = waiting if name == FIRST else []
        if wanted or old:
            _try_in(name, wanted, old, names, desk, settings, listen)


def _wanted(case: _Case, target: str, name: str, names: Names, *, automatic: bool) -> dict[str, str]:
    """The snippets of a document that are to be tried in an environment, each with the reason in words.

    `automatic`: those that it could tell something about and that no other has settled; else all that fail.
    """
    claims = case.extraction.claims
    # Calls in sentences, too, where they were run.
    ran = {item.claim for item in case.evidence if item.run is not None}
    snippets = {claim.id: claim for claim in claims if claim.kind is ClaimKind.SNIPPET or claim.id in ran}
    verdicts = decide(claims, case.evidence, target)
    doubtful = {
        claim.about or claim.id
        for claim, verdict in zip(claims, verdicts, strict=True)
        if (claim.about or claim.id) in snippets
        and worth_retrying(verdict, claim)
        and not (automatic and Status.WORKS in dict(verdict.per_environment[1:]).values())
    }
    chosen = choices(
        case.document,
        claims,
        [snippet for claim, snippet in snippets.items() if claim in doubtful],
        case.evidence,
        names,
    )
    reasons = {claim: told[name] for claim, told in chosen.items() if name in told}
    return reasons if automatic else {claim: reasons.get(claim, "") for claim in doubtful}


def _try_in(  # noqa: PLR0913, PLR0917  what is to be tried, and all that it is tried with
    name: str,
    wanted: list[tuple[_Case, dict[str, str]]],
    old: list[Attempt],
    names: Names,
    desk: _Desk,
    settings: Settings,
    listen: Listener,
) -> None:
    with _lease(name, settings, listen) as lease:
        lease.want()
        if lease.sandbox is not None and (environment := lease.environment) is not None:
            for attempt in old:
                modernise(attempt, names, lease.sandbox, settings.limits, environment.name, last=True)
            for number, (case, reasons) in enumerate(wanted, 1):
                listen(Working(document=f"{case.document.path} in {name}", number=number, documents=len(wanted)))
                claims = case.extraction.claims
                told = retry(case.document, claims, reasons, names, lease.sandbox, settings.limits, environment.name)
                case.evidence += told.evidence
                desk.seconds += told.seconds
                desk.notices += told.notices
        desk.close(lease, f"what fails was not tried in {name}")


def _modernise(desk: _Desk, names: Names, settings: Settings, target: Lease, *, last: bool) -> list[Attempt]:
    """Try the form in Python 3 of Python 2 code; what is left for release 1, unless the target is the last resort."""
    attempts = [
        Attempt(document=case.document, claims=case.extraction.claims, wanted=wanted, evidence=case.evidence)
        for case in desk.cases
        if (wanted := _of_python2(case, desk.target))
    ]
    sandbox = None if target.failure else target.sandbox
    if sandbox is None:
        return attempts
    return [one for one in attempts if modernise(one, names, sandbox, settings.limits, desk.target, last=last)]


def _of_python2(case: _Case, target: str) -> tuple[Claim, ...]:
    claims = case.extraction.claims
    verdicts = decide(claims, case.evidence, target)
    told = zip(claims, verdicts, strict=True)
    return tuple(claim for claim, verdict in told if claim.kind is ClaimKind.SNIPPET and verdict.rule == "python2")


def survey(paths: Sequence[str], *, stdin: bytes | None = None) -> Report:
    """What would be checked in these documents, without verdicts; no sandbox is started. Raises InputError."""
    started, clock = datetime.now(UTC), monotonic()
    desk = _Desk(target=Settings().target)
    desk.cases = [_Case(document, extract(document)) for document in read(paths, stdin, desk.notices)]
    timing = Timing(started=started.isoformat(timespec="seconds"), seconds=round(monotonic() - clock, 3))
    return replace(_report(desk, Settings(), timing), verdicts=())


def _report(desk: _Desk, settings: Settings, timing: Timing) -> Report:
    claims = tuple(claim for case in desk.cases for claim in case.extraction.claims)
    evidence = [item for case in desk.cases for item in case.evidence]
    if desk.interrupted:
        settled = {item.claim for item in evidence}
        evidence += [
            Evidence(claim=claim.id, environment=desk.target, failure="interrupted")
            for claim in claims
            if claim.id not in settled
        ]
    verdicts = decide(claims, evidence, desk.target)
    report = Report(
        schema=SCHEMA,
        tool=f"verifier {version('verifier')}",
        environments=tuple(sorted(desk.environments, key=lambda item: (item.name != desk.target, item.name))),
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
