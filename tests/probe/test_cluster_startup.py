"""What must come before TensorFlow starts is not held against a snippet that follows another."""

from __future__ import annotations

from samples import document, snippet

from verifier.judge import decide
from verifier.model import Evidence, Status
from verifier.probe.sessions import plan_sessions
from verifier.probe.trial import Bench, attempt

FIRST = "import tensorflow as tf\nx = tf.constant([1.0]) * 2.0"
SECOND = """import tensorflow as tf
parts = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(tf.config.list_physical_devices('CPU')[0], parts)"""


def _statuses(bench: Bench, *codes: str) -> list[Status]:
    claims = [snippet(f"s{number}", code) for number, code in enumerate(codes)]
    (session,) = plan_sessions(document(), claims)
    runs = attempt(session, bench).runs
    evidence = [Evidence(claim=claim.id, environment="tf-2.21", run=runs[claim.id]) for claim in claims]
    return [verdict.status for verdict in decide(claims, evidence, "tf-2.21")]


def test_it_works_by_itself(bench: Bench) -> None:
    assert _statuses(bench, SECOND) == [Status.WORKS]


def test_behind_another_snippet_it_proves_nothing(bench: Bench) -> None:
    assert _statuses(bench, FIRST, SECOND) == [Status.WORKS, Status.UNPROVEN]


def test_in_one_snippet_the_order_is_the_authors(bench: Bench) -> None:
    assert _statuses(bench, f"{FIRST}\n{SECOND}") == [Status.BROKEN]
