"""The whole of extraction: regions, snippets, calls, mentions and outputs of one document, as claims with ids."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from hashlib import sha256

from verifier.extract.calls import find_calls
from verifier.extract.mentions.find import find_mentions
from verifier.extract.outputs import find_outputs
from verifier.extract.parts import Region, RegionKind, Snippet
from verifier.extract.regions.find import find_regions
from verifier.extract.repair.mojibake import misread
from verifier.extract.snippets import make_snippets
from verifier.model import Claim, ClaimKind, Document, Extraction, LeftAlone, Notice, Span

_ID_DIGITS = 12
# Characters in a wrong reading that make a document one that was read wrongly, if no fewer are right.
_FEWEST_MISREAD = 12
_SHOWN = 12


def extract(document: Document) -> Extraction:
    """All claims of a document but the catalogue's statements, and what looks like code or a name and is no claim.

    Ids do not depend on line numbers: they come from the path, the kind, the normalised text of the claim, and
    how many equal claims stand before it.
    """
    snippets, regions = make_snippets(document, find_regions(document))
    of_snippets = [_claim(document, snippet) for snippet in snippets]
    mentions, names_left = find_mentions(document, regions, snippets)
    outputs = find_outputs(document, regions, snippets)
    claims = _identified(
        document, [*of_snippets, *find_calls(document, snippets), *mentions, *outputs], len(of_snippets)
    )
    left = [*(_left(document, region) for region in regions if region.kind is not RegionKind.CODE), *names_left]
    return Extraction(
        claims=claims,
        left_alone=tuple(sorted(left, key=lambda one: (one.span, one.kind))),
        notices=_notices(document, regions, len(snippets)),
    )


def _claim(document: Document, snippet: Snippet) -> Claim:
    body = snippet.region.body
    return Claim(
        id="",
        kind=ClaimKind.SNIPPET,
        document=document.path,
        span=body,
        quote=body.of(document.text),
        passage=document.passage_at(body.start),
        code=snippet.code,
        source_map=snippet.source_map,
        repairs=snippet.repairs,
        polarity=snippet.polarity,
        release=snippet.release,
        interactive=snippet.interactive,
        truncated=snippet.truncated,
        placeholder=snippet.placeholder,
        python2=snippet.python2,
        announced=snippet.announced,
        reading=snippet.reading,
        doubt=snippet.doubt,
    )


def _left(document: Document, region: Region) -> LeftAlone:
    return LeftAlone(document=document.path, span=region.span, kind=region.kind.value, reason=region.reason)


def _notices(document: Document, regions: tuple[Region, ...], recovered: int) -> tuple[Notice, ...]:
    """What the reader should know: a wrong encoding; how many regions of code could not be recovered."""
    lost = sum(region.kind is RegionKind.UNRECOVERED for region in regions)
    found = recovered + lost
    message = f"{found} code-like region{'s' if found > 1 else ''}, {recovered} recovered, {lost} not"
    counted = (Notice(message=message, document=document.path),) if lost else ()
    return (*_misread(document), *counted)


def _misread(document: Document) -> tuple[Notice, ...]:
    """One notice when most of the text beyond ASCII is UTF-8 in a wrong reading: its prose could not be read."""
    runs = list(misread(document.text))
    wrong = sum(one.end - one.start for one in runs)
    if wrong < _FEWEST_MISREAD or wrong * 2 < sum(not char.isascii() for char in document.text):
        return ()
    longest = max(runs, key=lambda one: (one.end - one.start, -one.start))
    shown, was = document.text[longest.start : longest.end][:_SHOWN], longest.was[:_SHOWN]
    message = (
        f"the text is UTF-8 that was read as {longest.encoding} (`{shown}` was `{was}`): "
        "its code is repaired, its prose is not; convert the document"
    )
    return (Notice(message=message, document=document.path, span=Span(start=longest.start, end=longest.end)),)


def _identified(document: Document, claims: list[Claim], snippets: int) -> tuple[Claim, ...]:
    """The claims sorted by place, without duplicates, with ids; the first `snippets` are those that `about` counts."""
    order = sorted(
        range(len(claims)),
        key=lambda index: (claims[index].span.start, -claims[index].span.end, claims[index].kind, claims[index].target),
    )
    ids: dict[int, str] = {}
    seen: Counter[str] = Counter()
    known: set[tuple[object, ...]] = set()
    kept: list[int] = []
    for index in order:
        claim = claims[index]
        same = (claim.kind, claim.span, claim.target, claim.argument, claim.polarity, claim.code, claim.about)
        if same in known:
            continue
        known.add(same)
        kept.append(index)
        text = _normalised(claim)
        seen[text] += 1
        ids[index] = fingerprint(document.path, text, seen[text])
    by_snippet = {str(index): ids[index] for index in range(snippets) if index in ids}
    return tuple(replace(claims[index], id=ids[index], about=by_snippet.get(claims[index].about, "")) for index in kept)


def _normalised(claim: Claim) -> str:
    said = claim.code if claim.kind is not ClaimKind.API else claim.quote
    squeezed = re.sub(r"\s+", " ", said or claim.quote).strip()
    return "\0".join((claim.kind, claim.target, claim.argument, claim.polarity, squeezed))


def fingerprint(path: str, normalised: str, occurrence: int) -> str:
    """The id of a claim: 12 hexadecimal digits."""
    return sha256(f"{path}\0{normalised}\0{occurrence}".encode(errors="surrogatepass")).hexdigest()[:_ID_DIGITS]
