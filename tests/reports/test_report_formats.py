"""The table of formats, and what a claim is called in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from report_builders import claim, document, interview
from report_strategies import wild_reports

from verifier.model import ClaimKind, Passage, Polarity, Report, Role, Span
from verifier.reports import FORMATS, kind_of
from verifier.reports.wording import claimed, first_line, plural, who


def test_each_format_renders_bytes() -> None:
    starts = {kind: item.render(interview()).strip()[:9] for kind, item in FORMATS.items()}
    assert starts == {"text": b"notes/wan", "concise": b"notes/wan", "json": b'{\n "claim', "html": b"<!DOCTYPE"}


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(wild_reports())
def test_each_format_takes_any_report(report: Report) -> None:
    for item in FORMATS.values():
        item.render(report).decode("utf-8")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("out.json", "json"),
        ("a/b.HTML", "html"),
        ("x.htm", "html"),
        ("x.txt", "text"),
        ("x", None),
        ("json", None),
        ("x.json.gz", None),
    ],
)
def test_the_ending_of_a_file_name_tells_the_kind(path: str, kind: str | None) -> None:
    assert kind_of(path) == kind


API = claim(document("see tf.io.read_file"), "tf.io.read_file", target="tf.io.read_file")
CODE = replace(API, kind=ClaimKind.SNIPPET, code="f(\n 1)\n")


@pytest.mark.parametrize(
    ("about", "changes", "says"),
    [
        (API, {}, "tf.io.read_file exists"),
        (API, {"said_kind": "function"}, "tf.io.read_file is a function"),
        (API, {"said_kind": "attribute"}, "tf.io.read_file is an attribute"),
        (API, {"argument": "name"}, "tf.io.read_file takes an argument name"),
        (API, {"argument": "name", "polarity": Polarity.NEGATED}, "tf.io.read_file has no argument name"),
        (API, {"polarity": Polarity.NEGATED, "release": "2.0"}, "tf.io.read_file does not exist in TensorFlow 2.0"),
        (CODE, {}, "this code runs"),
        (CODE, {"release": "1.x"}, "this code runs in TensorFlow 1.x"),
        (CODE, {"polarity": Polarity.NEGATED, "announced": "TypeError"}, "this code fails with TypeError"),
        (CODE, {"kind": ClaimKind.CALL}, "the call f(… is valid"),
        (CODE, {"kind": ClaimKind.CALL, "polarity": Polarity.NEGATED}, "the call f(… fails"),
        (CODE, {"kind": ClaimKind.OUTPUT, "code": "12"}, "the result is 12"),
        (API, {"kind": ClaimKind.STATEMENT, "quote": "eager is the default"}, "eager is the default"),
    ],
)
def test_what_is_claimed(about: Any, changes: dict[str, Any], says: str) -> None:
    assert claimed(replace(about, **changes)) == says


@pytest.mark.parametrize(
    ("role", "speaker", "number", "says"),
    [
        (Role.ANSWER, "李", 3, "李, answer to question 3"),
        (Role.ANSWER, "", None, "answer"),
        (Role.QUESTION, "", 3, "question 3"),
        (Role.REVIEW, "", 3, "review of question 3"),
        (Role.REVIEW, "", None, "review"),
        (Role.OTHER, "bob\n", None, "bob"),
        (Role.OTHER, "", 7, ""),
    ],
)
def test_who_speaks(role: Role, speaker: str, number: int | None, says: str) -> None:
    assert who(Passage(span=Span(start=0, end=1), role=role, speaker=speaker, number=number)) == says


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("", ""),
        ("\n\n a = 1\n", "a = 1"),
        ("a\nb", "a…"),
        ("x" * 40, "x" * 10 + "…"),
        ("x" * 10, "x" * 10),
        ("a\tb", "a b"),
    ],
)
def test_first_line(text: str, short: str) -> None:
    assert first_line(text, 10) == short


def test_plural() -> None:
    assert [plural(count, "claim") for count in (0, 1, 2)] == ["0 claims", "1 claim", "2 claims"]
