"""Claims and oracles in, evidence out. Facts only: no opinion is formed here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic

from verifier.errors import SandboxError
from verifier.model import (
    INDEX,
    Claim,
    ClaimKind,
    Document,
    Evidence,
    Limits,
    Lookup,
    NameQuery,
    Notice,
)
from verifier.names import ROOTS, expand
from verifier.probe.callees import seen_calls
from verifier.probe.diagnose import Names
from verifier.probe.exercise import exercise
from verifier.probe.fixes.mend import mend
from verifier.probe.lending import with_devices
from verifier.probe.receivers import receivers
from verifier.probe.sessions import Session, plan_sessions
from verifier.probe.standins.supply import supply
from verifier.probe.steadiness import steady
from verifier.probe.trial import Bench, Failed, Stage, Trial, attempt
from verifier.sandbox.base import Sandbox

# What is done with a session after its first run, in this order; in another release only what makes it comparable.
_STAGES: tuple[Stage, ...] = (with_devices, supply, exercise, steady, mend)
_STAGES_ELSEWHERE: tuple[Stage, ...] = (with_devices, supply)


@dataclass(slots=True)
class Gathering:
    """The evidence of one document, how long each session took in seconds, and what of ours went wrong."""

    evidence: list[Evidence] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


def needs_sandbox(claims: Iterable[Claim]) -> bool:
    """Whether some claim can only be settled by running code."""
    return any(claim.kind is ClaimKind.SNIPPET for claim in claims)


def gather(  # noqa: PLR0913  the oracles, the material, the limits, and one ear
    document: Document,
    claims: tuple[Claim, ...],
    names: Names,
    sandbox: Sandbox | None,
    limits: Limits,
    *,
    environment: str,
    failure: str = "",
    on_session: Callable[[int, int], None] = lambda _done, _all: None,
) -> Gathering:
    """Evidence for every claim that can have some.

    `sandbox` is None when nothing is to be run, or when none can be had: `failure` then says why. A sandbox that
    fails gives evidence of the failure, never an exception. `on_session` hears how many sessions are done, of how
    many.
    """
    result = Gathering()
    sessions = plan_sessions(document, claims)
    if sandbox is not None:
        bench = Bench(sandbox=sandbox, limits=limits, names=names)
        for done, session in enumerate(sessions):
            on_session(done, len(sessions))
            _run(document, session, bench, environment, result, _STAGES)
    elif failure:
        lost = (claim.id for claim in claims if claim.kind is ClaimKind.SNIPPET)
        result.evidence += [Evidence(claim=claim, environment=environment, failure=failure) for claim in lost]
    aliases = {name: path for session in sessions for name, path in session.aliases.items()}
    known = _Known(aliases=aliases, receivers=receivers(sessions))
    result.evidence += seen_calls(claims, result.evidence, names, environment)
    result.evidence += _looked_up(claims, known, names, sandbox, environment)
    return result


def retry(  # noqa: PLR0913, PLR0917  as gather
    document: Document,
    claims: tuple[Claim, ...],
    wanted: Mapping[str, str],
    names: Names,
    sandbox: Sandbox,
    limits: Limits,
    environment: str,
) -> Gathering:
    """Evidence from another environment for the sessions that hold one of the wanted snippets; names are not asked.

    `wanted` gives the reason for each in words.
    """
    result = Gathering()
    bench = Bench(sandbox=sandbox, limits=limits, names=names)
    for session in plan_sessions(document, claims):
        if wanted.keys() & {session.claims[index] for index in session.own}:
            _run(document, session, bench, environment, result, _STAGES_ELSEWHERE)
    result.evidence = [replace(item, because=wanted.get(item.claim, "")) for item in result.evidence]
    return result


def _run(
    document: Document,
    session: Session,
    bench: Bench,
    environment: str,
    result: Gathering,
    stages: tuple[Stage, ...],
) -> None:
    began = monotonic()
    try:
        trial = attempt(session, bench)
        for stage in stages:
            trial = _further(stage, trial, bench, document, result)
        found = [Evidence(claim=claim, environment=environment, run=run) for claim, run in trial.runs.items()]
    except Failed as failure:
        lost = (session.claims[index] for index in session.own)
        found = [Evidence(claim=claim, environment=environment, failure=str(failure)) for claim in lost]
    result.seconds.append(monotonic() - began)
    result.evidence += found


def _further(stage: Stage, trial: Trial, bench: Bench, document: Document, result: Gathering) -> Trial:
    """One stage; what goes wrong in it costs only what it would have added, and the report says so."""
    try:
        return stage(trial, bench)
    except Exception as error:  # noqa: BLE001 - an error of ours must not cost the report what was already seen
        why = str(error) if isinstance(error, Failed) else f"internal error, {type(error).__name__}: {error}"
        result.notices.append(
            Notice(message=f"the stage `{stage.__name__}` was left out for some code: {why}", document=document.path)
        )
        return trial


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What the names of a document stand for: import paths, and the classes of its variables."""

    aliases: Mapping[str, str]
    receivers: Mapping[str, str]


def _looked_up(
    claims: tuple[Claim, ...],
    known: _Known,
    names: Names,
    sandbox: Sandbox | None,
    environment: str,
) -> list[Evidence]:
    """What the index says about every name, and the live environment about those it can reach."""
    found: list[Evidence] = []
    live: list[tuple[Claim, NameQuery]] = []
    for claim in claims:
        if claim.kind not in {ClaimKind.API, ClaimKind.CALL}:
            continue
        if claim.argument and claim.target in {"", claim.argument}:
            found.append(Evidence(claim=claim.id, environment=INDEX, lookup=_unowned(claim.argument, names)))
            continue
        if not claim.target:
            continue
        query = _query(claim, known.aliases)
        if query is None:
            if claim.kind is ClaimKind.API:
                found.append(Evidence(claim=claim.id, environment=INDEX, lookup=_bare(claim, known.receivers, names)))
            continue
        found.append(Evidence(claim=claim.id, environment=INDEX, lookup=names.lookup(query)))
        live.append((claim, query))
    if sandbox is None or not live:
        return found
    try:
        lookups = sandbox.lookup(tuple(query for _, query in live))
    except SandboxError as error:
        return [*found, *(Evidence(claim=claim.id, environment=environment, failure=str(error)) for claim, _ in live)]
    for (claim, _), lookup in zip(live, lookups, strict=True):
        found.append(Evidence(claim=claim.id, environment=environment, lookup=lookup))
    return found


def _query(claim: Claim, aliases: Mapping[str, str]) -> NameQuery | None:
    root, dot, _ = claim.target.partition(".")
    if not root or not (root in ROOTS or (dot and root in aliases)):
        return None
    path = expand(claim.target, dict(aliases) if root not in ROOTS else None)
    return NameQuery(path=path, form=claim.form, call=claim.call, argument=claim.argument)


def _unowned(argument: str, names: Names) -> Lookup:
    """What is known about an argument of which the text does not say whose it is."""
    owners = names.takers(argument)
    return Lookup(
        name=argument, found=bool(owners), unknown=not owners, has_argument=bool(owners) or None, owners=owners
    )


def _bare(claim: Claim, receivers: Mapping[str, str], names: Names) -> Lookup:
    """What is known about a name without a library; of a claimed argument, whether any of its owners takes it."""
    receiver, _, leaf = claim.target.rpartition(".")
    lookup = names.lookup_bare(leaf, said_kind=claim.said_kind, receiver=receivers.get(receiver, receiver))
    if not claim.argument or not lookup.found:
        return lookup
    inside = [owner for owner in lookup.owners if owner.startswith("tensorflow.")] or lookup.owners
    asked = (names.lookup(NameQuery(path=f"{owner}.{leaf}", argument=claim.argument)) for owner in inside)
    told = [(owner.has_argument, owner.signature) for owner in asked if owner.found]
    taken = [signature for has, signature in told if has]
    if taken:
        return replace(lookup, has_argument=True, signature=taken[0])
    # One owner whose signature cannot be read is enough to leave it open.
    refused = bool(told) and all(has is False for has, _ in told)
    return replace(lookup, has_argument=False if refused else None)
