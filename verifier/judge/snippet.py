"""Opinions on snippets: did this code run, and if not, why?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from verifier.judge.faults import Case, headline, judge_fault, of_python2
from verifier.judge.finding import Finding, first_line, listed, worst
from verifier.judge.fixes import repaired
from verifier.judge.outputs import unsteady
from verifier.judge.progress import proved
from verifier.judge.standins import spared, weakened
from verifier.model import (
    Claim,
    Confidence,
    Diagnosis,
    Evidence,
    Fate,
    Fault,
    Polarity,
    RepairClass,
    Run,
    Status,
    Step,
    StepFate,
    Wobble,
)
from verifier.names import PYTHON2_BUILTINS

NOTHING_ANNOUNCED: Mapping[int, str] = MappingProxyType({})

_FATES = {
    Fate.TIMEOUT: (Status.UNPROVEN, "timeout", "was still running after {limits.wall_seconds:g} s"),
    Fate.OUT_OF_MEMORY: (
        Status.UNPROVEN,
        "out-of-memory",
        "needs more than the {gib:g} GiB of memory that it was given",
    ),
    Fate.OUTPUT_LIMIT: (Status.UNPROVEN, "over-limit", "printed more than it may"),
    Fate.DISK_LIMIT: (Status.UNPROVEN, "over-limit", "wrote more to the disk than it may"),
    Fate.PROCESS_LIMIT: (Status.UNPROVEN, "over-limit", "started more processes than it may"),
    Fate.CRASHED: (Status.BROKEN, "crashed", "made the interpreter die"),
    Fate.EXITS_EARLY: (Status.UNPROVEN, "exits-early", "ended its own process"),
    Fate.TAMPERED: (Status.UNPROVEN, "tampered", "interfered with the machinery that watches it"),
}


def judge_snippet(
    claim: Claim,
    evidence: Evidence | None,
    release: str,
    *,
    called: bool,
    announced: Mapping[int, str] = NOTHING_ANNOUNCED,
) -> Finding:
    """The opinion on one snippet.

    `called`: something in it besides definitions and imports was executed; `announced` as for `step_findings`.
    """
    if claim.python2:
        return Finding(
            status=Status.OUTDATED,
            rule="python2",
            message="this is Python 2, which no TensorFlow since 2.1 runs on",
        )
    if evidence is None or evidence.run is None:
        failure = evidence.failure if evidence is not None else "it was not run"
        return Finding(status=Status.NOT_RUN, rule="sandbox-failed", message=f"not checked: {failure}")
    finding = _of_run(claim, evidence.run, release, announced, called=called)
    return _capped(claim, evidence.run, weakened(finding, evidence.run))


def judge_aside(claim: Claim, run: Run, release: str) -> Finding | None:
    """The opinion on a call that stands in a sentence and was run; None when that settled nothing."""
    because = "it was run behind the code that the sentence speaks of"
    if run.steps and all(step.fate is StepFate.FINISHED for step in run.steps):
        finding = Finding(status=Status.WORKS, message=f"`{first_line(claim.quote, 80)}` ran", because=because)
        return weakened(finding, run)
    faults = tuple(f for _, f in step_findings(replace(claim, code=claim.quote), run, release))
    if not faults or worst(faults).status not in {Status.BROKEN, Status.OUTDATED}:
        return None
    told = repaired(replace(claim, code=claim.quote), run, worst(faults))
    return replace(told, span=None, confidence=Confidence.LIKELY, because=because)


def step_findings(
    claim: Claim, run: Run, release: str, announced: Mapping[int, str] = NOTHING_ANNOUNCED
) -> tuple[tuple[int, Finding], ...]:
    """One finding for each statement that did not finish, by statement number.

    `announced`: exceptions that the text itself shows, by statement number; a statement that raises what the text
    shows has no finding.
    """
    told = {diagnosis.statement: diagnosis for diagnosis in run.diagnoses}
    wobbles = {wobble.statement: wobble for wobble in run.wobbles if wobble.kind == "fate"}
    found = (
        (step.statement, _of_step(claim, run, step, told.get(step.statement), release))
        for step in run.steps
        if not (step.fault and step.statement in announced and matches(announced[step.statement], step.fault))
    )
    return tuple(
        (number, _spared(finding, wobbles.get(number), announced.get(number)))
        for number, finding in found
        if finding is not None
    )


def _spared(finding: Finding, wobble: Wobble | None, announced: str | None) -> Finding:
    """A fault that comes and goes is nobody's; one that the text announces by another name is judged as its output."""
    if wobble is not None and finding.status in {Status.BROKEN, Status.OUTDATED}:
        return replace(unsteady(wobble), span=finding.span)
    if announced and finding.status is Status.BROKEN and finding.rule == "raises":
        message = f"the text announces {announced}; {finding.message}"
        return replace(finding, status=Status.UNPROVEN, rule="ambiguous", message=message)
    return finding


def matches(announced: str, fault: Fault) -> bool:
    """Whether an exception is the one that a text announces by name; no name announces any."""
    wanted = announced.strip().rpartition(".")[2]
    return not wanted or fault.is_a(wanted)


def _of_run(claim: Claim, run: Run, release: str, announced: Mapping[int, str], *, called: bool) -> Finding:
    raised = [step for step in run.steps if step.fate is StepFate.RAISED]
    if claim.polarity is Polarity.NEGATED:
        return _announced(claim, run, raised)
    findings = [finding for _, finding in step_findings(claim, run, release, announced)]
    if run.fatal:
        findings.append(_of_fate(claim, run))
    if findings:
        finding = worst(tuple(findings))
        more = sum(item.status is finding.status and item is not finding for item in findings)
        notes = finding.notes
        if more and finding.status in {Status.BROKEN, Status.OUTDATED}:
            notes = (*notes, f"{more} more {'fault' if more == 1 else 'faults'} of the same weight in this snippet")
        if claim.placeholder and finding.status is Status.BROKEN and finding.rule == "raises":
            return Finding(
                status=Status.UNPROVEN,
                rule="placeholder",
                message=f"the code is incomplete on purpose ({claim.placeholder})",
                observed=finding.observed,
            )
        return repaired(claim, run, replace(finding, notes=(*notes, *_progress(run))))
    if claim.placeholder and not called:
        return Finding(
            status=Status.UNPROVEN,
            rule="placeholder",
            message=f"the code is incomplete on purpose ({claim.placeholder})",
        )
    if not called:
        return Finding(
            status=Status.UNPROVEN,
            rule="never-called",
            message="it only defines something that nobody calls, so that it raised nothing proves nothing",
        )
    if announced:
        return Finding(status=Status.WORKS, message="it ran, and failed where the text shows that it fails")
    return Finding(status=Status.WORKS, message=_ran(run), notes=_progress(run) if claim.truncated else ())


def _ran(run: Run) -> str:
    count = len(run.steps)
    return "its one statement ran" if count == 1 else f"all {count} statements ran"


def _progress(run: Run) -> tuple[str, ...]:
    done = sum(step.fate is StepFate.FINISHED for step in run.steps)
    return (f"{done} of {len(run.steps)} statements ran",) if len(run.steps) > 1 else ()


def _announced(claim: Claim, run: Run, raised: list[Step]) -> Finding:
    """A text that says that its code fails is right when it does."""
    if run.fatal and run.fate not in {Fate.CRASHED, Fate.OUT_OF_MEMORY}:
        return _of_fate(claim, run)
    if run.fatal:
        return Finding(status=Status.WORKS, message=f"it fails, as the text says ({run.detail or run.fate})")
    if not raised:
        if all(step.fate is StepFate.FINISHED for step in run.steps):
            return Finding(
                status=Status.BROKEN, rule="refuted", message="the text says that this fails, but all of it ran"
            )
        return Finding(
            status=Status.UNPROVEN, rule="missing-context", message="it could not be run to the point of failure"
        )
    fault = raised[0].fault
    if fault is None:
        return Finding(status=Status.WORKS, message="it fails, as the text says")
    if not matches(claim.announced, fault):
        return Finding(
            status=Status.UNPROVEN,
            rule="ambiguous",
            message=f"the text announces {claim.announced}; it fails with {headline(fault)}",
            observed=fault.message,
        )
    return Finding(
        status=Status.WORKS,
        rule="raises",
        message=f"it fails, as the text says: {headline(fault)}",
        observed=fault.message,
    )


def _of_step(claim: Claim, run: Run, step: Step, diagnosis: Diagnosis | None, release: str) -> Finding | None:
    span = run.statements[step.statement].span
    source = first_line(span.of(claim.code), 80)
    match step.fate:
        case StepFate.FINISHED | StepFate.NOT_REACHED:
            return None
        case StepFate.MISSING if PYTHON2_BUILTINS.issuperset(step.missing):
            return replace(of_python2(step.missing), span=span)
        case StepFate.MISSING:
            names = listed(step.missing)
            message = f"{names} {'is' if len(step.missing) == 1 else 'are'} given nowhere in the document"
            return Finding(status=Status.UNPROVEN, rule="missing-context", message=message, span=span)
        case StepFate.BLOCKED:
            message = f"`{source}` needs what an earlier statement failed to give"
            return Finding(status=Status.UNPROVEN, rule="blocked", message=message, span=span)
        case StepFate.RAISED:
            if step.fault is None:
                return Finding(status=Status.BROKEN, rule="raises", message=f"`{source}` raises", span=span)
            place = step.fault.expression or span
            case_ = Case(fault=step.fault, source=place.of(claim.code) or source, diagnosis=diagnosis, release=release)
            return spared(replace(judge_fault(case_), span=place), step, diagnosis, run, span.of(claim.code))


def _of_fate(claim: Claim, run: Run) -> Finding:
    status, rule, text = _FATES[run.fate]
    number = next((step.statement for step in run.steps if step.fate is StepFate.NOT_REACHED), len(run.steps) - 1)
    reached = run.statements[number].span if 0 <= number < len(run.statements) else None
    source = first_line(reached.of(claim.code), 80) if reached else "the code"
    before = proved(run, number)
    said = text.format(limits=run.limits, gib=run.limits.memory / (1 << 30))
    return Finding(
        status=status,
        rule=rule,
        message=f"`{source}` {said}"
        + (f" ({run.detail})" if run.detail and run.detail not in said else "")
        + (f"; {before}" if before else ""),
        span=reached,
    )


def _capped(claim: Claim, run: Run, finding: Finding) -> Finding:
    """No verdict is surer than the reading that it rests on."""
    classes = {repair.klass for repair in claim.repairs}
    notes = list(finding.notes)
    if run.added:
        notes.append(f"run with {', '.join(f'`{line}`' for line in run.added)} in front")
    if run.borrowed:
        notes.append("run after the code of the earlier answers that it builds on")
    if run.unattested:
        notes.append(f"the session uses {', '.join(run.unattested)}: how it went is its own word")
    if claim.truncated:
        notes.append("the text breaks off; what is there was run")
    invented = RepairClass.R3 in classes or claim.reading is Confidence.GUESS
    if invented and finding.status in {Status.BROKEN, Status.OUTDATED}:
        finding = Finding(
            status=Status.UNPROVEN,
            rule="ambiguous",
            message=f"the text is too damaged to be sure of the code ({claim.doubt or 'it had to be guessed'}); "
            f"as read, {finding.message}",
            observed=finding.observed,
            span=finding.span,
        )
    confidence, because = finding.confidence, finding.because
    if invented:
        confidence, because = Confidence.GUESS, claim.doubt or "part of the code had to be guessed"
    elif RepairClass.R2 in classes or claim.reading is Confidence.LIKELY:
        confidence, because = Confidence.LIKELY, claim.doubt or "the damage of the text allows other readings"
    elif claim.truncated:
        confidence, because = Confidence.LIKELY, "the text breaks off"
    return replace(finding, notes=tuple(notes), confidence=confidence, because=because)
