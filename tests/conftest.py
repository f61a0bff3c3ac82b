"""Keeps every test hermetic: nothing of the caller's environment decides a result."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from backends import BACKENDS, NO_ENGINE

_SHAPING = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "CI", "TERM", "PYTHONWARNINGS")
_PREFIXES = ("GITHUB_", "GITLAB_", "VERIFIER_")
# Where the environments live must survive the scrub: building one takes minutes, and it is an input of the tests.
_KEPT = ("VERIFIER_CACHE_DIR",)


@pytest.fixture(autouse=True)
def _hermetic(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name in _KEPT:
            continue
        if name in _SHAPING or name.startswith(_PREFIXES):
            monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def unprivileged(tmp_path: Path) -> Iterator[None]:
    """Lets the test see file permissions as an ordinary user does, also when root runs the tests.

    The folders above the test's own are opened for passing through, since pytest keeps them for their owner alone.
    """
    if os.geteuid() != 0:
        yield
        return
    closed = [folder for folder in (tmp_path, *tmp_path.parents) if not folder.stat().st_mode & 0o001]
    modes = {folder: folder.stat().st_mode for folder in closed}
    for folder, mode in modes.items():
        folder.chmod(mode | 0o011)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
        for folder, mode in modes.items():
            folder.chmod(mode)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Nobody shall take a run without a container engine for a run of everything."""
    if "docker" not in BACKENDS:
        terminalreporter.section("DOCKER WAS NOT TESTED", red=True, bold=True)
        terminalreporter.line(f"The half of the suites that runs in containers was left out: {NO_ENGINE}", red=True)
