"""From damaged text to code that compiles: which repairs are tried, in which order, and when to stop.

Every family of damage is a module of its own; the order runs from what cannot be anything else to what is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from verifier.extract.repair.capitals import capital_edits
from verifier.extract.repair.check import compiles, complaint
from verifier.extract.repair.comments import HAN, behind_code, comment_edits, program_behind, tail_edits
from verifier.extract.repair.draft import Draft, Edit
from verifier.extract.repair.emphasis import dunder_edits, eaten_edits, emphasis_edits, quoted_edits
from verifier.extract.repair.indentation import indent_edits, shift_edits
from verifier.extract.repair.legacy import is_python2
from verifier.extract.repair.magics import magic_edits
from verifier.extract.repair.markup import entity_edits, tag_edits
from verifier.extract.repair.mojibake import mojibake_edits
from verifier.extract.repair.placeholders import placeholder_edits
from verifier.extract.repair.quotes import quote_edits
from verifier.extract.repair.scan import Kind, Token, scan
from verifier.extract.repair.search import flip_quotes, search
from verifier.extract.repair.statements import inline_bodies, split_edits
from verifier.extract.repair.symbols import hidden_edits, symbol_edits
from verifier.extract.repair.truncation import truncation_edits

Family = Callable[[str, Sequence[Token]], list[Edit]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """The outcome: `complaint` is CPython's last word on the draft, empty when it compiles.

    `choices`: lines whose indentation had more than one reading. `python2`: the code is kept as it is.
    """

    draft: Draft
    complaint: str = ""
    choices: int = 0
    truncated: bool = False
    python2: bool = False


_FAMILIES: tuple[Family, ...] = (
    hidden_edits,
    tag_edits,
    magic_edits,
    emphasis_edits,
    lambda text, _: capital_edits(text),
    lambda text, _: comment_edits(text),
    placeholder_edits,
)
# Longer blocks are only run when they compile as they stand: no page holds one that is damaged.
_LONGEST = 60_000
# Comments in one line that may have swallowed code each take one round.
_ROUNDS = 40


def _typography(text: str, tokens: Sequence[Token]) -> list[Edit]:
    return [*quote_edits(text, tokens), *symbol_edits(tokens)]


def restore(draft: Draft) -> Restored:
    """Repair `draft` until it compiles.

    Code that compiles comes back unchanged, but for text in a wrong encoding, entities and prose lines.
    """
    draft = draft.apply(mojibake_edits(draft.text))
    result = _restored(draft.apply(entity_edits(draft.text, scan(draft.text))))
    for _ in range(_ROUNDS):
        if result.complaint or result.python2:
            break
        before = result.draft.text
        result = _swallowed_program(replace(result, draft=_prose_lines(result.draft)))
        if result.draft.text == before:
            break
    return result if result.complaint else replace(result, draft=result.draft.apply(quoted_edits(result.draft.text)))


def _restored(draft: Draft) -> Restored:
    if compiles(draft.text):
        return Restored(draft=draft.apply(eaten_edits(draft.text)))
    if len(draft.text) > _LONGEST:
        reason = f"longer than {_LONGEST} characters, and it does not compile as it stands"
        return Restored(draft=draft, complaint=reason)
    for family in _FAMILIES:
        draft = draft.apply(family(draft.text, scan(draft.text)))
        if compiles(draft.text):
            return Restored(draft=draft)
    return _statements(draft)


def _prose_lines(draft: Draft) -> Draft:
    """Chinese sentences compile as names: give them their `#` back. Nothing else is touched in code that compiles."""
    edits = [edit for edit in comment_edits(draft.text) if HAN.search(_line_at(draft.text, edit.start))]
    tried = draft.apply(edits)
    return tried if edits and compiles(tried.text) else draft


def _line_at(text: str, offset: int) -> str:
    end = text.find("\n", offset)
    return text[offset : end if end >= 0 else len(text)]


def _swallowed_program(result: Restored) -> Restored:
    """Code that compiles because all but its first statement stands behind a `#`."""
    draft = result.draft
    tokens = scan(draft.text)
    hidden = {
        token.start
        for index, token in enumerate(tokens)
        if token.kind is Kind.COMMENT and program_behind(token, draft.text, behind_code=behind_code(tokens, index))
    }
    if not hidden:
        return result
    cut = draft.apply(tail_edits(tokens, hidden))
    split = _indent(_split(cut.apply(_typography(cut.text, scan(cut.text)))))
    if split.complaint:
        return result
    return replace(result, draft=split.draft, choices=result.choices + split.choices)


def _statements(draft: Draft) -> Restored:
    """Repair quotes, symbols, line breaks and indentation, in this order."""
    unquoted = draft
    draft = draft.apply(_typography(draft.text, scan(draft.text)))
    draft = draft.apply(dunder_edits(draft.text))
    if compiles(draft.text):
        return Restored(draft=draft)
    if is_python2(draft.text):
        return Restored(draft=draft, python2=True)
    shifted = draft.apply(shift_edits(draft.text))
    if compiles(shifted.text):
        return Restored(draft=shifted)
    split = _split(draft)
    result = _indent(split)
    if not result.complaint:
        return result
    for tried in _last_resorts(unquoted, draft, split):
        if not tried.complaint:
            return tried
    return result


def _split(draft: Draft) -> Draft:
    """Put line breaks in, also into comments that swallowed code, until nothing changes."""
    for _ in range(_ROUNDS):
        before = draft
        draft = draft.apply(split_edits(draft.text, scan(draft.text)))
        draft = draft.apply(tail_edits(scan(draft.text)))
        if draft is before:
            break
        draft = draft.apply(_typography(draft.text, scan(draft.text)))
    return draft


def _indent(draft: Draft) -> Restored:
    wrong = complaint(draft.text)
    if wrong is None:
        return Restored(draft=draft, choices=inline_bodies(draft.text))
    edits, choices = indent_edits(draft.text)
    tried = draft.apply(edits)
    if edits and compiles(tried.text):
        return Restored(draft=tried, choices=choices)
    return Restored(draft=draft, complaint=wrong.message)


def _last_resorts(unquoted: Draft, quoted: Draft, split: Draft) -> Iterator[Restored]:
    """Outcomes that need a choice, the likeliest first; those that still have a complaint are to be passed over."""
    flipped = flip_quotes(unquoted)
    if flipped is not None:
        yield _indent(flipped)
    for draft in (split, quoted):
        yield _cut(draft)
    for draft in (quoted, split):
        yield _indent(search(draft))
    for draft in (search(split, whole=False), _indent(split).draft):
        yield _cut(draft)
    if is_python2(split.text):
        yield Restored(draft=split, python2=True)


def _cut(draft: Draft) -> Restored:
    for tried in (draft, draft.apply(indent_edits(draft.text)[0])):
        edits = truncation_edits(tried.text)
        if edits:
            return Restored(draft=tried.apply(edits), truncated=True)
    return Restored(draft=draft, complaint="the text does not break off in its last statement")
