"""The intermediate nouns of extraction: regions of a document and the snippets made of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from verifier.model import Confidence, Polarity, Repair, SourceMap, Span


class RegionKind(StrEnum):
    """What a region holds. Only `CODE` is ever run."""

    CODE = "code"
    OUTPUT = "output"
    TRACEBACK = "traceback"
    SIGNATURE = "signature"
    PSEUDO_CODE = "pseudo-code"
    SHELL = "shell"
    CONFIGURATION = "configuration"
    OTHER_LANGUAGE = "other-language"
    UNRECOVERED = "unrecovered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A span that is not prose. Regions of one document never overlap and are sorted.

    span      with its fences or delimiters; body: without them
    shape     how it was found: `fence`, `mangled-fence`, `indented`, `prompt`, `run`, `inline`, `cell`, `line`
    language  the tag of the fence or cell, lower case, as written
    reason    why it is of this kind, in one line, for the reader of a report
    lead      span of the prose just before it in the same passage (heading or sentence that introduces it)
    """

    span: Span
    body: Span
    kind: RegionKind
    shape: str
    language: str = ""
    reason: str = ""
    lead: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownOutput:
    """Output that stands in a prompt session behind a statement.

    code_span is the statement in the snippet's code; text_span the output in the document; failure is true when
    it is a traceback (the text then claims that the statement raises).
    """

    code_span: Span
    text_span: Span
    failure: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """Code that compiles, made of one region (an exception: `truncated` code is its longest whole prefix).

    polarity NEGATED: the text says that this code fails; `announced` is the exception name it gives, if any.
    release: the release the text names for this block.
    shown: outputs of a prompt session. placeholder: why the code is incomplete by intent (`...`, `<path>`), or "".
    """

    region: Region
    code: str
    source_map: SourceMap
    repairs: tuple[Repair, ...] = ()
    interactive: bool = False
    polarity: Polarity = Polarity.AFFIRMED
    announced: str = ""
    release: str | None = None
    truncated: bool = False
    placeholder: str = ""
    python2: bool = False
    shown: tuple[ShownOutput, ...] = ()
    reading: Confidence = Confidence.SURE
    doubt: str = ""
