"""Golden files of the reports: `UPDATE_GOLDEN=1 pytest tests/reports` writes them anew; read the diff like code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

# Test modules are imported one by one, so what they share is found by its folder.
sys.path.insert(0, str(Path(__file__).parent))

_GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compares a text with the golden file of that name."""

    def check(name: str, text: str) -> None:
        path = _GOLDEN / name
        if os.environ.get("UPDATE_GOLDEN"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"no golden file {name}; make it with UPDATE_GOLDEN=1"
        assert text == path.read_text(encoding="utf-8")

    return check
