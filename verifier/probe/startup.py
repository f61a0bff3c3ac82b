"""What must come before TensorFlow starts, in a session where earlier code of the document has started it.

Snippets of an article are programs of their own more often than cells of one kernel: that ours share a process is
no fault of the author.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.model import StandIn, Step

_LATE = re.compile(
    r"at program startup|after (?:being|it has been|they have been) initialized|already been initialized", re.IGNORECASE
)

SHARED_PROCESS = StandIn(
    name="a process of its own",
    role="code that stands before it in the document had started TensorFlow in the same process",
    code="",
)


def is_late(step: Step) -> bool:
    """Whether a statement failed because TensorFlow had been started before it."""
    return step.fault is not None and bool(_LATE.search(step.fault.message))


def too_late(steps: Iterable[Step], earlier: Iterable[str]) -> tuple[int, ...]:
    """Statements that other code of the session was too early for; `earlier` are the claims of the programs before."""
    return tuple(step.statement for step in steps if is_late(step)) if any(earlier) else ()
