"""Small programs of the kind that data-science benchmarks pose, each with what its text says that it gives.

`programs/expected.txt` holds the verdicts, fixed by hand: of the code, and of every stated output in the order of the
text. Programs are right and wrong, and print in other notations than TensorFlow does. No deviation is excused.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from suites import Judged, judge, table

from verifier.model import ClaimKind
from verifier.rules import RULES

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = {path.stem: path for path in sorted(FOLDER.glob("*.md"))}
EXPECTED = table(FOLDER / "expected.txt")
ENOUGH = 60
WRONG = {"output-differs", "refuted", "raises", "unknown-name", "wrong-argument", "renamed", "removed"}


@pytest.fixture(scope="module")
def judged() -> dict[str, Judged]:
    return judge(list(PROGRAMS.values()))


@pytest.mark.sandbox
@pytest.mark.parametrize("name", PROGRAMS)
def test_verdicts(name: str, judged: dict[str, Judged]) -> None:
    code, *outputs = EXPECTED[name]
    found = judged[name]
    told = [f"{verdict.status} {verdict.message}" for _, verdict in found.claims]
    assert found.words(ClaimKind.SNIPPET) == [code], told
    assert found.words(ClaimKind.OUTPUT) == [word for word in outputs if word != "-"], told
    if code == "works":
        assert not found.faults(ClaimKind.CALL, ClaimKind.API)


@pytest.mark.sandbox
def test_a_departure_shows_both_what_is_claimed_and_what_was_observed(judged: dict[str, Judged]) -> None:
    (verdict,) = [v for c, v in judged["gather_nd_wrong"].claims if c.kind is ClaimKind.OUTPUT]
    assert "[2 9]" in verdict.message
    assert "[2 7]" in verdict.message
    assert "[2 7]" in verdict.observed


def test_every_program_has_its_row_and_every_row_its_program() -> None:
    assert list(EXPECTED) == sorted(EXPECTED)
    assert EXPECTED.keys() == PROGRAMS.keys()
    assert len(PROGRAMS) >= ENOUGH


def test_the_table_speaks_the_words_of_the_tool_and_knows_right_and_wrong() -> None:
    words = {word for row in EXPECTED.values() for word in row}
    assert words <= {"works", "-", *RULES}
    wrong = [name for name, row in EXPECTED.items() if WRONG & set(row)]
    assert ENOUGH / 3 <= len(wrong) <= len(EXPECTED) * 2 / 3
