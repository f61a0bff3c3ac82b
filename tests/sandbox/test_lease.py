"""A sandbox that is opened when it is wanted, once, and whose failure is a sentence."""

from __future__ import annotations

import pytest

from verifier.errors import ProtocolError, SandboxUnavailable
from verifier.model import Environment
from verifier.sandbox import lease
from verifier.sandbox.lease import Lease

INSIDE = Environment(name="tf-9", backend="b", isolation="i", python="3", packages=(), digest="d")


class Stub:
    """Stands for a sandbox that starts, or finds out late that it cannot."""

    def __init__(self, error: Exception | None = None) -> None:
        self.events: list[str] = []
        self._error = error

    def start(self) -> None:
        self.events.append("start")

    def close(self) -> None:
        self.events.append("close")

    @property
    def environment(self) -> Environment:
        if self._error:
            raise self._error
        return INSIDE


def _opened(monkeypatch: pytest.MonkeyPatch, stub: Stub) -> list[tuple[str, str]]:
    opened: list[tuple[str, str]] = []

    def open_sandbox(name: str, backend: str, _progress: object, _runtime: str) -> Stub:
        opened.append((name, backend))
        return stub

    monkeypatch.setattr(lease, "open_sandbox", open_sandbox)
    return opened


def test_nothing_is_opened_before_it_is_wanted_and_then_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stub = Stub()
    opened = _opened(monkeypatch, stub)
    with Lease("tf-9", "auto", print) as held:
        assert held.environment is None
        assert opened == []
        held.want()
        held.want()
        assert held.environment == INSIDE
    assert opened == [("tf-9", "auto")]
    assert stub.events == ["start", "close"]
    assert held.failure == ""


@pytest.mark.parametrize("error", [SandboxUnavailable("no wall"), ProtocolError("no wall")])
def test_what_fails_late_is_a_sentence(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    stub = Stub(error)
    _opened(monkeypatch, stub)
    with Lease("tf-9", "auto", print) as held:
        held.want()
        assert held.environment is None
    assert held.failure == "no wall"
    assert stub.events == ["start", "close"]


def test_what_cannot_be_opened_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def refuse(name: str, _backend: str, _progress: object, _runtime: str) -> Stub:
        asked.append(name)
        raise SandboxUnavailable("nothing here can isolate code")

    monkeypatch.setattr(lease, "open_sandbox", refuse)
    with Lease("tf-9", "auto", print) as held:
        held.want()
        held.want()
    assert asked == ["tf-9"]
    assert (held.sandbox, held.failure) == (None, "nothing here can isolate code")
