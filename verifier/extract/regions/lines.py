"""Lines without any mark that are code all the same: how one line is weighed.

Hides the test that keeps prose with names and parentheses out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from itertools import pairwise

from verifier.extract.repair.check import compiles
from verifier.extract.repair.comments import HAN, is_prose
from verifier.extract.repair.draft import Draft
from verifier.extract.repair.quotes import quote_edits
from verifier.extract.repair.scan import Kind, Token, plain, scan
from verifier.extract.repair.statements import breaks, header_end
from verifier.extract.repair.symbols import hidden_edits, symbol_edits
from verifier.model import Span

# A line without one of these is not weighed at all: that keeps prose fast.
_QUICK = re.compile(
    r"[=＝(（@]|\b(?:import|def|class|for|while|with|if|try|else|except|finally|return|print|pass|del|assert|raise)\b",
    re.ASCII,
)
_ANCHOR = re.compile(
    r"""\b(?:import\s+[A-Za-z_]|from\s+[\w.]+\s+import\b) | ^\s*(?:async\s+)?(?:def|class)\s+\w+ | ^\s*@[A-Za-z_]
      | [=＝]\s*[A-Za-z_]\w*(?:\.\w+)*\s*[(（\[] | ^\s*[A-Za-z_]\w*(?:\.\w+)+\s*[(（]
      | ^\s*(?:for|with|while|if)\s.*[:：]
      | ^\s*print\s*[(（] | [=＝]\s*[A-Za-z_]\w*(?:\.\w+)+ | [=＝]\s*[\[({（［｛]
    """,
    re.VERBOSE,
)
_CLAUSE = re.compile(
    r"\s*(?:try|else|elif\b.*|except\b.*|finally|return\b.*|yield\b.*|break|continue|@.+)\s*[:：]?\s*$"
)
_WEAK = re.compile(r"\s*(?:[#＃]|[)\]}）］｝]|[A-Za-z_]\w*\s*[=＝]\s*\S|'|\"|return\b|pass\s*$|break\s*$|continue\s*$)")
_LONGEST = 20_000


def is_code(line: str) -> bool:
    """Whether a line that stands in prose is one or more statements of Python, damage allowed."""
    if len(line) > _LONGEST or not _QUICK.search(line) or is_prose(line):
        return False
    if "&" in line and ";" in line:
        line = unescape(unescape(line))
    tokens = scan(line)
    if not tokens or _is_wordy(tokens):
        return False
    last = tokens[-1]
    if (
        last.kind is Kind.OP
        and not line.rstrip().endswith("...")
        and last.text in ".。！？!?;；"
        and plain(last.text) != ";"
    ):
        return False
    return _pieces_are_code(line, tokens)


def is_anchor(line: str) -> bool:
    """Whether a line of code is enough to make a block of code of its own."""
    return bool(_ANCHOR.search(line[:_LONGEST]))


def is_continuation(line: str) -> bool:
    """Whether a line belongs to code if code stands just before it: a comment, a closing bracket, an assignment."""
    if not _WEAK.match(line):
        return False
    return line.lstrip()[0] in "#＃" or not is_prose(line)


def _is_wordy(tokens: Sequence[Token]) -> bool:
    names = [token for token in tokens if token.kind is Kind.NAME]
    if any(HAN.search(token.text) for token in names):
        return True
    pairs = sum(
        before.kind is Kind.NAME
        and after.kind is Kind.NAME
        and before.text.isalpha()
        and after.text.isalpha()
        and before.ends_operand
        and after.ends_operand
        for before, after in pairwise(tokens)
    )
    return pairs * 5 > len(names)


def _pieces_are_code(line: str, tokens: Sequence[Token]) -> bool:
    starts = [0, *(index for index, _ in breaks(tokens)), len(tokens)]
    for position, (first, last) in enumerate(pairwise(starts)):
        piece = [token for token in tokens[first:last] if token.kind is not Kind.COMMENT]
        if not piece:
            continue
        if (
            len(piece) == 1
            and piece[0].kind is Kind.NAME
            and piece[0].text not in {"pass", "break", "continue", "return"}
        ):
            return False
        ending = position == len(starts) - 2
        if not _is_statement(line[piece[0].start : piece[-1].end], piece, ending=ending):
            return False
    return True


def _is_statement(text: str, piece: Sequence[Token], *, ending: bool) -> bool:
    if ending and _open_depth(piece) > 0:
        return True
    if _CLAUSE.match(text):
        return True
    draft = Draft.of(text, Span(start=0, end=len(text)))
    for family in (hidden_edits, lambda text, tokens: [*quote_edits(text, tokens), *symbol_edits(tokens)]):
        draft = draft.apply(family(draft.text, scan(draft.text)))
    code = draft.text.strip()
    if header_end(piece, 0) == len(piece) - 1:
        code += " pass"
    return compiles(code)


def _open_depth(tokens: Sequence[Token]) -> int:
    return sum((plain(token.text) in "([{") - (plain(token.text) in ")]}") for token in tokens if token.kind is Kind.OP)
