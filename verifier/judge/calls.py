"""Opinions on the single calls inside a snippet, drawn from what happened to the statements around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from verifier.judge.exercises import called_by_us
from verifier.judge.finding import Finding
from verifier.judge.fixes import BEHIND, Mended, reached, repaired
from verifier.judge.names import judge_name
from verifier.judge.remarks import remarks
from verifier.judge.snippet import matches, step_findings
from verifier.judge.standins import rested
from verifier.model import Claim, Confidence, Fate, Lookup, Polarity, Run, Span, Status, Step, StepFate


def judge_call(
    claim: Claim, snippet: Claim, run: Run, lookup: Lookup | None, release: str, announced: Mapping[int, str]
) -> Finding:
    """The opinion on one call: it ran, it raised, or it never had its turn and only its name can be judged.

    `announced` as for `step_findings`.
    """
    place = claim.code_span or Span(start=0, end=len(snippet.code))
    number = _statement_at(run, place)
    if number is None:
        return _by_name(claim, lookup, release, "never-called", "it stands outside every statement that was run")
    step = run.steps[number]
    after = reached(run, number) if step.fate in {StepFate.BLOCKED, StepFate.MISSING} else None
    if after is not None and not snippet.placeholder:
        told = _once(claim, snippet, after, number, lookup, release, announced)
        if told is not None:
            return told
    if _unreached(snippet, run, place, step):
        by_name = _by_name(claim, lookup, release, "never-called", "it was never called, so only its name was checked")
        return called_by_us(snippet, run, place) or by_name
    match step.fate:
        case StepFate.FINISHED:
            return rested(_ran(claim, run, step, lookup), run, number)
        case StepFate.RAISED:
            return _in_raising(claim, snippet, run, step, place, lookup, release, announced)
        case StepFate.BLOCKED:
            return _by_name(claim, lookup, release, "blocked", f"not run, because {_culprit(run, step)} failed")
        case StepFate.MISSING:
            names = ", ".join(f"`{name}`" for name in step.missing)
            return _by_name(claim, lookup, release, "missing-context", f"not run, because {names} is given nowhere")
        case StepFate.NOT_REACHED:
            rule = run.fate.value if run.fatal and run.fate is not Fate.CRASHED else "blocked"
            known = rule if rule in {"timeout", "out-of-memory", "exits-early", "tampered"} else "blocked"
            return _by_name(claim, lookup, release, known, "the session ended before it")


def _once(  # noqa: PLR0913, PLR0917  as for a call in a statement that raised
    claim: Claim,
    snippet: Claim,
    after: Mended,
    number: int,
    lookup: Lookup | None,
    release: str,
    announced: Mapping[int, str],
) -> Finding | None:
    """The opinion on a call that had its turn only behind corrections of ours; None when they settle nothing."""
    place = claim.code_span or Span(start=0, end=len(snippet.code))
    step = after.run.steps[number]
    by_name = _by_name(claim, lookup, release, "blocked", "")
    if by_name.status is not Status.UNPROVEN or _unreached(snippet, after.run, place, step):
        return None
    if step.fate is StepFate.FINISHED:
        ran = replace(_ran(claim, after.run, step, lookup), message=f"it runs {after.condition}")
        return replace(rested(ran, after.run, number), confidence=Confidence.LIKELY, because=BEHIND)
    if not after.faithful:
        return None
    told = _in_raising(claim, snippet, after.run, step, place, lookup, release, announced)
    if told.status is Status.UNPROVEN:
        return None
    return replace(told, message=f"{after.condition}, {told.message}", confidence=Confidence.LIKELY, because=BEHIND)


def _statement_at(run: Run, place: Span) -> int | None:
    return next((i for i, item in enumerate(run.statements) if item.span.covers(place)), None)


def _unreached(snippet: Claim, run: Run, place: Span, step: Step) -> bool:
    """Whether the lines of the call were never executed although its statement finished or raised elsewhere."""
    if not run.ran_lines or step.fate not in {StepFate.FINISHED, StepFate.RAISED}:
        return False
    first = snippet.code.count("\n", 0, place.start) + 1
    last = snippet.code.count("\n", 0, place.end) + 1
    return not any(first <= line <= last for line in run.ran_lines)


def _ran(claim: Claim, run: Run, step: Step, lookup: Lookup | None) -> Finding:
    place, statement = claim.code_span, run.statements[step.statement].span
    outermost = place is None or place.end == statement.end
    rule = "deprecated" if lookup is not None and lookup.deprecated else ""
    notes = remarks(claim, step, lookup, outermost=outermost)
    return Finding(status=Status.WORKS, rule=rule, message="it ran", notes=notes)


def _in_raising(  # noqa: PLR0913, PLR0917  the call, its surroundings and both oracles
    claim: Claim,
    snippet: Claim,
    run: Run,
    step: Step,
    place: Span,
    lookup: Lookup | None,
    release: str,
    announced: Mapping[int, str],
) -> Finding:
    statement = run.statements[step.statement].span
    failing = (step.fault.expression if step.fault else None) or statement
    finding = dict(step_findings(snippet, run, release, announced)).get(step.statement)
    if finding is not None and snippet.polarity is Polarity.NEGATED and step.fault is not None:
        finding = None if matches(snippet.announced, step.fault) else replace(finding, status=Status.UNPROVEN)
    if finding is None:
        return Finding(status=Status.WORKS, rule="raises", message="it fails, as the text says")
    finding = repaired(snippet, run, finding)
    if place == failing or _is_callee(claim, snippet, place, failing):
        return finding
    if failing.covers(place) or place.end <= failing.start:
        return Finding(status=Status.WORKS, message="it ran before the statement failed")
    if place.covers(failing):
        return _by_name(claim, lookup, release, "blocked", "not run, because one of its arguments failed")
    if failing == statement:
        return replace(finding, span=None)
    return _by_name(claim, lookup, release, "blocked", "not run, because the statement failed before it")


def _is_callee(claim: Claim, snippet: Claim, place: Span, failing: Span) -> bool:
    """Whether what failed is the function that is called, not one of its arguments."""
    if not place.covers(failing):
        return False
    head = snippet.code[failing.end : place.end].lstrip()
    return failing.start == place.start and head.startswith("(") and "(" not in claim.code[: failing.end - place.start]


def _by_name(claim: Claim, lookup: Lookup | None, release: str, rule: str, why: str) -> Finding:
    """The call did not run: a name that does not exist is a fault all the same, one that does proves nothing."""
    if lookup is not None and not lookup.unknown:
        finding = judge_name(claim, lookup, release)
        if finding.status in {Status.BROKEN, Status.OUTDATED}:
            return finding
        if lookup.found:
            return Finding(status=Status.UNPROVEN, rule=rule, message=f"{why}; the name exists", notes=finding.notes)
    return Finding(status=Status.UNPROVEN, rule=rule, message=why)


def _culprit(run: Run, step: Step) -> str:
    if step.blocked_by is None:
        return "an earlier statement"
    program, number = step.blocked_by
    if program == run.program:
        return f"statement {number + 1}"
    return "a statement of earlier code"
