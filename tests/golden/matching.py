"""Decides which reported claim answers which label, and what counts as a deviation.

A label names a place (a line and a piece of the text on it); a reported claim has a span. The two meet when the
span overlaps the piece and the claim begins on that line, give or take one. In documents whose raw form is not
what a reader sees (notebooks, chats, web pages) lines mean nothing, and every occurrence of the piece counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

FAULTS = frozenset({"broken", "outdated"})
CONTAINERS = frozenset({".ipynb", ".jsonl", ".html"})
# A name inside code may be reported as the name or as the call of it.
_ANSWERS = {"call": ("call", "api"), "api": ("api", "call")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One claim with the verdicts that are right for it. An empty `rule` accepts any."""

    line: int
    quote: str
    kind: str
    status: tuple[str, ...]
    rule: tuple[str, ...] = ()
    role: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """A place where a report would be wrong: no claim may begin there, or no such status may fall on it."""

    line: int
    quote: str
    forbid: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The labels of one document. `complete`: any fault that is not labelled is a false accusation."""

    document: str
    exit_code: tuple[int, ...]
    claims: tuple[Label, ...] = ()
    must_not: tuple[Trap, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One claim of a report with its verdict; `start` and `end` are offsets in the text of the document."""

    kind: str
    quote: str
    line: int
    start: int
    end: int
    status: str
    rule: str = ""
    role: str = ""

    def __str__(self) -> str:
        return f"{self.kind} line {self.line} {_short(self.quote)} is {self.status}" + (
            f" ({self.rule})" if self.rule else ""
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """What a report says of one document."""

    text: str
    claims: tuple[Found, ...] = ()


def load(path: Path) -> Expected:
    """The labels in one file of `claims/expected`; raises on a field that it does not know."""
    data = json.loads(path.read_text(encoding="utf-8"))
    tuples = {"status", "rule", "forbid"}

    def fields(row: dict[str, Any]) -> dict[str, Any]:
        return {key: tuple(value) if key in tuples else value for key, value in row.items()}

    return Expected(
        document=data.pop("document"),
        exit_code=tuple(data.pop("exit_code")),
        claims=tuple(Label(**fields(row)) for row in data.pop("claims")),
        must_not=tuple(Trap(**fields(row)) for row in data.pop("must_not")),
        **data,
    )


def read(report: dict[str, Any]) -> dict[str, Reported]:
    """What a JSON report says, by file name of the document."""
    verdicts = {verdict["claim"]: verdict for verdict in report["verdicts"]}
    claims: dict[str, list[Found]] = {}
    for claim in report["claims"]:
        verdict = verdicts[claim["id"]]
        found = Found(
            kind=claim["kind"],
            quote=claim["quote"],
            line=claim["line"],
            start=claim["span"]["start"],
            end=claim["span"]["end"],
            status=verdict["status"],
            rule=verdict.get("rule", ""),
            role=claim["passage"]["role"],
        )
        claims.setdefault(PurePath(claim["document"]).name, []).append(found)
    names = {PurePath(document["path"]).name: document["text"] for document in report["documents"]}
    return {name: Reported(text=text, claims=tuple(claims.get(name, ()))) for name, text in names.items()}


def exit_code(claims: Iterable[Found]) -> int:
    """The exit code of a run over these claims alone: 1 a broken one, 3 none at all, else 0."""
    statuses = {claim.status for claim in claims}
    if not statuses:
        return 3
    return 1 if "broken" in statuses else 0


def deviations(expected: Expected, reported: Reported) -> tuple[str, ...]:
    """One line for everything in which the report departs from the labels; empty when it agrees."""
    matcher = _Matcher(expected, reported)
    return (*matcher.labels(), *matcher.traps(), *matcher.accusations())


def places(wanted: Label | Trap, text: str, document: str) -> list[tuple[int, int]]:
    """Where the labelled piece of text stands, as offsets; a name never counts inside a longer one."""
    quote = wanted.quote
    before = r"(?<![A-Za-z0-9_])" if re.match(r"[A-Za-z0-9_]", quote) else ""
    after = r"(?![A-Za-z0-9_])" if re.search(r"[A-Za-z0-9_]$", quote) else ""
    pattern = re.compile(before + re.escape(quote) + after)
    if PurePath(document).suffix in CONTAINERS:
        return [match.span() for match in pattern.finditer(text)]
    lines = text.split("\n")[: wanted.line]
    if len(lines) < wanted.line:
        return []
    end = len("\n".join(lines))
    return [match.span() for match in pattern.finditer(text, end - len(lines[-1]), end)]


class _Matcher:
    def __init__(self, expected: Expected, reported: Reported) -> None:
        self._expected = expected
        self._reported = reported
        self._by_line = PurePath(expected.document).suffix not in CONTAINERS
        wanted: tuple[Label | Trap, ...] = (*expected.claims, *expected.must_not)
        self._places = {one: places(one, reported.text, expected.document) for one in wanted}

    def labels(self) -> Iterator[str]:
        for label in self._expected.claims:
            answer = self._answer(label)
            if answer is None:
                yield f"{_at(label)}: no {label.kind} claim here; expected {'/'.join(label.status)} ({label.why})"
            elif answer.status not in label.status:
                yield f"{_at(label)}: expected {'/'.join(label.status)} ({label.why}), got {answer}"
            elif answer.status != "works" and label.rule and answer.rule not in label.rule:
                yield f"{_at(label)}: expected rule {'/'.join(label.rule)}, got {answer}"
            elif label.role and answer.role != label.role:
                yield f"{_at(label)}: said in {label.role}, got {answer.role or 'nothing'}: {answer}"

    def traps(self) -> Iterator[str]:
        for trap in self._expected.must_not:
            spots = self._places[trap]
            for claim in self._reported.claims:
                if any(self._falls(claim, place, trap) for place in spots):
                    yield f"{_at(trap)}: must not be {'/'.join(trap.forbid)} ({trap.why}), got {claim}"

    def accusations(self) -> Iterator[str]:
        if not self._expected.complete:
            return
        labels = [label for label in self._expected.claims if FAULTS.intersection(label.status)]
        for claim in self._reported.claims:
            if claim.status in FAULTS and not any(self._fits(label, claim) for label in labels):
                yield f"false accusation: {claim}"

    def _answer(self, label: Label) -> Found | None:
        """The claim that fits best: of the labelled kind, then nearest in extent."""
        spots = self._places[label]
        fitting = [claim for claim in self._reported.claims if self._fits(label, claim)]

        def rank(claim: Found) -> tuple[bool, int]:
            return claim.kind != label.kind, min(abs(claim.start - a) + abs(claim.end - b) for a, b in spots)

        return min(fitting, key=rank, default=None)

    def _fits(self, label: Label, claim: Found) -> bool:
        if claim.kind not in _ANSWERS.get(label.kind, (label.kind,)):
            return False
        near = not self._by_line or abs(claim.line - label.line) <= 1
        return near and any(_overlap(claim, place) for place in self._places[label])

    def _falls(self, claim: Found, place: tuple[int, int], trap: Trap) -> bool:
        if "claim" in trap.forbid:
            return place[0] <= claim.start < place[1]
        if claim.status not in trap.forbid or not _overlap(claim, place):
            return False
        # A snippet is blamed as a whole: its verdict falls on the line where it begins, not on each line of it.
        return claim.kind != "snippet" or claim.line == trap.line or not self._by_line


def _overlap(claim: Found, place: tuple[int, int]) -> bool:
    return claim.start < place[1] and place[0] < claim.end


def _at(wanted: Label | Trap) -> str:
    return f"line {wanted.line} {_short(wanted.quote)}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= 60 else flat[:57] + "...")
