"""Facts: evidence from claims, by looking up names and running code."""

from verifier.probe.gather import Gathering as Gathering
from verifier.probe.gather import gather as gather
from verifier.probe.gather import needs_sandbox as needs_sandbox
from verifier.probe.gather import retry as retry

__all__ = ["Gathering", "gather", "needs_sandbox", "retry"]
