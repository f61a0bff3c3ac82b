"""How far code had come when its time was up: what it had already proved is not lost."""

from __future__ import annotations

import re

from verifier.model import Run, StepFate

_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_OF = re.compile(r"\bepoch\s*:?\s*\[?(\d+)\s*(?:/|of)\s*(\d+)", re.IGNORECASE)
_TOLD = re.compile(r"(?:\bepoch|第)\s*[:：#=]?\s*(\d+)", re.IGNORECASE)


def proved(run: Run, number: int) -> str:
    """What ran before and inside statement `number`, which did not come to its end; empty when nothing did.

    `5 statements ran before it, 3 of 50 epochs were trained`
    """
    done = sum(step.fate is StepFate.FINISHED for step in run.steps)
    parts = [f"{done} {'statement' if done == 1 else 'statements'} ran before it"] if done else []
    printed = next((step.stdout for step in run.steps if step.statement == number), "")
    return ", ".join([*parts, *epochs(printed)])


def epochs(printed: str) -> list[str]:
    """How much of a training its own output shows as done: epochs are announced when they begin."""
    text = _ESCAPE.sub("", printed)
    begun = _OF.findall(text)
    if begun:
        last, of = begun[-1]
        return [f"{int(last) - 1} of {int(of)} epochs were trained"]
    told = _TOLD.findall(text)
    return [f"the last epoch that it told of is {int(told[-1])}"] if told else []
