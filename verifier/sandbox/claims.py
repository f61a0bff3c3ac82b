"""What a session says about itself, checked against what it was asked to do.

The session's process runs the document's code and may say anything. Its words are believed only as far as they
follow the plan: every statement in order, begun before it ends, all of them before the end, the token each time.
"""

from __future__ import annotations

import hmac
from typing import Literal

import msgspec

from verifier.errors import ProtocolError
from verifier.model import Callee, Fault, Figure, Lookup, Span, Step, StepFate, Warned


class _Claim(msgspec.Struct, tag_field="what", forbid_unknown_fields=True, frozen=True):
    token: str


class Started(_Claim, tag="started", frozen=True):
    """The cell is made; the document's time begins."""


class Begin(_Claim, tag="begin", frozen=True):
    """A statement begins."""

    program: int
    statement: int


class FaultClaim(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An exception."""

    type: str
    mro: tuple[str, ...]
    message: str
    name: str
    expression: tuple[int, int] | None
    frames: tuple[tuple[str, int], ...]
    exhausted: Literal["", "memory", "processes", "disk"]
    refused: Literal["", "network", "syscall", "file"]


class CalleeClaim(msgspec.Struct, array_like=True, forbid_unknown_fields=True, frozen=True):
    """A call of a method, by the object that was there."""

    start: int
    end: int
    name: str
    kind: str
    signature: str
    complaint: str | None
    deprecated: str


class StepClaim(_Claim, tag="step", frozen=True):
    """A statement ended, or was passed over."""

    program: int
    statement: int
    fate: Literal["finished", "raised", "blocked", "missing"]
    fault: FaultClaim | None = None
    blocked_by: tuple[int, int] | None = None
    missing: tuple[str, ...] = ()
    warnings: tuple[tuple[str, str, int], ...] = ()
    value: str | None = None
    seconds: float = 0.0
    calls: tuple[CalleeClaim, ...] = ()


class Skip(_Claim, tag="skip", frozen=True):
    """The rest of a program cannot be run because it does not parse."""

    program: int


class FigureClaim(_Claim, tag="figure", frozen=True):
    """A plot of a statement."""

    program: int
    statement: int
    png: str
    width: int
    height: int


class Ran(_Claim, tag="ran", frozen=True):
    """The lines of a program that ran."""

    program: int
    lines: tuple[int, ...]


class Answer(_Claim, tag="answer", frozen=True):
    """What is known of one name."""

    index: int
    found: bool
    unknown: bool = False
    error: str = ""
    canonical: str = ""
    kind: str = ""
    signature: str = ""
    binds: str | None = None
    has_argument: bool | None = None
    deprecated: str = ""
    stub: str = ""

    def lookup(self, name: str) -> Lookup:
        """The answer as the rest of the program knows it."""
        return Lookup(
            name=name,
            found=self.found,
            unknown=self.unknown,
            error=self.error,
            canonical=self.canonical,
            kind=self.kind,
            signature=self.signature,
            binds=self.binds,
            has_argument=self.has_argument,
            deprecated=self.deprecated,
            stub=self.stub,
        )


class Finished(_Claim, tag="finished", frozen=True):
    """The session is over.

    ended    what ended it before its last statement
    noticed  how many notices were written; signals: whether handlers of the document were installed
    """

    ended: str
    noticed: int = 0
    signals: bool = False


class Notice(_Claim, tag="notice", frozen=True):
    """The audit hook saw the document reach for something: `guest` is ourselves, all else is an area it searched."""

    event: str
    reach: str


Claim = Started | Begin | StepClaim | Skip | FigureClaim | Ran | Answer | Finished | Notice
_DECODER = msgspec.json.Decoder(Claim)


def decode_claim(payload: bytes, token: str) -> Claim:
    """One claim; raises ProtocolError when it is malformed or does not carry the token."""
    try:
        claim: Claim = _DECODER.decode(payload)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise ProtocolError(f"A session claimed something malformed: {error}.") from error
    if not hmac.compare_digest(claim.token.encode(), token.encode()):
        raise ProtocolError("A claim did not come from the session's own reporter.")
    return claim


def to_step(claim: StepClaim, names: dict[str, str]) -> Step:
    """A step without its output; `names` maps the guest's paths to names of programs."""
    fault = claim.fault
    return Step(
        program=claim.program,
        statement=claim.statement,
        fate=StepFate(claim.fate),
        fault=None if fault is None else _fault(fault, names),
        blocked_by=claim.blocked_by,
        missing=claim.missing,
        warnings=tuple(Warned(category=kind, message=text, count=count) for kind, text, count in claim.warnings),
        value=claim.value,
        seconds=claim.seconds,
        calls=tuple(_callee(call) for call in claim.calls),
    )


def _callee(claim: CalleeClaim) -> Callee:
    return Callee(
        span=Span(start=claim.start, end=max(claim.start, claim.end)),
        name=claim.name,
        kind=claim.kind,
        signature=claim.signature,
        complaint=claim.complaint,
        deprecated=claim.deprecated,
    )


def _fault(fault: FaultClaim, names: dict[str, str]) -> Fault:
    start_end = fault.expression
    return Fault(
        type=fault.type,
        message=fault.message,
        mro=fault.mro,
        expression=None if start_end is None else Span(start=start_end[0], end=max(start_end)),
        frames=tuple((names.get(path, path), line) for path, line in fault.frames),
        name=fault.name,
        refused=fault.refused,
    )


def to_figure(claim: FigureClaim) -> Figure:
    """A figure, after a look at what a PNG begins with; raises ProtocolError."""
    if not claim.png.startswith("iVBORw0KGgo"):
        raise ProtocolError("A session claimed a figure that is no PNG.")
    return Figure(png=claim.png, width=claim.width, height=claim.height)
