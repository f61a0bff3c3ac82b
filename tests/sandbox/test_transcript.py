"""What a session says is believed only as far as it follows the plan."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.errors import ProtocolError
from verifier.model import Limits, Program, SessionJob, Span, Statement
from verifier.sandbox.claims import decode_claim
from verifier.sandbox.transcript import Transcript

TOKEN = "t" * 32
PNG = "iVBORw0KGgoAAAA="


def plan(*counts: int, figures: int = 2) -> Transcript:
    one = Statement(span=Span(start=0, end=1), line=1, end_line=1)
    programs = tuple(Program(name=f"p{n}", code="", statements=(one,) * count) for n, count in enumerate(counts))
    return Transcript(SessionJob(programs=programs, limits=Limits(figures=figures)), {"/code/p0.py": "p0"})


def say(transcript: Transcript, what: str, program: int | None = None, statement: int | None = None, **facts) -> None:
    place = {key: value for key, value in (("program", program), ("statement", statement)) if value is not None}
    claim = {"what": what, "token": TOKEN, **place, **facts}
    transcript.take(decode_claim(json.dumps(claim).encode(), TOKEN))


def fault(**more) -> dict[str, object]:
    blank = {
        "type": "E",
        "mro": ["E"],
        "message": "m",
        "name": "",
        "expression": None,
        "frames": [],
        "exhausted": "",
        "refused": "",
    }
    return {**blank, **more}


def ran(transcript: Transcript, program: int, statement: int, fate: str = "finished", **facts) -> None:
    say(transcript, "begin", program, statement)
    say(transcript, "step", program, statement, fate=fate, **facts)


def test_a_whole_session() -> None:
    transcript = plan(2, 0, 1)
    say(transcript, "started")
    ran(transcript, 0, 0, value="7", warnings=[["W", "careful", 2]])
    ran(transcript, 0, 1, "raised", fault=fault(expression=[1, 4], frames=[["/code/p0.py", 3]], exhausted="disk"))
    say(transcript, "figure", 0, 1, png=PNG, width=1, height=1)
    ran(transcript, 2, 0, "blocked", blocked_by=[0, 1])
    say(transcript, "ran", 0, lines=[1, 2])
    say(transcript, "finished", ended="")
    steps = transcript.steps()
    assert [str(step.fate) for step in steps] == ["finished", "raised", "blocked"]
    assert steps[0].warnings[0].count == 2
    assert steps[1].fault.frames == (("p0", 3),)
    assert steps[1].fault.expression == Span(start=1, end=4)
    assert len(steps[1].figures) == 1
    assert transcript.ran_lines() == ((1, 2), (), ())
    assert transcript.exhausted == {"disk"}


def test_what_was_not_claimed_was_not_reached() -> None:
    transcript = plan(2)
    say(transcript, "started")
    ran(transcript, 0, 0)
    assert [str(step.fate) for step in transcript.steps()] == ["finished", "not-reached"]
    assert not transcript.finished


def test_a_session_may_end_early_when_it_says_why() -> None:
    transcript = plan(3)
    say(transcript, "started")
    ran(transcript, 0, 0, "raised", fault=fault(type="SystemExit"))
    say(transcript, "finished", ended="sys.exit(0)")
    assert transcript.ended == "sys.exit(0)"


def test_a_program_that_does_not_parse_is_passed_over() -> None:
    transcript = plan(3, 1)
    say(transcript, "started")
    ran(transcript, 0, 0, "raised", fault=fault(type="SyntaxError"))
    say(transcript, "skip", 0)
    ran(transcript, 1, 0)
    say(transcript, "finished", ended="")
    assert [str(step.fate) for step in transcript.steps()] == ["raised", "not-reached", "not-reached", "finished"]


BEGIN = ("begin", {"program": 0, "statement": 0})
END = ("step", {"program": 0, "statement": 0, "fate": "finished"})
FORGERIES = {
    "nothing before the start": [BEGIN],
    "started twice": [("started", {}), ("started", {})],
    "an end without a beginning": [("started", {}), END],
    "begun twice": [("started", {}), BEGIN, BEGIN],
    "the second statement first": [("started", {}), ("begin", {"program": 0, "statement": 1})],
    "a statement beyond the plan": [("started", {}), BEGIN, END, ("begin", {"program": 0, "statement": 2})],
    "another statement ends": [("started", {}), BEGIN, ("step", {"program": 0, "statement": 1, "fate": "finished"})],
    "over too soon": [("started", {}), BEGIN, END, ("finished", {"ended": ""})],
    "over in the middle of a statement": [("started", {}), BEGIN, ("finished", {"ended": "x"})],
    "on after the end": [("started", {}), ("finished", {"ended": "x"}), BEGIN],
    "raised nothing": [("started", {}), BEGIN, ("step", {"program": 0, "statement": 0, "fate": "raised"})],
    "blames the future": [("started", {}), BEGIN, ("step", {"program": 0, "statement": 0, "fate": "blocked", "blocked_by": [0, 1]})],
    "a figure of a statement that did not run": [("started", {}), ("figure", {"program": 0, "statement": 0, "png": PNG, "width": 1, "height": 1})],
    "a figure that is none": [("started", {}), BEGIN, ("figure", {"program": 0, "statement": 0, "png": "PHNjcmlwdD4=", "width": 1, "height": 1})],
    "too many figures": [("started", {}), BEGIN, *[("figure", {"program": 0, "statement": 0, "png": PNG, "width": 1, "height": 1})] * 3],
    "lines of no program": [("started", {}), ("ran", {"program": 5, "lines": []})],
    "passes over a good program": [("started", {}), BEGIN, END, ("skip", {"program": 0})],
    "passes over a program it never began": [("started", {}), ("skip", {"program": 0})],
    "answers nobody's question": [("started", {}), ("answer", {"index": 0, "found": True})],
}  # fmt: skip


@pytest.mark.parametrize("claims", FORGERIES.values(), ids=FORGERIES)
def test_what_cannot_be_is_refused(claims: list[tuple[str, dict[str, object]]]) -> None:
    transcript = plan(2)
    for what, facts in claims[:-1]:
        say(transcript, what, **facts)
    with pytest.raises(ProtocolError):
        say(transcript, claims[-1][0], **claims[-1][1])


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"null",
        b"{}",
        b'{"what": "started"}',
        b'{"what": "started", "token": "wrong"}',
        b'{"what": "nothing", "token": "%s"}' % TOKEN.encode(),
        b'{"what": "started", "token": "%s", "more": 1}' % TOKEN.encode(),
        b'{"what": "begin", "token": "%s", "program": "0", "statement": 0}' % TOKEN.encode(),
        b'{"what": "started", "token": "\\ud800"}',
        b"[" * 100_000,
        b'{"what": "started", "token": "\xff"}',
    ],
)
def test_malformed_claims_are_refused(payload: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode_claim(payload, TOKEN)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@settings(deadline=None)
@given(st.sampled_from(["started", "begin", "step", "skip", "figure", "ran", "finished", "answer"]), st.dictionaries(
    st.sampled_from(["program", "statement", "fate", "fault", "ended", "lines", "png", "width", "value"]), JSON))  # fmt: skip
def test_random_claims_raise_nothing_but_protocol_errors(what: str, facts: dict[str, object]) -> None:
    transcript = plan(2)
    with suppress(ProtocolError):
        say(transcript, "started")
        say(transcript, what, **facts)
