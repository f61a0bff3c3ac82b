"""A lexer of Python that also understands damaged Python.

Curly quotes open and close strings, full-width characters are operators, nothing is an error. Hides how the
borders of damaged strings are found. Linear in the length of the text.
"""

from __future__ import annotations

import keyword
import re
from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

SINGLES = "‘’‚‛′´`＇ʼ"
DOUBLES = "“”„‟″＂«»「」『』〝〞"
DAMAGED = SINGLES + DOUBLES
# Longest damaged string that is looked for, and how many closing marks are tried.
_LONGEST, _TRIES = 5_000, 8

_WIDE, _NARROW = "（）［］｛｝，：；＝．＋－＊／＜＞！％＆｜＾～＠＃＼", "()[]{},:;=.+-*/<>!%&|^~@#\\"
FULL_WIDTH = dict(zip(_WIDE, _NARROW, strict=True)) | {
    "、": ",",
    "。": ".",
    "【": "[",
    "】": "]",
    "﹙": "(",
    "﹚": ")",
    "﹐": ",",
    "﹕": ":",
}
# Every damaged quote and full-width operator as its plain form, character by character: for reading, not for running.
PLAIN = str.maketrans(dict.fromkeys(SINGLES, "'") | dict.fromkeys(DOUBLES, '"') | FULL_WIDTH)
SPACES = "\u00a0\u3000\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u1680"
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

_BLANK = re.compile(rf"[ \t\f\r{SPACES}{UNSEEN}]+|\\\n")
_NAME = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"(?:\d[\w]*(?:\.(?!\.)[\d_]*(?:[eEjJ]\w*)?)?|\.\d\w*)(?:(?<=[eE])[+\-–−－]\d+)?")
_PREFIX = re.compile(r"(?i:rb|br|fr|rf|[rbuf])$")
_COMMENT = re.compile(r"[#＃][^\n]*")
_WORD = re.compile(r"\w")
_COMBINED = re.compile("[”“][’‘]")
_DOUBLE_MARK = re.compile("[“”″\n]")
_CLOSERS = {family: re.compile(f"[{re.escape(family)}]") for family in (SINGLES + "'", DOUBLES + '"')}
_PARTNERS = {"‘": "’", "“": "”", "«": "»", "「": "」", "『": "』", "„": "“", "〝": "〞"}
_TRIPLES = {family: re.compile(f"[{re.escape(family)}]{{3}}") for family in (SINGLES + "'", DOUBLES + '"')}
# Keywords behind which an operand has to come, so that no statement can end there.
_LEADING = frozenset(keyword.kwlist) - {"None", "True", "False", "pass", "break", "continue", "return", "yield"}


class Kind(StrEnum):
    """What a token is. There are no other kinds, and spaces are not tokens."""

    NAME = "name"
    NUMBER = "number"
    STRING = "string"
    OP = "op"
    COMMENT = "comment"
    NEWLINE = "newline"


class Token(NamedTuple):
    """One token; a tuple, since a document has very many.

    `depth`: open brackets around it (a bracket itself has the depth outside).

    Strings: `inner_start:inner_end` is the content; `closed` is false when no end was found; `damaged` when a
    delimiter is not a straight quote; `merged` when one character stands for the two quotes of an empty string.
    """

    kind: Kind
    start: int
    end: int
    text: str
    depth: int
    inner_start: int = 0
    inner_end: int = 0
    closed: bool = True
    damaged: bool = False
    merged: bool = False

    @property
    def ends_operand(self) -> bool:
        """Whether an operand can end with this token."""
        if self.kind is Kind.NAME:
            return self.text not in _LEADING
        return self.kind in {Kind.NUMBER, Kind.STRING} or (
            self.kind is Kind.OP and (plain(self.text) in ")]}" or self.text in {"...", "…"})
        )


def plain(char: str) -> str:
    """The ASCII operator that a full-width one stands for."""
    return FULL_WIDTH.get(char, char)


@lru_cache(maxsize=32)
def scan(text: str, flipped: frozenset[int] = frozenset()) -> tuple[Token, ...]:
    """All tokens of `text`. `flipped`: offsets of ambiguous quotes that are to be read the other way.

    The last results are kept: each family of repairs reads the same text again.
    """
    return tuple(_Scanner(text, flipped).run())


def token_at(tokens: Sequence[Token], offset: int) -> Token | None:
    """The token that holds the character at `offset`."""
    index = bisect_right(tokens, offset, key=lambda token: token.start) - 1
    return tokens[index] if index >= 0 and tokens[index].end > offset else None


class _Scanner:
    def __init__(self, text: str, flipped: frozenset[int]) -> None:
        self.text = text
        self.flipped = flipped
        self.tokens: list[Token] = []
        self.depth = 0
        self.at = 0
        # Quote -> offset from which no closing mark is left in its line: keeps the search linear.
        self.limit = -1
        self.hopeless: dict[str, tuple[int, int]] = {}

    def run(self) -> list[Token]:
        text, size = self.text, len(self.text)
        while self.at < size:
            blank = _BLANK.match(text, self.at)
            if blank:
                self.at = blank.end()
                continue
            self.step(text[self.at])
        return self.tokens

    def step(self, char: str) -> None:
        if char == "\n":
            self.add(Kind.NEWLINE, self.at + 1)
        elif char in "#＃":
            found = _COMMENT.match(self.text, self.at)
            self.add(Kind.COMMENT, found.end() if found else self.at + 1)
        elif char in "'\"" or (char in DAMAGED and self.opens()):
            self.string(self.at)
        elif found := _NUMBER.match(self.text, self.at):
            self.add(Kind.NUMBER, found.end())
        elif found := _NAME.match(self.text, self.at):
            self.name(found.end())
        else:
            self.op(char)

    def name(self, end: int) -> None:
        quote = self.text[end : end + 1]
        if (
            quote
            and (quote in "'\"" or quote in DAMAGED)
            and end - self.at <= 2
            and _PREFIX.match(self.text[self.at : end])
        ):
            self.string(end)
        else:
            self.add(Kind.NAME, end)

    def op(self, char: str) -> None:
        same = plain(char)
        if same in ")]}" and self.depth:
            self.depth -= 1
        self.add(Kind.OP, self.at + (3 if self.text.startswith("...", self.at) else 1))
        if same in "([{":
            self.depth += 1

    def opens(self) -> bool:
        """Whether a damaged quote here can open a string: not glued to an operand, as in `Let’s`."""
        if not self.tokens or self.tokens[-1].end < self.at:
            return True
        return not self.tokens[-1].ends_operand and self.tokens[-1].kind is not Kind.NAME

    def add(self, kind: Kind, end: int) -> None:
        self.tokens.append(Token(kind, self.at, end, self.text[self.at : end], self.depth))
        self.at = end

    def string(self, quote_at: int) -> None:
        """Read the string whose delimiter begins at `quote_at`; a prefix may stand before it."""
        text = self.text
        if delimiter := self.triple(quote_at):
            inner = quote_at + 3 if len(delimiter) == 3 else quote_at + len(delimiter)
            close, width, closed = self.triple_end(inner, delimiter)
        elif self.is_merged(quote_at):
            self.put(quote_at + 1, quote_at + 1, quote_at + 1, closed=True, damaged=True, merged=True)
            return
        else:
            inner = quote_at + 1
            close, width, closed = self.end(quote_at)
        opening, closing = text[quote_at:inner], text[close : close + width]
        damaged = any(char in DAMAGED for char in opening + closing)
        self.put(close + width, inner, close, closed=closed, damaged=damaged, merged=False)

    def put(self, end: int, inner: int, close: int, *, closed: bool, damaged: bool, merged: bool) -> None:
        content = self.text[self.at : end]
        self.tokens.append(
            Token(
                Kind.STRING,
                self.at,
                end,
                content,
                self.depth,
                inner,
                close,
                closed=closed,
                damaged=damaged,
                merged=merged,
            )
        )
        self.at = end

    def triple(self, at: int) -> str:
        """The triple delimiter at `at`, or an empty string. `'''` may have become ”’ (two quotes merged)."""
        three = self.text[at : at + 3]
        if len(three) == 3 and any(set(three) <= set(family) for family in _CLOSERS):
            return three
        two = three[:2]
        if (
            len(two) == 2
            and two[0] in "”“"
            and two[1] in "’‘"
            and _COMBINED.search(self.text, at + 2, at + 2 + _LONGEST)
        ):
            return two
        return ""

    def triple_end(self, inner: int, delimiter: str) -> tuple[int, int, bool]:
        if len(delimiter) == 2:
            found = _COMBINED.search(self.text, inner)
            return (found.start(), 2, True) if found else (len(self.text), 0, False)
        if delimiter in {"'''", '"""'}:
            at = self.text.find(delimiter, inner)
            while at > 0 and _escaped(self.text, at):
                at = self.text.find(delimiter, at + 1)
            if at >= 0:
                return at, 3, True
        family = DOUBLES + '"' if delimiter[0] in DOUBLES + '"' else SINGLES + "'"
        found = _TRIPLES[family].search(self.text, inner)
        return (found.start(), 3, True) if found else (len(self.text), 0, False)

    def is_merged(self, at: int) -> bool:
        """Whether ” stands for an empty string whose two single quotes were merged into it.

        The other reading is that it opens a string up to the next mark; `flipped` asks for that reading.
        """
        text = self.text
        if text[at] not in "”″" or (at > self.at and self.at in self.flipped):
            return False
        behind = text[at + 1 : at + 2]
        if behind and behind not in ")]},:. \t\n）］｝，：;；+":
            return False
        close = _DOUBLE_MARK.search(text, at + 1, at + _LONGEST)
        if not close or close.group() == "\n":
            return True
        content = text[at + 1 : close.start()]
        empty = bool(_WORD.search(content)) or any(char in "()[]{}（）" for char in content)
        return empty != (at in self.flipped)

    def end(self, at: int) -> tuple[int, int, bool]:
        """Where the string that opens at `at` closes: offset, width of the mark, whether there is one."""
        char, limit = self.text[at], self.line_end(at)
        known = self.hopeless.get(char)
        if known and known[0] <= at < known[1]:
            return limit, 0, False
        stop = min(limit, at + _LONGEST)
        close = self.straight_end(at, char, limit) if char in "'\"" else self.partner_end(at, char, stop)
        if close < 0:
            close = self.family_end(at, char, stop)
        if close >= 0:
            return close, 1, True
        if stop == limit:
            self.hopeless[char] = (at, limit)
        return limit, 0, False

    def partner_end(self, at: int, char: str, stop: int) -> int:
        """The closing form of a directional mark, when no other one opens before it."""
        partner = _PARTNERS.get(char)
        close = self.text.find(partner, at + 1, stop) if partner else -1
        opens_again = close >= 0 and self.text.find(char, at + 1, close) >= 0
        return -1 if opens_again or (close >= 0 and self.glued(close)) else close

    def family_end(self, at: int, char: str, stop: int) -> int:
        """The next mark of the same family that is no apostrophe; else the first one; -1 when there is none."""
        family = SINGLES + "'" if char in SINGLES + "'" else DOUBLES + '"'
        first = -1
        for found in islice(_CLOSERS[family].finditer(self.text, at + 1, stop), _TRIES):
            first = found.start() if first < 0 else first
            if not self.glued(found.start()):
                return found.start()
        return first

    def glued(self, at: int) -> bool:
        """Whether the mark at `at` stands between two letters, as an apostrophe does."""
        return _is_word(self.text, at - 1) and _is_word(self.text, at + 1)

    def straight_end(self, at: int, char: str, limit: int) -> int:
        close = self.text.find(char, at + 1, limit)
        while close >= 0 and _escaped(self.text, close):
            close = self.text.find(char, close + 1, limit)
        return close

    def line_end(self, at: int) -> int:
        if at >= self.limit:
            end = self.text.find("\n", at)
            self.limit = len(self.text) if end < 0 else end
        return self.limit


def _escaped(text: str, at: int) -> bool:
    count = 0
    while at - count - 1 >= 0 and text[at - count - 1] == "\\":
        count += 1
    return count % 2 == 1


def _is_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and text[at].isalnum()
