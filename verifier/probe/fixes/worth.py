"""Which failures a change of the code can mend, and which are for want of something that no code can give.

A file, a network, a device or a package that is not there is nobody's slip; a change that goes round it would
only hide what the code is for.
"""

from __future__ import annotations

import re

from verifier.model import Fault, Step, StepFate

_WANTING = (
    "FileNotFoundError", "NotADirectoryError", "IsADirectoryError", "PermissionError", "URLError", "HTTPError",
    "gaierror", "ConnectionError", "TimeoutError", "MemoryError", "ResourceExhaustedError", "SystemExit",
    "KeyboardInterrupt", "SyntaxError", "AssertionError",
)  # fmt: skip
_SAYS_SO = re.compile(
    r"no such file|file not found|could not find (?:directory|file)|does not exist|no files match|not a directory|"
    r"unable to (?:synchronously )?open (?:file|object)|please ensure the file is an accessible|"
    r"url fetch failure|network is unreachable|name or service not known|name resolution|max retries exceeded|"
    r"connection refused|urlopen error|(?:no|unknown) (?:gpu|tpu)|(?:gpu|tpu)[^.\n]{0,80}not (?:found|available)",
    re.IGNORECASE,
)
_OURS = frozenset({"tensorflow", "keras", "tf_keras"})


def mendable(step: Step) -> bool:
    """Whether a statement failed in a way that an edit of the code might mend."""
    if step.fate is StepFate.MISSING:
        return bool(step.missing)
    return step.fate is StepFate.RAISED and step.fault is not None and not _wanting(step.fault)


def _wanting(fault: Fault) -> bool:
    if any(fault.is_a(name) for name in _WANTING):
        return True
    if fault.is_a("ModuleNotFoundError"):
        return fault.name.partition(".")[0] not in _OURS
    return bool(_SAYS_SO.search(fault.message))
