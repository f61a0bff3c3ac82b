"""Reading many documents, and what the process ends with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from samples import document, name

from verifier.config import Settings
from verifier.errors import InputError
from verifier.model import SCHEMA, Notice, Report, Role, Status, Timing, Verdict
from verifier.pipeline import exit_code, read, survey, verify

NAMES = "Use `tf.add` and `tf.nn.relu` together.\n"


def _report(*pairs: tuple[Status, Role], interrupted: bool = False) -> Report:
    roles = [role for _, role in pairs] or [Role.OTHER]
    claims = tuple(replace(name("tf.x"), id=f"c{i}", passage=i) for i in range(len(pairs)))
    return Report(
        schema=SCHEMA,
        tool="test",
        environments=(),
        documents=(document(*((role, None) for role in roles)),),
        claims=claims,
        left_alone=(),
        evidence=(),
        verdicts=tuple(Verdict(claim=f"c{i}", status=status) for i, (status, _) in enumerate(pairs)),
        notices=(),
        interrupted=interrupted,
        timing=Timing(started="", seconds=0.0),
    )


@pytest.mark.parametrize(
    ("pairs", "code"),
    [
        ((), 3),
        (((Status.WORKS, Role.ANSWER),), 0),
        (((Status.BROKEN, Role.ANSWER), (Status.WORKS, Role.ANSWER)), 1),
        (((Status.BROKEN, Role.OTHER),), 1),
        (((Status.BROKEN, Role.QUESTION),), 3),
        (((Status.BROKEN, Role.REVIEW), (Status.WORKS, Role.ANSWER)), 0),
        (((Status.OUTDATED, Role.ANSWER),), 0),
        (((Status.UNPROVEN, Role.ANSWER),), 0),
        (((Status.NOT_RUN, Role.ANSWER),), 4),
        (((Status.NOT_RUN, Role.ANSWER), (Status.BROKEN, Role.ANSWER)), 1),
    ],
)
def test_exit_codes(pairs: tuple[tuple[Status, Role], ...], code: int) -> None:
    assert exit_code(_report(*pairs), Settings()) == code


def test_exit_codes_follow_the_settings() -> None:
    broken, outdated = _report((Status.BROKEN, Role.ANSWER)), _report((Status.OUTDATED, Role.ANSWER))
    assert exit_code(broken, Settings(exit_zero=True)) == 0
    assert exit_code(outdated, Settings(fail_on=(Status.OUTDATED,))) == 1
    assert exit_code(replace(broken, interrupted=True), Settings()) == 130


def test_one_unreadable_document_among_many_is_a_notice() -> None:
    Path("a.md").write_text(NAMES, "utf-8")
    Path("b.md").write_bytes(bytes(range(256)))
    notices: list[Notice] = []
    documents = read(["a.md", "b.md", "a.md"], None, notices)
    assert [item.path for item in documents] == ["a.md"]
    assert len(notices) == 1
    assert "b.md" in notices[0].message


def test_nothing_readable_is_an_error() -> None:
    Path("b.md").write_bytes(bytes(range(256)))
    with pytest.raises(InputError, match=r"b\.md"):
        read(["b.md"], None, [])


def test_names_are_answered_without_any_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIFIER_CACHE_DIR", "/proc/nowhere")
    report = verify(["-"], Settings(), stdin=f"{NAMES}There is no `tf.zorblify`; `tf.placeholder` is gone.".encode())
    assert report.environments == ()
    assert {claim.target: verdict.status for claim, verdict in zip(report.claims, report.verdicts, strict=True)} == {
        "tf.add": Status.WORKS,
        "tf.nn.relu": Status.WORKS,
        "tf.zorblify": Status.WORKS,
        "tf.placeholder": Status.WORKS,
    }


def test_code_without_a_sandbox_is_not_run_and_names_are_still_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIFIER_CACHE_DIR", "/proc/nowhere")
    text = f"{NAMES}\n```python\nimport tensorflow as tf\nprint(tf.zorblify(1))\n```\n"
    report = verify(["-"], Settings(), stdin=text.encode())
    verdicts = {
        claim.quote.strip()[:12]: verdict for claim, verdict in zip(report.claims, report.verdicts, strict=True)
    }
    assert verdicts["tf.add"].status is Status.WORKS
    assert verdicts["import tenso"].status is Status.NOT_RUN
    assert verdicts["tf.zorblify("].status is Status.BROKEN
    assert any("nothing was run" in notice.message for notice in report.notices)
    assert exit_code(report, Settings()) == 1


def test_a_survey_has_claims_and_no_verdicts() -> None:
    report = survey(["-"], stdin=f"{NAMES}\n```python\nx = 1\n```\n".encode())
    assert {str(claim.kind) for claim in report.claims} == {"api", "snippet"}
    assert report.verdicts == ()


def test_one_claim_can_be_chosen() -> None:
    text = NAMES.encode()
    chosen = verify(["-"], Settings(), stdin=text).claims[1]
    report = verify(["-"], Settings(claims=(chosen.id[:6],)), stdin=text)
    assert [claim.id for claim in report.claims] == [chosen.id]
    assert len(report.verdicts) == 1
    with pytest.raises(InputError, match="zzzz"):
        verify(["-"], Settings(claims=("zzzz",)), stdin=text)


def test_ids_do_not_depend_on_the_place() -> None:
    first = {claim.id for claim in survey(["-"], stdin=NAMES.encode()).claims}
    moved = {claim.id for claim in survey(["-"], stdin=("\n\nNothing here.\n\n" + NAMES).encode()).claims}
    assert first == moved
