"""What else there is to say about a call that ran: what it is, what it warned of, what it quietly ignored."""

from __future__ import annotations

import re

from verifier.judge.finding import first_line
from verifier.model import Claim, Lookup, Step, Warned
from verifier.names import ROOTS, customary

_LENGTH = 200
_SIGNATURE = 100
_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r"[`'\"]([A-Za-z_][\w.]*)(?:\([^`'\"]*\))?[`'\"]")
_IGNORED = re.compile(r"ignored|has no effect|no longer (?:supported|used|does)", re.IGNORECASE)


def remarks(claim: Claim, step: Step, lookup: Lookup | None, *, outermost: bool) -> tuple[str, ...]:
    """Notes on a call that ran. `outermost`: no other call of its statement stands around it."""
    notes = [*_meaning(claim, lookup)]
    notes += [_warning(claim, item) for item in step.warnings if _is_about(claim, item, outermost=outermost)]
    if lookup is not None and lookup.deprecated:
        notes.append(f"deprecated: {first_line(lookup.deprecated, _LENGTH)}")
    return tuple(dict.fromkeys(notes))


def _meaning(claim: Claim, lookup: Lookup | None) -> tuple[str, ...]:
    """The method of a live object by its public name; a path in the code says by itself what it means."""
    known = claim.target.partition(".")[0] in ROOTS
    if known or lookup is None or lookup.kind != "method" or not lookup.found or not lookup.canonical:
        return ()
    name = customary(lookup.canonical)
    return (f"it is `{name}{first_line(lookup.signature, _SIGNATURE)}`",)


def _warning(claim: Claim, warned: Warned) -> str:
    text = first_line(warned.message, _LENGTH)
    keywords = claim.call.keywords if claim.call else ()
    ignored = next((word for word in _QUOTED.findall(warned.message) if word in keywords), "")
    if ignored and _IGNORED.search(warned.message):
        return f"accepted and ignored: `{ignored}` ({text})"
    return f"warned: {warned.category}: {text}"


def _is_about(claim: Claim, warned: Warned, *, outermost: bool) -> bool:
    """Whether a warning of a statement is this call's: it names the call or an argument of it, or nothing inside."""
    keywords = set(claim.call.keywords if claim.call else ())
    own = {claim.target.rpartition(".")[2], *keywords}
    named = {word.rpartition(".")[2] for word in _QUOTED.findall(warned.message)}
    if named & own:
        return True
    inside = set(_WORD.findall(claim.code)) - own
    return outermost and not named & inside
