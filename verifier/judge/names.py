"""Opinions on names: does it exist, since when, until when, and is it what the text says it is?"""

from __future__ import annotations

from dataclasses import replace

from verifier.judge.finding import Finding, listed
from verifier.model import Claim, Confidence, Lookup, Polarity, Status
from verifier.names import ROOTS, customary

# Words that a text can say of a callable thing without being wrong: people say function for a class they call.
_LOOSE = {"function", "method", "class", "layer", "optimizer", "callback", "operation", "decorator", "interface", "api"}
_DISTINCT = ({"function", "class"}, {"method", "class"})


def _written(lookup: Lookup) -> Lookup:
    """A lookup whose names are written as people write them."""
    return replace(
        lookup,
        replacement=customary(lookup.replacement),
        suggestions=tuple(map(customary, lookup.suggestions)),
        owners=tuple(map(customary, lookup.owners)),
    )


def merged(index: Lookup | None, live: Lookup | None) -> Lookup | None:
    """One view of both oracles: the live environment decides what exists, the index knows the history."""
    if index is None or live is None:
        return index or live
    if live.unknown:
        return index
    return replace(
        index,
        found=live.found,
        unknown=False,
        canonical=live.canonical or index.canonical,
        kind=live.kind or index.kind,
        signature=live.signature or index.signature,
        binds=live.binds if live.found else index.binds,
        has_argument=live.has_argument if live.found else index.has_argument,
        deprecated=live.deprecated or index.deprecated,
        error=live.error,
        stub=live.stub or index.stub,
    )


def disagreement(index: Lookup | None, live: Lookup | None) -> tuple[str, ...]:
    """A note when the two oracles contradict each other about the existence of a name; the live one wins."""
    if index is None or live is None or index.unknown or live.unknown or index.found == live.found:
        return ()
    told = ("has it", "has it not") if index.found else ("has it not", "has it")
    return (f"the index of releases {told[0]}, the running TensorFlow {told[1]}; the running one decides",)


def judge_name(claim: Claim, lookup: Lookup, release: str) -> Finding:
    """The opinion on a claim about a name, in the target `release`."""
    lookup = _written(lookup)
    if claim.polarity is Polarity.NEGATED:
        return _denied(claim, lookup, release)
    if claim.elsewhere and not lookup.found:
        return _of_other_library(claim, lookup)
    if not lookup.found:
        owned = bool(claim.owner and claim.said_kind) and claim.reading is Confidence.SURE
        if claim.form != "attribute" and lookup.error and not (lookup.last or lookup.elsewhere or lookup.unknown):
            return _unimportable(claim, lookup)
        return _absent_but_historical(claim, lookup, release) or absent(
            lookup, claim.target or claim.argument, release, owned=owned
        )
    return present(claim, lookup, release)


def _unimportable(claim: Claim, lookup: Lookup) -> Finding:
    """The name may be there as an attribute; the import as written fails all the same."""
    return Finding(
        status=Status.BROKEN,
        rule="unknown-name",
        message=f"`{customary(claim.target)}` cannot be imported so: {lookup.error}",
        suggestion=_nearest(lookup),
    )


def _of_other_library(claim: Claim, lookup: Lookup) -> Finding:
    """The text itself says that the name is another library's: true where that library has it."""
    owners = [name for name in (*lookup.elsewhere, *lookup.owners) if name.partition(".")[0] == claim.elsewhere]
    if owners:
        return Finding(status=Status.WORKS, message=f"as the text says, it is of {claim.elsewhere}: `{owners[0]}`")
    return Finding(
        status=Status.UNPROVEN,
        rule="ambiguous",
        message=f"the text itself gives `{claim.target}` to another library ({claim.elsewhere})",
    )


def absent(lookup: Lookup, name: str, release: str, *, owned: bool = True) -> Finding:
    """The opinion on a name that the target does not have.

    `owned`: the text gives a bare name to the library; one that it does not may be the author's own.
    """
    shown, lookup = customary(name), _written(lookup)
    if any(part.startswith("_") and not part.startswith("__") for part in name.split(".")):
        return Finding(
            status=Status.UNPROVEN, rule="ambiguous", message=f"`{shown}` is private, and promised by nobody"
        )
    bare = "." not in name and not owned
    if lookup.unknown or (bare and not (lookup.last or lookup.replacement)):
        reason = lookup.error or "nothing that we know has this name, and it may be the author's own"
        return Finding(status=Status.UNPROVEN, rule="ambiguous", message=f"`{shown}` cannot be looked up: {reason}")
    if lookup.last or lookup.replacement:
        return _gone(lookup, shown, release)
    # Libraries that tell in their own error that they took a name away need no index of their releases.
    if any(
        word in lookup.error
        for word in ("deprecated alias", "was removed in", "has been removed", "not available with Keras 3")
    ):
        return Finding(status=Status.OUTDATED, rule="removed", message=f"`{shown}` is gone: {lookup.error}")
    if lookup.elsewhere:
        return Finding(
            status=Status.BROKEN,
            rule="exists-elsewhere",
            message=f"`{shown}` exists in no {_place(name)}; {listed(lookup.elsewhere[:2])} does",
            suggestion=_nearest(lookup),
            observed=lookup.error,
        )
    return Finding(
        status=Status.BROKEN,
        rule="unknown-name",
        message=f"`{shown}` exists in no {_place(name)} that we know",
        suggestion=_nearest(lookup),
        observed=lookup.error,
    )


def present(claim: Claim, lookup: Lookup, release: str) -> Finding:
    """The opinion on a name that the target has: is it usable, of the kind, with the arguments that the text says?"""
    name = customary(claim.target)
    notes = _notes(lookup)
    if lookup.stub:
        return Finding(
            status=Status.OUTDATED,
            rule="removed",
            message=f"`{name}` is still there in {release}, but only to raise: {lookup.stub}",
            suggestion=lookup.replacement,
        )
    if claim.argument and lookup.has_argument is not True:
        return _argument(claim, lookup, name, release)
    if claim.call is not None and lookup.binds:
        return _refused(lookup, name, release) or Finding(
            status=Status.BROKEN,
            rule="wrong-argument",
            message=f"`{name}` does not take this call: {lookup.binds}",
            suggestion=f"{name}{lookup.signature}" if lookup.signature else "",
        )
    if claim.said_kind and lookup.kind and not _kind_fits(claim, lookup.kind):
        return Finding(
            status=Status.BROKEN,
            rule="wrong-kind",
            message=f"`{name}` is a {lookup.kind}, not a {claim.said_kind}",
        )
    return Finding(
        status=Status.WORKS,
        rule="deprecated" if lookup.deprecated else "",
        message=_found_message(name, lookup, release),
        notes=notes,
    )


def _found_message(name: str, lookup: Lookup, release: str) -> str:
    if lookup.owners:
        return f"`{name}` exists: {listed(lookup.owners[:3])}"
    return f"`{name}` exists in {release}" + (f" ({lookup.kind})" if lookup.kind else "")


def _notes(lookup: Lookup) -> tuple[str, ...]:
    notes = []
    if lookup.deprecated:
        notes.append(f"deprecated: {lookup.deprecated}")
    return tuple(notes)


def _denied(claim: Claim, lookup: Lookup, release: str) -> Finding:
    name = customary(claim.target)
    if lookup.unknown and not lookup.found:
        return Finding(status=Status.UNPROVEN, rule="ambiguous", message=f"whether `{name}` exists cannot be told")
    if not lookup.found or lookup.stub:
        known = f"; it was there in {_span(lookup)}" if lookup.last else ""
        return Finding(status=Status.WORKS, message=f"as the text says, `{name}` is not in {release}{known}")
    if claim.argument and lookup.has_argument is not True:
        return Finding(status=Status.WORKS, message=f"as the text says, `{name}` has no argument `{claim.argument}`")
    if lookup.deprecated:
        return Finding(
            status=Status.UNPROVEN,
            rule="ambiguous",
            message=f"`{name}` is deprecated in {release}, but still there",
            notes=_notes(lookup),
        )
    return Finding(
        status=Status.BROKEN,
        rule="refuted",
        message=f"the text denies `{name}`, but it exists in {release}" + (f" ({lookup.kind})" if lookup.kind else ""),
    )


def _absent_but_historical(claim: Claim, lookup: Lookup, release: str) -> Finding | None:
    """A text that speaks of an earlier release, and is right about it, is not outdated: it says so itself."""
    if claim.release is None or not (lookup.last or lookup.replacement):
        return None
    if lookup.first and not _covers(claim.release, lookup):
        return None
    now = f"; it is now `{lookup.replacement}`" if lookup.replacement else ""
    return Finding(
        status=Status.WORKS,
        message=f"true of the earlier release that the text names: `{customary(claim.target)}` "
        f"was there in {_span(lookup)}, and is not in {release}{now}",
    )


def _covers(said: str, lookup: Lookup) -> bool:
    """Whether the release that a text names lies in the range of the releases that have a name."""
    major, _, minor = said.partition(".")
    if not major.isdigit():
        return True
    first, last = _number(lookup.first), _number(lookup.last)
    if not minor.isdigit():
        return first[0] <= int(major) <= last[0]
    return first <= (int(major), int(minor)) <= last


def _number(release: str) -> tuple[int, int]:
    major, _, minor = release.partition(".")
    return (int(major) if major.isdigit() else 0, int(minor) if minor.isdigit() else 0)


def _gone(lookup: Lookup, name: str, release: str) -> Finding:
    was = f"was in TensorFlow {_span(lookup)}" if lookup.last else "is a name of an earlier TensorFlow"
    if lookup.replacement:
        return Finding(
            status=Status.OUTDATED,
            rule="renamed",
            message=f"`{name}` {was}, not in {release}; it is now `{lookup.replacement}`",
            suggestion=lookup.replacement,
        )
    return Finding(
        status=Status.OUTDATED,
        rule="removed",
        message=f"`{name}` {was}, and is gone from {release}",
        suggestion=_nearest(lookup),
    )


def _span(lookup: Lookup) -> str:
    if not lookup.first or lookup.first == lookup.last:
        return lookup.last or "an earlier release"
    return f"{lookup.first} to {lookup.last}"


def _argument(claim: Claim, lookup: Lookup, name: str, release: str) -> Finding:
    if lookup.has_argument is None:
        return Finding(
            status=Status.UNPROVEN,
            rule="ambiguous",
            message=f"whether `{name}` takes `{claim.argument}` cannot be told from its signature",
            confidence=Confidence.GUESS,
        )
    return _refused(lookup, name, release) or Finding(
        status=Status.BROKEN,
        rule="wrong-argument",
        message=f"`{name}` has no argument `{claim.argument}` in {release}",
        suggestion=f"{name}{lookup.signature}" if lookup.signature else "",
    )


def _refused(lookup: Lookup, name: str, release: str) -> Finding | None:
    """The opinion on an argument that earlier releases took; None when no release did."""
    if not lookup.accepted:
        return None
    now = f"; it is now `{lookup.renamed_to}`" if lookup.renamed_to else ""
    return Finding(
        status=Status.OUTDATED,
        rule="wrong-argument",
        message=f"`{name}` took the argument `{lookup.keyword}` in {lookup.accepted}, not in {release}{now}",
        suggestion=lookup.renamed_to,
    )


def _kind_fits(claim: Claim, kind: str) -> bool:
    """Whether a thing of this kind may be called so.

    In passing people call a class a function, because they call it; a text that says so in so many words is taken
    at its word.
    """
    said = claim.said_kind
    if said == kind or said not in {*_LOOSE, "module"}:
        return True
    if said == "module" or kind == "module":
        return False
    return not claim.kind_asserted or {said, kind} not in _DISTINCT


def _nearest(lookup: Lookup) -> str:
    return f"nearest: {', '.join(lookup.suggestions[:3])}" if lookup.suggestions else ""


def _place(name: str) -> str:
    """Where a name was looked for: the releases of its library, or the classes that its receiver may be."""
    path = ROOTS.get(name.partition(".")[0])
    if path is None:
        return "class or module"
    root = path.partition(".")[0]
    return {"tensorflow": "TensorFlow release", "numpy": "NumPy", "matplotlib": "Matplotlib"}.get(root, root)
