"""Constant expressions of the code as numbers, as far as literals and the live namespace tell."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable

from verifier.probe.standins.supplies import Live

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: lambda left, right: left // right if right else 0,
}
_LARGEST = 1 << 24


def constant(node: ast.expr, live: Live) -> int | None:
    """The whole number that an expression stands for, or None."""
    match node:
        case ast.Constant(value=value) if isinstance(value, int | float) and not isinstance(value, bool):
            return int(value) if value == int(value) and abs(value) <= _LARGEST else None
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = constant(operand, live)
            return None if inner is None else -inner
        case ast.Name(id=name) if name in live and live[name].what == "integer":
            return int(live[name].number or 0)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            first, second = constant(left, live), constant(right, live)
            if first is None or second is None:
                return None
            value = _OPERATORS[type(op)](first, second)
            return value if abs(value) <= _LARGEST else None
    return None


def constants(nodes: Iterable[ast.expr], live: Live) -> tuple[int, ...]:
    """The numbers of a list of expressions; what cannot be told is -1, a free size."""
    return tuple(-1 if (value := constant(node, live)) is None else value for node in nodes)
