"""In which other environments a snippet that fails in the target is worth trying, and why.

Starting an environment costs seconds, so only those are chosen that could tell something: the one that has what
the snippet names, or the one whose Keras it was written for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from verifier.model import Claim, Document, Evidence, Run
from verifier.probe.diagnose import Names
from verifier.probe.release import Era, era_of, era_of_failures, paths_of, stated_era
from verifier.probe.sessions import Session, plan_sessions

FIRST = "tf-1.15"  # graphs, sessions, contrib
LAST_KERAS_2 = "tf-2.15"  # also the last with Estimator
LEGACY_KERAS = "tf-2.21-keras2"
# The cheapest first: what settles a snippet saves it the others.
IN_ORDER = (LEGACY_KERAS, LAST_KERAS_2, FIRST)
_LAST_OF_15 = (2, 15)

_FIRST_WORDS = re.compile(
    r"eager execution|session graph is empty|not an element of this graph|only supported in (?:tf ?1|tensorflow 1)"
    r"|not supported in tf2|removed in tensorflow",
    re.IGNORECASE,
)
_KERAS = ("tensorflow.keras", "keras", "tf_keras")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """An environment in which a snippet is tried, and the reason in words."""

    environment: str
    reason: str


def choices(
    document: Document,
    claims: tuple[Claim, ...],
    failing: Iterable[Claim],
    evidence: Iterable[Evidence],
    names: Names,
) -> dict[str, dict[str, str]]:
    """For each failing snippet of a document the environments to try it in, with the reason for each."""
    sessions = plan_sessions(document, claims)
    aliases = {name: path for session in sessions for name, path in session.aliases.items()}
    told = [(_own(session), _stated(_own(session), claims)) for session in sessions]
    beside = {claim: era for own, era in told if era is not None for claim in own}
    runs: dict[str, Run] = {}
    for item in evidence:
        if item.run is not None:
            runs.setdefault(item.claim, item.run)
    return {
        claim.id: {
            one.environment: one.reason
            for one in choose(claim, claims, runs.get(claim.id), aliases, names, beside.get(claim.id))
        }
        for claim in failing
    }


def _own(session: Session) -> frozenset[str]:
    return frozenset(session.claims[index] for index in session.own)


def _stated(own: frozenset[str], claims: tuple[Claim, ...]) -> Era | None:
    """The release that some snippet of a session states, for those beside it."""
    eras = (stated_era(claim, claims) for claim in claims if claim.id in own and not claim.release)
    era = next((era for era in eras if era is not None), None)
    return era and replace(era, reason=f"of the code beside it: {era.reason}")


def choose(
    claim: Claim,
    claims: Iterable[Claim],
    run: Run | None,
    aliases: Mapping[str, str],
    names: Names,
    beside: Era | None = None,
) -> tuple[Choice, ...]:
    """The environments that could tell something about a snippet that fails in the target, best first.

    `run` is what happened in the target; `claims` are those of the document; `beside` is what the code of the same
    session states.
    """
    era = era_of(claim, claims, aliases, names) or (run and era_of_failures(run)) or beside
    if era is not None and era.first:
        return (Choice(environment=FIRST, reason=era.reason),)
    messages = [step.fault.message for step in run.steps if step.fault] if run else []
    if any(_FIRST_WORDS.search(message) for message in messages):
        return (Choice(environment=FIRST, reason="what it raises speaks of graphs and sessions of release 1"),)
    if era is not None and _old(era):
        return (Choice(environment=LAST_KERAS_2, reason=era.reason),)
    if _uses_keras(claim, run, aliases):
        reason = "it uses Keras, whose version 3 changed much"
        return (Choice(environment=LEGACY_KERAS, reason=reason), Choice(environment=LAST_KERAS_2, reason=reason))
    return (Choice(environment=LAST_KERAS_2, reason="it fails in the target"),)


def _old(era: Era) -> bool:
    major, _, minor = era.release.partition(".")
    return major == "2" and minor.isdigit() and (2, int(minor)) <= _LAST_OF_15


def _uses_keras(claim: Claim, run: Run | None, aliases: Mapping[str, str]) -> bool:
    faults = [step.fault for step in run.steps if step.fault] if run else []
    if any("keras" in fault.message.lower() or fault.type.startswith("keras") for fault in faults):
        return True
    return any(f"{path}.".startswith(tuple(f"{root}." for root in _KERAS)) for path in paths_of(claim, aliases))
