"""Read the candidates of a document one by one: which are mentions, and of what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from verifier.extract.mentions.apart import apart
from verifier.extract.mentions.arguments import brackets_of
from verifier.extract.mentions.defined import Own, own_names
from verifier.extract.mentions.evidence import Reading, read_bare, read_dotted
from verifier.extract.mentions.library import is_receiver, library_of, rooted, said_library
from verifier.extract.mentions.marks import Marks, marks_of
from verifier.extract.mentions.nouns import Called, called, owner
from verifier.extract.mentions.prose import Prose, prose_of
from verifier.extract.mentions.scan import Candidate, candidates, plain
from verifier.extract.mentions.words import CONCEPTS, IDENTIFIER, PRODUCTS, PYTHON_WORDS
from verifier.extract.parts import Region, Snippet
from verifier.model import Confidence, Document, LeftAlone, Span

_CONTEXT = 160
# A sentence with more names than this is no sentence; it is read in pieces.
_LONGEST_LIST = 40
_PARTNER = re.compile(
    rf"(?<![A-Za-z0-9_.\-])(?P<name>{IDENTIFIER})[`”\"']?\s*(?:和|与|跟|及|以及|或者?|、|/|\band\b"
    rf"|\bor\b)\s*[`“\"']?$"
)
_NOT_OWNERS = PYTHON_WORDS - {"map", "filter", "zip", "range", "print"} | frozenset(
    ("it", "which", "that", "this", "also")
)
_MEASURED = (
    "accuracy acc loss val_loss val_acc val_accuracy auc mae mse f1 precision recall error epoch step score time"
)
_FIGURES = frozenset(_MEASURED.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A mention before its sentence is known. `asserted`: the text says in so many words that it is of this kind."""

    candidate: Candidate
    reading: Reading
    kind: str
    asserted: bool = False


class Reader:
    """The state that reading one document shares: its prose, marks and own names."""

    def __init__(self, document: Document, regions: tuple[Region, ...], snippets: tuple[Snippet, ...]) -> None:
        self.document = document
        self.prose: Prose = prose_of(document, regions)
        self.text = self.prose.text
        self.marks: Marks = marks_of(self.text)
        self.own: Own = own_names(document, regions, snippets)
        self.left: list[LeftAlone] = []

    def sentences(self) -> Iterable[list[Found]]:
        """The mentions of each sentence that has any."""
        group: list[Found] = []
        current: int | None = None
        covered = 0
        for candidate in candidates(self.text, self.marks, brackets_of(self.text)):
            inner = candidate.span.start < covered
            if inner and not self.stands_inside(candidate, covered):
                continue
            start = self.prose.sentence(candidate.span.start)[0].start
            if start != current or len(group) > _LONGEST_LIST:
                if group:
                    yield group
                group, current = [], start
            found = self.read(candidate, group)
            if found is not None:
                group.extend(self.partners(found, group))
                group.append(found)
                covered = max(covered, candidate.whole.end)
        if group:
            yield group

    def stands_inside(self, candidate: Candidate, covered: int) -> bool:
        """Whether a name inside the call or statement before it is said on its own: `dtype=tf.int32`, `import a, b`."""
        if candidate.form != "attribute":
            return candidate.span.end == covered
        return candidate.dotted and not candidate.keyword and rooted(candidate.name, self.own).known

    def read(self, candidate: Candidate, earlier: Sequence[Found]) -> Found | None:
        """The mention that a candidate is, if it is one. `earlier` are those before it in the sentence."""
        before, after = self.around(candidate)
        if candidate.form != "attribute":
            return self.imported(candidate)
        if candidate.keyword:
            return self.keyword(candidate, before, after, earlier)
        noun = called(before, after)
        if candidate.dotted:
            return self.dotted(candidate, noun)
        reading = read_bare(candidate, noun, before, after, self.own)
        if reading is None:
            return None
        if reading.argument:
            return self.argument(candidate, before, after, earlier)
        return self.member(candidate, reading, noun, before, after, earlier)

    def around(self, candidate: Candidate) -> tuple[str, str]:
        """The text of the candidate's sentence before and after it, within reach."""
        clauses = self.prose.sentence(candidate.span.start)
        end = candidate.ending
        start = max(clauses[0].start, candidate.span.start - _CONTEXT)
        return self.text[start : candidate.span.start], self.text[end : max(min(clauses[-1].end, end + _CONTEXT), end)]

    def imported(self, candidate: Candidate) -> Found | None:
        """The claim of an import statement that stands in a sentence."""
        root = rooted(candidate.name, self.own)
        if not root.known:
            return None
        return Found(candidate=candidate, reading=Reading(target=root.target, elsewhere=root.elsewhere), kind="")

    def dotted(self, candidate: Candidate, noun: Called) -> Found | None:
        """The mention that a dotted word is; files, sites and the like are noted instead."""
        first = candidate.name.partition(".")[0]
        own = first in self.own.bound and candidate.mark is None
        receiver = is_receiver(first, self.own) and (candidate.inside is not None or own or candidate.leaf == "zip")
        clauses = self.prose.sentence(candidate.span.start)
        thing = apart(
            candidate.name,
            self.document.text[candidate.span.end : candidate.span.end + 8],
            self.text[clauses[0].start : min(clauses[-1].end, clauses[0].start + 1000)],
            known=receiver or rooted(candidate.name, self.own).known,
        )
        if thing is not None:
            self.leave(candidate.span, *thing)
            return None
        reading = read_dotted(candidate, noun, self.own)
        if reading is None:
            return None
        return Found(candidate=candidate, reading=reading, kind=noun.kind, asserted=noun.where == "predicate")

    def leave(self, span: Span, kind: str, reason: str) -> None:
        """Note a thing that looks like a name and is none."""
        self.left.append(LeftAlone(document=self.document.path, span=span, kind=kind, reason=reason))

    def keyword(self, candidate: Candidate, before: str, after: str, earlier: Sequence[Found]) -> Found | None:
        """`padding='same'`: a claim about the function that the sentence named before it."""
        value = self.text[candidate.span.end + 1 : candidate.whole.end]
        shown = (
            candidate.alone
            or value[0] in "\"'“‘[("
            or value in ("True", "False", "None")
            or value.replace(".", "").isdigit()
        )
        if not shown or candidate.name.isupper() or candidate.name in _FIGURES or candidate.name in self.own.bound:
            return None
        target = self.owner_of(before, after, earlier)
        if not target or (candidate.mark is not None and not candidate.alone):
            return None
        return Found(candidate=candidate, reading=Reading(target=target, argument=True), kind="argument")

    def argument(self, candidate: Candidate, before: str, after: str, earlier: Sequence[Found]) -> Found:
        """The claim about a keyword argument that the text calls one."""
        target = self.owner_of(before, after, earlier)
        reading = Reading(target=target, argument=True)
        if not target:
            reading = replace(reading, confidence=Confidence.LIKELY, doubt="the text does not say of which function")
        return Found(candidate=candidate, reading=reading, kind="argument")

    def owner_of(self, before: str, after: str, earlier: Sequence[Found]) -> str:
        """What an argument belongs to: the name that has it, else the last name of the sentence that can be called."""
        said = owner(before, after)
        if said and said not in _NOT_OWNERS and said.lower() not in PRODUCTS and len(said) > 1:
            return rooted(plain(said), self.own).target if "." in said else self.own.aliases.get(said, said)
        for found in reversed(earlier):
            if found.reading.argument and found.reading.target:
                return found.reading.target
            if not found.reading.argument:
                return found.reading.target
        return ""

    def member(
        self, candidate: Candidate, reading: Reading, noun: Called, before: str, after: str, earlier: Sequence[Found]
    ) -> Found | None:
        """A bare name with its class, module or other library, when the text tells one."""
        said = plain(owner(before, after))
        elsewhere = said_library(before, after) or library_of(said)
        if elsewhere:
            return Found(candidate=candidate, reading=replace(reading, elsewhere=elsewhere), kind=noun.kind)
        target = reading.target
        if "." in said and rooted(said, self.own).known:
            root = rooted(said, self.own)
            target, elsewhere = f"{root.target}.{reading.target}", root.elsewhere
        elif (
            said[:1].isupper()
            and said.lower() not in CONCEPTS
            and any(char.islower() for char in said)
            and "." not in target
        ):
            target = f"{self.own.aliases.get(said, said)}.{reading.target}"
        elif earlier and earlier[-1].reading.elsewhere and "." not in earlier[-1].reading.target and "." not in target:
            elsewhere = earlier[-1].reading.elsewhere
        return Found(candidate=candidate, reading=replace(reading, target=target, elsewhere=elsewhere), kind=noun.kind)

    def partners(self, found: Found, earlier: Sequence[Found]) -> list[Found]:
        """Names that share the noun of `found`: `device 和 device_count 接口`."""
        partners: list[Found] = []
        candidate, known = found.candidate, {item.candidate.span.start for item in earlier}
        noun = called(*self.around(candidate))
        start = candidate.span.start
        floor = self.prose.sentence(start)[0].start
        while found.kind and noun.where == "behind" and not candidate.dotted and len(partners) < 6:
            match = _PARTNER.search(self.text, max(floor, start - 60), start)
            if match is None or match.start("name") in known:
                break
            name, start = plain(match["name"]), match.start("name")
            if not self.is_partner(name, found):
                break
            span = Span(start=start, end=match.end("name"))
            partner = Candidate(
                name=name, span=span, whole=span, mark=self.marks.around(span), stray=self.marks.beside(span)
            )
            prefix = found.reading.target.rpartition(".")[0] if not found.reading.argument else ""
            target = found.reading.target if found.reading.argument else f"{prefix}.{name}".lstrip(".")
            partners.append(replace(found, candidate=partner, reading=replace(found.reading, target=target)))
        return partners[::-1]

    def is_partner(self, name: str, found: Found) -> bool:
        """Whether a word before `and` can share the noun of the name behind it."""
        if name in self.own.bound or name.lower() in CONCEPTS or len(name) < 3:
            return False
        return name[0].islower() == found.candidate.name[0].islower()
