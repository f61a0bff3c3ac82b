"""The statements of a snippet that show something, with their places in its code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from verifier.extract.trees import parsed
from verifier.model import Span
from verifier.text import Lines


class Shows(StrEnum):
    """How a statement can show a value."""

    PRINT = "print"
    EXPRESSION = "expression"
    ASSIGNMENT = "assignment"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A statement that runs at most once each time the program runs; `loop`: what it prints, it prints many times."""

    span: Span
    last_line: int
    shows: Shows
    loop: bool


def statements_of(code: str) -> tuple[Shown, ...]:
    """The statements of `code` in order: simple ones outside loops and functions, and whole top-level loops.

    A comment inside a loop or a function speaks of many runs, so their bodies are no statements here. Empty for code
    that does not parse.
    """
    lines, rows = Lines(code), code.split("\n")
    return tuple(
        Shown(
            span=_span(node, lines, rows),
            last_line=node.end_lineno or node.lineno,
            shows=_shows(node),
            loop=isinstance(node, ast.For | ast.While),
        )
        for node in _walk(parsed(code).body)
    )


def _walk(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        match node:
            case ast.With(body=inner) | ast.AsyncWith(body=inner):
                yield from _walk(inner)
            case ast.Try(body=inner, handlers=handlers, orelse=other, finalbody=last):
                yield from _walk([*inner, *(part for handler in handlers for part in handler.body), *other, *last])
            case ast.If(body=inner, orelse=other):
                yield from _walk(inner)
                yield from _walk(other)
            case _:
                yield node


def _shows(node: ast.stmt) -> Shows:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return Shows.NOTHING
        case ast.Expr(value=ast.Call(func=ast.Name(id="print" | "display" | "pprint"))):
            return Shows.PRINT
        case ast.Expr():
            return Shows.EXPRESSION
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            return Shows.ASSIGNMENT
        case ast.For() | ast.While():
            return Shows.PRINT if _prints(node) else Shows.NOTHING
        case _:
            return Shows.NOTHING


def _prints(node: ast.AST) -> bool:
    return any(
        isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "print"
        for inner in ast.walk(node)
    )


def _span(node: ast.stmt, lines: Lines, rows: list[str]) -> Span:
    return Span(
        start=_offset(node.lineno, node.col_offset, lines, rows),
        end=_offset(node.end_lineno or node.lineno, node.end_col_offset or 0, lines, rows),
    )


def _offset(line: int, column: int, lines: Lines, rows: list[str]) -> int:
    """Character offset of a position whose column counts UTF-8 bytes."""
    row = rows[line - 1]
    return lines.start(line) + (column if row.isascii() else len(row.encode()[:column].decode(errors="ignore")))
