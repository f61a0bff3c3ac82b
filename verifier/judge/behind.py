"""Opinions on stated outputs of statements that had their turn only behind corrections of ours."""

from __future__ import annotations

from dataclasses import replace

from verifier.judge.finding import Finding
from verifier.judge.fixes import BEHIND, reached
from verifier.judge.observed import tied_to
from verifier.judge.outputs import judge_output
from verifier.model import Claim, Confidence, Run, Status, StepFate


def judge_output_behind(claim: Claim, snippet: Claim, run: Run) -> Finding:
    """The opinion on a stated output; of a statement that did not run, whether it is seen once the code is corrected.

    That it is not seen then proves nothing: the correction may not be what the author would have written.
    """
    finding = judge_output(claim, snippet, run)
    numbers = tied_to(claim, run).numbers
    after = reached(run, max(numbers)) if finding.rule == "blocked" and numbers else None
    if after is None:
        return finding
    # A statement that fails as it is written does not give what the text says, whatever another one gives.
    if not after.faithful and any(run.steps[number].fate is StepFate.RAISED for number in numbers):
        return finding
    told = judge_output(claim, snippet, after.run)
    if told.status is not Status.WORKS:
        return finding
    message = f"{after.condition}, {told.message}"
    return replace(told, message=message, confidence=Confidence.LIKELY, because=BEHIND)
