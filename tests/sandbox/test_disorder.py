"""Claims in any order: a transcript takes only what keeps to the plan, and never tells of more than was claimed."""

from __future__ import annotations

import json
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.errors import ProtocolError
from verifier.model import Limits, Program, SessionJob, Span, Statement, StepFate
from verifier.sandbox.claims import decode_claim
from verifier.sandbox.transcript import Transcript

TOKEN = "t" * 32
COUNTS = (2, 0, 1)
FAULT = {
    "type": "E", "mro": ["E"], "message": "m", "name": "", "expression": None, "frames": [], "exhausted": "", "refused": "",
}  # fmt: skip

places = st.fixed_dictionaries({"program": st.integers(-1, 3), "statement": st.integers(-1, 2)})
claims = st.one_of(
    st.just({"what": "started"}),
    places.map(lambda place: {"what": "begin", **place}),
    st.tuples(places, st.sampled_from(["finished", "raised", "blocked", "missing"]), st.booleans()).map(
        lambda drawn: {"what": "step", **drawn[0], "fate": drawn[1], "fault": FAULT if drawn[2] else None}
    ),
    st.integers(-1, 3).map(lambda number: {"what": "skip", "program": number}),
    st.integers(-1, 3).map(lambda number: {"what": "ran", "program": number, "lines": [1]}),
    st.sampled_from(["", "sys.exit(0)"]).map(lambda ended: {"what": "finished", "ended": ended}),
)


def plan() -> Transcript:
    one = Statement(span=Span(start=0, end=1), line=1, end_line=1)
    programs = tuple(Program(name=f"p{n}", code="", statements=(one,) * count) for n, count in enumerate(COUNTS))
    return Transcript(SessionJob(programs=programs, limits=Limits()), {})


def decode(claim: dict[str, object]):
    return decode_claim(json.dumps({"token": TOKEN, **claim}).encode(), TOKEN)


@settings(deadline=None, max_examples=300)
@given(st.lists(claims, max_size=14))
def test_any_order(said: list[dict[str, object]]) -> None:
    transcript, taken = plan(), []
    with suppress(ProtocolError):
        for claim in said:
            transcript.take(decode(claim))
            taken.append(claim)
    steps = transcript.steps()
    assert [(step.program, step.statement) for step in steps] == [(0, 0), (0, 1), (2, 0)]
    ended = [step for step in steps if step.fate is not StepFate.NOT_REACHED]
    assert len(ended) == sum(claim["what"] == "step" for claim in taken)
    assert sum(step.fate is StepFate.FINISHED for step in ended) == sum(
        claim.get("fate") == "finished" for claim in taken
    )
    assert not transcript.finished or taken[-1]["what"] == "finished"


@settings(deadline=None, max_examples=200)
@given(st.permutations(range(8)))
def test_a_shuffled_session_is_believed_in_its_own_order_only(order: list[int]) -> None:
    whole = [{"what": "started"}]
    for program, statement in ((0, 0), (0, 1), (2, 0)):
        whole.append({"what": "begin", "program": program, "statement": statement})
        whole.append({"what": "step", "program": program, "statement": statement, "fate": "finished"})
    whole.append({"what": "finished", "ended": ""})
    transcript = plan()
    with suppress(ProtocolError):
        for number in order:
            transcript.take(decode(whole[number]))
    assert transcript.finished == (order == list(range(8)))


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_claim_or_refused(payload: bytes) -> None:
    with suppress(ProtocolError):
        decode_claim(payload, TOKEN)
