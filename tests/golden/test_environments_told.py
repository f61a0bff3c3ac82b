"""Documents that need an environment of their own: the report says where their code runs, and where it does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from verifier.sandbox.environment import needs_substitute

TRANSCRIPTS = Path(__file__).parents[2] / "claims" / "transcripts"
DOCUMENTS = ("zh-ocr-contrib.txt", "en-ads-estimator.md", "en-forecast-keras2.md", "zh-archive-python2.md")
CACHE = "VERIFIER_CACHE_DIR"
REAL = not needs_substitute("tf-1.15")
FIRST = "tf-1.15" if REAL else "tf-1.15 (tf.compat.v1 of 2.15)"

Verdict = dict[str, Any]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    command = [str(Path(sys.executable).with_name("verify")), "--format", "json"]
    kept = {key: value for key, value in os.environ.items() if not key.startswith("VERIFIER_") or key == CACHE}
    away = tmp_path_factory.mktemp("away")
    run = subprocess.run(
        [*command, *(str(TRANSCRIPTS / name) for name in DOCUMENTS)],
        capture_output=True, timeout=600, check=False, env=kept, cwd=away,
    )  # fmt: skip
    assert run.stdout, run.stderr.decode("utf-8", "replace")[-2000:]
    found: dict[str, Any] = json.loads(run.stdout)
    unchecked = {verdict["message"] for verdict in found["verdicts"] if verdict["status"] == "not-run"}
    assert run.returncode == 0, f"exit status {run.returncode}: {sorted(unchecked)[:5]} {found['notices']}"
    return found


def _snippets(report: dict[str, Any], name: str) -> list[Verdict]:
    verdicts = {verdict["claim"]: verdict for verdict in report["verdicts"]}
    return [
        verdicts[claim["id"]]
        for claim in report["claims"]
        if Path(claim["document"]).name == name and claim["kind"] == "snippet"
    ]


def _where(verdict: Verdict) -> dict[str, str]:
    return dict(verdict["per_environment"])


@pytest.mark.sandbox
def test_contrib_is_outdated_and_runs_in_release_1(report: dict[str, Any]) -> None:
    contrib, graph, today = _snippets(report, "zh-ocr-contrib.txt")
    assert contrib["status"] == graph["status"] == "outdated"
    assert graph["message"].endswith(f"; it runs in {FIRST}")
    assert _where(graph) == {"tf-2.21": "outdated", FIRST: "works"}
    # What takes the place of release 1 has no contrib, and that proves nothing.
    assert _where(contrib) == {"tf-2.21": "outdated", FIRST: "works" if REAL else "unproven"}
    assert contrib["message"].endswith(f"; it runs in {FIRST}") is REAL
    assert today["status"] == "works"


@pytest.mark.sandbox
def test_an_estimator_runs_in_2_15_and_a_session_in_release_1(report: dict[str, Any]) -> None:
    estimator, session, today = _snippets(report, "en-ads-estimator.md")
    assert estimator["message"].endswith("; it runs in tf-2.15")
    assert session["message"].endswith(f"; it runs in {FIRST}")
    assert any("because the text speaks of TensorFlow 1.x" in note for note in session["notes"])
    assert today["status"] == "works"


@pytest.mark.sandbox
def test_keras_2_runs_with_the_keras_of_its_time(report: dict[str, Any]) -> None:
    training, weights, today = _snippets(report, "en-forecast-keras2.md")
    for verdict in (training, weights):
        assert verdict["status"] == "outdated"
        assert verdict["message"].endswith("; it runs in tf-2.21-keras2")
    assert today["status"] == "works"


@pytest.mark.sandbox
def test_python_2_is_converted_openly(report: dict[str, Any]) -> None:
    prints, items, wrong, today = _snippets(report, "zh-archive-python2.md")
    assert {verdict["rule"] for verdict in (prints, items, wrong)} == {"python2"}
    assert prints["message"].endswith(f"; converted to Python 3 for trying, it runs in {FIRST}")
    assert any("whole number in Python 2" in note for note in prints["notes"])
    assert "converted to Python 3 for trying, it runs in" in items["message"]
    assert "it fails in" in wrong["message"]
    assert "cannot reshape array of size 6" in wrong["message"]
    assert today["status"] == "works"


@pytest.mark.sandbox
def test_every_environment_that_was_used_is_named(report: dict[str, Any]) -> None:
    assert [item["name"] for item in report["environments"]] == ["tf-2.21", FIRST, "tf-2.15", "tf-2.21-keras2"]
    substituted = [
        notice for notice in report["notices"] if "nothing here can run the release itself" in notice["message"]
    ]
    assert bool(substituted) is not REAL
