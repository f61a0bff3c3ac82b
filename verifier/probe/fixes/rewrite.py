"""A session with one of its snippets edited, and what happened to it told in the positions of the author's code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from verifier.model import Edit, Fault, Run, Span, Statement, Step
from verifier.probe.fixes.patch import back, forward
from verifier.probe.flow import GIVEN, Flow
from verifier.probe.plan import Parsed, branches, parse
from verifier.probe.sessions import Session, aliases_of
from verifier.text import patched


def edited(session: Session, index: int, edits: tuple[Edit, ...]) -> Session | None:
    """The session with these edits in one of its programs; None when the result is no such program any more.

    The statements keep their numbers: what is inserted in front of one belongs to it.
    """
    program = session.programs[index]
    code = patched(program.code, edits)
    parsed = parse(code)
    spans = [
        Span(start=forward(item.span.start, edits), end=forward(item.span.end, edits)) for item in program.statements
    ]
    groups = _groups(parsed, spans)
    if not parsed.nodes or groups is None:
        return None
    modules = frozenset().union(*(flow.modules for item in (*session.parsed, parsed) for flow in item.flows))
    absent = {name for item in program.statements for name in item.missing}
    plan: list[Statement] = []
    for item, span, flows in zip(program.statements, spans, groups, strict=True):
        absent -= frozenset().union(*(flow.binds for flow in flows))
        plan.append(_statement(item, span, flows, code, absent, modules))
    changed = replace(program, code=code, statements=tuple(plan), trace=branches(parsed))
    everything = (*session.parsed[:index], parsed, *session.parsed[index + 1 :])
    return replace(
        session,
        programs=(*session.programs[:index], changed, *session.programs[index + 1 :]),
        parsed=everything,
        aliases=aliases_of(everything),
    )


def _groups(parsed: Parsed, spans: list[Span]) -> list[list[Flow]] | None:
    """The data flow of the new statements inside each old one; None when one stands in none, or nothing in one."""
    groups: list[list[Flow]] = [[] for _ in spans]
    for flow, place in zip(parsed.flows, parsed.spans, strict=True):
        home = next((number for number, span in enumerate(spans) if span.covers(place)), None)
        if home is None:
            return None
        groups[home].append(flow)
    return groups if all(groups) else None


def _statement(
    item: Statement, span: Span, flows: list[Flow], code: str, absent: set[str], modules: frozenset[str]
) -> Statement:
    reads: set[str] = set()
    binds: set[str] = set()
    touches: set[str] = set()
    for flow in flows:
        reads |= flow.reads - binds
        binds |= flow.binds
        touches |= flow.touches
    return replace(
        item,
        span=span,
        line=code.count("\n", 0, span.start) + 1,
        end_line=code.count("\n", 0, span.end) + 1,
        reads=tuple(sorted(reads - GIVEN)),
        binds=tuple(sorted(binds)),
        touches=tuple(sorted(touches - modules)),
        missing=tuple(sorted(reads & absent)),
    )


def homeward(run: Run, code: str, name: str, edits: tuple[Edit, ...]) -> tuple[Step, ...]:
    """The steps of a run of edited code with the positions of `code`, which the program called `name` had before."""
    return tuple(
        replace(step, fault=_homeward(step.fault, code, name, edits)) if step.fault else step for step in run.steps
    )


def _homeward(fault: Fault, code: str, name: str, edits: tuple[Edit, ...]) -> Fault:
    place = back(fault.expression, edits) if fault.expression else None
    lines = home_lines((line for _, line in fault.frames), code, edits)
    frames = tuple(
        (program, home if program == name else line) for (program, line), home in zip(fault.frames, lines, strict=True)
    )
    return replace(fault, expression=place if place and place.start < place.end else None, frames=frames)


def home_lines(lines: Iterable[int], code: str, edits: tuple[Edit, ...]) -> tuple[int, ...]:
    """The lines of `code` that lines of the edited code stand for."""
    starts = [0]
    for text in patched(code, edits).split("\n"):
        starts.append(starts[-1] + len(text) + 1)
    found = []
    for line in lines:
        offset = starts[min(max(line, 1), len(starts)) - 1]
        found.append(code.count("\n", 0, back(Span(start=offset, end=offset), edits).start) + 1)
    return tuple(found)
