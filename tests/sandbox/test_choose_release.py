"""A release itself, in a container, is better than what would take its place behind another wall."""

from __future__ import annotations

import pytest

from verifier.errors import SandboxUnavailable
from verifier.sandbox import choose
from verifier.sandbox.bubblewrap import BubblewrapSandbox
from verifier.sandbox.choose import open_sandbox
from verifier.sandbox.docker import DockerSandbox


def _refuse(_name: str) -> bool:
    raise SandboxUnavailable("no engine")


@pytest.mark.parametrize(
    ("substituted", "image", "backend", "expected"),
    [
        (True, lambda _name: True, "auto", DockerSandbox),
        (True, lambda _name: False, "auto", BubblewrapSandbox),
        (True, _refuse, "auto", BubblewrapSandbox),
        (False, lambda _name: True, "auto", BubblewrapSandbox),
        (True, lambda _name: True, "bubblewrap", BubblewrapSandbox),
    ],
)
def test_which_wall(monkeypatch: pytest.MonkeyPatch, substituted: bool, image, backend: str, expected: type) -> None:
    monkeypatch.setattr(choose, "find_bubblewrap", lambda: "bwrap")
    monkeypatch.setattr(choose, "refusal", lambda _bwrap: "")
    monkeypatch.setattr(choose, "needs_substitute", lambda _name: substituted)
    monkeypatch.setattr(choose, "image_ready", image)
    assert isinstance(open_sandbox("tf-1.15", backend), expected)
