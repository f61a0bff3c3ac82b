"""The behaviours every backend must show: one started sandbox per backend, shared by the whole run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from backends import BACKENDS, prepare

from verifier.model import Limits, Lookup, NameQuery, Outcome, Program, SessionJob, Span, Statement, Step
from verifier.sandbox.base import Sandbox
from verifier.sandbox.choose import open_sandbox
from verifier.text import Lines

# (backend, name of a test) -> why that backend cannot show the behaviour.
KNOWN_FAILURES: dict[tuple[str, str], str] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        backend = getattr(item, "callspec", None) and item.callspec.params.get("sandbox")
        reason = KNOWN_FAILURES.get((backend, getattr(item, "originalname", item.name)))
        if reason:
            item.add_marker(pytest.mark.xfail(reason=reason))


@pytest.fixture(scope="session", params=BACKENDS)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    prepare(request.param)
    with open_sandbox("tf-2.21", request.param) as started:
        yield started


def program(
    code: str, name: str = "snippet", *, missing: tuple[str, ...] = (), show: tuple[int, ...] = (), **more
) -> Program:
    """A program with the simplest data flow: names loaded are read, names stored are bound."""
    lines = Lines(code)
    statements = []
    for number, node in enumerate(ast.parse(code).body):
        start = min([node, *getattr(node, "decorator_list", ())], key=lambda part: part.lineno)
        begin = len(lines.content(start.lineno).encode()[: start.col_offset].decode())
        end = len(lines.content(node.end_lineno).encode()[: node.end_col_offset].decode())
        reads, binds = _flow(node)
        statements.append(
            Statement(
                span=Span(start=lines.start(start.lineno) + begin, end=lines.start(node.end_lineno) + end),
                line=start.lineno,
                end_line=node.end_lineno,
                reads=reads,
                binds=binds,
                missing=tuple(name for name in missing if name in reads),
                show=number in show,
            )
        )
    return Program(name=name, code=code, statements=tuple(statements), **more)


def _flow(node: ast.AST) -> tuple[tuple[str, ...], tuple[str, ...]]:
    reads, binds = {}, {}
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            (reads if isinstance(part.ctx, ast.Load) else binds)[part.id] = None
        elif isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            binds[part.name] = None
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            binds.update(dict.fromkeys((item.asname or item.name.split(".")[0]) for item in part.names))
    return tuple(reads), tuple(binds)


class Ran:
    """An outcome with the questions that tests ask of it."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.fate = outcome.fate
        self.detail = outcome.detail
        self.steps = outcome.steps

    @property
    def last(self) -> Step:
        return self.steps[-1]

    @property
    def printed(self) -> str:
        return self.outcome.stdout

    @property
    def fates(self) -> list[str]:
        return [str(step.fate) for step in self.steps]


@pytest.fixture
def run(sandbox: Sandbox) -> Callable[..., Ran]:
    """Run codes or programs as one session; limits are given by name (`wall_seconds=1`)."""

    def runner(*codes: str | Program, **limits) -> Ran:
        given = [code if isinstance(code, Program) else program(code, f"p{index}") for index, code in enumerate(codes)]
        job = SessionJob(programs=tuple(given), limits=replace(Limits(), **limits))
        return Ran(sandbox.run(job))

    return runner


@pytest.fixture(name="program")
def _program() -> Callable[..., Program]:
    return program


@pytest.fixture
def look(sandbox: Sandbox) -> Callable[..., Lookup]:
    def looker(path: str, **more) -> Lookup:
        return sandbox.lookup((NameQuery(path=path, **more),))[0]

    return looker
