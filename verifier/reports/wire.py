"""Hides the shape of the JSON report, version 1: the model's types plus what a reader of the file cannot derive.

A script that reads the file has no line table and no list of passages to look into, so each claim carries its line,
its column and its passage, and the report carries its counts. Within version 1 fields are only ever added.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import msgspec

from verifier import model
from verifier.model import SCHEMA
from verifier.reports.tally import Summary, summarise
from verifier.reports.view import passage_of
from verifier.text import Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The passage that a claim stands in; `index` is its position in the document's list of passages."""

    index: int
    role: model.Role
    speaker: str
    number: int | None
    conversation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(model.Claim):
    """What a document asserts and a machine can check. Lines and columns count from 1, columns in characters."""

    # The number becomes the passage itself; the base class keeps the number.
    passage: Place  # type: ignore[assignment]
    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(model.Report):
    """Everything one run found out about the code claims of some documents."""

    claims: tuple[Claim, ...]
    summary: Summary


_DESCRIPTIONS = {
    "Report.schema": f"Always {SCHEMA}.",
    "Report.tool": "Name and version of the program that wrote the report.",
    "Report.environments": "The sandboxes that claims were checked in; the first is the target.",
    "Report.documents": "The inputs with their decoded text, which every span points into.",
    "Report.claims": "What the documents assert, whoever says it.",
    "Report.left_alone": "What looks like code or a name and was not taken as a claim, with the reason.",
    "Report.evidence": "Facts: look-ups and runs, each about one claim in one environment.",
    "Report.verdicts": "Opinions: one for each claim.",
    "Report.notices": "What a reader should know beside the verdicts.",
    "Report.interrupted": "Whether the run was stopped before it was through.",
    "Report.timing": "Wall-clock facts; the only part that differs between two equal runs.",
    "Report.summary": "Counts, derived from claims and verdicts.",
    "Claim.id": "Fingerprint; it stays the same when lines move.",
    "Claim.document": "Path of the document, as in documents.",
    "Claim.span": "Half-open range of characters of the decoded text.",
    "Claim.quote": "The words of the document.",
    "Claim.target": "The dotted name that the claim is about, if it is about a name.",
    "Claim.code": "Snippet: the repaired code; output: the stated output; call: the call as it stands in the code.",
    "Claim.repairs": "Edits that made damaged text Python again; none is held against the author.",
    "Claim.passage": "Who says it.",
    "Claim.line": "Line of the start of the span, from 1.",
    "Claim.column": "Column of the start of the span, from 1, in characters.",
    "Claim.release": "The release that the text itself names.",
    "Claim.about": "Output, call: id of the snippet that it belongs to.",
    "Verdict.claim": "Id of the claim.",
    "Verdict.rule": "A word of the rule catalogue.",
    "Verdict.message": "One line.",
    "Verdict.because": "Why it is as sure as it says.",
    "Verdict.span": "The failing place, where it is narrower than the claim.",
    "Verdict.observed": "What was seen, in the program's own words.",
    "Verdict.per_environment": "Pairs of environment and status.",
    "Verdict.state": "new, known (in the baseline) or accepted (by a human).",
    "Document.text": "The decoded text; line ends are \\n.",
    "Timing.started": "ISO 8601.",
}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_EVERY_STATUS = {"required": [str(status) for status in model.Status]}


def expand(report: model.Report) -> Report:
    """`report` in its written form."""
    documents = {document.path: document for document in report.documents}
    lines = {path: Lines(document.text) for path, document in documents.items()}
    own = _fields(report)
    own["claims"] = tuple(
        _expand(claim, documents.get(claim.document), lines.get(claim.document)) for claim in report.claims
    )
    return Report(**own, summary=summarise(report))


def _expand(claim: model.Claim, document: model.Document | None, lines: Lines | None) -> Claim:
    passage = passage_of(claim, document) if document else model.Passage(span=claim.span, role=model.Role.OTHER)
    line, column = lines.position(max(claim.span.start, 0)) if lines else (1, 1)
    own = _fields(claim)
    own["passage"] = Place(
        index=claim.passage,
        role=passage.role,
        speaker=passage.speaker,
        number=passage.number,
        conversation=passage.conversation,
    )
    return Claim(**own, line=line, column=column)


def collapse(report: Report) -> model.Report:
    """The report that `expand` was given: what can be derived is dropped."""
    own = _fields(report, model.Report)
    own["claims"] = tuple(
        model.Claim(**(_fields(claim, model.Claim) | {"passage": claim.passage.index})) for claim in report.claims
    )
    return model.Report(**own)


def _fields(value: model.Report | model.Claim, kind: type | None = None) -> dict[str, Any]:
    """The fields that `kind` (default: the value's own class) declares, by name."""
    return {field.name: getattr(value, field.name) for field in fields(kind or type(value))}


def schema() -> dict[str, Any]:
    """The JSON Schema of the written form, with descriptions."""
    (_,), definitions = msgspec.json.schema_components((Report,))
    for path, description in _DESCRIPTIONS.items():
        kind, _, name = path.partition(".")
        prop = definitions[kind]["properties"][name]
        # A reference takes no neighbours in older dialects; wrapping it keeps every validator content.
        if "$ref" in prop:
            prop = definitions[kind]["properties"][name] = {"allOf": [prop]}
        prop["description"] = description
    definitions["Report"]["properties"]["schema"]["const"] = SCHEMA
    for name in ("statuses", "answers", "questions_and_reviews", "elsewhere"):
        definitions["Summary"]["properties"][name] |= _EVERY_STATUS
    top = definitions.pop("Report")
    return {"$schema": _DIALECT, "$id": SCHEMA, **_nullable_figures(top), "$defs": _nullable_figures(definitions)}


def _nullable_figures(node: Any) -> Any:
    """`node` with numbers that may be null: a figure that is not finite has no form in JSON."""
    if isinstance(node, list):
        return [_nullable_figures(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: _number(value) if key == "type" else _nullable_figures(value) for key, value in node.items()}


def _number(kind: Any) -> Any:
    return ["number", "null"] if kind == "number" else kind
