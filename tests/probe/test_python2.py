"""Python 2 code is converted inside a sandbox and run only to see whether it would work."""

from __future__ import annotations

import json

import pytest
from samples import document, fault, snippet

from verifier.errors import SandboxUnavailable
from verifier.index import open_index
from verifier.model import Claim, Evidence, Fate, Fault, Limits, Outcome, SessionJob, Step, StepFate
from verifier.probe import Attempt, modernise

INDEX = open_index("tf-2.21")
OLD = "import tensorflow as tf\ns = tf.Session()\nprint s"
NEW = "import tensorflow as tf\ns = tf.Session()\nprint(s)\n"
PLAIN = "print 7 / 2"


class Stub:
    """Stands for a sandbox: answers for the converter, and lets every other program finish or raise."""

    def __init__(self, answer: object, *, raised: Fault | None = None) -> None:
        self._answer = answer
        self._raised = raised
        self.ran: list[str] = []

    def run(self, job: SessionJob) -> Outcome:
        program = job.programs[-1]
        if program.name == "convert":
            assert "lib2to3" in program.code
            return self._converted()
        self.ran.append(program.code)
        last = len(program.statements) - 1
        steps = [
            Step(
                program=len(job.programs) - 1,
                statement=number,
                fate=StepFate.RAISED if self._raised and number == last else StepFate.FINISHED,
                fault=self._raised if number == last else None,
            )
            for number in range(last + 1)
        ]
        return Outcome(fate=Fate.FINISHED, steps=tuple(steps))

    def _converted(self) -> Outcome:
        if isinstance(self._answer, Fault):
            return Outcome(
                fate=Fate.FINISHED, steps=(Step(program=0, statement=0, fate=StepFate.RAISED, fault=self._answer),)
            )
        if isinstance(self._answer, Exception):
            raise self._answer
        return Outcome(
            fate=Fate.FINISHED,
            steps=(Step(program=0, statement=0, fate=StepFate.FINISHED, stdout=json.dumps(self._answer)),),
        )


def _attempt(*codes: str) -> Attempt:
    claims: tuple[Claim, ...] = tuple(snippet(f"s{n}", code, python2=True) for n, code in enumerate(codes))
    return Attempt(document=document(), claims=claims, wanted=claims, evidence=[])


def _modernise(attempt: Attempt, sandbox: Stub, *, last: bool = False) -> bool:
    return modernise(attempt, INDEX, sandbox, Limits(), "tf-2.21", last=last)


def _told(attempt: Attempt) -> list[Evidence]:
    return attempt.evidence


def test_what_is_of_no_certain_release_is_run_at_once() -> None:
    attempt, sandbox = _attempt(PLAIN), Stub([{"code": "print(7 / 2)\n"}])
    assert not _modernise(attempt, sandbox)
    assert sandbox.ran == ["print(7 / 2)\n"]
    (found,) = _told(attempt)
    assert found.conversion is not None
    assert (found.environment, found.conversion.ran, found.conversion.all) == ("tf-2.21", 1, 1)
    assert (found.conversion.trouble, found.conversion.division) == ("", True)


def test_what_is_of_release_1_is_left_for_it() -> None:
    attempt = _attempt(OLD, PLAIN)
    sandbox = Stub([{"code": NEW}, {"code": "print(7 // 2)\n"}])
    assert _modernise(attempt, sandbox)
    assert [claim.id for claim in attempt.wanted] == ["s0"]
    assert [item.claim for item in _told(attempt)] == ["s1"]
    assert not _modernise(attempt, Stub([{"code": NEW}]), last=True)
    assert [item.claim for item in _told(attempt)] == ["s1", "s0"]
    assert not any(item.conversion.division for item in _told(attempt) if item.conversion)


def test_what_the_converted_code_raises_is_told() -> None:
    attempt = _attempt(PLAIN)
    _modernise(attempt, Stub([{"code": "print(7 / 0)\n"}], raised=fault("ZeroDivisionError", "division by zero\nmore")))
    (found,) = _told(attempt)
    assert found.conversion is not None
    assert (found.conversion.trouble, found.conversion.ran) == ("ZeroDivisionError: division by zero", 0)


def test_code_that_the_converter_refuses_is_told_with_its_reason() -> None:
    attempt = _attempt(PLAIN)
    assert not _modernise(attempt, Stub([{"trouble": "ParseError: bad input\nat line 1"}]))
    (found,) = _told(attempt)
    assert found.conversion is not None
    assert (found.conversion.code, found.conversion.trouble) == ("", "ParseError: bad input")


@pytest.mark.parametrize(
    "answer",
    [
        fault("ModuleNotFoundError", "No module named 'lib2to3'"),
        SandboxUnavailable("the sandbox is gone"),
        "no list",
        [],
    ],
)
def test_a_python_without_the_converter_leaves_it_to_another(answer: object) -> None:
    attempt = _attempt(PLAIN)
    assert _modernise(attempt, Stub(answer))
    assert _told(attempt) == []
    assert not _modernise(attempt, Stub(answer), last=True)
    (found,) = _told(attempt)
    assert found.conversion is not None
    assert found.conversion.code == ""
    assert found.conversion.trouble


def test_a_true_division_that_the_code_asked_for_is_no_difference() -> None:
    attempt = _attempt("from __future__ import division\nprint 7 / 2")
    _modernise(attempt, Stub([{"code": "from __future__ import division\nprint(7 / 2)\n"}]))
    (found,) = _told(attempt)
    assert found.conversion is not None
    assert not found.conversion.division
