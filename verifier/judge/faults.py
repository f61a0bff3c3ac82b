"""Opinions on exceptions: whose fault is it?

Most exceptions in excerpts are nobody's: a file, a network, a device or a name is not there. Only what is left
when all of those are ruled out is charged to the code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from rapidfuzz import fuzz, process

from verifier.judge.finding import Finding, first_line, listed
from verifier.judge.names import absent
from verifier.model import Diagnosis, Fault, Lookup, Status
from verifier.names import PYTHON2_BUILTINS, PYTHON2_METHODS
from verifier.text import inner_message

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
    r"(?:no|unknown|could not satisfy|could not find|not find|visible)[^.\n]{0,80}(?:gpu|tpu|cuda)|"
    r"provide a tpu name|tpu system",
    re.IGNORECASE,
)
_OTHER_ERA = re.compile(
    r"not (?:supported|available) (?:in|with) keras 3|no longer supported|is not compatible with eager execution|"
    r"when eager execution is enabled|session graph is empty|only supported in (?:tf ?1|tensorflow 1)|"
    r"not supported in tf2|was removed in|deprecated alias|removed in tensorflow",
    re.IGNORECASE,
)
_OF_A_DICTIONARY = re.compile(r"^'(?:dict|OrderedDict|defaultdict|Counter)' object has no attribute '(\w+)'")
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
    message = first_line(_NODE.sub("", inner_message(fault.message)))
    return f"{fault.type.rpartition('.')[2]}: {message}" if message else fault.type


def _is(*names: str) -> Callable[[Case], bool]:
    return lambda case: any(case.fault.is_a(name) for name in names)


def _says(pattern: re.Pattern[str]) -> Callable[[Case], bool]:
    return lambda case: bool(pattern.search(case.fault.message))


def _refused(what: str) -> Callable[[Case], bool]:
    return lambda case: case.fault.refused == what


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


def of_python2(names: tuple[str, ...]) -> Finding:
    """The opinion on code that takes Python 2 for granted."""
    return Finding(
        status=Status.OUTDATED,
        rule="python2",
        message=f"{listed(names)} {'is' if len(names) == 1 else 'are'} of Python 2, which no TensorFlow since 2.1"
        " runs on",
    )


def _python2(case: Case) -> Finding | None:
    """A method that dictionaries, or a builtin that Python, had before release 3."""
    fault = case.fault
    if fault.is_a("AttributeError"):
        match = _OF_A_DICTIONARY.search(fault.message)
        names = {match[1]} & PYTHON2_METHODS if match else set()
    else:
        names = {fault.name} & PYTHON2_BUILTINS
    return replace(of_python2(tuple(names)), observed=headline(fault)) if names else None


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
    (_is("AttributeError", "NameError"), _python2),
    (lambda case: case.diagnosis is not None, _keyword),
    (lambda case: case.diagnosis is not None, _name),
    (_is("SyntaxError"), _unproven("does-not-parse", "the interpreter refuses the code")),
    (_is("NameError"), _missing_name),
    # What the sandbox refuses to everybody is no fault of anybody's code.
    (_refused("network"), _unproven("needs-network", "the sandbox has no network")),
    (_refused("file"), _unproven("over-limit", "the sandbox keeps that place closed")),
    (_refused("syscall"), _unproven("over-limit", "the sandbox does not allow that")),
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
    (
        lambda case: case.fault.is_a("KeyError") and "environ" in case.source,
        _unproven("missing-context", "a variable of the environment is not set"),
    ),
    (_says(_NO_DEVICE), _unproven("needs-accelerator", "the sandbox has no such device")),
)
