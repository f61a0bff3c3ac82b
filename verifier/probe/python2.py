"""Python 2 code in the form of Python 3, made and run only to see whether it would work.

The standard library's own converter does it, inside the sandbox: it came with Python until 3.12.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from verifier.errors import SandboxError
from verifier.model import (
    Claim,
    Conversion,
    Document,
    Evidence,
    Fate,
    Limits,
    Program,
    Run,
    SessionJob,
    Span,
    Statement,
    StepFate,
)
from verifier.probe.diagnose import Names
from verifier.probe.release import era_of
from verifier.probe.run import run_session
from verifier.probe.sessions import plan_sessions
from verifier.sandbox.base import Sandbox

_LINE = 300
_CONVERTER = """\
import json
from lib2to3.refactor import RefactoringTool, get_fixers_from_package

def convert(code):
    try:
        return {{"code": str(tool.refactor_string(code, "code"))}}
    except Exception as error:
        return {{"trouble": "%s: %s" % (type(error).__name__, error)}}

tool = RefactoringTool(get_fixers_from_package("lib2to3.fixes"))
print(json.dumps([convert(code) for code in {sources!r}]))
"""
_DIVISION = re.compile(r"^\s*from __future__ import [^\n]*\bdivision\b", re.MULTILINE)


@dataclass(slots=True)
class Attempt:
    """The Python 2 snippets of one document that wait to be tried; evidence is where it is told what came of it."""

    document: Document
    claims: tuple[Claim, ...]
    wanted: tuple[Claim, ...]
    evidence: list[Evidence]


def modernise(
    attempt: Attempt, names: Names, sandbox: Sandbox, limits: Limits, environment: str, *, last: bool
) -> bool:
    """Convert the snippets that wait and run them; whether some are left for release 1 of TensorFlow.

    `last`: nothing is left for another environment. A converter that is not there, or a sandbox that fails, leaves
    the snippets as they are, or untold when this was the last.
    """
    try:
        converted = _convert(attempt.wanted, sandbox, limits)
    except _NoConverter as error:
        if last:
            untold = Conversion(code="", trouble=str(error))
            attempt.evidence += [_told(claim.id, environment, untold) for claim in attempt.wanted]
        return not last
    later = {} if last else {id_: one for id_, one in converted.items() if _early(attempt, id_, one, names)}
    now = {id_: one for id_, one in converted.items() if id_ not in later}
    attempt.evidence += _run_converted(attempt, now, sandbox, limits, environment)
    attempt.wanted = tuple(claim for claim in attempt.wanted if claim.id in later)
    return bool(later)


class _NoConverter(Exception):
    """The environment's Python came without the converter, or the sandbox failed."""


def _convert(claims: tuple[Claim, ...], sandbox: Sandbox, limits: Limits) -> dict[str, Conversion]:
    """The form in Python 3 of each snippet, by claim id; raises _NoConverter."""
    code = _CONVERTER.format(sources=[claim.code + "\n" for claim in claims])
    whole = Statement(span=Span(start=0, end=len(code)), line=1, end_line=code.count("\n") + 1)
    program = Program(name="convert", code=code, statements=(whole,))
    try:
        outcome = sandbox.run(SessionJob(programs=(program,), limits=limits))
    except SandboxError as error:
        raise _NoConverter(str(error)) from error
    step = outcome.steps[0] if outcome.steps else None
    if outcome.fate is not Fate.FINISHED or step is None or step.fate is not StepFate.FINISHED:
        raise _NoConverter(step.fault.message if step and step.fault else outcome.detail)
    try:
        answers = json.loads(step.stdout)
        return {claim.id: _read(claim, answer) for claim, answer in zip(claims, answers, strict=True)}
    except (ValueError, TypeError, AttributeError) as error:
        raise _NoConverter(f"the converter's answer cannot be read: {error}") from error


def _read(claim: Claim, answer: Mapping[str, object]) -> Conversion:
    code, trouble = answer.get("code"), answer.get("trouble")
    if not isinstance(code, str):
        return Conversion(code="", trouble=str(trouble).splitlines()[0][:_LINE])
    return Conversion(code=code, division=_divides(code) and not _DIVISION.search(claim.code))


def _divides(code: str) -> bool:
    try:
        nodes = ast.walk(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div) for node in nodes)


def _early(attempt: Attempt, claim_id: str, conversion: Conversion, names: Names) -> bool:
    """Whether converted code was written for release 1 of TensorFlow."""
    claim = next(claim for claim in attempt.wanted if claim.id == claim_id)
    era = era_of(replace(claim, code=conversion.code), attempt.claims, {}, names)
    return era is not None and era.first


def _told(claim: str, environment: str, conversion: Conversion) -> Evidence:
    return Evidence(claim=claim, environment=environment, conversion=conversion)


def _run_converted(
    attempt: Attempt, converted: Mapping[str, Conversion], sandbox: Sandbox, limits: Limits, environment: str
) -> list[Evidence]:
    """What came of running the converted snippets, in the sessions that they stand in."""
    ready = {claim for claim, conversion in converted.items() if conversion.code}
    claims = tuple(
        replace(claim, code=converted[claim.id].code) if claim.id in ready else claim for claim in attempt.claims
    )
    found = [_told(claim, environment, one) for claim, one in converted.items() if claim not in ready]
    for session in plan_sessions(attempt.document, claims):
        own = sorted(ready & {session.claims[index] for index in session.own})
        if not own:
            continue
        try:
            runs = run_session(session, sandbox, limits)
        except SandboxError as error:
            found += [Evidence(claim=claim, environment=environment, failure=str(error)) for claim in own]
            continue
        found += [_told(claim, environment, _ended(converted[claim], runs[claim])) for claim in own]
    return found


def _ended(conversion: Conversion, run: Run) -> Conversion:
    ran = sum(step.fate is StepFate.FINISHED for step in run.steps)
    trouble = "" if ran == len(run.steps) and run.steps else _trouble(run)
    return replace(conversion, trouble=trouble, ran=ran, all=len(run.steps))


def _trouble(run: Run) -> str:
    """The first thing that kept a run from finishing, in one line."""
    for step in run.steps:
        if step.fault is not None:
            message = next(iter(step.fault.message.splitlines()), "")
            return f"{step.fault.type.rpartition('.')[2]}: {message}"[:_LINE]
        if step.missing:
            return f"`{step.missing[0]}` is given nowhere in the document"
    return run.detail or str(run.fate)
