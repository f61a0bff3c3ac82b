"""Code that breaks off. Hides how the longest whole prefix is found."""

from __future__ import annotations

import re

from verifier.extract.repair.check import Complaint, compiles, complaint
from verifier.extract.repair.draft import Edit
from verifier.extract.repair.scan import Kind, scan
from verifier.model import RepairClass

_STATEMENT = re.compile(
    r"^(?:[A-Za-z_][\w.]*(?:[ \t]*=[ \t]*\S|\()|(?:import|from|def|class|for|with|if|while|return)\b|@)", re.MULTILINE
)
# Lines that may be given up at the end before the code counts as damaged rather than cut off.
_MOST = 12


def truncation_edits(text: str) -> list[Edit]:
    """The edit that drops an unfinished end, when what is left compiles and is not empty.

    Only code whose last statement is open counts: a bracket or string without end, a header without a body.
    """
    wrong = complaint(text)
    if wrong is None or not _is_open(text, wrong.message) or _goes_on(text, wrong):
        return []
    starts = _line_starts(text)
    for start in reversed(starts[-_MOST:]):
        if not text[:start].strip():
            return []
        kept = text[:start].rstrip() + "\n"
        if compiles(kept) and _has_statement(kept):
            return [
                Edit(
                    start=len(kept) - 1,
                    end=len(text),
                    after="",
                    rule="truncated",
                    klass=RepairClass.R2,
                    reason=f"{wrong.message}: the text breaks off here",
                )
            ]
    return []


def _is_open(text: str, message: str) -> bool:
    if "was never closed" in message or "unterminated" in message or "unexpected EOF" in message:
        return True
    tokens = [token for token in scan(text) if token.kind not in {Kind.NEWLINE, Kind.COMMENT}]
    if not tokens:
        return False
    last = tokens[-1]
    if "expected an indented block" in message or "expected 'except'" in message:
        return (
            last.text == ":"
            or text.rstrip().endswith(":")
            or message.startswith("expected 'except'")
            or _in_comment(text)
        )
    return last.kind is Kind.OP and last.text not in ")]}" and not text.rstrip().endswith(":")


def _goes_on(text: str, wrong: Complaint) -> bool:
    """Whether whole statements follow the line of the complaint: then a bracket is missing, not an end."""
    line_end = text.find("\n", wrong.offset)
    return line_end >= 0 and bool(_STATEMENT.search(text, line_end))


def _in_comment(text: str) -> bool:
    return text.rstrip().rpartition("\n")[2].lstrip().startswith("#")


def _line_starts(text: str) -> list[int]:
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def _has_statement(text: str) -> bool:
    return any(token.kind not in {Kind.NEWLINE, Kind.COMMENT} for token in scan(text))
