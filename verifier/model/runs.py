"""What a sandbox is asked and what it answers: programs and names in, steps and facts out."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from verifier.model.claims import CallForm
from verifier.model.rigs import NO_RIG, Rig
from verifier.model.spans import Span


class Fate(StrEnum):
    """How a session in a sandbox ended. A closed list; every word has evidence from outside the session."""

    FINISHED = "finished"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out-of-memory"
    OUTPUT_LIMIT = "output-limit"
    DISK_LIMIT = "disk-limit"
    PROCESS_LIMIT = "process-limit"
    CRASHED = "crashed"
    EXITS_EARLY = "exits-early"
    TAMPERED = "tampered"
    SANDBOX_FAILED = "sandbox-failed"


class StepFate(StrEnum):
    """How one statement ended."""

    FINISHED = "finished"
    RAISED = "raised"
    BLOCKED = "blocked"  # needs what an earlier statement failed to give
    MISSING = "missing"  # needs a name that the document never gives
    NOT_REACHED = "not-reached"  # the session ended before it


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a session may use. Times in seconds, sizes in bytes."""

    wall_seconds: float = 30.0
    memory: int = 4 << 30
    processes: int = 128
    scratch: int = 64 << 20
    output: int = 1 << 20
    figures: int = 16
    figure: int = 2 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One top-level statement of a program, with its data flow.

    span     character range in the code
    reads    names it needs; binds: names it gives, `*` when they are not known; touches: names whose objects it may
             change
    later    names that functions which it defines need or give when they are called
    missing  names it reads that nothing in the document gives: it is not run
    show     whether the value of the expression is wanted (an output claim is tied to it)
    """

    span: Span
    line: int
    end_line: int
    reads: tuple[str, ...] = ()
    binds: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    show: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One piece of code of a session, run statement by statement in the session's namespace.

    `trace`: record which lines ran, so that functions nobody called can be told from those that ran.
    """

    name: str
    code: str
    statements: tuple[Statement, ...]
    claim: str = ""
    interactive: bool = False
    trace: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionJob:
    """Run these programs in order in one fresh cell. `seed`: of every random number generator; 0 is the default."""

    programs: tuple[Program, ...]
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    rig: Rig = NO_RIG


@dataclass(frozen=True, slots=True, kw_only=True)
class NameQuery:
    """Ask the live environment about one name: a full dotted path such as `tensorflow.io.read_file`.

    `form` as in `Claim.form`; `call` asks whether such a call binds to the signature.
    """

    path: str
    form: str = "attribute"
    call: CallForm | None = None
    argument: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """A warning that a statement raised: its category, text, and how often."""

    category: str
    message: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An exception that ended a statement.

    `type` is the qualified class name (builtins without module); `mro` the names of its classes, most special
    first. `expression` is the failing part of the code by the interpreter's own positions. `frames` are the
    places in the document's own code, outermost first, as (program name, line). `refused`: what the sandbox
    refused, when that is what the exception tells: `network`, `syscall`, `file`.
    """

    type: str
    message: str
    mro: tuple[str, ...] = ()
    expression: Span | None = None
    frames: tuple[tuple[str, int], ...] = ()
    name: str = ""
    refused: str = ""

    def is_a(self, name: str) -> bool:
        """Whether the exception is of a class of this name, whatever its module."""
        return any(known.rpartition(".")[2] == name for known in (self.type, *self.mro))


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A plot that a session left behind, as PNG in base64."""

    png: str
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Callee:
    """What a call of a method means, by the live object that it is called on.

    span       of the call in the code
    name       the method under the public path of the object's class, such as `keras.Sequential.fit`
    complaint  why the call does not fit the signature; empty when it fits, None when only calling could tell
    """

    span: Span
    name: str
    kind: str = "method"
    signature: str = ""
    complaint: str | None = None
    deprecated: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What happened to one statement.

    `blocked_by` is (program index, statement index) of the culprit. `calls` are those of methods whose object was
    there, also of statements that did not run.
    """

    program: int
    statement: int
    fate: StepFate
    fault: Fault | None = None
    blocked_by: tuple[int, int] | None = None
    missing: tuple[str, ...] = ()
    warnings: tuple[Warned, ...] = ()
    stdout: str = ""
    stderr: str = ""
    value: str | None = None
    figures: tuple[Figure, ...] = ()
    seconds: float = 0.0
    calls: tuple[Callee, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a session went.

    `detail` is the evidence for the fate in words (signal name, exit status, limit hit). `ran_lines` holds, per
    program that was traced, the lines that were executed (empty for the others). `unattested`: what the session did
    that makes its course its own word only, such as `native code`; no reproach.
    """

    fate: Fate
    detail: str = ""
    steps: tuple[Step, ...] = ()
    stdout: str = ""
    stderr: str = ""
    truncated: bool = False
    ran_lines: tuple[tuple[int, ...], ...] = ()
    seconds: float = 0.0
    peak_memory: int = 0
    limits: Limits = field(default_factory=Limits)
    unattested: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """What an environment says about one name.

    found        whether the name resolves in the form asked
    unknown      it cannot be told (a library that is not installed, an object with dynamic attributes)
    canonical    the defining module and qualified name
    kind         `module`, `class`, `function`, `method`, `property`, `constant`
    signature    as text; binds: None when not asked, "" when the call fits, else the interpreter's complaint
    deprecated   the deprecation note of the object itself; empty when it is not deprecated
    replacement  where the name lives now, by the library's own rename table
    first, last  releases that export it, when known ("" else)
    elsewhere    other libraries that have it (full paths)
    suggestions  nearest names that exist in the environment, best first
    owners       for a name without receiver: classes or modules that have it
    keyword      the argument that the signature refuses, with the releases that accepted it and its present name
    stub         it resolves but its body only raises: existing is not usable
    """

    name: str
    found: bool
    unknown: bool = False
    canonical: str = ""
    kind: str = ""
    signature: str = ""
    binds: str | None = None
    has_argument: bool | None = None
    deprecated: str = ""
    replacement: str = ""
    first: str = ""
    last: str = ""
    elsewhere: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    error: str = ""
    stub: str = ""
    keyword: str = ""
    accepted: str = ""
    renamed_to: str = ""
