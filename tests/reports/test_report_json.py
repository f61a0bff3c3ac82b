"""The JSON report: lossless, deterministic, described by its schema, and refused when it is something else."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from report_builders import claim, document, interview, passages_of, report, verdict
from report_strategies import reports

import verifier.reports
from verifier.errors import InputError
from verifier.model import Report, Role, Status, Timing
from verifier.reports import from_json, schema_bytes, to_json

SCHEMA = Path(verifier.reports.__file__).parent / "schema" / "report-1.json"
relaxed = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])


def tree(of: Report) -> dict[str, Any]:
    return json.loads(to_json(of))


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads(SCHEMA.read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@relaxed
@given(reports())
def test_reading_gives_back_what_was_written(report: Report) -> None:
    assert from_json(to_json(report)) == report


@relaxed
@given(reports())
def test_every_report_fits_the_schema(report: Report) -> None:
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_bytes())).validate(tree(report))


def test_golden(golden: Any, validator: jsonschema.Draft202012Validator) -> None:
    text = to_json(interview()).decode()
    golden("interview.json", text)
    validator.validate(json.loads(text))


def test_schema_file_is_current() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        SCHEMA.write_bytes(schema_bytes())
    assert schema_bytes() == SCHEMA.read_bytes(), "the types changed: write it anew with UPDATE_GOLDEN=1"


def test_schema_describes_what_a_script_needs() -> None:
    schema = json.loads(SCHEMA.read_bytes())
    assert schema["properties"]["schema"]["const"] == "verifier/report/1"
    assert {"line", "column", "passage", "span", "quote"} <= set(schema["$defs"]["Claim"]["required"])
    assert all("description" in prop for prop in schema["properties"].values())


def test_a_claim_carries_line_column_and_passage() -> None:
    text = "问：一\n答：用 tf.io.read_file 读。\n"
    doc = document(text, *passages_of(text, ("问", Role.QUESTION, "甲", 4), ("答", Role.ANSWER, "乙", 4)))
    about = claim(doc, "tf.io.read_file", target="tf.io.read_file")
    written = tree(report((doc,), (about,), (verdict(about, Status.WORKS),)))["claims"][0]
    assert (written["line"], written["column"]) == (2, 5)
    assert written["passage"] == {"index": 1, "role": "answer", "speaker": "乙", "number": 4, "conversation": 0}
    span = written["span"]
    assert text[span["start"] : span["end"]] == "tf.io.read_file"


def test_counts_are_split_by_who_said_it() -> None:
    summary = tree(interview())["summary"]
    assert summary["claims"] == 10
    assert summary["answers"] == {"works": 2, "broken": 3, "outdated": 1, "unproven": 2, "not-run": 0}
    assert summary["questions_and_reviews"] == {"works": 1, "broken": 1, "outdated": 0, "unproven": 0, "not-run": 0}
    assert sum(summary["elsewhere"].values()) == 0
    assert summary["statuses"]["broken"] == 4


def test_a_claim_without_verdict_counts_as_not_run() -> None:
    doc = document("tf.Session")
    assert tree(report((doc,), (claim(doc, "tf.Session"),), interrupted=True))["summary"]["statuses"]["not-run"] == 1


def test_bytes_are_sorted_utf8_and_the_same_every_time() -> None:
    raw = to_json(interview())
    assert raw == to_json(interview())
    assert "候选人".encode() in raw
    assert b"\\u5019" not in raw
    keys = list(json.loads(raw))
    assert keys == sorted(keys)
    assert raw.endswith(b"}\n")


@pytest.mark.parametrize("figure", [nan, inf, -inf])
def test_figures_that_are_not_finite_are_null(figure: float, validator: jsonschema.Draft202012Validator) -> None:
    odd = report((document("x"),), timing=Timing(started="", seconds=figure, sessions=(1.0, figure)))
    written = tree(odd)
    assert written["timing"] | {"started": ""} == {
        "seconds": None,
        "sessions": [1.0, None],
        "started": "",
    }
    validator.validate(written)
    assert to_json(from_json(to_json(odd))) == to_json(odd)


def test_half_a_character_survives() -> None:
    odd = report((document("a\ud83d|\udc00b"),))
    assert from_json(to_json(odd)).documents[0].text == "a\ud83d|\udc00b"


def test_fields_that_a_later_version_adds_are_ignored() -> None:
    more = tree(interview()) | {"colour": "blue"}
    more["claims"][0]["weight"] = 3
    assert from_json(json.dumps(more).encode()) == interview()


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "not a JSON report"),
        (b"{", "not a JSON report"),
        (b"\xff\xfe\x00", "not a JSON report"),
        (b"[" * 100_000, "not a JSON report"),
        (b"[]", "schema is None"),
        (b"{}", "schema is None"),
        (b'{"schema": "verifier/report/2"}', "'verifier/report/2', wanted 'verifier/report/1'"),
        (b'{"schema": "verifier/report/1"}', "not a valid verifier/report/1"),
    ],
)
def test_what_is_no_report_is_refused_in_a_sentence(raw: bytes, says: str) -> None:
    with pytest.raises(InputError, match=r"^is not") as caught:
        from_json(raw)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("claims", 0, "passage"), 3),
        (("claims", 0, "span"), [1, 2]),
        (("verdicts", 0, "status"), "fine"),
        (("documents",), {}),
        (("timing", "seconds"), "3"),
    ],
)
def test_a_wrong_field_is_named(path: tuple[Any, ...], value: object) -> None:
    wrong: Any = tree(interview())
    node = wrong
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    with pytest.raises(InputError, match=rf"\$\.{path[0]}"):
        from_json(json.dumps(wrong).encode())


def test_a_claim_about_a_document_that_is_not_there_is_written() -> None:
    doc = document("tf.Session")
    odd = replace(report((doc,), (claim(doc, "tf.Session"),)), documents=())
    assert from_json(to_json(odd)) == odd
