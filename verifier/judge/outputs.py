"""Opinions on stated outputs: did the code print or return what the text says?"""

from __future__ import annotations

import re

from verifier.judge.compare import same_shape, same_value
from verifier.judge.finding import Finding, first_line
from verifier.model import Claim, Confidence, Fault, Run, Status, Step, StepFate

_EXCEPTION = re.compile(r"^[A-Za-z_.]*(?:Error|Exception|Warning|Interrupt|Exit)\b", re.ASCII)


def judge_output(claim: Claim, run: Run) -> Finding:
    """The opinion on one stated output, tied to the statement at `code_span`."""
    numbers = [i for i, item in enumerate(run.statements) if claim.code_span and item.span.overlaps(claim.code_span)]
    steps = [run.steps[number] for number in numbers]
    if not steps:
        return Finding(
            status=Status.UNPROVEN, rule="ambiguous", message="the text does not say which statement gives it"
        )
    step = steps[-1]
    if claim.said_kind == "exception":
        return _exception(claim, steps)
    if step.fate is StepFate.RAISED and step.fault is not None:
        return Finding(
            status=Status.UNPROVEN,
            rule="blocked",
            message=f"the statement that should give it raises {step.fault.type}",
        )
    if step.fate is not StepFate.FINISHED:
        return Finding(status=Status.UNPROVEN, rule="blocked", message="the statement that should give it did not run")
    observed = _observed(run, numbers)
    if not observed:
        return Finding(
            status=Status.UNPROVEN,
            rule="ambiguous",
            message="the statement prints nothing, so there is nothing to compare",
            confidence=Confidence.GUESS,
        )
    same = same_shape if claim.said_kind == "shape" else same_value
    if any(same(claim.code, candidate) for candidate in observed):
        return Finding(status=Status.WORKS, message=f"observed: {first_line(observed[0], 120)}", observed=observed[0])
    return Finding(
        status=Status.BROKEN,
        rule="output-differs",
        message=f"the text says {first_line(claim.code, 80)}, observed was {first_line(observed[0], 120)}",
        observed=observed[0],
    )


def _observed(run: Run, numbers: list[int]) -> list[str]:
    """What the statement gave: its output, its value, and with it the output of the statements before it.

    A text that shows three lines behind a block means the block, not its last statement.
    """
    step = run.steps[numbers[-1]]
    found = [part for part in (step.stdout, step.value or "") if part.strip()]
    together = "".join(_shown(run.steps[number]) for number in numbers)
    whole = "".join(_shown(item) for item in run.steps if item.statement <= numbers[-1])
    return list(dict.fromkeys(part for part in (*found, together, whole) if part.strip()))


def _shown(step: Step) -> str:
    value = f"{step.value}\n" if step.value and not step.stdout else ""
    return step.stdout + value


def _exception(claim: Claim, steps: list[Step]) -> Finding:
    wanted = claim.code.strip().rpartition(".")[2]
    fault: Fault | None = next((step.fault for step in steps if step.fault is not None), None)
    if fault is None:
        if all(step.fate is StepFate.FINISHED for step in steps):
            return Finding(status=Status.BROKEN, rule="refuted", message=f"the text says {wanted}, but the code ran")
        return Finding(status=Status.UNPROVEN, rule="blocked", message="the statement did not run")
    if not _EXCEPTION.match(wanted) or fault.is_a(wanted):
        return Finding(status=Status.WORKS, message=f"it raises {fault.type}", observed=fault.message)
    return Finding(
        status=Status.BROKEN,
        rule="output-differs",
        message=f"the text says {wanted}, it raises {fault.type}",
        observed=fault.message,
    )
