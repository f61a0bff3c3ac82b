"""Keeps every test hermetic: nothing of the caller's environment decides a result."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
