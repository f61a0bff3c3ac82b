"""What the sandbox refuses to everybody is charged to nobody."""

from __future__ import annotations

import pytest

from verifier.judge.faults import Case, judge_fault
from verifier.model import Fault, Status


@pytest.mark.parametrize(
    ("refused", "rule"), [("network", "needs-network"), ("file", "over-limit"), ("syscall", "over-limit")]
)
@pytest.mark.parametrize("kind", ["OSError", "RuntimeError", "ValueError", "PermissionError"])
def test_a_refusal_is_unproven(refused: str, rule: str, kind: str) -> None:
    fault = Fault(type=kind, message="it did not work", mro=(kind, "Exception"), refused=refused)
    finding = judge_fault(Case(fault=fault, source="f()", diagnosis=None, release="2.21"))
    assert (finding.status, finding.rule) == (Status.UNPROVEN, rule)
    assert "sandbox" in finding.message


def test_without_a_refusal_the_same_exception_counts() -> None:
    fault = Fault(type="ValueError", message="it did not work", mro=("ValueError", "Exception"))
    finding = judge_fault(Case(fault=fault, source="f()", diagnosis=None, release="2.21"))
    assert (finding.status, finding.rule) == (Status.BROKEN, "raises")
