"""Calls what a snippet only defines and nobody calls, with plain inputs, behind its session in a fresh child.

A success shows that the body runs. A failure shows nothing: the inputs were ours.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import replace

from verifier.model import Exercise, Fate, Program, Run, Statement, Step, StepFate
from verifier.probe.inputs import Try, tries
from verifier.probe.plan import Parsed, parse, statements
from verifier.probe.sessions import Session
from verifier.probe.standins.paths import last_word
from verifier.probe.trial import Bench, Failed, Trial, attempt

_NAME = "exercises"
_KEY = "our own program 0"
_MOST = 8
_PATIENCE = 10.0  # seconds for a session of which more ran than definitions: then less is to be gained
_TRAINING = frozenset({"fit", "fit_generator", "evaluate", "train_step", "train"})
_SECONDS = 5
# The first statement of the program: it may want a `tf` that the document does not bind, and must come to an end.
_BEGIN = (
    "import signal, tensorflow as tf\n"
    "signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError('our time for this is over')))\n"
    f"signal.alarm({_SECONDS})"
)
_END = "signal.alarm(0)"
_DEFINITIONS = ast.FunctionDef | ast.ClassDef


def exercise(trial: Trial, bench: Bench) -> Trial:
    """The trial with what came of calling the definitions that nobody calls; at most one further run."""
    idle = {claim: _idle(trial.session, run) for claim, run in trial.runs.items()}
    bare = any(_nothing_else(trial.session, trial.runs[claim]) for claim, nodes in idle.items() if nodes)
    if any(run.fatal for run in trial.runs.values()) or not (bare or _quick(trial.session)):
        return trial
    planned = _planned(idle)
    if not planned:
        return trial
    session = _extended(trial.session, [item for _, _, item in planned])
    limits = bench.limits if bare else replace(bench.limits, wall_seconds=min(bench.limits.wall_seconds, _PATIENCE))
    try:
        after = attempt(session, replace(bench, limits=limits), reruns=0)
    except Failed:
        return trial
    ours = after.runs.get(_KEY)
    if ours is None or any(run.fate is not Fate.FINISHED for run in after.runs.values()):
        return trial
    steps = {step.statement - _head(): step for step in ours.steps}
    runs = dict(trial.runs)
    for claim, nodes in idle.items():
        mine = [(node, item, steps.get(at)) for at, (whose, node, item) in enumerate(planned) if whose == claim]
        found = tuple(_told(node, mine, runs[claim], after.runs[claim]) for node in nodes)
        runs[claim] = replace(runs[claim], exercises=tuple(item for item in found if item is not None))
    return replace(trial, runs=runs)


def _quick(session: Session) -> bool:
    """Whether running the session once more costs little: it trains nothing."""
    statements_ = (node for parsed in session.parsed for node in parsed.nodes if not isinstance(node, _DEFINITIONS))
    calls = (part for node in statements_ for part in ast.walk(node) if isinstance(part, ast.Call))
    return not any(last_word(call.func) in _TRAINING for call in calls)


def _head() -> int:
    return len(parse(_BEGIN).nodes)


def _idle(session: Session, run: Run) -> tuple[ast.stmt, ...]:
    """The definitions of a snippet of which no line ran beyond the definition itself."""
    if run.program >= len(session.parsed):
        return ()
    ran = set(run.ran_lines)
    finished = {step.statement for step in run.steps if step.fate is StepFate.FINISHED}
    nodes = session.parsed[run.program].nodes
    return tuple(
        node
        for number, node in enumerate(nodes)
        if isinstance(node, _DEFINITIONS) and number in finished and not _body(node) & ran
    )


def _nothing_else(session: Session, run: Run) -> bool:
    """Whether nothing of a snippet ran but imports and definitions."""
    nodes = session.parsed[run.program].nodes
    inert = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Pass)
    return all(
        isinstance(node, inert) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node, step in zip(nodes, run.steps, strict=False)
        if step.fate is StepFate.FINISHED
    )


def _body(node: ast.stmt) -> set[int]:
    """The lines inside the functions of a definition."""
    functions = [part for part in ast.walk(node) if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {
        line
        for function in functions
        for part in function.body
        for line in range(part.lineno, (part.end_lineno or part.lineno) + 1)
    }


def _planned(idle: Mapping[str, tuple[ast.stmt, ...]]) -> list[tuple[str, ast.stmt, Try]]:
    """The calls to be made: the likeliest of each definition first, within the bound."""
    ranked = [
        (rank, claim, node, item)
        for claim, nodes in idle.items()
        for node in nodes
        for rank, item in enumerate(tries(node, ast.unparse(node)))
    ]
    ranked.sort(key=lambda entry: entry[0])
    return [(claim, node, item) for _, claim, node, item in ranked[:_MOST]]


def _extended(session: Session, planned: Iterable[Try]) -> Session:
    code = "\n".join([_BEGIN, *(item.code for item in planned), _END])
    tree: Parsed = parse(code)
    plan = statements(tree, absent=frozenset(), modules=frozenset())
    # What the document's own failures left behind does not keep a call from being tried.
    bare: tuple[Statement, ...] = tuple(replace(item, reads=(), binds=(), touches=()) for item in plan)
    program = Program(name=_NAME, code=code, statements=bare, trace=True)
    return replace(
        session,
        programs=(*session.programs, program),
        claims=(*session.claims, _KEY),
        own=(*session.own, len(session.programs)),
        parsed=(*session.parsed, tree),
    )


def _told(node: ast.stmt, mine: Iterable[tuple[ast.stmt, Try, Step | None]], run: Run, after: Run) -> Exercise | None:
    """What came of the calls of one definition: the first that ran its body, else the first that was made."""
    made = [(item, step) for planned, item, step in mine if planned is node and step is not None]
    if not made:
        return None
    item, step = next(((item, step) for item, step in made if step.fate is StepFate.FINISHED), made[0])
    lines = tuple(sorted(_body(node) & set(after.ran_lines) - set(run.ran_lines)))
    worked = step.fate is StepFate.FINISHED and bool(lines)
    fate = StepFate.FINISHED if worked else StepFate.RAISED
    return Exercise(name=item.name, code=item.code, fate=fate, fault=step.fault, ran_lines=lines if worked else ())
