"""Verdicts of the target weighed against what happened in other environments: true once is not the same as false."""

from __future__ import annotations

from dataclasses import dataclass, replace

from verifier.judge.finding import Finding, first_line
from verifier.model import INDEX, Claim, ClaimKind, Conversion, Evidence, Polarity, Status, Verdict
from verifier.model.environments import is_substituted, plain_name, release_of

_TELLING = frozenset({"raises", "wrong-argument", "crashed", "output-differs"})
_FAULTS = frozenset({Status.BROKEN, Status.OUTDATED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """The opinion on a claim by what happened in another environment, and why it was asked."""

    environment: str
    verdict: Verdict
    because: str = ""


def worth_retrying(verdict: Verdict, claim: Claim | None = None) -> bool:
    """Whether running the code in another release could tell something.

    What is broken may have worked once; what is outdated should be seen to run where it belongs; what a text says
    of release 1 itself is judged there. That no release has a name is known without running anything.
    """
    if verdict.rule == "python2":
        return False
    if verdict.status is Status.OUTDATED:
        return True
    if verdict.status is Status.BROKEN:
        return verdict.rule in _TELLING
    return verdict.rule == "blocked" and claim is not None and _first(claim.release)


def weighed(claim: Claim, verdict: Verdict, environment: str, others: tuple[Tried, ...]) -> Verdict:
    """The verdict on a claim when it was tried in other environments than the target, too."""
    tried = [other for other in others if other.verdict.status is not Status.NOT_RUN]
    # Syntax of Python 2 is refused alike everywhere.
    if not tried or verdict.status is Status.WORKS or claim.python2:
        return verdict
    told = replace(
        verdict,
        per_environment=((environment, verdict.status), *((item.environment, item.verdict.status) for item in tried)),
        notes=(*verdict.notes, *(_reasons(tried) if claim.kind is ClaimKind.SNIPPET else ())),
    )
    working = [item for item in tried if item.verdict.status is Status.WORKS and _clears(item, verdict)]
    if working:
        return _true_elsewhere(claim, told, environment, working)
    return _false_everywhere(claim, told, tried)


def as_seen_in(item: Evidence, release: str) -> Evidence:
    """Evidence of the index about the target, as it stands for another release: the history covers both."""
    lookup = item.lookup
    if item.environment != INDEX or lookup is None or lookup.found or not lookup.first:
        return item
    if not _number(lookup.first) <= _number(release) <= _number(lookup.last):
        return item
    return replace(item, lookup=replace(lookup, found=True, unknown=False, replacement="", error=""))


def _number(release: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else 0 for part in release.split("."))


def unproven_there(finding: Finding, environment: str) -> Finding:
    """A fault seen where something takes the place of a release is no proof that the release has it."""
    if finding.status not in _FAULTS or finding.rule == "python2" or not is_substituted(environment):
        return finding
    seen = finding.observed or finding.message
    return Finding(
        status=Status.UNPROVEN,
        rule="ambiguous",
        message=f"not proved, since this is not {plain_name(environment)} itself: {seen}",
        observed=finding.observed,
    )


def converted(verdict: Verdict, environment: str, conversion: Conversion) -> Verdict:
    """The verdict on Python 2 code, with what came of its form in Python 3; that changes no status."""
    notes = list(verdict.notes)
    if not conversion.code:
        return replace(verdict, notes=(*notes, f"it could not be converted to Python 3: {conversion.trouble}"))
    if conversion.division:
        notes.append("`/` between whole numbers gave a whole number in Python 2, and does not in Python 3")
    ran = f"{conversion.ran} of {conversion.all} statements ran" if conversion.all > 1 else ""
    end = f"it fails in {environment}: {conversion.trouble}" if conversion.trouble else f"it runs in {environment}"
    return replace(
        verdict,
        message=f"{verdict.message}; converted to Python 3 for trying, {end}",
        notes=(*notes, *([ran] if ran and conversion.trouble else ())),
    )


def _clears(item: Tried, verdict: Verdict) -> bool:
    """Whether working there excuses a failure here.

    Release 1 only builds a graph where release 2 computes, so that a wrong program may end without an error there;
    it excuses what was written for it.
    """
    return verdict.status is not Status.BROKEN or bool(item.because) or not _first_release(item)


def _first_release(item: Tried) -> bool:
    return _first(release_of(item.environment))


def _first(release: str | None) -> bool:
    return (release or "").startswith("1.")


def _true_elsewhere(claim: Claim, verdict: Verdict, environment: str, working: list[Tried]) -> Verdict:
    names = ", ".join(item.environment for item in working)
    code = claim.kind in {ClaimKind.SNIPPET, ClaimKind.CALL} and claim.polarity is Polarity.AFFIRMED
    runs = f"it runs in {names}" if code else f"it is true in {names}"
    if verdict.status is Status.OUTDATED:
        return replace(verdict, message=f"{verdict.message}; {runs}")
    if verdict.status is Status.BROKEN or (claim.kind is ClaimKind.SNIPPET and _first(claim.release)):
        message = f"{runs}, not in {environment}: {verdict.message}"
        rule = "removed" if verdict.status is Status.UNPROVEN else verdict.rule
        return replace(verdict, status=Status.OUTDATED, rule=rule, message=message)
    if claim.kind is ClaimKind.OUTPUT and any(item.because and _first_release(item) for item in working):
        return _output_of_first_release(claim, verdict, names)
    return replace(verdict, notes=(*verdict.notes, runs))


def _output_of_first_release(claim: Claim, verdict: Verdict, names: str) -> Verdict:
    """What a program of release 1 gives, seen there: no fault where the text says which release it speaks of."""
    if _first(claim.release):
        message = f"it is true in {names}, of which the text speaks"
        return replace(verdict, status=Status.WORKS, rule="", message=message)
    message = f"it is true in {names}: {verdict.message}"
    return replace(verdict, status=Status.OUTDATED, rule="removed", message=message)


def _false_everywhere(claim: Claim, verdict: Verdict, tried: list[Tried]) -> Verdict:
    failed = [item for item in tried if item.verdict.status is Status.BROKEN]
    if verdict.status is Status.BROKEN and len(failed) == len(tried):
        names = ", ".join(item.environment for item in failed)
        return replace(verdict, notes=(*verdict.notes, f"the same in {names}"))
    if verdict.status is Status.OUTDATED and failed and claim.kind is ClaimKind.SNIPPET:
        item = failed[-1]
        end = f"in {item.environment} it fails as well: {first_line(item.verdict.message, 200)}"
        return replace(verdict, message=f"{verdict.message}; {end}")
    seen = [
        f"in {item.environment}: {first_line(item.verdict.message, 200)}"
        for item in tried
        if item.verdict.status in {Status.BROKEN, Status.UNPROVEN}
        and claim.kind is ClaimKind.SNIPPET
        and item.verdict.message != verdict.message
    ]
    return replace(verdict, notes=(*verdict.notes, *seen))


def _reasons(tried: list[Tried]) -> tuple[str, ...]:
    return tuple(f"tried in {item.environment}, because {item.because}" for item in tried if item.because)
