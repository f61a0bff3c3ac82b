"""Calls of methods, known by the live objects that they were made on: evidence for what no path in the code tells."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.model import Callee, Claim, ClaimKind, Evidence, Lookup, Step
from verifier.probe.diagnose import Names, indexed, refused_keyword


def seen_calls(claims: Iterable[Claim], evidence: Iterable[Evidence], names: Names, environment: str) -> list[Evidence]:
    """A lookup for each call claim whose object was there when its statement had its turn, run or not."""
    steps = {
        item.claim: [step for step in item.run.steps if step.calls]
        for item in evidence
        if item.run is not None and item.environment == environment
    }
    found = []
    for claim in claims:
        if claim.kind is ClaimKind.CALL and claim.code_span is not None:
            callee = _callee(claim, steps.get(claim.about, ()))
            if callee is not None:
                lookup = _lookup(claim, callee, names)
                found.append(Evidence(claim=claim.id, environment=environment, lookup=lookup))
    return found


def _callee(claim: Claim, steps: Iterable[Step]) -> Callee | None:
    return next((callee for step in steps for callee in step.calls if callee.span == claim.code_span), None)


def _lookup(claim: Claim, callee: Callee, names: Names) -> Lookup:
    keyword = refused_keyword(callee.complaint or "")
    path = indexed(callee.name)
    return Lookup(
        name=claim.target,
        found=True,
        canonical=callee.name,
        kind=callee.kind,
        signature=callee.signature,
        binds=callee.complaint,
        deprecated=callee.deprecated,
        keyword=keyword,
        accepted=names.accepting(path, keyword) if keyword else "",
        renamed_to=names.renamed_keyword(path, keyword) if keyword else "",
    )
