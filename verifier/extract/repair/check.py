"""The judge of repairs: CPython's own compiler. `ast.parse` would let a top-level `return` pass."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import lru_cache

# Longer code is not compiled: no snippet of a document is that long, and the compiler recurses.
LONGEST = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """Why code does not compile: the compiler's message, its line (from 1) and the offset it points at."""

    message: str
    line: int
    offset: int


@lru_cache(maxsize=32)
def complaint(code: str) -> Complaint | None:
    """CPython's complaint about `code`, or None when it compiles. Never raises."""
    if len(code) > LONGEST:
        return Complaint(message=f"the code is longer than {LONGEST} characters", line=1, offset=0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, "<document>", "exec", dont_inherit=True)
    except SyntaxError as error:
        line = error.lineno or 1
        return Complaint(message=str(error.msg), line=line, offset=_offset(code, line, (error.offset or 1) - 1))
    except (ValueError, OverflowError, MemoryError, RecursionError) as error:
        return Complaint(message=str(error) or type(error).__name__, line=1, offset=0)
    return None


def compiles(code: str) -> bool:
    """Whether CPython accepts `code`."""
    return complaint(code) is None


def _offset(code: str, line: int, column: int) -> int:
    start = 0
    for _ in range(line - 1):
        following = code.find("\n", start) + 1
        if not following:
            break
        start = following
    return min(start + max(column, 0), len(code))
