"""What a wheel carries: `pip install` must give a working tool."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_it_carries_everything_that_is_needed_to_run(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    for sandbox in ROOT.glob("sandboxes/*/sandbox.toml"):
        assert f"verifier/_sandboxes/{sandbox.parent.name}/sandbox.toml" in names
        assert f"verifier/_sandboxes/{sandbox.parent.name}/requirements.lock" in names
    for path in (*ROOT.glob("sandboxes/guest/*.py"), *ROOT.glob("verifier/**/*.py")):
        inside = str(path.relative_to(ROOT)).replace("sandboxes/", "verifier/_sandboxes/", 1)
        assert inside in names
    for data in ("index/data/index.bin", "reports/schema/report-1.json", "reports/templates/page.html.j2", "py.typed"):
        assert f"verifier/{data}" in names


def test_it_carries_nothing_else(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert not [name for name in names if "__pycache__" in name or name.startswith(("tests/", "claims/"))]
    assert sum(item.compress_size for item in wheel.infolist()) < 6 << 20


@pytest.mark.parametrize(
    "lock", [*sorted(ROOT.glob("sandboxes/*/requirements.lock")), ROOT / "requirements.lock"], ids=str
)
def test_locks_are_hashed_and_name_no_place(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert "://" not in text
    pinned = text.count("==") and [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert pinned
    assert text.count("--hash=sha256:") >= len(pinned)
