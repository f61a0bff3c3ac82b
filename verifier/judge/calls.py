"""Opinions on the single calls inside a snippet, drawn from what happened to the statements around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from verifier.judge.finding import Finding, first_line
from verifier.judge.names import judge_name
from verifier.judge.snippet import matches, step_findings
from verifier.model import Claim, Fate, Lookup, Polarity, Run, Span, Status, Step, StepFate


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
    if _unreached(snippet, run, place, step):
        return _by_name(claim, lookup, release, "never-called", "it was never called, so only its name was checked")
    match step.fate:
        case StepFate.FINISHED:
            return _ran(step, lookup)
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


def _statement_at(run: Run, place: Span) -> int | None:
    return next((i for i, item in enumerate(run.statements) if item.span.covers(place)), None)


def _unreached(snippet: Claim, run: Run, place: Span, step: Step) -> bool:
    """Whether the lines of the call were never executed although its statement finished or raised elsewhere."""
    if not run.ran_lines or step.fate not in {StepFate.FINISHED, StepFate.RAISED}:
        return False
    first = snippet.code.count("\n", 0, place.start) + 1
    last = snippet.code.count("\n", 0, place.end) + 1
    return not any(first <= line <= last for line in run.ran_lines)


def _ran(step: Step, lookup: Lookup | None) -> Finding:
    notes = [f"warned: {item.category}: {first_line(item.message, 200)}" for item in step.warnings]
    if lookup is not None and lookup.deprecated:
        notes.append(f"deprecated: {first_line(lookup.deprecated, 200)}")
    rule = "deprecated" if lookup is not None and lookup.deprecated else ""
    return Finding(status=Status.WORKS, rule=rule, message="it ran", notes=tuple(dict.fromkeys(notes)))


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
