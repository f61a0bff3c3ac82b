"""Every type that crosses a border between packages. Data only: no I/O, no decisions.

Documents hold text and passages; claims point into them; evidence holds facts about claims; verdicts hold
opinions about evidence; a report holds all of them. Spans are half-open character offsets, into the decoded
text of the document unless a field says "in the code".
"""

from verifier.model.claims import (
    CallForm,
    Claim,
    ClaimKind,
    Confidence,
    Extraction,
    LeftAlone,
    Polarity,
    Repair,
    RepairClass,
)
from verifier.model.documents import Cell, Document, Passage, Role
from verifier.model.reports import INDEX, SCHEMA, Environment, Evidence, Report, Run, Status, Timing, Verdict
from verifier.model.rigs import NO_RIG, Companion, Rig
from verifier.model.runs import (
    Callee,
    Fate,
    Fault,
    Figure,
    Limits,
    Lookup,
    NameQuery,
    Outcome,
    Program,
    SessionJob,
    Statement,
    Step,
    StepFate,
    Warned,
)
from verifier.model.spans import Notice, Piece, SourceMap, Span
from verifier.model.trials import Conversion, Diagnosis, Edit, Exercise, Fix, StandIn, Wobble

__all__ = [
    "INDEX",
    "NO_RIG",
    "SCHEMA",
    "CallForm",
    "Callee",
    "Cell",
    "Claim",
    "ClaimKind",
    "Companion",
    "Confidence",
    "Conversion",
    "Diagnosis",
    "Document",
    "Edit",
    "Environment",
    "Evidence",
    "Exercise",
    "Extraction",
    "Fate",
    "Fault",
    "Figure",
    "Fix",
    "LeftAlone",
    "Limits",
    "Lookup",
    "NameQuery",
    "Notice",
    "Outcome",
    "Passage",
    "Piece",
    "Polarity",
    "Program",
    "Repair",
    "RepairClass",
    "Report",
    "Rig",
    "Role",
    "Run",
    "SessionJob",
    "SourceMap",
    "Span",
    "StandIn",
    "Statement",
    "Status",
    "Step",
    "StepFate",
    "Timing",
    "Verdict",
    "Warned",
    "Wobble",
]
