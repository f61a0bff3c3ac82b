"""Opinions on exceptions: whose fault is it?

Most exceptions in excerpts are nobody's: a file, a network, a device or a name is not there. Only what is left
when all of those are ruled out is charged to the code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from verifier.judge.finding import Finding, first_line
from verifier.judge.names import absent
from verifier.model import Diagnosis, Fault, Lookup, Status

_NO_FILE = re.compile(
    r"no such file|file not found|could not find (?:directory|file)|no file or directory|does not exist|"
    r"unable to (?:synchronously )?open (?:file|object)|not a directory|no data files found|no files match|"
    r"found no files|please ensure the file is an accessible|unsuccessful tensorslicereader",
    re.IGNORECASE,
)
_NO_NETWORK = re.compile(
    r"url fetch failure|network is unreachable|name or service not known|temporary failure in name resolution|"
    r"nameresolutionerror|failed to resolve|max retries exceeded|connection refused|urlopen error|"
    r"could not (?:connect|resolve)|no address associated with hostname",
    re.IGNORECASE,
)
_NO_DEVICE = re.compile(
    r"(?:gpu|tpu|cuda)[^.\n]{0,80}(?:not found|no |unavailable|not available|unknown|not registered|could not|is not)|"
    r"(?:no|unknown|could not satisfy|could not find|not find|visible)[^.\n]{0,80}(?:gpu|tpu|cuda)",
    re.IGNORECASE,
)
_OTHER_ERA = re.compile(
    r"not (?:supported|available) (?:in|with) keras 3|no longer supported|is not compatible with eager execution|"
    r"when eager execution is enabled|session graph is empty|only supported in (?:tf ?1|tensorflow 1)|"
    r"not supported in tf2|was removed in|deprecated alias|removed in tensorflow",
    re.IGNORECASE,
)
_NODE = re.compile(r"\{\{(?:function_)?node [^}]*\}\}\s*")
_QUOTED = re.compile(r"'([^'\n]{1,80})'")


@dataclass(frozen=True, slots=True)
class Case:
    """One failed statement as the table sees it: its exception, the failing source, and what was looked up."""

    fault: Fault
    source: str
    diagnosis: Diagnosis | None
    release: str


def judge_fault(case: Case) -> Finding:
    """The opinion on one exception. The table is tried in order; the last entry takes everything."""
    for test, opinion in _TABLE:
        if test(case):
            finding = opinion(case)
            if finding is not None:
                return finding
    return _raises(case)


def headline(fault: Fault) -> str:
    """The exception in one line, as the interpreter would end its traceback, without TensorFlow's node names."""
    message = first_line(_NODE.sub("", fault.message))
    return f"{fault.type.rpartition('.')[2]}: {message}" if message else fault.type


def _is(*names: str) -> Callable[[Case], bool]:
    return lambda case: any(case.fault.is_a(name) for name in names)


def _says(pattern: re.Pattern[str]) -> Callable[[Case], bool]:
    return lambda case: bool(pattern.search(case.fault.message))


def _unproven(rule: str, text: str) -> Callable[[Case], Finding]:
    return lambda case: Finding(
        status=Status.UNPROVEN, rule=rule, message=f"{text}: {headline(case.fault)}", observed=case.fault.message
    )


def _missing_module(case: Case) -> Finding | None:
    root = case.fault.name.partition(".")[0]
    if not root or root in {"tensorflow", "keras", "tf_keras"}:
        return None
    return Finding(
        status=Status.UNPROVEN,
        rule="missing-library",
        message=f"the sandbox has no package `{root}`",
        observed=case.fault.message,
    )


def _keyword(case: Case) -> Finding | None:
    told = case.diagnosis
    if told is None or not told.keyword:
        return None
    call = told.target.replace("tensorflow.", "tf.", 1) or "the call"
    base = f"`{call}` takes no argument `{told.keyword}` in {case.release}"
    if told.renamed_to:
        base += f"; it is now `{told.renamed_to}`"
    # A present name for it is no proof that it ever was one: people also bring words from other libraries.
    return Finding(
        status=Status.OUTDATED if told.accepted else Status.BROKEN,
        rule="wrong-argument",
        message=base + (f" (it did in {told.accepted})" if told.accepted else ""),
        suggestion=told.renamed_to,
        observed=headline(case.fault),
    )


def _name(case: Case) -> Finding | None:
    told = case.diagnosis
    if told is None or told.keyword:
        return None
    lookup: Lookup = told.lookup
    if lookup.unknown or lookup.found:
        return None
    finding = absent(lookup, told.target, case.release)
    return Finding(
        status=finding.status,
        rule=finding.rule,
        message=finding.message,
        suggestion=finding.suggestion,
        observed=headline(case.fault),
    )


def _missing_name(case: Case) -> Finding:
    return Finding(
        status=Status.UNPROVEN,
        rule="missing-context",
        message=f"`{case.fault.name}` is given nowhere in the document" if case.fault.name else headline(case.fault),
        observed=headline(case.fault),
    )


def _other_era(case: Case) -> Finding:
    return Finding(
        status=Status.OUTDATED,
        rule="removed",
        message=f"this belongs to an earlier release: {headline(case.fault)}",
        observed=case.fault.message,
    )


def _raises(case: Case) -> Finding:
    return Finding(
        status=Status.BROKEN,
        rule="raises",
        message=f"`{first_line(case.source, 80)}` raises {headline(case.fault)}",
        suggestion=_offered(case),
        observed=f"{case.fault.type}: {case.fault.message}",
    )


def _offered(case: Case) -> str:
    """The nearest of the names that the error message itself offers, for a string that the code gave."""
    given = _QUOTED.findall(case.source.replace('"', "'"))
    offered = [name for name in _QUOTED.findall(case.fault.message) if name not in given]
    for word in given:
        if word.lower() not in case.fault.message.lower():
            continue
        best = process.extractOne(word.lower(), [name.lower() for name in offered], scorer=fuzz.ratio, score_cutoff=75)
        if best is not None:
            return f"did you mean '{offered[best[2]]}' instead of '{word}'?"
    return ""


_TABLE: tuple[tuple[Callable[[Case], bool], Callable[[Case], Finding | None]], ...] = (
    (_is("MemoryError", "ResourceExhaustedError"), _unproven("out-of-memory", "the session's memory was not enough")),
    (_is("ModuleNotFoundError"), _missing_module),
    (_says(_OTHER_ERA), _other_era),
    (lambda case: case.diagnosis is not None, _keyword),
    (lambda case: case.diagnosis is not None, _name),
    (_is("SyntaxError"), _unproven("does-not-parse", "the interpreter refuses the code")),
    (_is("NameError"), _missing_name),
    (_says(_NO_NETWORK), _unproven("needs-network", "the sandbox has no network")),
    (
        _is("URLError", "HTTPError", "gaierror", "ConnectionError", "TimeoutError"),
        _unproven("needs-network", "the sandbox has no network"),
    ),
    (
        _is("FileNotFoundError", "NotADirectoryError", "IsADirectoryError", "PermissionError"),
        _unproven("missing-data", "a file that the code uses is not at hand"),
    ),
    (_says(_NO_FILE), _unproven("missing-data", "a file that the code uses is not at hand")),
    (_says(_NO_DEVICE), _unproven("needs-accelerator", "the sandbox has no such device")),
)
