"""Whether what a session gave is a fact about its code or the throw of a die: it is run again with other seeds.

The second run takes another seed wherever the document does not fix one, and another one in the place of those that
it does fix: what changes then depends on random numbers. The streams of `random` and of NumPy's old generators are
promised to stay the same for a seed, those of TensorFlow and Keras are not, so only the seeds of the latter are moved.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from verifier.errors import SandboxError
from verifier.model import Claim, Fate, Fault, Program, Run, Step, StepFate, Wobble
from verifier.probe.plan import Offsets
from verifier.probe.run import cut, run_session
from verifier.probe.sessions import Session
from verifier.probe.trial import Bench, Trial

_SEED = 1
# No throw of a die decides whether a name exists or code can be parsed.
_SETTLED_FAULTS = ("NameError", "AttributeError", "ImportError", "SyntaxError", "FileNotFoundError")
_FROZEN = re.compile(r"(?:^|\b(?:np|numpy|random|rng)\.(?:random\.)?)(?:seed|RandomState|default_rng)$")
_SEEDING = re.compile(r"seed", re.IGNORECASE)
_VOLATILE = re.compile(r"\b0x[0-9a-fA-F]{4,}|\b\d+(?:\.\d+)?\s?(?:ns|us|µs|ms|s)\b(?:/\w+)?")
_NOTATION = re.compile(
    r"shape=\([^)]*\)|dtype=[\w.']+|\b(?:tf|np)\.(?!\d)|\b(?:numpy=|Tensor\b|array\b|TensorShape\b|dtype\b)"
)
_VALUE = re.compile(r"[-+]?[\w.]+")
_WORDS = 160


def steady(trial: Trial, bench: Bench) -> Trial:
    """Run a session again when something in it could be held against its author; what differs becomes wobbles.

    At most one further run, without the statements that ended the session. When the sandbox fails in it, nothing is
    known about steadiness and the trial comes back as it was.
    """
    doubtful = {claim: _doubtful(trial.session, claim, run) for claim, run in trial.runs.items()}
    if not any(doubtful.values()):
        return trial
    programs = _lasting_programs(trial)
    moved = tuple(replace(program, code=reseeded(program.code)) for program in programs)
    seeded = moved != programs
    try:
        other = replace(trial.session, programs=moved)
        again = run_session(other, bench.sandbox, bench.limits, reruns=0, seed=_SEED)
    except SandboxError:
        return trial
    return replace(
        trial,
        runs={
            claim: replace(run, wobbles=_wobbles(run, again[claim], doubtful[claim], seeded=seeded))
            if claim in again and again[claim].fate is not Fate.SANDBOX_FAILED
            else run
            for claim, run in trial.runs.items()
        },
    )


def _lasting_programs(trial: Trial) -> tuple[Program, ...]:
    """The programs of a session without the statements that ended it, which are known to end it again."""
    programs = list(trial.session.programs)
    for run in trial.runs.values():
        last = next((step.statement for step in run.steps if step.fate is StepFate.NOT_REACHED), None)
        if run.fatal and last is not None:
            cut(programs, (run.program, last), {})
    return tuple(programs)


def reseeded(code: str) -> str:
    """The code with another number of the same length for every seed that it gives to TensorFlow or Keras."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code
    offsets = Offsets(code)
    moved = list(code)
    for number in _seeds(tree):
        span = offsets.span(number)
        if span.of(code).isdecimal():
            moved[span.start : span.end] = _other(span.of(code))
    return "".join(moved)


def _seeds(tree: ast.AST) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=function) if not _FROZEN.search(ast.unparse(function)):
                if _SEEDING.search(ast.unparse(function).rpartition(".")[2]):
                    yield from (number for argument in node.args for number in _numbers(argument))
                yield from (
                    number
                    for keyword in node.keywords
                    if keyword.arg and _SEEDING.search(keyword.arg)
                    for number in _numbers(keyword.value)
                )
            case ast.Assign(targets=[ast.Name(id=name)]) if _SEEDING.search(name):
                yield from _numbers(node.value)


def _numbers(node: ast.expr) -> Iterator[ast.Constant]:
    """The whole numbers of a seed: it may be one, or a tuple or list of some."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    for part in parts:
        if isinstance(part, ast.Constant) and type(part.value) is int:
            yield part


def _other(digits: str) -> str:
    """Another number of as many digits."""
    last = "8" if digits[-1] == "9" else str(int(digits[-1]) + 1)
    return digits[:-1] + last


def _doubtful(session: Session, claim: str, run: Run) -> frozenset[int]:
    """The statements whose course or result may be held against the author."""
    found = {step.statement for step in run.steps if _charges(step)}
    for output in session.outputs.get(claim, ()):
        numbers = _numbered(run, output)
        steps = [run.steps[number] for number in numbers]
        if not all(step.fate in {StepFate.FINISHED, StepFate.RAISED} for step in steps):
            continue
        if _plainly_so(output, steps):
            found.difference_update(numbers if output.said_kind == "exception" else ())
        else:
            found.update(numbers)
    return frozenset(found.difference(run.tainted))


def _plainly_so(output: Claim, steps: list[Step]) -> bool:
    """Whether a stated output was observed at first sight; then there is nothing to charge."""
    if output.said_kind == "exception":
        name = output.code.strip().rpartition(".")[2]
        return any(step.fault is not None and step.fault.is_a(name) for step in steps)
    lines = [line for step in steps for line in _shown(step).splitlines() if line.strip()]
    stated = _values(output.code)
    return any(stated == _values("\n".join(lines[at:])) for at in range(len(lines)))


def _charges(step: Step) -> bool:
    fault = step.fault
    return step.fate is StepFate.RAISED and fault is not None and not any(map(fault.is_a, _SETTLED_FAULTS))


def _numbered(run: Run, output: Claim) -> list[int]:
    place = output.code_span
    return [] if place is None else [i for i, item in enumerate(run.statements) if item.span.overlaps(place)]


def _values(text: str) -> list[str]:
    """The numbers and words of a text; a notation that this does not see through costs a run, nothing else."""
    found = _VALUE.findall(_NOTATION.sub(" ", text))
    return [word.rstrip(".") if word[-1:] == "." else word.removesuffix(".0") for word in found]


def _wobbles(first: Run, second: Run, doubtful: frozenset[int], *, seeded: bool) -> tuple[Wobble, ...]:
    found = []
    # The second has none of what ended the first.
    for one, other in zip(first.steps, second.steps, strict=False):
        if one.statement not in doubtful:
            continue
        fates = {one.fate, other.fate}
        if fates == {StepFate.FINISHED, StepFate.RAISED}:
            kind, said = "fate", (_fared(one.fault), _fared(other.fault))
        elif fates == {StepFate.FINISHED} and _without_volatile(one) != _without_volatile(other):
            kind, said = "result", (_told(one), _told(other))
        else:
            continue
        found.append(Wobble(statement=one.statement, kind=kind, first=said[0], second=said[1], seeded=seeded))
    return tuple(found)


def _shown(step: Step) -> str:
    return f"{step.stdout}\n{step.value or ''}\n"


def _without_volatile(step: Step) -> str:
    return _VOLATILE.sub(" ", _shown(step))


def _told(step: Step) -> str:
    words = " ".join((step.stdout or step.value or "").split())
    return words if len(words) <= _WORDS else words[: _WORDS - 1] + "…"


def _fared(fault: Fault | None) -> str:
    if fault is None:
        return "it ran"
    return f"{fault.type.rpartition('.')[2]}: {fault.message.partition(chr(10))[0]}"[:_WORDS]
