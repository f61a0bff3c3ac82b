"""Hides which findings get a place of their own and which are told in the place of another.

One fault has many faces: the snippet fails, the call in it fails, and all that needs its result is blocked. A
reader wants one entry per cause.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from verifier.model import StepFate
from verifier.reports.view import Finding

_BLOCKED = "blocked"


@dataclass(frozen=True, kw_only=True, eq=False)
class Entry:
    """A finding that is shown by itself.

    repeats: findings about parts of it that say the same thing again; blocked: those that fail only because it does.
    """

    finding: Finding
    repeats: tuple[Finding, ...] = field(default=())
    blocked: tuple[Finding, ...] = field(default=())

    @property
    def suggestion(self) -> str:
        """Its own suggestion, else the first one among its repeats."""
        every = (self.finding, *self.repeats)
        return next((finding.verdict.suggestion for finding in every if finding.verdict.suggestion), "")


def entries(findings: Iterable[Finding]) -> tuple[Entry, ...]:
    """The entries of `findings`, in their order. Every finding is in exactly one entry."""
    ordered = tuple(findings)
    known = {finding.claim.id: finding for finding in ordered}
    hosts = {finding.claim.id: host for finding in ordered if (host := _host(finding, known))}
    causes = _causes(ordered, known)
    repeats: dict[str, list[Finding]] = defaultdict(list)
    blocked: dict[str, list[Finding]] = defaultdict(list)
    shown: list[Finding] = []
    for finding in ordered:
        owner = causes.get(finding.claim.id)
        if owner:
            blocked[hosts.get(owner, owner)].append(finding)
        elif finding.claim.id in hosts:
            repeats[hosts[finding.claim.id]].append(finding)
        else:
            shown.append(finding)
    return tuple(
        Entry(
            finding=finding,
            repeats=tuple(repeats[finding.claim.id]),
            blocked=tuple(sorted(blocked[finding.claim.id], key=lambda item: item.place)),
        )
        for finding in shown
    )


def _host(finding: Finding, known: dict[str, Finding]) -> str:
    """Id of the snippet whose entry already says what `finding` says, else empty."""
    host = known.get(finding.claim.about)
    if host is None or host is finding or host.claim.about or not finding.problem or _is_blocked(finding):
        return ""
    mine, its = finding.verdict, host.verdict
    if (mine.status, mine.rule) != (its.status, its.rule):
        return ""
    same = mine.message == its.message or finding.place.overlaps(host.place)
    return host.claim.id if same else ""


def _causes(findings: tuple[Finding, ...], known: dict[str, Finding]) -> dict[str, str]:
    """For each blocked finding, the id of the failing finding behind it; empty where none is among `findings`."""
    causes: dict[str, str] = {}
    for finding in findings:
        path: dict[str, None] = {}  # the blocked findings passed on the way, in order
        current: Finding | None = finding
        while current is not None and _is_blocked(current) and current.claim.id not in causes:
            if current.claim.id in path:
                current = None
                break
            path[current.claim.id] = None
            current = known.get(current.claim.about) or known.get(_blocker(current))
        cause = "" if current is None else _end(current, causes)
        causes.update(dict.fromkeys(path, cause))
    return causes


def _end(finding: Finding, causes: dict[str, str]) -> str:
    """The cause that a walk has come to: known already, a finding that fails by itself, or none."""
    if _is_blocked(finding):
        return causes[finding.claim.id]
    return finding.claim.id if finding.problem else ""


def _blocker(finding: Finding) -> str:
    """Id of the other snippet of the session whose failure kept a statement of `finding` from running."""
    run = finding.run
    if run is None:
        return ""
    culprits = (
        step.blocked_by[0] for step in run.steps if step.fate is StepFate.BLOCKED and step.blocked_by is not None
    )
    return next((run.programs[at] for at in culprits if at != run.program and 0 <= at < len(run.programs)), "")


def _is_blocked(finding: Finding) -> bool:
    return finding.verdict.rule == _BLOCKED
