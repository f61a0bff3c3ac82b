"""What certainly stands inside a block whose indentation is lost, whatever its names say.

No module returns, no `except` stands without its `try`: hides how far such evidence reaches.
"""

from __future__ import annotations

from verifier.extract.repair.logical import Line, opens_block

DEFINING = frozenset({"def", "class", "@", "async"})
# More lines than any body in a document.
_MOST_BODY = 200


def last_inside(lines: list[Line], index: int) -> int:
    """The last line that certainly stands inside the block at `index`, or the clause that closes it; -1: unknown."""
    if lines[index].word == "def":
        return _last_return(lines, index)
    if lines[index].word in {"if", "elif"}:
        return _alternative(lines, index)
    if lines[index].word in {"for", "while"}:
        return _leaving(lines, index)
    return _handler(lines, index) if lines[index].word == "try" else -1


def _alternative(lines: list[Line], index: int) -> int:
    """The `elif` or `else` of the `if` at `index`, when no other block opens before it; else -1."""
    for at in range(index + 1, min(index + _MOST_BODY, len(lines))):
        if lines[at].word in {"elif", "else"}:
            return at
        if opens_block(lines[at]) or lines[at].word in DEFINING:
            break
    return -1


def _leaving(lines: list[Line], index: int) -> int:
    """The first `break` or `continue` of the loop at `index`; -1 when another loop or a definition comes before it."""
    for at in range(index + 1, min(index + _MOST_BODY, len(lines))):
        if lines[at].word in {"break", "continue"}:
            return at
        if lines[at].word in {"for", "while"} | DEFINING:
            break
    return -1


def _handler(lines: list[Line], index: int) -> int:
    """The `except` or `finally` of the `try` at `index`; -1 when there is none."""
    open_tries = 0
    for at in range(index, min(index + _MOST_BODY, len(lines))):
        word = lines[at].word
        handles = word == "except" or (word == "finally" and lines[at - 1].word != "except")
        open_tries += (word == "try") - handles
        if not open_tries:
            return at
    return -1


def _last_return(lines: list[Line], index: int) -> int:
    """The last line that certainly returns or yields from the function at `index`; -1 when none is known.

    What stands above it is inside the function. A definition in between is inside too when a `return` uses its name:
    no module can return; another one ends the search.
    """
    last, at = -1, index + 1
    while at < min(index + _MOST_BODY, len(lines)):
        word = lines[at].word
        if word in DEFINING:
            inner = _past_inner(lines, at, forced=at == index + 1) if last < 0 else None
            if inner is None:
                break
            at, last = inner
        elif word in {"return", "yield"}:
            last = at
        at += 1
    return last


def _past_inner(lines: list[Line], at: int, *, forced: bool) -> tuple[int, int] | None:
    """Where to go on behind a definition inside a function, and the return that uses it (-1: none); None if outside.

    forced: it stands right behind the header of the function, so that it must be inside.
    """
    head = definition_at(lines, at)
    if head is None or is_method(lines[head]) or len(lines[head].tokens) < 2:
        return None
    name, own = lines[head].tokens[1].text, -1
    for index in range(head + 1, min(head + _MOST_BODY, len(lines))):
        if lines[index].word in DEFINING:
            break
        if lines[index].word == "return":
            if own >= 0 and name in lines[index].names():
                return index, index
            own = own if own >= 0 else index
    return (own, -1) if forced and own >= 0 else None


def definition_at(lines: list[Line], at: int) -> int | None:
    """The line of the `def` at `at`, behind its decorators; None when another thing is defined there."""
    while at < len(lines) and lines[at].word == "@":
        at += 1
    return at if at < len(lines) and lines[at].word == "def" else None


def is_method(line: Line) -> bool:
    """Whether a `def` line has `self` or `cls` for its first parameter."""
    return bool(line.tokens[3:4]) and line.tokens[3].text in {"self", "cls"}
