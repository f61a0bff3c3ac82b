"""Quotation marks: curly, acute, full-width, angled, primes, merged pairs, mangled triple quotes.

Hides which straight quote each mark becomes, and what is undone inside a string whose own marks show that the
text went through a typographer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.extract.repair.draft import Edit
from verifier.extract.repair.scan import DAMAGED, DOUBLES, Kind, Token
from verifier.model import RepairClass

_APOSTROPHE = re.compile(r"(?<=\w)[’‘](?=\w)")
# What a typographer does inside strings, and what stood there: (pattern, original, other originals).
_INSIDE: tuple[tuple[re.Pattern[str], str, tuple[str, ...]], ...] = (
    (_APOSTROPHE, "'", ()),
    (re.compile("…"), "...", ()),
    (re.compile("(?<= )–(?= )"), "-", ("--",)),
    (re.compile("–"), "--", ("-",)),
    (re.compile("—"), "---", ("--",)),
    (re.compile(r"(?<=\d)×(?=\d)"), "x", ("*",)),
)


def named(char: str) -> str:
    """CPython's own complaint about a character that no token can hold."""
    return f"invalid character '{char}' (U+{ord(char):04X})"


def quote_edits(text: str, tokens: Sequence[Token]) -> list[Edit]:
    """Edits that give every damaged string straight quotes."""
    edits: list[Edit] = []
    for token in tokens:
        if token.kind is Kind.STRING and token.damaged:
            edits += _merged(token) if token.merged else _delimiters(text, token)
    return edits


def _merged(token: Token) -> list[Edit]:
    mark = token.text[-1]
    reason = f"{named(mark)}: two single quotes of an empty string were merged"
    return [
        Edit(
            start=token.inner_start - 1,
            end=token.inner_start,
            after="''",
            rule="merged-quotes",
            klass=RepairClass.R2,
            reason=reason,
            alternatives=('"',),
        )
    ]


def _delimiters(text: str, token: Token) -> list[Edit]:
    inside = _inside(text, token)
    content = _preview(text, token, inside)
    opening = text[token.start : token.inner_start].lstrip("rRbBuUfF")
    width = len(opening)
    mark = _mark(opening, content)
    klass = RepairClass.R2 if inside or width == 2 or (set(content) & set(DAMAGED)) else RepairClass.R1
    reason = named(
        next((char for char in opening if char in DAMAGED), text[token.inner_end : token.inner_end + 1] or opening[0])
    )
    edits = [_delimiter(token.inner_start - width, token.inner_start, mark, klass, reason), *inside]
    if width == 1 and mark in content:
        edits += _escapes(text, token, mark)
    if token.closed:
        edits.append(_delimiter(token.inner_end, token.end, mark, klass, reason))
    return edits


def _delimiter(start: int, end: int, mark: str, klass: RepairClass, reason: str) -> Edit:
    return Edit(start=start, end=end, after=mark, rule="quotes", klass=klass, reason=reason)


def _mark(opening: str, content: str) -> str:
    if len(opening) > 1:
        return "'''" if len(opening) == 2 or opening[0] not in DOUBLES + '"' else '"""'
    wanted, other = ('"', "'") if opening in DOUBLES + '"' else ("'", '"')
    return other if wanted in content and other not in content else wanted


def _inside(text: str, token: Token) -> list[Edit]:
    edits: list[Edit] = []
    taken: set[int] = set()
    for pattern, original, others in _INSIDE:
        for found in pattern.finditer(text, token.inner_start, token.inner_end):
            if found.start() not in taken:
                taken.add(found.start())
                reason = "the marks of this string were changed by a typographer, so its content was too"
                edits.append(
                    Edit(
                        start=found.start(),
                        end=found.end(),
                        after=original,
                        rule="typography-in-string",
                        klass=RepairClass.R2,
                        reason=reason,
                        alternatives=(found.group(), *others),
                    )
                )
    return edits


def _preview(text: str, token: Token, inside: list[Edit]) -> str:
    """The content of a string without the characters that `inside` replaces, but with their replacements."""
    content: list[str] = []
    at = token.inner_start
    for edit in sorted(inside, key=lambda edit: edit.start):
        content += text[at : edit.start], edit.after
        at = edit.end
    return "".join([*content, text[at : token.inner_end]])


def _escapes(text: str, token: Token, mark: str) -> list[Edit]:
    return [
        Edit(
            start=found.start(),
            end=found.end(),
            after="\\" + mark,
            rule="quotes",
            klass=RepairClass.R2,
            reason="the string holds both kinds of quotation marks",
        )
        for found in re.compile(rf"(?<!\\){mark}").finditer(text, token.inner_start, token.inner_end)
    ]
