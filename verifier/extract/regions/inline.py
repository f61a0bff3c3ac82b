"""Whole statements inside a sentence: `x = tf.zeros([2])`, an import in a code span, a program glued to prose.

A bare call in a sentence is a mention of a name, not a statement, and none of this module's business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from verifier.extract.regions.found import Found
from verifier.extract.repair.comments import HAN
from verifier.extract.repair.scan import Kind, Token, plain, scan
from verifier.extract.repair.statements import breaks
from verifier.model import Span

# An assignment of a call, an import in a code span, or imports with more code behind them.
_START = re.compile(
    r"""(?P<assigned>(?<![\w.])(?:[A-Za-z_][\w.]*[ ]*,[ ]*){0,4}[A-Za-z_][\w.]*[ ]*[=＝][ ]*
          (?=(?:[A-Za-z_]\w*\.){1,6}[A-Za-z_]\w*[(（]|[A-Z]\w*[(（]))
      | (?P<span>(?<=`)(?:import[ ]+[\w.]+(?:[ ]+as[ ]+\w+)?|from[ ]+[\w.]+[ ]+import[ ]+[\w,\ ]+)(?=`))
      | (?P<program>(?<![\w.])import[ ]+[A-Za-z_][\w.]*(?:[ ]+as[ ]+\w+)?[ ]+
          (?=(?:import|from|[A-Za-z_]\w*[ ]*=|[A-Za-z_]\w*\.\w+)))""",
    re.VERBOSE | re.ASCII,
)
_STOPS = frozenset("，。；：！？、`“”」』")
_WORDS = frozenset({"and", "or", "if", "in", "is", "as", "not", "with", "for", "while", "else"})
_WINDOW = 3_000


def find_inline(text: str, span: Span) -> list[Found]:
    """Whole statements in the prose of `span`, in order."""
    found: list[Found] = []
    at = span.start
    while match := _START.search(text, at, span.end):
        end = match.end()
        if match.lastgroup == "span":
            found.append(_made(match.start(), end))
        elif not _inside_call(text, max(at, span.start), match.start()):
            stop = _statements_end(text, match.start(), span.end)
            if stop > match.end():
                found.append(_made(match.start(), stop))
                end = stop
        at = end
    return found


def _made(start: int, end: int) -> Found:
    span = Span(start=start, end=end)
    return Found(span=span, body=span, shape="inline", sure=False)


def _inside_call(text: str, start: int, at: int) -> bool:
    """Whether an ASCII bracket is open at `at` in its line: then `name=` is an argument."""
    line = text[max(text.rfind("\n", start, at) + 1, start, at - _WINDOW) : at]
    return line.count("(") > line.count(")") and not re.search(r"[\u3400-\u9fff][(][^()]*$", line)


def _statements_end(text: str, start: int, limit: int) -> int:
    """End of the longest run of statements that begins at `start`; `start` when there is none."""
    line_end = text.find("\n", start, min(limit, start + _WINDOW))
    window = text[start : line_end if line_end >= 0 else min(limit, start + _WINDOW)]
    tokens = _until_prose(scan(window))
    starts = [0, *(index for index, _ in breaks(tokens)), len(tokens)]
    end = 0
    for first, last in pairwise(starts):
        piece = tokens[first:last]
        if not piece or not _is_whole(piece, leading=first == 0):
            break
        end = piece[-1].end
    return start + end


def _until_prose(tokens: Sequence[Token]) -> Sequence[Token]:
    for index, token in enumerate(tokens):
        if token.depth:
            continue
        if token.text in _STOPS or (token.kind is Kind.NAME and HAN.search(token.text)):
            return tokens[:index]
        if token.kind is Kind.STRING and not token.closed:
            return tokens[:index]
        if (
            token.kind is Kind.NAME
            and token.text in _WORDS
            and index
            and tokens[index - 1].ends_operand
            and token.text != "as"
        ):
            return tokens[:index]
    while tokens and tokens[-1].kind is Kind.OP and plain(tokens[-1].text) in ".,;:!?":
        tokens = tokens[:-1]
    return tokens


def _is_whole(piece: Sequence[Token], *, leading: bool) -> bool:
    """Whether the tokens are one statement worth running: an import, an assignment, a call; brackets closed."""
    depth = sum((plain(token.text) in "([{") - (plain(token.text) in ")]}") for token in piece if token.kind is Kind.OP)
    if depth:
        return False
    if piece[0].text in {"import", "from"}:
        return len(piece) > 1
    assigns = any(plain(token.text) == "=" and not token.depth for token in piece)
    ends = piece[-1].ends_operand and not (piece[-1].kind is Kind.NAME and len(piece) == 1)
    calls = any(plain(token.text) == "(" for token in piece)
    return ends and (assigns or (calls and not leading and piece[0].kind is Kind.NAME))
