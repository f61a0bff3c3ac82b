"""Hides the words for one claim: every phrase that more than one report uses, so that all of them say the same."""

from __future__ import annotations

import shlex
from collections import Counter

from verifier.model import Claim, ClaimKind, Passage, Polarity, RepairClass, Role, Run, Status
from verifier.reports.safe import flat
from verifier.reports.view import Finding
from verifier.rules import RULES

SYMBOLS = {
    Status.WORKS: "✔",
    Status.OUTDATED: "!",
    Status.BROKEN: "✖",
    Status.UNPROVEN: "?",
    Status.NOT_RUN: "–",
}
_SHORT = 500  # characters of a stand-in's code that are shown in front of the author's
_WORDS = {Status.WORKS: "works", Status.NOT_RUN: "not run"}
_PLURALS = {"is": "are", "works": "work", "stands": "stand"}
# The words that name a passage.
PLACES = {
    Role.QUESTION: "question",
    Role.ANSWER: "answer to question",
    Role.REVIEW: "review of question",
    Role.HEADER: "heading",
}


def plural(count: int, noun: str) -> str:
    """`1 claim`, `2 claims`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def verb(count: int, singular: str) -> str:
    """`is` or `are`, `works` or `work`, by `count`."""
    return singular if count == 1 else _PLURALS[singular]


def word(status: Status) -> str:
    """The status as a reader sees it."""
    return _WORDS.get(status, str(status))


def title(rule: str) -> str:
    """What a rule means, in one line."""
    return RULES[rule].title if rule in RULES else rule


def who(passage: Passage) -> str:
    """Whose words a passage holds: `候选人, answer to question 5`; empty for plain text."""
    place = PLACES.get(passage.role, "")
    if place and passage.number is not None:
        place = f"{place} {passage.number}"
    elif place:
        place = place.split()[0]
    return ", ".join(part for part in (flat(passage.speaker), place) if part)


def location(finding: Finding) -> str:
    """`path:line:column` of the place to look at."""
    line, column = finding.position
    return f"{flat(finding.document.path)}:{line}:{column}"


def command(finding: Finding) -> str:
    """The command that checks this claim alone."""
    return f"verify {shlex.quote(flat(finding.document.path))} --claim {shlex.quote(flat(finding.claim.id))}"


def claimed(claim: Claim) -> str:
    """What we took the text to say, in words."""
    said = _assertion(claim)
    release = f" in TensorFlow {flat(claim.release)}" if claim.release else ""
    return f"{said}{release}"


def _assertion(claim: Claim) -> str:
    negated = claim.polarity is Polarity.NEGATED
    said = first_line(claim.code or claim.quote)
    match claim.kind:
        case ClaimKind.SNIPPET:
            announced = f" with {flat(claim.announced)}" if claim.announced else ""
            return f"this code fails{announced}" if negated else "this code runs"
        case ClaimKind.CALL:
            return f"the call {said} {'fails' if negated else 'is valid'}"
        case ClaimKind.OUTPUT:
            return f"the result is {'not ' if negated else ''}{said}"
        case ClaimKind.STATEMENT:
            return first_line(claim.quote)
        case ClaimKind.API:
            return _existence(claim, negated=negated)


def _existence(claim: Claim, *, negated: bool) -> str:
    name = flat(claim.target or claim.quote)
    if claim.argument:
        return f"{name} {'has no' if negated else 'takes an'} argument {flat(claim.argument)}"
    if negated:
        return f"{name} does not exist"
    if not claim.said_kind:
        return f"{name} exists"
    kind = flat(claim.said_kind)
    return f"{name} is {'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


def first_line(text: str, limit: int = 96) -> str:
    """The first line of `text` that is not blank, harmless, with `…` when something is left out."""
    stripped = text.strip()
    head = stripped.partition("\n")[0].rstrip()
    short = flat(head[: limit + 1])
    cut = len(short) > limit or len(head) > limit + 1
    return f"{short[:limit]}…" if cut else short + ("…" if len(head) < len(stripped) else "")


def repairs_note(claim: Claim) -> str:
    """How damaged the text was: `read through 4 repairs: quotes ×3, comments (none held …)`; empty for none."""
    if not claim.repairs:
        return ""
    rules = Counter(flat(repair.rule) for repair in claim.repairs)
    parts = (rule if count == 1 else f"{rule} ×{count}" for rule, count in rules.most_common())
    held_against = "not held against the author" if len(claim.repairs) == 1 else "none held against the author"
    return f"read through {plural(len(claim.repairs), 'repair')}: {', '.join(parts)} ({held_against}{_doubts(claim)})"


def _doubts(claim: Claim) -> str:
    classes = Counter(repair.klass for repair in claim.repairs)
    chosen, invented = classes[RepairClass.R2], classes[RepairClass.R3]
    doubts = f"; {chosen} chosen among several readings" if chosen else ""
    return doubts + (f"; {invented} invented" if invented else "")


def additions(finding: Finding) -> tuple[str, ...]:
    """What was openly run before the code, unless the verdict's own notes tell it already."""
    run = finding.run
    if run is None:
        return ()
    told = "\n".join(finding.verdict.notes)
    added = [flat(line) for line in run.added if line not in told]
    notes = [f"put in front: {'; '.join(added)}"] if added else []
    if run.borrowed and "earlier" not in told:
        notes.append(f"run after {plural(len(run.borrowed), 'snippet')} of earlier answers")
    return tuple(notes)


def supplied(run: Run) -> tuple[str, ...]:
    """The stand-ins that a run had, as lines in front of its code: what each is, and its code where it is short."""
    lines: list[str] = []
    for item in run.standins:
        lines.append(f"# stand-in for {flat(item.name)}: {flat(item.role)}")
        if len(item.code) <= _SHORT:
            lines += item.code.splitlines()
    return tuple(lines)
