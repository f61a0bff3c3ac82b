"""Every type that crosses a border between packages. Data only: no I/O, no decisions.

Documents hold text and passages; claims point into them; evidence holds facts about claims; verdicts hold
opinions about evidence; a report holds all of them. Spans are half-open character offsets, into the decoded
text of the document unless a field says "in the code".
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from enum import StrEnum

SCHEMA = "verifier/report/1"


class Role(StrEnum):
    """Whose words a passage holds. Only answers are charged to the person who is interviewed."""

    QUESTION = "question"
    ANSWER = "answer"
    REVIEW = "review"
    HEADER = "header"
    OTHER = "other"


class ClaimKind(StrEnum):
    """What sort of thing a document asserts."""

    SNIPPET = "snippet"  # this code runs
    CALL = "call"  # this call inside a snippet is valid
    API = "api"  # this name exists and is what the text says it is
    OUTPUT = "output"  # this code prints or returns that
    STATEMENT = "statement"  # a sentence of the catalogue of statements


class Polarity(StrEnum):
    """Whether the text affirms the thing or denies it ("X was removed", "this fails")."""

    AFFIRMED = "affirmed"
    NEGATED = "negated"


class RepairClass(StrEnum):
    """How safe a repair is, from lossless to invented."""

    R0 = "R0"  # lossless: nothing outside its span can change
    R1 = "R1"  # forced: the text cannot be Python and has one reading
    R2 = "R2"  # chosen: other readings compile too
    R3 = "R3"  # invented: needs content that is not in the text; never scored


class Status(StrEnum):
    """The opinion on a claim."""

    WORKS = "works"
    OUTDATED = "outdated"
    BROKEN = "broken"
    UNPROVEN = "unproven"
    NOT_RUN = "not-run"


class Confidence(StrEnum):
    """How sure a verdict (or the reading of a claim) is."""

    SURE = "sure"
    LIKELY = "likely"
    GUESS = "guess"


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


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """A half-open range of character offsets."""

    start: int
    end: int

    def __contains__(self, offset: int) -> bool:
        return self.start <= offset < self.end

    def overlaps(self, other: Span) -> bool:
        """Whether the two ranges share a character."""
        return self.start < other.end and other.start < self.end

    def covers(self, other: Span) -> bool:
        """Whether `other` lies inside this range."""
        return self.start <= other.start and other.end <= self.end

    def of(self, text: str) -> str:
        """The characters of `text` in this range."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of code characters and the document characters that they came from.

    `verbatim`: both ranges have one length and the same characters, so single offsets can be mapped.
    """

    code: Span
    text: Span
    verbatim: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceMap:
    """Where each character of repaired code stands in the document. Pieces are sorted and cover the code."""

    pieces: tuple[Piece, ...] = ()

    def locate(self, span: Span) -> Span:
        """The document range that a range of the code came from; both ends are clamped to the map."""
        if not self.pieces:
            return span
        start = self._offset(span.start, end=False)
        return Span(start=start, end=max(start, self._offset(span.end, end=True)))

    def _offset(self, offset: int, *, end: bool) -> int:
        probe = offset - 1 if end and offset else offset
        index = bisect_right(self.pieces, probe, key=lambda piece: piece.code.start) - 1
        piece = self.pieces[max(index, 0)]
        if piece.verbatim:
            return piece.text.start + min(max(offset - piece.code.start, 0), piece.code.end - piece.code.start)
        return piece.text.end if end else piece.text.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something the reader of a report should know that is not a verdict: an encoding, a limit, a doubt."""

    message: str
    document: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A span of a document with a speaker's role. `conversation` separates independent dialogues in one file."""

    span: Span
    role: Role
    speaker: str = ""
    number: int | None = None
    conversation: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A span whose nature the container itself tells: a notebook cell, an HTML `<pre>`, a code paragraph.

    `kind` is `code`, `prose` or `output`; `language` is the container's own word, lower case, or empty.
    """

    span: Span
    kind: str
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One input with its decoded text.

    `text` is what a reader sees (for containers such as notebooks, the visible text put together by the
    reader); every span of the report points into it. `markup` is how prose is written: `markdown`, `rst`, `text`.
    """

    path: str
    sha256: str
    encoding: str
    text: str
    passages: tuple[Passage, ...]
    markup: str = "markdown"
    cells: tuple[Cell, ...] = ()
    notices: tuple[Notice, ...] = ()

    def passage_at(self, offset: int) -> int:
        """Index of the passage that holds `offset`; passages are sorted and cover the text."""
        index = bisect_right(self.passages, offset, key=lambda passage: passage.span.start) - 1
        return max(index, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """One edit that makes damaged text Python again.

    `span` is the edited range of the document; `before` its characters; `after` what stands in the code instead.
    """

    rule: str
    klass: RepairClass
    span: Span
    before: str
    after: str
    reason: str
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CallForm:
    """The shape of a call as written: how many positional arguments, which keywords, any `*`/`**`."""

    positional: int = 0
    keywords: tuple[str, ...] = ()
    starred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a document asserts and a machine can check.

    target      api, call: the dotted name under its customary root (`tf.io.ReadFromText`), a member of a class
                (`tf.keras.Model.get_layer`), or a bare name (`get_layer`); else empty
    code        snippet: the repaired code; output: the stated output; call: the call as it stands in the code
    source_map  from offsets in `code` to the document
    about       output, call: id of the snippet it belongs to
    code_span   output, call: the statement (output) or call expression (call) in the snippet's code
    release     the release the text itself names: `1.x`, `2.0`; None when it names none
    said_kind   `function`, `method`, `class`, `module`, `argument`, `attribute`, `layer` …: what the text calls it
    argument    the claim is about this keyword argument of `target`
    form        `attribute`, `import` (`import a.b`), `from` (`from a import b`): the form to be checked
    interactive the code is a prompt session or notebook cell: the values of bare expressions are shown
    elsewhere   the text itself says that the name belongs to this other library
    truncated   snippet: the text breaks off; the code is its longest whole prefix
    placeholder snippet: why the code is incomplete by intent (`...`, `<your path>`); else empty
    python2     snippet: the code is Python 2
    announced   the exception that the text says this raises; else empty
    reading     how sure it is that the text claims this at all, with `doubt` as the reason
    """

    id: str
    kind: ClaimKind
    document: str
    span: Span
    quote: str
    passage: int
    target: str = ""
    code: str = ""
    source_map: SourceMap = field(default_factory=SourceMap)
    repairs: tuple[Repair, ...] = ()
    polarity: Polarity = Polarity.AFFIRMED
    release: str | None = None
    said_kind: str = ""
    argument: str = ""
    form: str = "attribute"
    call: CallForm | None = None
    about: str = ""
    code_span: Span | None = None
    interactive: bool = False
    elsewhere: str = ""
    truncated: bool = False
    placeholder: str = ""
    python2: bool = False
    announced: str = ""
    reading: Confidence = Confidence.SURE
    doubt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftAlone:
    """A region that looks like code or a name and is no claim, with what it is and why it was left alone.

    `kind`: `output`, `traceback`, `signature`, `pseudo-code`, `shell`, `configuration`, `other-language`,
    `unrecovered` (code that no repair could make Python again), `file`, `site`, `version`, `product` …
    """

    document: str
    span: Span
    kind: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """All that was found in one document; both tuples are sorted by span."""

    claims: tuple[Claim, ...] = ()
    left_alone: tuple[LeftAlone, ...] = ()
    notices: tuple[Notice, ...] = ()


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
    reads    names it needs; binds: names it gives; touches: names whose objects it may change
    missing  names it reads that nothing in the document gives: it is not run
    show     whether the value of the expression is wanted (an output claim is tied to it)
    """

    span: Span
    line: int
    end_line: int
    reads: tuple[str, ...] = ()
    binds: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()
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
    """Run these programs in order in one fresh cell."""

    programs: tuple[Program, ...]
    limits: Limits = field(default_factory=Limits)


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
    places in the document's own code, outermost first, as (program name, line).
    """

    type: str
    message: str
    mro: tuple[str, ...] = ()
    expression: Span | None = None
    frames: tuple[tuple[str, int], ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A plot that a session left behind, as PNG in base64."""

    png: str
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What happened to one statement. `blocked_by` is (program index, statement index) of the culprit."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a session went.

    `detail` is the evidence for the fate in words (signal name, exit status, limit hit). `ran_lines` holds, per
    program that was traced, the lines that were executed (empty for the others).
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
class Run:
    """The part of a session that belongs to one snippet.

    session    number of the session in the document (snippets of one session share a namespace)
    fate       how the session ended; `fatal` when it was this snippet that ended it
    steps      of this snippet, one for each of its statements
    program    index of this snippet among the session's programs; `programs` names the claim of each ("" for
               imports that were added), so that a step blocked by another program can be traced to its claim
    ran_lines  executed lines, when the code has branches or functions
    added      code that was put in front openly (customary imports)
    borrowed   ids of snippets of earlier answers that were run before it
    diagnoses  what the oracles say about the names in statements that raised
    """

    session: int
    fate: Fate
    detail: str = ""
    steps: tuple[Step, ...] = ()
    statements: tuple[Statement, ...] = ()
    program: int = 0
    programs: tuple[str, ...] = ()
    ran_lines: tuple[int, ...] = ()
    added: tuple[str, ...] = ()
    borrowed: tuple[str, ...] = ()
    diagnoses: tuple[Diagnosis, ...] = ()
    fatal: bool = False
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Facts about one claim in one environment: a lookup, a run, or the reason why there is neither."""

    claim: str
    environment: str
    lookup: Lookup | None = None
    run: Run | None = None
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The opinion on one claim.

    message is one line; `because` the reason for the confidence; `span` the failing place in the document when
    it is narrower than the claim; `observed` what was seen, in the program's own words; `notes` further facts.
    """

    claim: str
    status: Status
    rule: str = ""
    message: str = ""
    suggestion: str = ""
    confidence: Confidence = Confidence.SURE
    because: str = ""
    span: Span | None = None
    observed: str = ""
    notes: tuple[str, ...] = ()
    per_environment: tuple[tuple[str, Status], ...] = ()
    state: str = "new"


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A sandbox as a report names it: what is inside and how it is isolated."""

    name: str
    backend: str
    isolation: str
    python: str
    packages: tuple[tuple[str, str], ...]
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Wall-clock facts; the only part of a report that differs between two equal runs."""

    started: str
    seconds: float
    sandbox_start_seconds: float = 0.0
    sessions: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything one run found out. Every rendering is made from this alone."""

    schema: str
    tool: str
    environments: tuple[Environment, ...]
    documents: tuple[Document, ...]
    claims: tuple[Claim, ...]
    left_alone: tuple[LeftAlone, ...]
    evidence: tuple[Evidence, ...]
    verdicts: tuple[Verdict, ...]
    notices: tuple[Notice, ...]
    interrupted: bool
    timing: Timing
