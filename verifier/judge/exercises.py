"""What it is worth that a definition ran when we called it: it is no claim of the text, so it is likely at most."""

from __future__ import annotations

from dataclasses import replace

from verifier.judge.finding import Finding, first_line, listed
from verifier.model import Claim, Confidence, Exercise, Run, Span, Status, StepFate

_BECAUSE = "nobody in the text calls it; we did, with plain inputs"


def worked(run: Run) -> tuple[Exercise, ...]:
    """The definitions whose bodies ran when we called them."""
    return tuple(item for item in run.exercises if item.fate is StepFate.FINISHED and item.ran_lines)


def credited(finding: Finding, run: Run) -> Finding:
    """The opinion on a snippet of which nothing ran but definitions, and those when we called them."""
    if finding.status is not Status.WORKS:
        return finding
    done = worked(run)
    names = listed(tuple(dict.fromkeys(item.name for item in done)))
    ran = "its body ran" if len(done) == 1 else "their bodies ran"
    notes = (
        *(f"called by us: `{first_line(item.code, 100)}`" for item in done),
        *(f"`{item.name}` was called by us too, and did not get through" for item in run.exercises if item not in done),
    )
    return replace(
        finding,
        message=f"it defines {names}; {ran} when we called {'it' if len(done) == 1 else 'them'} with plain inputs",
        confidence=Confidence.LIKELY,
        because=_BECAUSE,
        notes=(*finding.notes, *notes),
    )


def called_by_us(snippet: Claim, run: Run, place: Span) -> Finding | None:
    """The opinion on a call whose lines ran in an exercise only; None when they ran in none."""
    first = snippet.code.count("\n", 0, place.start) + 1
    last = snippet.code.count("\n", 0, place.end) + 1
    exercise = next((item for item in worked(run) if any(first <= line <= last for line in item.ran_lines)), None)
    if exercise is None:
        return None
    return Finding(
        status=Status.WORKS,
        message=f"it ran when we called `{exercise.name}` with plain inputs",
        confidence=Confidence.LIKELY,
        because=_BECAUSE,
    )
