"""Syntax trees whose positions are character offsets into the code."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache

from verifier.model import Span


class Tree:
    """The syntax tree of a snippet's code; empty when the code is not Python 3."""

    def __init__(self, code: str) -> None:
        self._lines = [line if line.endswith("\n") else line + "\n" for line in code.split("\n")]
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self._size = len(code)
        self.module = parsed(code)

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """The characters of a node."""
        start = self._offset(node.lineno, node.col_offset)
        return Span(start=start, end=max(start, self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)))

    def _offset(self, line: int, column: int) -> int:
        if line > len(self._lines):
            return self._size
        text = self._lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode(errors="ignore"))
        return min(self._starts[line - 1] + column, self._size)


# Trees that are kept: each stage of extraction goes over all snippets of a document again.
_KEPT = 4096


@lru_cache(maxsize=_KEPT)
def nodes(code: str) -> tuple[ast.AST, ...]:
    """All nodes of the tree of `code`, in the order of `ast.walk`."""
    return tuple(ast.walk(parsed(code)))


@lru_cache(maxsize=_KEPT)
def parsed(code: str) -> ast.Module:
    """The tree of `code`, to be read only; an empty module when it cannot be had."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return ast.Module(body=[], type_ignores=[])
