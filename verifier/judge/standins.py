"""What a stand-in takes from a verdict: certainty always, and every accusation that it could have caused itself."""

from __future__ import annotations

import re
from dataclasses import replace

from verifier.judge.finding import Finding, listed
from verifier.model import Claim, Confidence, Diagnosis, Fault, Run, Status, Step

# What the library says about the words of a call, whatever data it is given.
_OF_NAMES = re.compile(
    r"not recognized|could not interpret (?:loss|optimizer|metric|activation|initializer|regularizer|\w+ identifier)|"
    r"unknown (?:loss|optimizer|metric|activation|initializer|regularizer|layer|entry)[^.]{0,30}:|no such layer",
    re.IGNORECASE,
)
_OF_ARGUMENTS = re.compile(
    r"unexpected keyword argument|missing \d+ required (?:positional|keyword)|takes (?:from \d+ to )?\d+ positional|"
    r"unrecognized keyword|invalid keyword|unknown keyword",
    re.IGNORECASE,
)
_OF_CLASS = re.compile(r"\b(?P<owner>[A-Z]\w*)\.\w+\(\)")
# A model of the author's may be called otherwise than ours.
_CALLED = re.compile(r"\b(?:call|__call__)\(\)")
_CALLABLE = re.compile(r"keras\.(?:Model\(|Sequential\(|losses\.|optimizers\.)|distribute\.")
_BY_NAME = frozenset({"unknown-name", "exists-elsewhere", "removed", "renamed", "python2"})
_BY_WORDS = _BY_NAME | {"wrong-argument"}
# Types that stand-ins are made of, as interpreters name them in "object has no attribute".
_MATERIAL = re.compile(
    r"^(?:ndarray|(?:Eager|Ragged|Sparse|Keras|Symbolic)?Tensor|DataFrame|Series|Index|str|bytes|int|float|bool|list|tuple|dict|NoneType|"
    r"\w*Dataset\w*|\w*Iterator\w*|\w*Strategy\w*|type|function|generator|int64|float32|float64)$"
)
_NAMED = 4  # stand-ins that a message names; the notes name all
_OWNER = re.compile(r"(?:type object '(?P<type>[\w.]+)'|^'(?P<object>[\w.]+)' object) has no attribute")
_MODELS = frozenset({"Functional", "Model", "Sequential"})
_ACCUSING = {Status.BROKEN, Status.OUTDATED}


def spared(finding: Finding, step: Step, diagnosis: Diagnosis | None, run: Run, source: str) -> Finding:
    """The opinion on a fault of a statement that rests on stand-ins: unproven, unless they cannot have caused it."""
    fault = step.fault
    if (
        fault is None
        or step.statement not in run.tainted
        or finding.status not in _ACCUSING
        or _independent(finding, fault, diagnosis, run)
    ):
        return finding
    return Finding(
        status=Status.UNPROVEN,
        rule=_rule(run),
        message=f"{finding.message}; our {_stand_ins(run, source)} may have caused that",
        observed=finding.observed,
        span=finding.span,
    )


def weakened(finding: Finding, run: Run) -> Finding:
    """The opinion on code that ran with stand-ins: likely at most, and every one of them named."""
    if not run.standins:
        return finding
    notes = (*finding.notes, *(f"run with a stand-in for `{item.name}` ({item.role})" for item in run.standins))
    if finding.status in _ACCUSING and finding.rule in {"refuted", "crashed"}:
        message = f"{finding.message}; our {_stand_ins(run)} may have caused that"
        finding = replace(finding, status=Status.UNPROVEN, rule=_rule(run), message=message)
    elif finding.status is Status.WORKS:
        finding = replace(
            finding, message=f"{finding.message}, with {'' if len(run.standins) > 1 else 'a '}{_stand_ins(run)}"
        )
    if finding.confidence is Confidence.SURE and finding.status is Status.WORKS:
        finding = replace(finding, confidence=Confidence.LIKELY, because="what the text does not give was supplied")
    return replace(finding, notes=notes)


def rested(finding: Finding, run: Run, statement: int) -> Finding:
    """The opinion on a call that ran in a statement which rests on stand-ins."""
    if statement not in run.tainted or finding.status is not Status.WORKS:
        return finding
    return replace(
        finding,
        message=f"{finding.message}, with {'' if len(run.standins) > 1 else 'a '}{_stand_ins(run)}",
        confidence=Confidence.LIKELY,
        because="what the text does not give was supplied",
    )


def compared(finding: Finding, claim: Claim, run: Run) -> Finding:
    """The opinion on a stated result: one that comes out of stand-ins is no evidence, an exception is."""
    place = claim.code_span
    rests = place is not None and any(run.statements[number].span.overlaps(place) for number in run.tainted)
    if not rests or finding.status not in {Status.WORKS, *_ACCUSING}:
        return finding
    if claim.said_kind == "exception" and finding.status is Status.WORKS:
        return replace(finding, confidence=Confidence.LIKELY, because="what the text does not give was supplied")
    return Finding(
        status=Status.UNPROVEN,
        rule=_rule(run),
        message=f"the result comes out of our {_stand_ins(run)}, so it cannot be compared",
        observed=finding.observed,
    )


def _independent(finding: Finding, fault: Fault, diagnosis: Diagnosis | None, run: Run) -> bool:
    """Whether any data in the place of the stand-ins would have led to the same fault."""
    callable_ = any(_CALLABLE.search(item.code) for item in run.standins)
    if fault.is_a("AttributeError") and (owner := _OWNER.search(fault.message)):
        name = (owner["type"] or owner["object"]).rpartition(".")[2]
        return not _MATERIAL.match(name) and not (callable_ and name in _MODELS)
    if callable_ and _CALLED.search(fault.message):
        return False
    if _OF_NAMES.search(fault.message):
        return True
    if finding.rule in _BY_NAME:
        return True
    spoken = finding.rule in _BY_WORDS or _OF_ARGUMENTS.search(fault.message)
    return bool(spoken) and _is_of_library(fault, diagnosis)


def _is_of_library(fault: Fault, diagnosis: Diagnosis | None) -> bool:
    """Whether a call that was refused is one of the library's own, not one of what a stand-in is made of.

    A method of an array may be one of a table in the author's hands.
    """
    owner = diagnosis.target.rpartition(".")[0] if diagnosis else ""
    seen = _OF_CLASS.search(fault.message)
    owners = [part.rpartition(".")[2] for part in (owner, seen["owner"] if seen else "") if part]
    return bool(owners) and not any(_MATERIAL.match(name) for name in owners)


def _rule(run: Run) -> str:
    if all(item.name == "GPU" for item in run.standins):
        return "needs-accelerator"
    return "missing-context" if all(item.name.isidentifier() for item in run.standins) else "missing-data"


def _stand_ins(run: Run, source: str = "") -> str:
    """The stand-ins of a run as a message names them: those that a piece of code names itself, if it names any."""
    everything = tuple(item.name for item in run.standins)
    names = tuple(name for name in everything if re.search(rf"\b{re.escape(name)}", source)) or everything
    if len(names) > _NAMED:
        return (
            f"stand-ins for {', '.join(f'`{name}`' for name in names[: _NAMED - 1])} and {len(names) - _NAMED + 1} more"
        )
    return f"stand-in{'s' if len(names) > 1 else ''} for {listed(names)}"
