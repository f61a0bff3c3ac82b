"""The plan of a program: its top-level statements with what each needs, gives and may change.

The interpreter decides what really happens; this decides what is *worth running*: a statement whose names stand
nowhere in the document is an excerpt, not a mistake, and a statement that needs the result of a failed one has
not been tested.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from verifier.model import Span, Statement
from verifier.probe.flow import GIVEN, Flow, flow_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A program's statements in order: syntax node, names, and place. Python 2 and broken code have none."""

    nodes: tuple[ast.stmt, ...]
    flows: tuple[Flow, ...]
    spans: tuple[Span, ...]

    @property
    def star(self) -> bool:
        """Whether some statement imports names that cannot be known without running it."""
        return any(flow.star for flow in self.flows)

    @property
    def binds(self) -> frozenset[str]:
        """Every name that some statement gives."""
        return frozenset().union(*(flow.binds for flow in self.flows))

    def needs(self) -> dict[str, int]:
        """Names that the program takes from outside, with the first statement that wants each."""
        given: set[str] = set()
        wanted: dict[str, int] = {}
        for index, flow in enumerate(self.flows):
            for name in sorted(flow.reads - given - GIVEN):
                wanted.setdefault(name, index)
            given |= flow.binds | flow.gives
            given -= flow.drops
        for index, flow in enumerate(self.flows):
            for name in sorted(flow.later - given - GIVEN):
                wanted.setdefault(name, index)
        return wanted


def parse(code: str) -> Parsed:
    """The statements of a program. Code that is not Python 3 gives no statements."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Parsed(nodes=(), flows=(), spans=())
    offsets = Offsets(code)
    lazy = any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in tree.body
    )
    return Parsed(
        nodes=tuple(tree.body),
        flows=tuple(flow_of(node, lazy=lazy) for node in tree.body),
        spans=tuple(offsets.span(node) for node in tree.body),
    )


def statements(
    parsed: Parsed, *, absent: frozenset[str], modules: frozenset[str], shown: Iterable[int] = ()
) -> tuple[Statement, ...]:
    """The plan of a program.

    absent   names that nothing gives: statements that read one are not run
    modules  names that are modules: calling a function of one does not change it
    shown    indices of statements whose values are wanted
    """
    wanted = set(shown)
    return tuple(
        Statement(
            span=span,
            line=_first_line(node),
            end_line=node.end_lineno or node.lineno,
            reads=tuple(sorted(flow.reads - GIVEN)),
            binds=(*sorted(flow.binds), *(("*",) if flow.star else ())),
            later=tuple(sorted((flow.later | flow.gives) - GIVEN)),
            touches=tuple(sorted(flow.touches - modules)),
            missing=tuple(sorted(flow.reads & absent)),
            show=index in wanted,
        )
        for index, (node, flow, span) in enumerate(zip(parsed.nodes, parsed.flows, parsed.spans, strict=True))
    )


def branches(parsed: Parsed) -> bool:
    """Whether some lines of a program may stay unexecuted although every statement finishes."""
    inner = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.If | ast.For | ast.While | ast.Try
    return any(isinstance(child, inner) for node in parsed.nodes for child in ast.walk(node))


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(item.lineno for item in decorators)])


class Offsets:
    """Character offsets of syntax nodes, whose own columns count UTF-8 bytes."""

    def __init__(self, code: str) -> None:
        self._lines = code.splitlines(keepends=True) or [""]
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        """Offset of a 1-based line and a column in UTF-8 bytes."""
        if line > len(self._lines):
            return self._starts[-1]
        text = self._lines[line - 1]
        if not text.isascii():
            column = len(text.encode("utf-8")[:column].decode("utf-8", "ignore"))
        return self._starts[line - 1] + column

    def span(self, node: ast.stmt | ast.expr) -> Span:
        """The range of a node, with the decorators of a definition."""
        start = self.at(node.lineno, node.col_offset)
        for decorator in getattr(node, "decorator_list", []):
            start = min(start, self.at(decorator.lineno, max(decorator.col_offset - 1, 0)))
        return Span(start=start, end=self.at(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset))
