"""The matcher itself: what answers a label, what is a deviation, and how it is worded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from matching import Expected, Found, Label, Reported, Trap, deviations, exit_code, load, read

TEXT = "Intro\nuse tf.add and tf.add_n here\n\nx = tf.sum(1)\ny = tf.exp(2.0)\n"


def found(quote: str, kind: str = "api", status: str = "works", nth: int = 0, **more: str) -> Found:
    start = -1
    for _ in range(nth + 1):
        start = TEXT.index(quote, start + 1)
    line = TEXT.count("\n", 0, start) + 1
    return Found(kind=kind, quote=quote, line=line, start=start, end=start + len(quote), status=status, **more)


def label(line: int, quote: str, kind: str = "api", status: tuple[str, ...] = ("works",), **more: object) -> Label:
    return Label(line=line, quote=quote, kind=kind, status=status, why="a reason", **more)  # type: ignore[arg-type]


def check(
    *claims: Found,
    labels: tuple[Label, ...] = (),
    traps: tuple[Trap, ...] = (),
    name: str = "a.txt",
    complete: bool = True,
) -> tuple[str, ...]:
    expected = Expected(document=name, exit_code=(0,), claims=labels, must_not=traps, complete=complete)
    return deviations(expected, Reported(text=TEXT, claims=claims))


def test_agreement_is_silent() -> None:
    assert check(found("tf.add"), labels=(label(2, "tf.add"),)) == ()


def test_a_missing_claim_names_place_and_reason() -> None:
    (line,) = check(labels=(label(2, "tf.add"),))
    assert line == "line 2 'tf.add': no api claim here; expected works (a reason)"


def test_a_name_does_not_answer_for_a_longer_one() -> None:
    assert check(found("tf.add_n"), labels=(label(2, "tf.add"),))
    assert check(found("tf.add_n"), labels=(label(2, "tf.add_n"),)) == ()


def test_a_wrong_status_shows_both() -> None:
    (line,) = check(found("tf.add_n", status="unproven", rule="ambiguous"), labels=(label(2, "tf.add_n"),))
    assert line == "line 2 'tf.add_n': expected works (a reason), got api line 2 'tf.add_n' is unproven (ambiguous)"


@pytest.mark.parametrize(
    ("accepted", "rule", "silent"),
    [((), "raises", True), (("raises",), "raises", True), (("removed",), "raises", False)],
)
def test_rules(accepted: tuple[str, ...], rule: str, silent: bool) -> None:
    claim = found("tf.sum(1)", kind="call", status="broken", rule=rule)
    assert (check(claim, labels=(label(4, "tf.sum(1)", "call", ("broken",), rule=accepted),)) == ()) is silent


def test_rule_of_a_working_claim_is_free() -> None:
    claim = found("tf.exp(2.0)", kind="call", rule="deprecated")
    assert check(claim, labels=(label(5, "tf.exp(2.0)", "call", rule=("removed",)),)) == ()


@pytest.mark.parametrize(("role", "silent"), [(None, True), ("answer", True), ("question", False)])
def test_roles(role: str | None, silent: bool) -> None:
    assert (check(found("tf.add_n", role="answer"), labels=(label(2, "tf.add_n", role=role),)) == ()) is silent


@pytest.mark.parametrize(
    ("labelled", "reported", "silent"),
    [
        ("api", "call", True),
        ("call", "api", True),
        ("call", "snippet", False),
        ("snippet", "call", False),
        ("output", "api", False),
    ],
)
def test_kinds(labelled: str, reported: str, silent: bool) -> None:
    assert (check(found("tf.exp(2.0)", kind=reported), labels=(label(5, "tf.exp(2.0)", labelled),)) == ()) is silent


def test_the_labelled_kind_is_preferred() -> None:
    claims = (found("tf.exp", kind="api", status="unproven"), found("tf.exp(2.0)", kind="call"))
    assert check(*claims, labels=(label(5, "tf.exp", "call"),)) == ()


def test_the_nearest_extent_is_preferred() -> None:
    claims = (found("y = tf.exp(2.0)", kind="call", status="unproven"), found("tf.exp(2.0)", kind="call"))
    assert check(*claims, labels=(label(5, "tf.exp(2.0)", "call"),)) == ()


def test_a_claim_may_begin_one_line_off_but_not_more() -> None:
    whole = found(TEXT[TEXT.index("\nx = ") :], kind="snippet")
    assert whole.line == 3
    assert check(whole, labels=(label(4, "x = tf.sum(1)", "snippet"),)) == ()
    assert check(whole, labels=(label(5, "y = tf.exp(2.0)", "snippet"),))


def test_lines_mean_nothing_in_containers() -> None:
    assert check(found("tf.add_n"), labels=(label(99, "tf.add_n"),), name="a.ipynb") == ()
    assert check(found("tf.add_n"), labels=(label(99, "tf.add_n"),), name="a.md")


def test_an_unlabelled_fault_is_a_false_accusation() -> None:
    claim = found("tf.sum(1)", kind="call", status="broken", rule="unknown-name")
    assert check(claim) == ("false accusation: call line 4 'tf.sum(1)' is broken (unknown-name)",)
    assert check(claim, complete=False) == ()
    assert check(claim, labels=(label(4, "tf.sum(1)", "call", ("broken",)),)) == ()
    assert len(check(claim, labels=(label(4, "tf.sum(1)", "call"),))) == 2


def test_unproven_is_never_an_accusation() -> None:
    assert check(found("tf.sum(1)", kind="call", status="unproven")) == ()


def test_no_claim_may_begin_in_a_trap() -> None:
    trap = Trap(line=2, quote="use tf.add", forbid=("claim",), why="prose")
    assert len(check(found("tf.add"), traps=(trap,))) == 1
    assert check(found("tf.add_n"), traps=(trap,)) == ()


def test_a_snippet_around_a_trap_is_no_claim_in_it() -> None:
    trap = Trap(line=5, quote="tf.exp", forbid=("claim",), why="inside")
    assert check(found("x = tf.sum(1)\ny = tf.exp(2.0)", kind="snippet"), traps=(trap,)) == ()


@pytest.mark.parametrize(("status", "hits"), [("broken", 1), ("outdated", 1), ("works", 0), ("unproven", 0)])
def test_forbidden_statuses(status: str, hits: int) -> None:
    trap = Trap(line=5, quote="y = tf.exp(2.0)", forbid=("broken", "outdated"), why="only blocked")
    assert len(check(found("tf.exp(2.0)", kind="call", status=status), traps=(trap,), complete=False)) == hits


@pytest.mark.parametrize(("line", "quote", "hits"), [(4, "x = tf.sum(1)", 1), (5, "y = tf.exp(2.0)", 0)])
def test_a_broken_snippet_falls_on_its_first_line_only(line: int, quote: str, hits: int) -> None:
    snippet = found("x = tf.sum(1)\ny = tf.exp(2.0)", kind="snippet", status="broken")
    trap = Trap(line=line, quote=quote, forbid=("broken",), why="innocent")
    assert len(check(snippet, traps=(trap,), complete=False)) == hits


@pytest.mark.parametrize(
    ("statuses", "code"),
    [((), 3), (("works",), 0), (("outdated", "unproven"), 0), (("works", "broken"), 1), (("not-run",), 0)],
)
def test_exit_codes(statuses: tuple[str, ...], code: int) -> None:
    assert exit_code(found("tf.add", status=status) for status in statuses) == code


def test_long_quotes_are_cut_to_one_line() -> None:
    claim = Found(kind="snippet", quote="a\n" * 100, line=1, start=0, end=200, status="works")
    assert "\n" not in str(claim)
    assert len(str(claim)) < 120


def test_a_report_is_read_by_file_name() -> None:
    claim = {"id": "c1", "kind": "api", "document": "some/where/a.txt", "quote": "tf.add", "line": 2,
             "span": {"start": 10, "end": 16}, "target": "tf.add", "passage": {"role": "answer"}}  # fmt: skip
    report = {
        "claims": [claim],
        "verdicts": [{"claim": "c1", "status": "works", "rule": ""}],
        "documents": [{"path": "some/where/a.txt", "text": TEXT}, {"path": "b.txt", "text": ""}],
    }
    reports = read(report)
    assert reports["b.txt"].claims == ()
    assert reports["a.txt"].claims == (found("tf.add", role="answer"),)


def test_labels_are_read_and_strange_fields_refused(tmp_path: Path) -> None:
    row = {"line": 1, "quote": "a", "kind": "api", "status": ["works"], "rule": [], "role": None, "why": "b"}
    data = {"document": "a.txt", "exit_code": [0], "claims": [row], "must_not": [], "complete": False}
    path = tmp_path / "a.txt.json"
    path.write_text(json.dumps(data))
    expected = load(path)
    assert expected.claims[0].status == ("works",)
    assert not expected.complete
    path.write_text(json.dumps({**data, "complte": True}))
    with pytest.raises(TypeError):
        load(path)
