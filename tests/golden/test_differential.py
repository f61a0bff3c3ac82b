"""The same documents give the same verdicts warm, cold and in a container.

Warm is the reference: one started TensorFlow, a fresh cell per session. Cold is a TensorFlow that is started anew
for every single session and thrown away after it. Cold costs seconds per session, so a test run takes some of the
documents cold and `make differential` all of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from backends import BACKENDS, ENVIRONMENT, prepare

from verifier.config import Settings
from verifier.model import Environment, Lookup, NameQuery, Outcome, SessionJob
from verifier.pipeline import verify
from verifier.sandbox.bubblewrap import BubblewrapSandbox

TRANSCRIPTS = Path(__file__).parents[2] / "claims" / "transcripts"
DOCUMENTS = sorted(path.name for path in TRANSCRIPTS.iterdir())
# Read when the tests are collected: each test sees an environment without it.
WHOLE = bool(os.environ.get("VERIFIER_WHOLE"))
# Its code runs, fails, and is called by us.
SOME_COLD = ("en-never-called.md",)

Verdicts = dict[str, tuple[str, str]]

pytestmark = pytest.mark.sandbox


class Cold:
    """Starts TensorFlow for every session and for every round of questions, and ends it afterwards."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def environment(self) -> Environment:
        with BubblewrapSandbox(self._name) as sandbox:
            return sandbox.environment

    def start(self) -> None:
        """Nothing is kept ready."""

    def run(self, job: SessionJob) -> Outcome:
        with BubblewrapSandbox(self._name) as sandbox:
            return sandbox.run(job)

    def lookup(self, queries: tuple[NameQuery, ...]) -> tuple[Lookup, ...]:
        with BubblewrapSandbox(self._name) as sandbox:
            return sandbox.lookup(queries)

    def close(self) -> None:
        """Nothing is left to be closed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _verdicts(names: tuple[str, ...], backend: str = "bubblewrap") -> dict[str, Verdicts]:
    """Status and rule of every claim, by document and claim."""
    report = verify([str(TRANSCRIPTS / name) for name in names], Settings(also=(), sandbox=backend))
    assert not [notice for notice in report.notices if "not run" in notice.message or "left out" in notice.message]
    found: dict[str, Verdicts] = {name: {} for name in names}
    for claim, verdict in zip(report.claims, report.verdicts, strict=True):
        found[Path(claim.document).name][claim.id] = (verdict.status.value, verdict.rule)
    return found


@pytest.fixture(scope="module")
def warm() -> dict[str, Verdicts]:
    prepare("bubblewrap")
    return _verdicts(tuple(DOCUMENTS))


def _differences(one: dict[str, Verdicts], other: dict[str, Verdicts]) -> list[str]:
    return [
        f"{name} {claim}: {verdict} and {other[name].get(claim)}"
        for name, verdicts in one.items()
        for claim, verdict in verdicts.items()
        if name in other and other[name].get(claim) != verdict
    ]


def test_there_is_something_to_compare(warm: dict[str, Verdicts]) -> None:
    statuses = [status for verdicts in warm.values() for status, _ in verdicts.values()]
    assert {"works", "broken", "outdated", "unproven"} <= set(statuses)
    assert "not-run" not in statuses


@pytest.mark.parametrize("backend", [name for name in BACKENDS if name != "bubblewrap"])
def test_in_a_container(backend: str, warm: dict[str, Verdicts]) -> None:
    prepare(backend)
    assert not _differences(warm, _verdicts(tuple(DOCUMENTS), backend))


def test_cold(warm: dict[str, Verdicts], monkeypatch: pytest.MonkeyPatch) -> None:
    def cold(name: str, _backend: str, _progress: Callable[[str], None], _runtime: str) -> Cold:
        return Cold(name)

    monkeypatch.setattr("verifier.sandbox.lease.open_sandbox", cold)
    names = tuple(DOCUMENTS) if WHOLE else SOME_COLD
    assert Settings().target == ENVIRONMENT
    assert not _differences(_verdicts(names), warm)
