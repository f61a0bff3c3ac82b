"""Hides how a corrected snippet is shown: the lines that went and those that came, with a few around them."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff

from verifier.model import Claim, Run
from verifier.reports.safe import printed
from verifier.text import patched

_AROUND = 2
_MOST = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a difference; `mark` is `-`, `+`, or a space for a line that stays."""

    mark: str
    text: str


def correction(claim: Claim, run: Run | None) -> tuple[Line, ...]:
    """The difference between a snippet and its form with all corrections that ran; empty when there are none."""
    edits = [edit for fix in run.fixes for edit in fix.edits] if run else []
    if not edits:
        return ()
    after = patched(claim.code, edits)
    _, _, *lines = unified_diff(claim.code.splitlines(), after.splitlines(), lineterm="", n=_AROUND)
    told = [line for line in lines if not line.startswith("@@")]
    return tuple(Line(mark=line[:1], text=printed(line[1:])) for line in told[:_MOST])
