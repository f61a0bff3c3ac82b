"""Put together what a document says about names in its prose: one claim for each thing said.

Candidates are read one by one, then sentence by sentence, since a list of names shares its noun, its negation and
its time.
"""

from __future__ import annotations

from verifier.extract.mentions.apart import plain_things
from verifier.extract.mentions.arguments import call_form
from verifier.extract.mentions.belonging import owner_of
from verifier.extract.mentions.denial import Denial
from verifier.extract.mentions.doubt import asks_existence, doubt_of
from verifier.extract.mentions.reader import Found, Reader
from verifier.extract.mentions.sentence import clause_around, denials_of, release_of, sentence_of
from verifier.extract.parts import Region, Snippet
from verifier.model import Claim, ClaimKind, Confidence, Document, LeftAlone, Polarity, Role


def find_mentions(
    document: Document, regions: tuple[Region, ...], snippets: tuple[Snippet, ...]
) -> tuple[tuple[Claim, ...], tuple[LeftAlone, ...]]:
    """The API claims in everything of `document` that is in no region, and what looks like one and is none.

    Claims are sorted and have no id. Within a passage a name is claimed once for each polarity, release, kind and
    call. `snippets` tell which names are the document's own and what its import aliases stand for.
    """
    reader = Reader(document, regions, snippets)
    seen: dict[tuple[object, ...], set[str]] = {}
    claims: list[Claim] = []
    for group in reader.sentences():
        claims.extend(claim for claim in _claims(reader, group) if _is_new(claim, seen))
    for span, kind, reason in plain_things(reader.text):
        reader.leave(span, kind, reason)
    claims.sort(key=lambda claim: (claim.span.start, claim.span.end, claim.target))
    return tuple(claims), tuple(sorted(reader.left, key=lambda left: left.span))


def _is_new(claim: Claim, seen: dict[tuple[object, ...], set[str]]) -> bool:
    """Whether the passage has not yet said this: the same call, or the name with the same or no special kind."""
    key = (claim.passage, claim.target, claim.argument, claim.polarity, claim.release, claim.form)
    said = seen.setdefault(key, set())
    word = claim.quote if claim.call is not None else claim.said_kind
    if word in said or (said and not word):
        return False
    said.add(word)
    return True


def _claims(reader: Reader, group: list[Found]) -> list[Claim]:
    group = sorted(group, key=lambda found: (found.candidate.span.start, found.candidate.span.end))
    denials = denials_of(reader.prose, group)
    claims: list[Claim] = []
    for index, found in enumerate(group):
        claim = _claim(reader, group, index, denials[index], found)
        if not any(_says_the_same(earlier, claim) for earlier in claims):
            claims.append(claim)
    return claims


def _says_the_same(earlier: Claim, claim: Claim) -> bool:
    """Whether a bare name only repeats a qualified one of its sentence: `Model has fit … no longer has fit`."""
    return (
        "." not in claim.target
        and not claim.argument
        and claim.call is None
        and earlier.target.endswith(f".{claim.target}")
        and (earlier.polarity, earlier.release) == (claim.polarity, claim.release)
        and claim.said_kind in ("", earlier.said_kind)
    )


def _claim(reader: Reader, group: list[Found], index: int, denied: Denial, found: Found) -> Claim:
    candidate, reading = found.candidate, found.reading
    before, after = clause_around(reader.prose, candidate)
    sentence = sentence_of(reader.prose, candidate)
    confidence, doubt = doubt_of(sentence, before, after)
    if denied is Denial.RENAMED and confidence is Confidence.SURE:
        confidence, doubt = Confidence.LIKELY, "said to be renamed; the old name may have been kept"
    if denied is not Denial.NONE and confidence is Confidence.GUESS:
        denied = Denial.NONE
    passage = reader.document.passage_at(candidate.span.start)
    if reader.document.passages[passage].role is Role.QUESTION and asks_existence(sentence):
        # Nobody is charged for a question, and who asks wants to know.
        confidence = Confidence.LIKELY
    if _weaker(reading.confidence, confidence):
        confidence, doubt = reading.confidence, reading.doubt
    call = call_form(candidate.inside) if candidate.inside and not reading.argument else None
    span = candidate.whole if call or candidate.keyword or candidate.form != "attribute" else candidate.span
    return Claim(
        id="",
        kind=ClaimKind.API,
        document=reader.document.path,
        span=span,
        quote=span.of(reader.document.text),
        passage=passage,
        target=reading.target,
        polarity=Polarity.AFFIRMED if denied is Denial.NONE else Polarity.NEGATED,
        release=release_of(reader.prose, group, index, denied=denied is not Denial.NONE),
        # `SeparableConv1D 参数少` speaks of the arguments of a class.
        said_kind="" if found.kind == "argument" and not reading.argument else found.kind,
        kind_asserted=found.asserted,
        argument=candidate.name if reading.argument else "",
        form=candidate.form,
        call=call,
        elsewhere=reading.elsewhere,
        owner=owner_of(sentence) if "." not in reading.target else "",
        reading=confidence,
        doubt=doubt,
    )


def _weaker(one: Confidence, other: Confidence) -> bool:
    order = (Confidence.SURE, Confidence.LIKELY, Confidence.GUESS)
    return order.index(one) > order.index(other)
