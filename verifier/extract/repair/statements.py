"""Statements that lost the line break between them.

An operand followed by a name cannot be Python, so a break there is forced. Hides which neighbours force one.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from itertools import islice

from verifier.extract.repair.draft import Edit
from verifier.extract.repair.scan import Kind, Token, plain, scan
from verifier.model import RepairClass

# Keywords that go on with an expression instead of beginning a statement.
_BINDING = frozenset({"and", "or", "in", "is", "as"})
_HEADERS = frozenset(
    {"if", "for", "while", "with", "def", "class", "try", "else", "elif", "except", "finally", "async"}
)
# Tokens that are looked ahead (or back): keeps lines of any length linear.
_AHEAD = 400
_INDENT = re.compile(r"[ \t]*")
_RETURNS = frozenset({"return", "yield"})
# Keywords that can only begin a statement, whatever stands before them.
_STARTERS = frozenset({"import", "def", "class", "return", "while", "with", "try", "elif", "except", "finally", "pass"})
_PRINTS = frozenset({"print", "exec"})


def header_end(tokens: Sequence[Token], first: int) -> int:
    """Index of the colon that ends the compound header beginning at `first`; -1 when no header begins there."""
    if tokens[first].text not in _HEADERS or tokens[first].kind is not Kind.NAME:
        return -1
    lambdas = 0
    for index in range(first, min(first + _AHEAD, len(tokens))):
        token = tokens[index]
        if token.kind is Kind.NEWLINE and token.depth == tokens[first].depth:
            return -1
        if token.depth != tokens[first].depth:
            continue
        lambdas += token.text == "lambda"
        if token.kind is Kind.OP and plain(token.text) == ":":
            if not lambdas:
                return index
            lambdas -= 1
    return -1


def begins_statement(tokens: Sequence[Token], index: int, first: int) -> bool:
    """Whether `tokens[index]` has to begin a statement, given that the current one begins at `first`."""
    before, token = tokens[index - 1], tokens[index]
    if token.depth or before.depth or not before.ends_operand:
        return False
    if before.kind is Kind.NAME and (before.text in _RETURNS or (before.text in _PRINTS and index - 1 == first)):
        return token.kind is Kind.NAME and token.text in _STARTERS
    if before.text in {"match", "case"} and index - 1 == first and header_like(tokens, index):
        return False
    match token.kind:
        case Kind.NAME:
            return _name_begins(tokens, index, first)
        case Kind.OP:
            return plain(token.text) in {"{", "...", "…"} or (plain(token.text) == "@" and _decorates(tokens, index))
        case _:
            return token.kind is Kind.NUMBER or (token.kind is Kind.STRING and before.kind is not Kind.STRING)


def _name_begins(tokens: Sequence[Token], index: int, first: int) -> bool:
    before, word, opening = tokens[index - 1], tokens[index].text, tokens[first].text
    if not keyword.iskeyword(word):
        return True
    if word in _BINDING or before.text == "async":
        return False
    if word == "not":
        return not (index + 1 < len(tokens) and tokens[index + 1].text == "in")
    if word == "import":
        return opening != "from" or any(token.text == "import" for token in tokens[max(first, index - _AHEAD) : index])
    if word == "from":
        return opening != "raise" and before.text != "yield"
    if word in {"if", "else"}:
        return (
            not _is_ternary(tokens, index)
            if word == "if"
            else not any(
                token.text == "if" and not token.depth for token in tokens[max(first + 1, index - _AHEAD) : index]
            )
        )
    return True


def header_like(tokens: Sequence[Token], index: int) -> bool:
    """Whether a colon follows at depth 0 on the line of `tokens[index]`."""
    for token in islice(tokens, index, index + _AHEAD):
        if token.kind is Kind.NEWLINE:
            return False
        if not token.depth and plain(token.text) == ":":
            return True
    return False


def _is_ternary(tokens: Sequence[Token], index: int) -> bool:
    for token in islice(tokens, index + 1, index + _AHEAD):
        if token.depth:
            continue
        if token.kind is Kind.NEWLINE or plain(token.text) in {":", "="} or token.text in {"if", "for", "def"}:
            return False
        if token.text == "else":
            return True
    return False


def _decorates(tokens: Sequence[Token], index: int) -> bool:
    """Whether the `@` at `index` begins a decorator: a dotted name, perhaps a call, then `def`, `class` or `@`."""
    at = index + 1
    size = min(len(tokens), index + _AHEAD)
    while at < size and not tokens[at].depth and (tokens[at].kind is Kind.NAME or tokens[at].text == "."):
        if tokens[at].text in {"def", "class", "async"}:
            return True
        at += 1
    if at < size and plain(tokens[at].text) == "(":
        while at < size and not (plain(tokens[at].text) == ")" and not tokens[at].depth):
            at += 1
        at += 1
    return at < size and tokens[at].text in {"def", "class", "async", "@"}


def breaks(tokens: Sequence[Token]) -> list[tuple[int, bool]]:
    """Where line breaks are missing: index of the token that needs one before it, and whether it follows a header.

    A break behind a header's colon is only asked for when the rest of that line holds more than one statement.
    """
    found: list[tuple[int, bool]] = []
    first, colon, pending = 0, -1, -1
    for index, token in enumerate(tokens):
        if token.kind is Kind.NEWLINE:
            if not token.depth:
                first, colon, pending = index + 1, -1, -1
            continue
        if index == first:
            colon = header_end(tokens, first)
            continue
        if token.kind is Kind.COMMENT:
            continue
        if colon >= 0 and index == colon + 1:
            first = index
            if header_end(tokens, index) >= 0:
                found.append((index, True))
            else:
                pending = index
            colon = header_end(tokens, first)
        elif begins_statement(tokens, index, first):
            if pending >= 0:
                found.append((pending, True))
                pending = -1
            found.append((index, False))
            first = index
            colon = header_end(tokens, first)
    return found


def inline_bodies(text: str) -> int:
    """How many block headers have a body behind them on their line: after a lost line break, a guess."""
    tokens = scan(text)
    starts = [index for index, token in enumerate(tokens) if not index or tokens[index - 1].kind is Kind.NEWLINE]
    colons = [header_end(tokens, index) for index in starts if tokens[index].kind is Kind.NAME]
    return sum(
        0 < colon < len(tokens) - 1 and tokens[colon + 1].kind not in {Kind.NEWLINE, Kind.COMMENT} for colon in colons
    )


def split_edits(text: str, tokens: Sequence[Token]) -> list[Edit]:
    """Edits that put the missing line breaks in."""
    edits: list[Edit] = []
    line_end, indent = 0, ""
    for index, _ in breaks(tokens):
        before, token = tokens[index - 1], tokens[index]
        if token.start >= line_end:
            line = text.rfind("\n", 0, before.start) + 1
            line_end = text.find("\n", before.start) % (len(text) + 1)
            found = _INDENT.match(text, line)
            indent = found.group() if found else ""
        edits.append(
            Edit(
                start=before.end,
                end=token.start,
                after="\n" + indent,
                rule="joined-statements",
                klass=RepairClass.R1,
                reason=f"invalid syntax: {_shown(token)} cannot follow {_shown(before)} in one statement",
            )
        )
    return edits


def _shown(token: Token) -> str:
    shown = token.text if len(token.text) <= 24 else token.text[:21] + "..."
    return f"`{shown}`"
