"""What a run of the tool found: evidence, verdicts, and the report that holds them all."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from verifier.model.claims import Claim, Confidence, LeftAlone
from verifier.model.documents import Document
from verifier.model.runs import Fate, Limits, Lookup, Statement, Step
from verifier.model.spans import Notice, Span
from verifier.model.trials import Conversion, Diagnosis, Exercise, Fix, StandIn, Wobble

SCHEMA = "verifier/report/1"
# The environment of evidence that comes from the index of releases, not from a running TensorFlow.
INDEX = "index"


class Status(StrEnum):
    """The opinion on a claim."""

    WORKS = "works"
    OUTDATED = "outdated"
    BROKEN = "broken"
    UNPROVEN = "unproven"
    NOT_RUN = "not-run"


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
    standins   what was supplied because the document does not give it; the steps are those of the run with them
    tainted    statements that rest on stand-ins and would fail or fare otherwise because of them
    fixes      changes that were run and got further, each on top of those before it
    wobbles    statements that fared otherwise when the session was run again
    exercises  definitions that were called by us, because the document never calls them
    companions processes that ran beside it as the other tasks of a cluster, such as `worker 1`
    unattested what its session did that makes its course its own word, such as `native code`; no reproach
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
    standins: tuple[StandIn, ...] = ()
    tainted: tuple[int, ...] = ()
    fixes: tuple[Fix, ...] = ()
    wobbles: tuple[Wobble, ...] = ()
    exercises: tuple[Exercise, ...] = ()
    companions: tuple[str, ...] = ()
    unattested: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Facts about one claim in one environment: a lookup, a run, or the reason why there is neither.

    because     why another environment than the target was asked, in words
    conversion  Python 2: what came of its form in Python 3
    """

    claim: str
    environment: str
    lookup: Lookup | None = None
    run: Run | None = None
    failure: str = ""
    because: str = ""
    conversion: Conversion | None = None


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
