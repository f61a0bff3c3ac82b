"""What a whole sentence says about each of its names: a list shares its negation and its time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.extract.mentions.denial import Denial, denial
from verifier.extract.mentions.doubt import is_hearsay
from verifier.extract.mentions.nouns import called
from verifier.extract.mentions.past import release_at
from verifier.extract.mentions.prose import Prose
from verifier.extract.mentions.reader import Found
from verifier.extract.mentions.scan import Candidate
from verifier.model import Span

_CONTEXT = 160
_REACH = 8  # names on either side that can stand between a name and its release
_JOINT = r"[`”\"'’]?\s*(?:[（(][^（）()\n]{0,40}[)）])?\s*"
_JOINED = re.compile(
    rf"^{_JOINT}(?:和|与|跟|及|以及|或者?|还有|、|/|,?\s*\b(?:and|or|nor|as well as)\b)\s*(?:the\s+"
    rf"|an?\s+|是\s*)?[`“\"'‘]?$"
)
_LISTED = re.compile(rf"^{_JOINT}[,，]\s*[`“\"'‘]?$")


def denials_of(prose: Prose, group: Sequence[Found]) -> list[Denial]:
    """For each name of a sentence, whether the sentence denies that it exists; hearsay denied later is denied too."""
    own = [_denial(prose, group, index) for index in range(len(group))]
    return [_inherited(prose, group, own, index) for index in range(len(group))]


def sentence_of(prose: Prose, candidate: Candidate) -> str:
    """The sentence around a name, within reach."""
    clauses = prose.sentence(candidate.span.start)
    return prose.text[
        max(clauses[0].start, candidate.span.start - 300) : min(clauses[-1].end, candidate.whole.end + 300)
    ]


def clause_around(prose: Prose, candidate: Candidate) -> tuple[str, str]:
    """The clause of a name on either side of it, within reach."""
    clauses = prose.sentence(candidate.span.start)
    clause = clauses[prose.clause(candidate.span.start)]
    start, end = max(clause.start, candidate.span.start - _CONTEXT), candidate.ending
    last = max(clauses[prose.clause(min(end, clauses[-1].end - 1))].end, end)
    return prose.text[start : candidate.span.start], prose.text[end : min(last, end + _CONTEXT)]


def _joined(prose: Prose, group: Sequence[Found], index: int) -> str:
    """How a name is tied to the next one: `and`, `list` (a comma) or ""."""
    if index + 1 >= len(group):
        return ""
    start, end = group[index].candidate.ending, group[index + 1].candidate.span.start
    between = prose.text[start:end] if 0 <= end - start < 80 else " "
    noun = called("", between + " ")
    if noun.where == "behind":
        between = re.sub(r"^[`”\"']?\s*[\u4e00-\u9fffA-Za-z]+", "", between, count=1) if len(between) < 24 else between
    if _JOINED.match(between):
        return "and"
    return "list" if _LISTED.match(between) else ""


def _chain(prose: Prose, group: Sequence[Found], index: int) -> tuple[int, int]:
    """First and last index of the list of names that `index` stands in: `A, B and C`, `A、B`."""
    last = index
    ahead = index
    while (tie := _joined(prose, group, ahead)) and ahead - index < 12:
        ahead += 1
        if tie == "and":
            last = ahead
    first = index
    tied = "and" if last > index else ""
    back = index
    while back and index - back < 12 and (tie := _joined(prose, group, back - 1)):
        if tie == "list" and not tied:
            break
        tied = "and"
        back -= 1
        first = back
    return first, last


def _denial(prose: Prose, group: Sequence[Found], index: int) -> Denial:
    first, last = _chain(prose, group, index)
    before, _ = clause_around(prose, group[first].candidate)
    _, after = clause_around(prose, group[last].candidate)
    candidate = group[last].candidate
    clauses = prose.sentence(candidate.span.start)
    number = prose.clause(min(candidate.ending, clauses[-1].end - 1))
    following = ""
    if number + 1 < len(clauses) and not _names_release(prose, group, index):
        end = clauses[number + 1].end
        if last + 1 < len(group):
            end = min(end, group[last + 1].candidate.span.start)
        if last + 1 >= len(group) or group[last + 1].candidate.span.start >= clauses[number].end:
            following = prose.text[clauses[number].end : end]
    return denial(before, after, following)


def _names_release(prose: Prose, group: Sequence[Found], index: int) -> bool:
    return release_of(prose, group, index, denied=False) is not None


def _inherited(prose: Prose, group: Sequence[Found], denials: list[Denial], index: int) -> Denial:
    """The denial of a name; hearsay that the same sentence denies later is denied too."""
    if denials[index] is not Denial.NONE:
        return denials[index]
    candidate = group[index].candidate
    denied_later = any(
        denials[later] is Denial.DENIED and group[later].candidate.leaf == candidate.leaf
        for later in range(index + 1, len(group))
    )
    if denied_later and (is_hearsay(*clause_around(prose, candidate)) or _hearsay_before(prose, candidate)):
        return Denial.DENIED
    return Denial.NONE


def _hearsay_before(prose: Prose, candidate: Candidate) -> bool:
    clauses = prose.sentence(candidate.span.start)
    return is_hearsay(prose.text[max(clauses[0].start, candidate.span.start - 60) : candidate.span.start], "")


def release_of(prose: Prose, group: Sequence[Found], index: int, *, denied: bool) -> str | None:
    """The release that the sentence speaks of at one of its names; a denied list takes that of its last."""
    candidate = group[_chain(prose, group, index)[1] if denied else index].candidate
    clauses = prose.sentence(candidate.span.start)
    number = prose.clause(candidate.span.start)
    clause = clauses[number]
    start = max(clause.start, candidate.span.start - _CONTEXT)
    end = max(min(clause.end, candidate.ending + _CONTEXT), candidate.ending)
    place = Span(start=candidate.span.start - start, end=candidate.ending - start)
    near = group[max(index - _REACH, 0) : index + _REACH]
    places = [Span(start=item.candidate.span.start - start, end=item.candidate.ending - start) for item in near]
    lead = ""
    if number and not any(
        clauses[number - 1].start <= item.candidate.span.start < clauses[number - 1].end for item in group
    ):
        lead = clauses[number - 1].of(prose.text)[-_CONTEXT:]
    return release_at(
        prose.text[start:end],
        place,
        [other for other in places if 0 <= other.start < end - start and other != place],
        lead,
        denied=denied,
    )
