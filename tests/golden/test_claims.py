"""The whole tool, over every document in `claims/transcripts`, against the verdicts fixed by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from matching import CONTAINERS, Found, Label, Reported, deviations, exit_code, load, places, read

from verifier import documents
from verifier.model import Document
from verifier.rules import RULES

CLAIMS = Path(__file__).parents[2] / "claims"
DOCUMENTS = sorted(path.name for path in (CLAIMS / "transcripts").iterdir())
STATUSES = {"works", "outdated", "broken", "unproven"}
KINDS = {"snippet", "call", "api", "output"}
ROLES = {"question", "answer", "review", None}
CACHE = "VERIFIER_CACHE_DIR"  # where the environments live: an input of the run
RUN_SECONDS = 1800  # all documents, on two cores; one of them runs into the time limit of its session


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reported]:
    """One run over all documents, by file name, away from any configuration of the caller's."""
    command = [str(Path(sys.executable).with_name("verify")), "--format", "json", str(CLAIMS / "transcripts")]
    kept = {key: value for key, value in os.environ.items() if not key.startswith("VERIFIER_") or key == CACHE}
    away = tmp_path_factory.mktemp("away")
    run = subprocess.run(command, capture_output=True, timeout=RUN_SECONDS, check=False, env=kept, cwd=away)
    said = run.stderr.decode("utf-8", "replace")
    assert run.returncode == 1, f"exit status {run.returncode} instead of 1 (some documents are broken): {said[-2000:]}"
    report = json.loads(run.stdout)
    lost = [notice for notice in report["notices"] if "was left out" in notice["message"]]
    assert not lost, lost
    return read(report)


@pytest.mark.sandbox
def test_every_document_is_in_the_report(reports: dict[str, Reported]) -> None:
    assert sorted(reports) == DOCUMENTS


@pytest.mark.sandbox
@pytest.mark.parametrize("name", DOCUMENTS)
def test_verdicts(name: str, reports: dict[str, Reported]) -> None:
    found = deviations(load(CLAIMS / "expected" / f"{name}.json"), reports[name])
    if found:
        pytest.fail(f"{name}: {len(found)} deviations\n  " + "\n  ".join(found), pytrace=False)


@pytest.mark.sandbox
@pytest.mark.parametrize("name", DOCUMENTS)
def test_exit_code(name: str, reports: dict[str, Reported]) -> None:
    assert exit_code(reports[name].claims) in load(CLAIMS / "expected" / f"{name}.json").exit_code


def test_every_document_has_labels_and_every_label_file_a_document() -> None:
    assert sorted(path.name for path in (CLAIMS / "expected").iterdir()) == [f"{name}.json" for name in DOCUMENTS]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_labels_use_the_words_of_the_tool(name: str) -> None:
    expected = load(CLAIMS / "expected" / f"{name}.json")
    assert expected.document == name
    assert set(expected.exit_code) <= {0, 1, 3}
    for label in expected.claims:
        assert label.kind in KINDS
        assert label.status
        assert set(label.status) <= STATUSES
        assert set(label.rule) <= set(RULES)
        assert label.role in ROLES
        assert label.why
    for trap in expected.must_not:
        assert trap.forbid == ("claim",) or set(trap.forbid) <= STATUSES
        assert trap.why


@pytest.mark.parametrize("name", DOCUMENTS)
def test_quotes_stand_on_their_lines(name: str) -> None:
    lines = _text(CLAIMS / "transcripts" / name).split("\n")
    expected = load(CLAIMS / "expected" / f"{name}.json")
    for label in (*expected.claims, *expected.must_not):
        # In JSON the raw line holds the quote as a JSON string does.
        escaped = Path(name).suffix in CONTAINERS - {".html"}
        raw = json.dumps(label.quote, ensure_ascii=False)[1:-1] if escaped else label.quote
        assert raw in lines[label.line - 1], f"line {label.line}: {label.quote!r}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_exit_code_follows_from_the_labels(name: str) -> None:
    expected = load(CLAIMS / "expected" / f"{name}.json")
    if not expected.claims:
        assert expected.exit_code == (3,)
    elif any(label.status == ("broken",) for label in expected.claims):
        assert expected.exit_code == (1,)
    elif any("broken" in label.status for label in expected.claims):
        assert expected.exit_code == (0, 1)
    else:
        assert expected.exit_code == (0,)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_labels_do_not_contradict_each_other(name: str) -> None:
    """A report that says what the labels say, of the text and the speakers that the reader sees, has no deviation."""
    document = documents.load(str(CLAIMS / "transcripts" / name))
    expected = load(CLAIMS / "expected" / f"{name}.json")
    claims = []
    for label in expected.claims:
        spans = places(label, document.text, name)
        assert spans, f"{label.quote!r} is not on line {label.line}"
        claims.append(_ideal(label, document, *spans[0]))
    assert deviations(expected, Reported(text=document.text, claims=tuple(claims))) == ()
    assert exit_code(claims) in expected.exit_code


def _ideal(label: Label, document: Document, start: int, end: int) -> Found:
    return Found(
        kind=label.kind,
        quote=label.quote,
        line=document.text.count("\n", 0, start) + 1,
        start=start,
        end=end,
        status=label.status[0],
        rule=label.rule[0] if label.rule else "",
        role=document.passages[document.passage_at(start)].role,
    )


def _text(path: Path) -> str:
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("gb18030")
