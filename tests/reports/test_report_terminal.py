"""The terminal report: its whole form, its order, and that nothing in it is obeyed by a terminal."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from report_builders import INTERVIEW_TEXT, claim, document, interview, passages_of, report, verdict
from report_strategies import HOSTILE, reports

from verifier.model import (
    ClaimKind,
    Confidence,
    LeftAlone,
    Notice,
    Repair,
    RepairClass,
    Report,
    Role,
    Span,
    Status,
)
from verifier.reports import render_concise, render_terminal
from verifier.text import width

SGR = re.compile(r"\x1b\[[0-9;]*m")
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def one_claim(status: Status, rule: str = "", message: str = "m", **more: Any) -> Report:
    doc = document("use tf.io.read here\n")
    about = claim(doc, "tf.io.read", target="tf.io.read")
    return report((doc,), (about,), (verdict(about, status, rule, message, **more),))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("normal.txt", {}),
        ("quiet.txt", {"verbosity": -1}),
        ("verbose.txt", {"verbosity": 1}),
        ("very-verbose.txt", {"verbosity": 2}),
        ("narrow.txt", {"width": 60}),
        ("ascii.txt", {"encoding": "ascii"}),
        ("colour.txt", {"color": True}),
    ],
)
def test_golden(golden: Any, name: str, options: dict[str, Any]) -> None:
    golden(name, render_terminal(interview(), **options))


def test_concise_golden(golden: Any) -> None:
    golden("concise.txt", render_concise(interview()))


def test_very_quiet_says_nothing() -> None:
    assert render_terminal(interview(), verbosity=-2) == ""


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(
    reports(),
    st.sampled_from([60, 100, 200]),
    st.booleans(),
    st.integers(-1, 2),
    st.sampled_from(["utf-8", "gbk", "ascii"]),
)
def test_a_terminal_obeys_nothing_but_our_colours(
    report: Report, columns: int, color: bool, verbosity: int, encoding: str
) -> None:
    text = render_terminal(report, width=columns, color=color, verbosity=verbosity, encoding=encoding)
    plain = SGR.sub("", text) if color else text
    assert not CONTROLS.search(plain)
    assert color or "\x1b" not in text
    text.encode(encoding)
    assert text == render_terminal(report, width=columns, color=color, verbosity=verbosity, encoding=encoding)


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_words_stay_words(evil: str) -> None:
    doc = replace(document(f"say {evil} now"), path=f"dir/{evil}.txt")
    about = claim(doc, evil, target=evil)
    rendered = render_terminal(
        report(
            (doc,),
            (about,),
            (verdict(about, Status.BROKEN, "raises", evil, observed=evil, notes=(evil,), suggestion=evil),),
        ),
        color=True,
    )
    assert not CONTROLS.search(SGR.sub("", rendered))
    concise = render_concise(report((doc,), (about,), (verdict(about, Status.BROKEN, "raises", evil),)))
    assert concise.count("\n") == 1
    assert not CONTROLS.search(concise)


@pytest.mark.parametrize("columns", [60, 80, 120, 200])
def test_lines_keep_to_the_width(columns: int) -> None:
    for line in render_terminal(interview(), width=columns, verbosity=1).splitlines():
        assert width(line) <= columns or "= repro:" in line


def test_colour_changes_no_word() -> None:
    coloured = render_terminal(interview(), color=True)
    assert SGR.sub("", coloured) == render_terminal(interview())
    assert "38;5;208" in coloured


def test_gravest_first() -> None:
    text = render_terminal(interview(), verbosity=-1)
    heads = re.findall(r"^[✖!?–] (\w+)\[([\w-]+)\]", text, re.MULTILINE)
    assert heads == [
        ("broken", "unknown-name"),
        ("broken", "raises"),
        ("outdated", "renamed"),
        ("unproven", "missing-data"),
        ("broken", "unknown-name"),  # the reviewer's, told apart
    ]


def test_claims_of_others_are_told_apart_and_not_counted() -> None:
    text = render_terminal(interview(), verbosity=1)
    own, _, others = text.partition("not charged to the candidate:")
    assert "3 of 8 claims in answers are broken" in own
    assert "Convolve" not in own.replace(INTERVIEW_TEXT, "")
    assert "Convolve" in others
    assert "✔ works 3:22 " in others


@pytest.mark.parametrize(
    ("roles", "heading"),
    [
        ((Role.QUESTION,), "said by the interviewer, not"),
        ((Role.REVIEW,), "said by the reviewer, not"),
        ((Role.QUESTION, Role.REVIEW), "said outside the answers, not"),
    ],
)
def test_who_said_it_is_named(roles: tuple[Role, ...], heading: str) -> None:
    lines = [f"p{number} tf.x{number}\n" for number in range(len(roles))]
    doc = document(
        "".join(lines),
        *passages_of("".join(lines), *((line, role, "", 1) for line, role in zip(lines, roles, strict=True))),
    )
    claims = tuple(claim(doc, f"tf.x{number}") for number in range(len(roles)))
    verdicts = tuple(verdict(about, Status.BROKEN, "unknown-name", "gone") for about in claims)
    assert heading in render_terminal(report((doc,), claims, verdicts))


@pytest.mark.parametrize(
    ("text", "roles", "says"),
    [
        ("你好。\n", (), "nothing to verify: no code and no API name found in notes/wang.txt"),
        (
            "问 tf.device 吗\n答 没有\n",
            (("问", Role.QUESTION, "", 1), ("答", Role.ANSWER, "", 1)),
            "no code and no API name found in the answers of notes/wang.txt; 1 mention stands in a question: tf.device",
        ),
    ],
)
def test_nothing_to_verify_is_said(text: str, roles: Any, says: str) -> None:
    doc = document(text, *passages_of(text, *roles)) if roles else document(text)
    claims = (claim(doc, "tf.device", target="tf.device"),) if roles else ()
    verdicts = tuple(verdict(about, Status.WORKS) for about in claims)
    assert says in render_terminal(report((doc,), claims, verdicts), width=200)


def test_code_that_nobody_could_read_is_not_called_nothing() -> None:
    doc = document("x = = 1\ny ( = 2\n")
    regions = tuple(
        LeftAlone(document=doc.path, span=Span(start=at, end=at + 5), kind="unrecovered", reason="no reading compiles")
        for at in (0, 8)
    )
    text = render_terminal(report((doc,), left_alone=regions))
    assert "2 code-like regions could not be read" in text
    assert "no code" not in text
    verbose = render_terminal(report((doc,), left_alone=regions), verbosity=1)
    assert "notes/wang.txt:2 unrecovered: no reading compiles" in verbose


def test_last_line_counts_everything_and_names_the_setting() -> None:
    last = render_terminal(interview()).splitlines()[-1]
    assert last == "10 claims in 1 document: 3 works, 4 broken, 1 outdated, 2 unproven · tf-2.21, bubblewrap, 3.1 s"


def test_known_faults_are_marked_and_new_ones_counted() -> None:
    doc = document("tf.a tf.b")
    claims = claim(doc, "tf.a"), claim(doc, "tf.b")
    verdicts = (
        verdict(claims[0], Status.BROKEN, "raises", "m", state="known"),
        verdict(claims[1], Status.BROKEN, "raises", "m"),
    )
    text = render_terminal(report((doc,), claims, verdicts))
    assert "✖ broken[raises] (known) m" in text
    assert "2 broken (1 new)" in text


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (
            one_claim(Status.BROKEN, "raises", confidence=Confidence.GUESS, because="an R2 repair"),
            "= confidence: guess (an R2 repair)",
        ),
        (one_claim(Status.BROKEN, "raises", ""), "✖ broken[raises] the code was run and raised an exception"),
        (one_claim(Status.NOT_RUN, "sandbox-failed"), "– not run[sandbox-failed] m"),
        (one_claim(Status.BROKEN, "raises", span=Span(start=10, end=9_999)), "^^^^^^^^^"),
        (replace(one_claim(Status.WORKS), interrupted=True), "notice: the run was interrupted"),
        (replace(one_claim(Status.WORKS), notices=(Notice(message="no GPU here"),)), "notice: no GPU here"),
    ],
)
def test_what_a_block_says(found: Report, says: str) -> None:
    assert says in render_terminal(found)


def test_repairs_are_summed_up_without_blame() -> None:
    base = one_claim(Status.BROKEN, "raises")
    kinds = [("quotes", RepairClass.R0)] * 3 + [("comments", RepairClass.R1), ("indentation", RepairClass.R2)]
    repairs = tuple(
        Repair(rule=rule, klass=klass, span=Span(start=0, end=1), before="x", after="y", reason="r")
        for rule, klass in kinds
    )
    text = render_terminal(replace(base, claims=(replace(base.claims[0], repairs=repairs),)), width=160)
    assert (
        "= note: read through 5 repairs: quotes ×3, comments, indentation "
        "(none held against the author; 1 chosen among several readings)"
    ) in text


def test_a_path_with_spaces_can_be_pasted() -> None:
    base = one_claim(Status.BROKEN, "raises")
    path = "my notes/李.txt"
    moved = replace(
        base, documents=(replace(base.documents[0], path=path),), claims=(replace(base.claims[0], document=path),)
    )
    assert "= repro: verify 'my notes/李.txt' --claim api-4" in render_terminal(moved)


def test_every_document_has_its_headline() -> None:
    docs = document("tf.a"), document("hello", path="b.txt")
    about = claim(docs[0], "tf.a")
    text = render_terminal(report(docs, (about,), (verdict(about, Status.WORKS),)))
    assert "notes/wang.txt: 1 of 1 claim works" in text
    assert "nothing to verify: no code and no API name found in b.txt" in text
    assert "1 claim in 2 documents: 1 works" in text


def test_thousands_of_claims_in_one_line() -> None:
    count = 3000
    doc = document(" ".join(f"tf.n{number}" for number in range(count)) + "长" * 100_000)
    claims, at = [], 0
    for number in range(count):
        name = f"tf.n{number}"
        base = claim(doc, "tf.n0", ClaimKind.API, ident=name)
        claims.append(replace(base, span=Span(start=at, end=at + len(name)), quote=name))
        at += len(name) + 1
    verdicts = tuple(verdict(about, Status.BROKEN, "unknown-name", "gone") for about in claims)
    assert render_terminal(report((doc,), tuple(claims), verdicts)).count("✖ broken") == count
