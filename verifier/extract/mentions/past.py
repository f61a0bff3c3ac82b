"""The release that a sentence speaks of where it names an API."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.extract.release import EARLIER, clause_release, releases
from verifier.model import Span

# A clause that only sets the time: "In TF 1.x, …", `从 2.16 开始，…`.
_ADVERBIAL = re.compile(
    r"^\W*(?:在|从|自|(?:升级|迁移|升|等)?到了?|截至|于|对于|至于|(?:in|since|from|as of|with"
    r"|before|until|for|on|under|back in|prior to|after|starting)\b)",
    re.IGNORECASE,
)
_LONGEST_ADVERBIAL = 36
_LONGEST_REST = 8  # `版本之后，`
_FORMERLY_BEHIND = re.compile(
    r"^[`”\"'’]?\s*(?:是|这个)?(?:\s*used to\b|\s*以前|\s*早期|\s*(?:是|属于)?(?:旧版|老版|老接口|旧接口))",
    re.IGNORECASE,
)
_NOTE = re.compile(r"[`”\"'’]?\s*[（(]\s*(?:in\s*)?")
_NOW = re.compile(r"现在|如今|目前|改用|改成|换成|\bnow\b|\btoday\b|\bnowadays\b|\binstead\b", re.IGNORECASE)


def release_at(clause: str, place: Span, others: Sequence[Span], lead: str, *, denied: bool) -> str | None:
    """The release for the name at `place` in `clause`; `earlier` for a past without a number; None for the present.

    `others` are the other names of the clause; `lead` the clause before it, "" when it holds names of its own.
    `denied`: the name is said to be gone; then a release may stand behind other names of the list, and a mere
    "formerly" tells nothing.
    """
    named = list(releases(clause, bare=denied))
    behind = [item for item in named if item[0].start >= place.end]
    ahead = [item for item in named if item[0].end <= place.start and not _belongs(clause, item[0], others)]
    if behind and _adjacent(clause, place, behind[0][0]):
        return behind[0][1]
    if ahead:
        return ahead[-1][1]
    if behind and (denied or not any(place.end <= other.start < behind[0][0].start for other in others)):
        return behind[0][1]
    adverbial = len(lead.strip()) <= _LONGEST_ADVERBIAL and _ADVERBIAL.match(lead)
    set_ahead = list(releases(lead)) if adverbial else []
    if set_ahead and len(lead[set_ahead[-1][0].end :].strip()) <= _LONGEST_REST:
        return set_ahead[-1][1]
    if denied:
        return None
    return EARLIER if _is_past(clause[: place.start], clause[place.end :], lead if adverbial else "") else None


def _belongs(clause: str, release: Span, others: Sequence[Span]) -> bool:
    """Whether a release stands in brackets right behind another name: `A (1.x) is now B`."""
    return any(other.end <= release.start and _adjacent(clause, other, release) for other in others)


def _adjacent(clause: str, place: Span, release: Span) -> bool:
    gap = clause[place.end : min(release.start, place.end + 12)]
    return release.start - place.end <= len(gap) and bool(_NOTE.fullmatch(gap))


def _is_past(before: str, after: str, lead: str) -> bool:
    turn = max((found.end() for found in _NOW.finditer(before)), default=0)
    if clause_release(before[turn:]) == EARLIER:
        return True
    if not turn and _FORMERLY_BEHIND.match(after):
        return True
    return not turn and clause_release(lead) == EARLIER
