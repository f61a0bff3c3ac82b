"""Calls that stand in a sentence and can be run as they are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import document, name, snippet

from verifier.model import CallForm, Polarity, Role
from verifier.probe.asides import aside_code
from verifier.probe.sessions import plan_sessions


def _said(quote: str, **fields: object):
    return name(quote, call=CallForm(positional=1), **fields)


@pytest.mark.parametrize(
    ("quote", "code"),
    [
        ("net.get_layer('dense')", "net.get_layer('dense')"),
        ("net.get_layer(‘dense’)", "net.get_layer('dense')"),
        ("tf.zeros([2, 3], dtype=tf.int32)", "tf.zeros([2, 3], dtype=tf.int32)"),
        ("tf.one_hot([0, -1], depth=3)", "tf.one_hot([0, -1], depth=3)"),
        ("tf.cast(x, tf.float32)", ""),  # any x
        ("net.summary()", ""),  # the name of the method
        ("get_layer('dense')", ""),  # of which model?
        ("f(1)(2)", ""),
        ("net.fit(...)", ""),
        ("tf.add(1", ""),
        ("os.system('x') or tf.f(1)", ""),
    ],
)
def test_what_can_be_run(quote: str, code: str) -> None:
    assert aside_code(_said(quote)) == code


def test_denied_and_historical_calls_are_not_run() -> None:
    assert aside_code(_said("tf.f(1)", polarity=Polarity.NEGATED)) == ""
    assert aside_code(_said("tf.f(1)", release="1.x")) == ""


def test_an_aside_runs_behind_the_code_of_its_passage() -> None:
    (session,) = plan_sessions(document(), [snippet("a", "net = 1"), _said("net.go(2)")])
    assert session.claims == ("a", "n")
    assert session.own == (0, 1)
    assert session.programs[1].code == "net.go(2)"


def test_an_aside_in_a_later_answer_borrows_the_code_it_speaks_of() -> None:
    passages = document((Role.ANSWER, 1), (Role.ANSWER, 2))
    spoken = _said("net.go(2)")
    spoken = replace(spoken, passage=1, span=passages.passages[1].span)
    first, second = plan_sessions(passages, [snippet("a", "net = 1"), spoken])
    assert (first.claims, second.claims) == (("a",), ("a", "n"))
    assert second.own == (1,)
    assert second.borrowed == ("a",)


def test_an_aside_about_nothing_that_code_made_starts_no_session() -> None:
    assert plan_sessions(document(), [_said("tf.zeros([2])")]) == ()


def test_an_aside_whose_object_is_unknown_is_left_out() -> None:
    (session,) = plan_sessions(document(), [snippet("a", "net = 1"), _said("other.go(2)")])
    assert session.claims == ("a",)
