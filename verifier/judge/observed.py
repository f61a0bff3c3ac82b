"""What the statements that a stated output speaks of really gave, in every way that a text may mean."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.model import Claim, Run, Step, StepFate


@dataclass(frozen=True, slots=True)
class Tied:
    """The statements that a claim speaks of: their numbers in the snippet, their steps in order, and their run."""

    run: Run
    numbers: tuple[int, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """What happened to them."""
        return tuple(self.run.steps[number] for number in self.numbers)

    @property
    def unfinished(self) -> Step | None:
        """The first of them that did not finish."""
        return next((step for step in self.steps if step.fate is not StepFate.FINISHED), None)


def tied_to(claim: Claim, run: Run) -> Tied:
    """The statements at the claim's `code_span`."""
    place = claim.code_span
    numbers = [i for i, item in enumerate(run.statements) if place is not None and item.span.overlaps(place)]
    return Tied(run, tuple(numbers))


def source_of(tied: Tied, code: str) -> str:
    """The code that the result comes out of: the statements, and those that gave the names they need."""
    wanted = set(tied.numbers)
    needed = {name for number in wanted for name in tied.run.statements[number].reads}
    for number in range(max(wanted, default=0) - 1, -1, -1):
        statement = tied.run.statements[number]
        if number not in wanted and needed & {*statement.binds, *statement.touches}:
            wanted.add(number)
            needed |= set(statement.reads)
    return "\n".join(tied.run.statements[number].span.of(code) for number in sorted(wanted))


def observations(tied: Tied) -> tuple[str, ...]:
    """What the statements gave: the last that gave anything alone, all together, and all of the snippet up to there.

    A text that shows three lines behind a block means the block, not its last statement. Values of bare expressions
    count as a notebook shows them, and as a script does not. A value that a statement assigns counts only when the
    text speaks of that statement alone.
    """
    steps = tied.steps
    last = next((step for step in reversed(steps) if _given(tied.run, step)), steps[-1])
    alone = last.value or "" if len(steps) == 1 or not _binds(tied.run, last) else ""
    before = [step for step in tied.run.steps if step.statement <= tied.numbers[-1]]
    found = [last.stdout, alone, f"{last.stdout}{alone}"]
    for several in (steps, before):
        found += ["".join(step.stdout for step in several), "".join(_given(tied.run, step) for step in several)]
    return tuple(dict.fromkeys(part for part in found if part.strip()))


def _given(run: Run, step: Step) -> str:
    """What a notebook would show of a statement."""
    value = "" if _binds(run, step) or step.value in {None, "None"} else f"{step.value}\n"
    return step.stdout + value


def _binds(run: Run, step: Step) -> bool:
    return bool(run.statements[step.statement].binds)


def nearest(stated: str, observed: tuple[str, ...]) -> str:
    """The observation that has as many lines as the text states, or nearly: the one to be shown beside it."""
    return min(observed, key=lambda one: abs(_lines(one) - _lines(stated)))


def _lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())


def contrast(stated: str, observed: str, limit: int) -> tuple[str, str]:
    """Both texts in one line each of at most `limit` characters, from the first line in which they differ."""
    rows = [[" ".join(line.split()) for line in text.splitlines() if line.strip()] for text in (stated, observed)]
    same = 0
    while same < min(map(len, rows)) - 1 and rows[0][same] == rows[1][same]:
        same += 1
    said, seen = ((("… " if same else "") + " ".join(side[same:])) for side in rows)
    return _cut(said, limit), _cut(seen, limit)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
