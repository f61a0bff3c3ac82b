"""Characters outside strings: full-width forms, dashes, ellipses, mathematical signs, invisible and odd spaces.

Strings and comments are never touched here.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from unicodedata import normalize

from verifier.extract.repair.draft import Edit
from verifier.extract.repair.quotes import named
from verifier.extract.repair.scan import FULL_WIDTH, SPACES, UNSEEN, Kind, Token
from verifier.model import RepairClass

R0, R1, R2 = RepairClass.R0, RepairClass.R1, RepairClass.R2
# Sign -> the operator it stands for, how sure that is, other readings.
_SIGNS: dict[str, tuple[str, RepairClass, tuple[str, ...]]] = {
    "–": ("-", R1, ()),
    "−": ("-", R1, ()),
    "‐": ("-", R1, ()),
    "‑": ("-", R1, ()),
    "‒": ("-", R1, ()),
    "—": ("-", R2, ("--",)),
    "…": ("...", R1, ()),
    "×": ("*", R2, ("x",)),
    "∗": ("*", R1, ()),
    "✕": ("*", R2, ("x",)),
    "÷": ("/", R2, ("//",)),
    "⁄": ("/", R1, ()),
    "≤": ("<=", R1, ()),
    "≥": (">=", R1, ()),
    "≠": ("!=", R1, ()),
    "→": ("->", R1, ()),
    "²": ("**2", R2, ()),
    "³": ("**3", R2, ()),
}
_CHOSEN = {"、": ("。",), "。": (",",), "【": (), "】": ()}
_HIDDEN = re.compile(f"[{SPACES}{UNSEEN}]")


def hidden_edits(text: str, tokens: Sequence[Token]) -> list[Edit]:
    """Invisible characters outside strings and comments dropped, odd spaces made plain."""
    edits = []
    at = 0
    for token in [*tokens, Token(Kind.NEWLINE, len(text), len(text), "", 0)]:
        for found in _HIDDEN.finditer(text, at, token.start):
            char = found.group()
            after = "" if char in UNSEEN else " "
            if char == "\u3000" and text[: found.start()].rpartition("\n")[2].strip() == "":
                after = "  "
            reason = f"invalid non-printable character U+{ord(char):04X}"
            edits.append(
                Edit(start=found.start(), end=found.end(), after=after, rule="invisible", klass=R0, reason=reason)
            )
        at = token.end
    return edits


def symbol_edits(tokens: Sequence[Token]) -> list[Edit]:
    """Edits that make every operator and number outside strings ASCII."""
    edits: list[Edit] = []
    for index, token in enumerate(tokens):
        if token.kind is Kind.OP:
            following = tokens[index + 1] if index + 1 < len(tokens) else None
            edits += _operator(token, following)
        elif token.kind is Kind.NUMBER and not token.text.isascii():
            edits.append(_number(token))
        elif token.kind is Kind.NAME and not token.text.isascii() and keyword.iskeyword(normalize("NFKC", token.text)):
            edits.append(_edit(token, normalize("NFKC", token.text), "full-width", R1))
        elif token.kind is Kind.COMMENT and token.text[0] == "＃":
            edits.append(
                Edit(start=token.start, end=token.start + 1, after="#", rule="full-width", klass=R1, reason=named("＃"))
            )
    return edits


def _edit(token: Token, after: str, rule: str, klass: RepairClass, alternatives: tuple[str, ...] = ()) -> Edit:
    odd = next((char for char in token.text if not char.isascii()), token.text[0])
    return Edit(
        start=token.start,
        end=token.end,
        after=after,
        rule=rule,
        klass=klass,
        reason=named(odd),
        alternatives=alternatives,
    )


def _operator(token: Token, following: Token | None) -> list[Edit]:
    char = token.text
    if char in _SIGNS:
        after, klass, others = _SIGNS[char]
        # …… is one ellipsis in Chinese.
        if char == "…" and following and following.text == "…" and following.start == token.end:
            after = ""
        return [_edit(token, after, "symbol", klass, others)]
    if char == "。" and (following is None or following.kind is Kind.NEWLINE):
        return [_edit(token, "", "full-width", R2, (".",))]
    if char in FULL_WIDTH:
        return [_edit(token, FULL_WIDTH[char], "full-width", R2 if char in _CHOSEN else R1, _CHOSEN.get(char, ()))]
    return []


def _number(token: Token) -> Edit:
    after = re.sub("[–−－]", "-", normalize("NFKC", token.text))
    return _edit(token, after, "full-width" if after.isalnum() else "symbol", R1)
