"""Notebooks in the style of official guides, written for other releases than the target: nothing in them is wrong.

They show values as TensorFlow 2.x printed them, draw, time cells, install packages, and raise exceptions on purpose.
`notebooks/expected.txt` says how much of each must be found right, so that silence is no success either.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from suites import Judged, judge, table

from verifier.model import ClaimKind

FOLDER = Path(__file__).parent / "notebooks"
NOTEBOOKS = {path.stem: path for path in sorted(FOLDER.glob("*.ipynb"))}
EXPECTED = {name: tuple(map(int, row)) for name, row in table(FOLDER / "expected.txt").items()}


@pytest.fixture(scope="module")
def judged() -> dict[str, Judged]:
    return judge(list(NOTEBOOKS.values()))


@pytest.mark.sandbox
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_nobody_is_accused(name: str, judged: dict[str, Judged]) -> None:
    assert judged[name].faults() == []


@pytest.mark.sandbox
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_everything_that_can_be_shown_is_shown(name: str, judged: dict[str, Judged]) -> None:
    cells, right, chance, figures = EXPECTED[name]
    found = judged[name]
    assert found.words(ClaimKind.SNIPPET) == ["works"] * cells
    outputs = found.words(ClaimKind.OUTPUT)
    assert (outputs.count("works"), outputs.count("flaky")) == (right, chance)
    assert len(outputs) == right + chance
    assert found.figures == figures


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_long_and_mixed(name: str) -> None:
    cells = json.loads(NOTEBOOKS[name].read_text("utf-8"))["cells"]
    kinds = [cell["cell_type"] for cell in cells]
    assert len(cells) >= 20
    assert kinds.count("markdown") >= 5
    assert kinds.count("code") >= 15


def test_every_notebook_has_its_row() -> None:
    assert list(EXPECTED) == list(NOTEBOOKS)
    assert len(NOTEBOOKS) >= 5
