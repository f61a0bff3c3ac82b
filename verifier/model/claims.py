"""What documents assert: claims, the repairs that made them readable, and what was left alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from verifier.model.spans import Notice, SourceMap, Span


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


class Confidence(StrEnum):
    """How sure a verdict (or the reading of a claim) is."""

    SURE = "sure"
    LIKELY = "likely"
    GUESS = "guess"


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
    kind_asserted  the text says in so many words that it is of that kind ("X is a function"), not only in passing
    argument    the claim is about this keyword argument of `target`
    form        `attribute`, `import` (`import a.b`), `from` (`from a import b`): the form to be checked
    interactive the code is a prompt session or notebook cell: the values of bare expressions are shown
    elsewhere   the text itself says that the name belongs to this other library
    owner       the library whose own the text says a bare name is ("Keras layers have a method …"); else empty
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
    kind_asserted: bool = False
    argument: str = ""
    form: str = "attribute"
    call: CallForm | None = None
    about: str = ""
    code_span: Span | None = None
    interactive: bool = False
    elsewhere: str = ""
    owner: str = ""
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
