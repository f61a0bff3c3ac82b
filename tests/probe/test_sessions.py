"""Which snippets share a namespace, and what is put in front of them."""

from __future__ import annotations

from dataclasses import replace

from samples import document, snippet

from verifier.model import Claim, ClaimKind, Role, Span
from verifier.probe.sessions import plan_sessions

INTERVIEW = ((Role.QUESTION, 1), (Role.ANSWER, 1), (Role.QUESTION, 2), (Role.ANSWER, 2), (Role.REVIEW, None))


def test_a_plain_document_is_one_session_in_the_order_of_the_text() -> None:
    sessions = plan_sessions(document(), [snippet("a", "x = 1"), snippet("b", "y = x")])
    assert [session.claims for session in sessions] == [("a", "b")]
    assert sessions[0].own == (0, 1)
    assert not sessions[0].programs[1].statements[0].missing


def test_every_answer_is_a_session_of_its_own() -> None:
    sessions = plan_sessions(document(*INTERVIEW), [snippet("a", "x = 1", 1), snippet("b", "x = 2", 3)])
    assert [session.claims for session in sessions] == [("a",), ("b",)]


def test_a_name_of_an_earlier_answer_brings_that_answer_in_front() -> None:
    found = [snippet("a", "net = build()\ndef build(): pass", 1), snippet("b", "net.fit()", 3)]
    second = plan_sessions(document(*INTERVIEW), found)[1]
    assert second.claims == ("a", "b")
    assert second.own == (1,)
    assert second.borrowed == ("a",)
    assert second.programs[1].statements[0].missing == ()


def test_the_latest_earlier_answer_lends_and_needs_are_followed() -> None:
    passages = ((Role.ANSWER, 1), (Role.ANSWER, 2), (Role.ANSWER, 3))
    found = [snippet("a", "rate = 1", 0), snippet("b", "net = [rate]", 1), snippet("c", "print(net)", 2)]
    assert plan_sessions(document(*passages), found)[2].borrowed == ("a", "b")


def test_another_conversation_lends_nothing() -> None:
    page = document((Role.ANSWER, 1), (Role.ANSWER, 1))
    first, second = page.passages
    page = replace(page, passages=(first, replace(second, conversation=1)))
    sessions = plan_sessions(page, [snippet("a", "net = 1", 0), snippet("b", "net + 1", 1)])
    assert sessions[1].borrowed == ()
    assert sessions[1].programs[-1].statements[0].missing == ("net",)


def test_customary_imports_are_added_openly() -> None:
    (session,) = plan_sessions(document(), [snippet("a", "x = tf.constant(np.ones(3))\nprint(x)")])
    assert session.added == ("import tensorflow as tf", "import numpy as np")
    assert session.claims == ("", "a")
    assert session.programs[0].code == "import tensorflow as tf\nimport numpy as np"
    assert session.aliases == {"tf": "tensorflow", "np": "numpy"}


def test_the_documents_own_import_wins_over_the_custom() -> None:
    found = [snippet("a", "import keras", 1), snippet("b", "keras.Input((1,))", 3)]
    second = plan_sessions(document(*INTERVIEW), found)[1]
    assert second.added == ("import keras",)
    assert second.borrowed == ()


def test_what_nothing_gives_is_missing() -> None:
    (session,) = plan_sessions(document(), [snippet("a", "model.fit(x_train)\nk = 1\nprint(k)")])
    assert [item.missing for item in session.programs[0].statements] == [("model", "x_train"), (), ()]


def test_a_star_import_may_give_anything() -> None:
    (session,) = plan_sessions(document(), [snippet("a", "from tensorflow.keras.layers import *\nd = Dense(3)")])
    assert session.programs[-1].statements[1].missing == ()


def test_code_of_release_one_stands_apart() -> None:
    found = [snippet("a", "s = 1", release="1.x"), snippet("b", "print(s)", release="2.x")]
    sessions = plan_sessions(document(), found)
    assert [session.claims for session in sessions] == [("a",), ("b",)]


def test_code_of_a_question_and_of_a_review_stand_apart() -> None:
    found = [snippet("q", "x = 1", 0), snippet("a", "y = 1", 1), snippet("r", "z = 1", 4)]
    assert [session.claims for session in plan_sessions(document(*INTERVIEW), found)] == [("q",), ("a",), ("r",)]


def test_statements_with_a_stated_output_are_shown() -> None:
    output = Claim(
        id="o",
        kind=ClaimKind.OUTPUT,
        document="notes.md",
        span=Span(start=0, end=1),
        quote="2",
        passage=0,
        about="a",
        code_span=Span(start=6, end=11),
    )
    (session,) = plan_sessions(document(), [snippet("a", "x = 1\nx + 1"), output])
    assert [item.show for item in session.programs[0].statements] == [False, True]
