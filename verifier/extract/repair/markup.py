"""What is left of HTML and LaTeX in code: entities (escaped once or twice), tags, wrappers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

from verifier.extract.repair.draft import Edit
from verifier.extract.repair.scan import Kind, Token, token_at
from verifier.model import RepairClass

ENTITY = re.compile(
    r"&(?:amp;)*(?:lt|gt|amp|quot|apos|nbsp|ldquo|rdquo|lsquo|rsquo|hellip|ndash|mdash|times|#\d{1,6}|#[xX][0-9a-fA-F]{1,6});"
)
_TAG = re.compile(
    r"</?(?:br|code|pre|span|p|div|b|i|em|strong|font|tt|samp|kbd|a|u|li|ul|ol|td|tr|table|tbody|small|mark|hr)\b[^<>\n]{0,300}>",
    re.IGNORECASE,
)
_LATEX = re.compile(r"\\(?:begin|end)\{(?:lstlisting|verbatim|minted|python)\}(?:\[[^\]\n]*\])?(?:\{[^}\n]*\})?")


def entity_edits(text: str, tokens: Sequence[Token]) -> list[Edit]:
    """Edits that undo HTML escapes, in the whole text as soon as one stands outside strings and comments."""
    if "&" not in text or ";" not in text:
        return []
    found = list(ENTITY.finditer(text))
    inside = [_within(tokens, match.start()) for match in found]
    if all(inside):
        return []
    edits = []
    for match, quoted in zip(found, inside, strict=True):
        edits.append(
            Edit(
                start=match.start(),
                end=match.end(),
                after=_plain(match.group()),
                rule="entity",
                klass=RepairClass.R2 if quoted else RepairClass.R1,
                reason=f"`{match.group()}` is the HTML escape of `{_plain(match.group())}`",
                alternatives=(match.group(),) if quoted else (),
            )
        )
    return edits


def _plain(entity: str) -> str:
    for _ in range(3):
        once = unescape(entity)
        if once == entity:
            break
        entity = once
    return " " if entity == "\u00a0" else entity


def _within(tokens: Sequence[Token], offset: int) -> bool:
    """Whether `offset` lies in a string with straight quotes or in a comment."""
    token = token_at(tokens, offset)
    if token is None:
        return False
    return token.kind is Kind.COMMENT or (token.kind is Kind.STRING and not token.damaged)


def tag_edits(text: str, tokens: Sequence[Token]) -> list[Edit]:
    """Edits that drop known HTML tags (a `<br>` becomes a line break) and LaTeX listing wrappers."""
    edits = []
    for pattern in (_TAG, _LATEX):
        for match in pattern.finditer(text):
            if _within(tokens, match.start()):
                continue
            after = "\n" if re.match(r"(?i)</?(?:br|p|div|li|tr|hr)\b", match.group()) else ""
            reason = "invalid syntax: a tag of the page that held the code"
            edits.append(
                Edit(start=match.start(), end=match.end(), after=after, rule="tag", klass=RepairClass.R1, reason=reason)
            )
    return edits
