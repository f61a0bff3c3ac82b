"""The library names that the code of a session uses, as full import paths."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verifier.probe.diagnose import full_path
from verifier.probe.sessions import Session

_LARGE = 64  # a bound of a slice or of a reshape from which on it speaks of the true size of a data set


def nodes_of(session: Session) -> Iterator[tuple[int, ast.AST]]:
    """Every syntax node of a session with the index of its program."""
    for index, parsed in enumerate(session.parsed):
        for node in parsed.nodes:
            for part in ast.walk(node):
                yield index, part


def paths_of(session: Session) -> frozenset[str]:
    """The full path of every dotted name that begins with an import."""
    found = (
        full_path(part, session.aliases) for _, part in nodes_of(session) if isinstance(part, ast.Attribute | ast.Name)
    )
    return frozenset(path for path in found if path)


def calls_of(session: Session, leaf: str) -> Iterator[ast.Call]:
    """Calls of functions whose last word is `leaf`."""
    for _, part in nodes_of(session):
        if isinstance(part, ast.Call) and leaf == last_word(part.func):
            yield part


def last_word(node: ast.expr) -> str:
    """The last word of a dotted name; empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def counts_samples(session: Session) -> bool:
    """Whether the code cuts or reshapes its data by numbers that only the true sizes bear."""
    for _, part in nodes_of(session):
        bounds: list[ast.expr | None] = []
        if isinstance(part, ast.Slice):
            bounds = [part.lower, part.upper]
        elif isinstance(part, ast.Call) and last_word(part.func) in {"reshape", "take", "skip"}:
            first = part.args[:1]
            bounds = list(first[0].elts[:1]) if first and isinstance(first[0], ast.Tuple | ast.List) else list(first)
        if any(_number(bound) >= _LARGE for bound in bounds):
            return True
    return False


def _number(node: ast.expr | None) -> int:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else 0
