"""Which environments are built when nobody says so, and which failures matter."""

from __future__ import annotations

import pytest

from verifier.errors import SandboxUnavailable, UsageError
from verifier.sandbox import upkeep
from verifier.sandbox.definition import names
from verifier.sandbox.upkeep import build_environments


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The environments that were asked for; `tf-2.15` cannot be had."""
    asked: list[str] = []

    def ensure(name: str, _progress: object) -> None:
        asked.append(name)
        if name == "tf-2.15":
            raise SandboxUnavailable("no Python for it")

    monkeypatch.setattr(upkeep, "ensure", ensure)
    return asked


def test_all_are_built_the_usual_one_first_and_one_that_cannot_be_had_is_told(built: list[str]) -> None:
    said: list[str] = []
    build_environments((), "tf-2.21", said.append)
    assert built[0] == "tf-2.21"
    assert sorted(built) == list(names())
    assert said == ["going on without tf-2.15: no Python for it"]


def test_one_that_was_named_or_is_needed_must_be_had(built: list[str]) -> None:
    with pytest.raises(SandboxUnavailable):
        build_environments(("tf-2.15",), "tf-2.21", print)
    with pytest.raises(SandboxUnavailable):
        build_environments((), "tf-2.15", print)
    assert built == ["tf-2.15", "tf-2.15"]


def test_an_unknown_name_is_refused_before_anything_is_built(built: list[str]) -> None:
    with pytest.raises(UsageError, match=r"tf-2\.21"):
        build_environments(("tf-2.21", "tf-9"), "tf-2.21", print)
    assert built == []
