"""What was tried beside the author's own code, and what came of it: stand-ins, fixes, repetitions, exercises."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.model.runs import Fault, Lookup, Step, StepFate
from verifier.model.spans import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What an oracle says about the name that a failing statement stumbled over.

    `keyword` is the argument that the call refused, with `renamed_to` and the `accepted` releases when known.
    """

    statement: int
    target: str
    lookup: Lookup
    keyword: str = ""
    renamed_to: str = ""
    accepted: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """Something that the document uses and does not give, supplied by us.

    name  the variable, file or function that it stands in for; role: what it was taken to be and why, in words;
    code  what was run to supply it
    """

    name: str
    role: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One change of a snippet's code: the characters at `span` of the claim's code become `after`."""

    span: Span
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A change of a snippet that was run and got further.

    statement  the statement that raised and is mended
    edits      the change, in order of position
    reason     where the candidate came from, in words
    steps      what happened to every statement of the snippet with this fix and those before it in place;
               positions are those of the claim's own code
    diagnoses  what the oracles say about what still fails
    respells   it and those before it only spell names and texts as they were meant, so that what fails behind them
               fails by itself
    """

    statement: int
    edits: tuple[Edit, ...]
    reason: str
    steps: tuple[Step, ...]
    diagnoses: tuple[Diagnosis, ...] = ()
    ran_lines: tuple[int, ...] = ()
    respells: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wobble:
    """A statement that gave one thing in one run and another in the next; `first` and `second` in words.

    `kind`: `fate` when it raised in one run only, `result` when what it printed or gave differs. `seeded`: the
    document fixes a seed of its own, and the second run took another in its place.
    """

    statement: int
    kind: str
    first: str
    second: str
    seeded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """Something that a snippet only defines, called by us with plain inputs; `ran_lines` of the snippet."""

    name: str
    code: str
    fate: StepFate
    fault: Fault | None = None
    ran_lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """Python 2 code in the form of Python 3, made only to see whether it would work.

    code      the converted code; empty when it could not be converted
    trouble   why it could not be converted, else the first failure of its run, in one line
    ran, all  how many statements of it ran, of how many
    division  it divides with `/`, which between whole numbers means something else now
    """

    code: str
    trouble: str = ""
    ran: int = 0
    all: int = 0
    division: bool = False
