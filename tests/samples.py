"""Builders of small documents, claims and runs that several test folders share."""

from __future__ import annotations

from verifier.model import (
    Claim,
    ClaimKind,
    Document,
    Evidence,
    Fate,
    Fault,
    Lookup,
    Passage,
    Piece,
    Role,
    Run,
    SourceMap,
    Span,
    Step,
    StepFate,
)
from verifier.probe.plan import parse, statements


def document(*passages: tuple[Role, int | None]) -> Document:
    """A document of ten-character passages with these roles and question numbers."""
    roles = passages or ((Role.OTHER, None),)
    return Document(
        path="notes.md",
        sha256="0" * 64,
        encoding="utf-8",
        text=" " * 10 * len(roles),
        passages=tuple(
            Passage(span=Span(start=10 * i, end=10 * i + 10), role=role, number=number)
            for i, (role, number) in enumerate(roles)
        ),
    )


def snippet(id_: str, code: str, passage: int = 0, **fields: object) -> Claim:
    """A snippet claim with this code, as if it stood undamaged at the beginning of its passage."""
    whole = Span(start=0, end=len(code))
    return Claim(
        id=id_,
        kind=ClaimKind.SNIPPET,
        document="notes.md",
        span=Span(start=10 * passage, end=10 * passage + 1),
        quote=code,
        passage=passage,
        code=code,
        source_map=SourceMap(pieces=(Piece(code=whole, text=whole),)),
        **fields,
    )


def call(code: str, text: str, target: str = "", about: str = "s", **fields: object) -> Claim:
    """A call claim: `text` is where it stands in the snippet's code."""
    start = code.index(text)
    span = Span(start=start, end=start + len(text))
    return Claim(
        id=f"c{start}",
        kind=ClaimKind.CALL,
        document="notes.md",
        span=span,
        quote=text,
        passage=0,
        target=target,
        code=text,
        about=about,
        code_span=span,
        **fields,
    )


def name(target: str, **fields: object) -> Claim:
    """A claim about a name."""
    return Claim(
        id="n",
        kind=ClaimKind.API,
        document="notes.md",
        span=Span(start=0, end=1),
        quote=target,
        passage=0,
        target=target,
        **fields,
    )


def fault(type_: str, message: str = "", *, name_: str = "", expression: Span | None = None, mro: str = "") -> Fault:
    """An exception of this class; `mro` names further base classes."""
    return Fault(
        type=type_, message=message, mro=(type_.rpartition(".")[2], *mro.split()), name=name_, expression=expression
    )


def run(code: str, fates: dict[int, StepFate | Fault] | None = None, **fields: object) -> Run:
    """A run of `code` in which every statement finished but those in `fates`."""
    plan = statements(parse(code), absent=frozenset(), modules=frozenset())
    told = fates or {}
    steps = []
    for number in range(len(plan)):
        fate = told.get(number, StepFate.FINISHED)
        if isinstance(fate, Fault):
            steps.append(Step(program=0, statement=number, fate=StepFate.RAISED, fault=fate))
        else:
            steps.append(Step(program=0, statement=number, fate=fate))
    return Run(
        **{"session": 0, "fate": Fate.FINISHED, "steps": tuple(steps), "statements": plan, "programs": ("s",), **fields}
    )


def evidence(run_: Run | None = None, lookup: Lookup | None = None, failure: str = "", claim: str = "s") -> Evidence:
    """Evidence about the claim `s`."""
    return Evidence(claim=claim, environment="tf-2.21", run=run_, lookup=lookup, failure=failure)


# In front of a command: it hears Ctrl-C also when the tests run in the background, where that is ignored.
HEARING = ("env", "--default-signal=INT")
