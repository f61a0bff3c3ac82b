"""Facts: evidence from claims, by looking up names and running code."""

from verifier.probe.diagnose import Names as Names
from verifier.probe.elsewhere import FIRST as FIRST
from verifier.probe.elsewhere import IN_ORDER as IN_ORDER
from verifier.probe.elsewhere import choices as choices
from verifier.probe.gather import Gathering as Gathering
from verifier.probe.gather import gather as gather
from verifier.probe.gather import needs_sandbox as needs_sandbox
from verifier.probe.gather import retry as retry
from verifier.probe.python2 import Attempt as Attempt
from verifier.probe.python2 import modernise as modernise

__all__ = [
    "FIRST",
    "IN_ORDER",
    "Attempt",
    "Gathering",
    "Names",
    "choices",
    "gather",
    "modernise",
    "needs_sandbox",
    "retry",
]
