"""What corrections that were run say about a snippet: the working form, what it was seen to do, and what fails next.

Hides how a correction is put into words, and which of them leave a later failure to the author: a name spelt as it
is called now changes nothing else, but a cast, a new shape or an argument left out may itself be what fails next.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace

from verifier.judge.faults import headline
from verifier.judge.finding import Finding, first_line
from verifier.model import Claim, Confidence, Edit, Fix, Run, Status, StepFate

_LONG = 90
_MOST = 3
_IMPORT = re.compile(r"(?:from [\w.]+ )?import [\w., ]+")
BEHIND = "it was reached only with a correction of ours in place"
_REACHED = (StepFate.FINISHED, StepFate.RAISED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """A snippet as it stands with some corrections in place: they in order, and its run with them."""

    fixes: tuple[Fix, ...]
    run: Run

    @property
    def condition(self) -> str:
        """The corrections as a condition: "once `'Conv2D'` is corrected to `'conv2d'`"."""
        return f"once {' and '.join(_passive(fix) for fix in self.fixes)}"

    @property
    def faithful(self) -> bool:
        """Whether the corrections only spell what was meant, so that what fails behind them is the author's."""
        return all(fix.respells for fix in self.fixes)


def reached(run: Run, statement: int) -> Mended | None:
    """The snippet with the first corrections that let a statement have its turn; None when none do."""
    # What had no turn before may rest on any stand-in.
    unseen = {step.statement for step in run.steps if step.fate not in _REACHED} if run.standins else set()
    for count, fix in enumerate(run.fixes, 1):
        if fix.steps[statement].fate in _REACHED:
            tainted = tuple(sorted({*run.tainted, *unseen}))
            after = replace(run, steps=fix.steps, diagnoses=fix.diagnoses, ran_lines=fix.ran_lines, tainted=tainted)
            return Mended(fixes=run.fixes[:count], run=after)
    return None


def repaired(claim: Claim, run: Run, finding: Finding) -> Finding:
    """A finding about a statement of a snippet with the correction that made the statement run, if one did."""
    number = _statement(run, finding)
    at = next((i for i, fix in enumerate(run.fixes) if fix.statement == number and fix.edits), None)
    if at is None or not (finding.status in {Status.BROKEN, Status.OUTDATED} or finding.rule == "missing-context"):
        return finding
    fix = run.fixes[at]
    notes = [_tried(claim, run, one, first=one is fix) for one in run.fixes[at:] if one.edits]
    told = replace(finding, suggestion=_advice(fix), notes=(*finding.notes, *notes))
    if finding.status is Status.UNPROVEN and _only_imports(run) and _proves_something(claim):
        return replace(
            told,
            status=Status.WORKS,
            rule="",
            message=f"it runs {' and '.join(_with(one) for one in run.fixes)}, which the text leaves out",
            suggestion="",
            confidence=Confidence.LIKELY,
            because="an import that the text does not show was added",
            notes=finding.notes,
            span=None,
        )
    return told


def _statement(run: Run, finding: Finding) -> int | None:
    """The number of the statement whose failure a finding is about."""
    for step in run.steps:
        if step.fate in {StepFate.RAISED, StepFate.MISSING}:
            places = (step.fault.expression if step.fault else None, run.statements[step.statement].span)
            if finding.span in places:
                return step.statement
    return None


def _only_imports(run: Run) -> bool:
    """Whether nothing but imports was put in front, and all of it ran then."""
    edits = [edit for fix in run.fixes for edit in fix.edits]
    put = all(not edit.before and _IMPORT.fullmatch(line) for edit in edits for line in _statements(edit.after))
    return put and all(step.fate is StepFate.FINISHED for step in run.fixes[-1].steps)


def _proves_something(claim: Claim) -> bool:
    """Whether code is whole, and has statements that are more than imports and definitions."""
    if claim.placeholder:
        return False
    inert = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    try:
        return not all(isinstance(node, inert) for node in ast.parse(claim.code).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _statements(text: str) -> list[str]:
    return [line.strip() for line in re.split(r"[;\n]", text) if line.strip()]


def _tried(claim: Claim, run: Run, fix: Fix, *, first: bool) -> str:
    """What was seen with a correction in place, in one line."""
    done = sum(step.fate is StepFate.FINISHED for step in fix.steps)
    whole = f"all {len(fix.steps)} statements ran" if len(fix.steps) > 1 else "the statement ran"
    lead = f"tried: {fix.reason}; " if first else f"tried on top of that: {_advice(fix)}; "
    failing = next(
        (step for step in fix.steps if step.fate is StepFate.RAISED and step.statement >= fix.statement), None
    )
    if done == len(fix.steps):
        return f"{lead}with it {whole}"
    further = f"with it {done} of {len(fix.steps)} statements ran"
    if failing is None or failing.fault is None:
        return lead + further
    source = first_line(run.statements[failing.statement].span.of(claim.code), _LONG)
    before = run.steps[failing.statement].fate is StepFate.RAISED
    own = "fails as it did" if before else "then fails by itself" if fix.respells else "then fails"
    return f"{lead}{further}; `{source}` {own}: {headline(failing.fault)}"


def _advice(fix: Fix) -> str:
    return "; ".join(_some([_active(edit) for edit in fix.edits]))


def _active(edit: Edit) -> str:
    before, after = _short(edit.before), _short(edit.after)
    if not after:
        return f"leave out `{before}`"
    if before:
        return f"use `{after}` instead of `{before}`"
    return f"put `{after}` in front" if edit.after.endswith(("\n", "; ")) else f"add `{after}`"


def _passive(fix: Fix) -> str:
    if not fix.edits:
        return fix.reason
    return " and ".join(_some([_done(edit) for edit in fix.edits]))


def _some(sentences: list[str]) -> list[str]:
    """Each sentence once, the first few of many: what is called otherwise in twenty places is one correction."""
    distinct = list(dict.fromkeys(sentences))
    return distinct if len(distinct) <= _MOST else [*distinct[:_MOST], f"{len(distinct) - _MOST} more"]


def _done(edit: Edit) -> str:
    before, after = _short(edit.before), _short(edit.after)
    if not after:
        return f"`{before}` is left out"
    if before:
        return f"`{before}` is corrected to `{after}`"
    return f"`{after}` is {'put in front' if edit.after.endswith((chr(10), '; ')) else 'added'}"


def _with(fix: Fix) -> str:
    return f"with {' and '.join(f'`{_short(edit.after)}`' for edit in fix.edits)} in front"


def _short(text: str) -> str:
    line = "; ".join(_statements(text))
    line = line.removeprefix(", ").removesuffix(",").strip()
    return line if len(line) <= _LONG else f"{line[: _LONG - 1]}…"
