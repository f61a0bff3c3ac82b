"""The last resort: single edits at the place of the compiler's complaint, each kept only if the complaint moves on.

Covers what has no forced reading: hard-wrapped lines, statements joined before a bracket, quotes that can be
read two ways.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.extract.repair.check import Complaint, complaint
from verifier.extract.repair.draft import Draft, Edit
from verifier.extract.repair.quotes import quote_edits
from verifier.extract.repair.scan import Kind, scan
from verifier.model import RepairClass

_ROUNDS, _CANDIDATES = 40, 24
_GAP = re.compile(r"(?<=[\w)\]}'\"])[ \t]+(?=[(\[@*\-+~'\"{])")
_HYPHENATED = re.compile(r"-\n[ \t]*")


def search(draft: Draft, *, whole: bool = True) -> Draft:
    """The draft with as many single edits as it takes to compile.

    When that is not reached: the draft as it was, or how far it got when not `whole`.
    """
    current = draft
    for _ in range(_ROUNDS):
        wrong = complaint(current.text)
        if wrong is None:
            return current
        better = _step(current, wrong)
        if better is None:
            break
        current = better
    return draft if whole else current


def flip_quotes(draft: Draft) -> Draft | None:
    """The draft with one ambiguous quotation mark read the other way, if it then compiles.

    `draft` must not have its quotes repaired yet.
    """
    tokens = scan(draft.text)
    doubtful = [
        token.inner_start - 1
        for token in tokens
        if token.kind is Kind.STRING and token.damaged and token.text[:1] in "”″"
    ]
    for at in doubtful[:_CANDIDATES]:
        tried = draft.apply(quote_edits(draft.text, scan(draft.text, frozenset({at}))))
        if complaint(tried.text) is None:
            return tried
    return None


def _step(draft: Draft, wrong: Complaint) -> Draft | None:
    best: Draft | None = None
    furthest = wrong.offset
    for count, edit in enumerate(_candidates(draft.text, wrong)):
        if count == _CANDIDATES:
            break
        tried = draft.apply([edit])
        left = complaint(tried.text)
        if left is None:
            return tried
        # The offset of a later complaint is compared in the old text's terms.
        moved = left.offset - (len(tried.text) - len(draft.text))
        if (moved > furthest and left.message != wrong.message) or moved > furthest + 1:
            best, furthest = tried, moved
    return best


def _candidates(text: str, wrong: Complaint) -> Iterator[Edit]:
    line_start = text.rfind("\n", 0, wrong.offset) + 1
    line_end = text.find("\n", wrong.offset)
    line_end = len(text) if line_end < 0 else line_end
    yield from _joins(text, line_start, line_end)
    if line_end - line_start <= 4_000:
        for gap in _GAP.finditer(text, line_start, line_end):
            yield Edit(
                start=gap.start(),
                end=gap.end(),
                after="\n",
                rule="joined-statements",
                klass=RepairClass.R2,
                reason=wrong.message,
                alternatives=(gap.group(),),
            )


def _joins(text: str, line_start: int, line_end: int) -> Iterator[Edit]:
    """Edits that undo a hard line wrap at either end of the line."""
    for at in (line_end, line_start - 1):
        if not 0 <= at < len(text):
            continue
        following = re.compile(r"\n[ \t]*").match(text, at)
        if not following:
            continue
        before = text[:at].rstrip(" \t")
        reason = "the line was wrapped in the middle of a statement"
        klass = (
            RepairClass.R1
            if before[-1:] in "=+-*/%,.<>&|^(" or before.endswith((" and", " or", " in", " not"))
            else RepairClass.R2
        )
        yield Edit(start=at, end=following.end(), after=" ", rule="wrapped-line", klass=klass, reason=reason)
        yield Edit(start=at, end=following.end(), after="", rule="wrapped-line", klass=RepairClass.R2, reason=reason)
