"""Which wall of the sandbox an exception tells of: a limit that was used up, or something that was refused.

Decided by error numbers and classes along the chain of causes; by words only where libraries leave nothing else.
"""

from __future__ import annotations

import errno
import re

_CHAIN = 12  # causes that are looked at
_SCRATCH = ("/scratch", "/tmp", "/dev/shm")
_UNREACHABLE = frozenset((errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL))
_DENIED = frozenset((errno.EPERM, errno.ENOSYS, errno.EAFNOSUPPORT))
_READ_ONLY = re.compile(r"[Rr]ead-only file system|\berrno = 30\b")
_COMPILERS = re.compile(r"\s*(?:\w+\s*=\s*)?(?:\w+\.)*(?:eval|exec|compile|parse|literal_eval)\s*\(")


def causes(error):
    """An exception and those that led to it, nearest first."""
    found = []
    while error is not None and len(found) < _CHAIN and not any(error is known for known in found):
        found.append(error)
        error = _cause(error)
    return found


def _cause(error):
    cause = BaseException.__cause__.__get__(error)
    if cause is None and not BaseException.__suppress_context__.__get__(error):
        cause = BaseException.__context__.__get__(error)
    return cause


def refused(error, text):
    """What the sandbox refused: "network", "syscall", "file", or an empty string. `text`: the error's message."""
    for cause in causes(error):
        kind = type(cause)
        if issubclass(kind, OSError):
            wall = _of_number(kind, _number(cause), cause)
            if wall:
                return wall
    if _READ_ONLY.search(text) or _is_named(type(error), "PermissionDeniedError"):
        return "file"
    return ""


def _of_number(kind, number, error):
    if _is_named(kind, "gaierror", "herror") or number in _UNREACHABLE:
        return "network"
    if number in _DENIED:
        return "syscall"
    if number == errno.EROFS:
        return "file"
    if number != errno.EACCES:
        return ""
    name = OSError.filename.__get__(error)
    if name is None:
        return "syscall"
    return "" if _is_in_scratch(name) else "file"


def _number(error):
    number = OSError.errno.__get__(error)
    return number if type(number) is int else 0


def _is_in_scratch(name):
    """Whether a file lies in a folder that the document may write to: what it may not do there is its own doing."""
    if type(name) is bytes:
        name = name.decode("utf-8", "replace")
    return type(name) is str and (not name.startswith("/") or name.startswith(_SCRATCH))


def _is_named(kind, *names):
    name_of = type.__dict__["__name__"].__get__
    return any(name_of(base) in names for base in type.mro(kind))


def exhausted(error, text, source):
    """Which limit was used up: "memory", "processes", "disk", or an empty string.

    `text`: the error's message; `source`: the expression of the document that failed, where it is known.
    """
    kind = type(error)
    if issubclass(kind, MemoryError):
        # The compiler reports nesting beyond its own depth in the same way, and has used no memory then.
        return "" if not text and _COMPILERS.match(source) else "memory"
    if _is_named(kind, "ResourceExhaustedError") and "OOM" in text:
        return "memory"
    number = _number(error) if issubclass(kind, OSError) else 0
    if number == errno.EAGAIN and "unavailable" in text:
        return "processes"
    if issubclass(kind, RuntimeError) and "can't start new thread" in text:
        return "processes"
    if number in (errno.EFBIG, errno.ENOSPC) or "No space left on device" in text:
        return "disk"
    return "memory" if number == errno.ENOMEM else ""
