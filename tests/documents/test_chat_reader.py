import json
from typing import Any

import pytest

from verifier.documents import load
from verifier.documents.records import unescape
from verifier.model import Document

Row = tuple[int, str, int | None, str, str]


def read(value: Any, name: str = "a.jsonl") -> Document:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return load(name, text.encode())


def rows(document: Document) -> list[Row]:
    return [
        (part.conversation, part.role.value, part.number, part.speaker, part.span.of(document.text).strip())
        for part in document.passages
    ]


def said(document: Document) -> list[tuple[str, str]]:
    return [(role, text) for _, role, _, _, text in rows(document)]


def message(role: str, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}


CHAT = [message("system", "Be brief."), message("user", "How?"), message("assistant", "So:\n\n```\nx\n```"), message("user", "Why?"), message("assistant", "Thus.")]  # fmt: skip


def test_turns_in_order_with_roles_numbers_and_speakers() -> None:
    document = read({"messages": CHAT})
    assert rows(document) == [
        (0, "other", None, "system", "Be brief."),
        (0, "question", 1, "user", "How?"),
        (0, "answer", 1, "assistant", "So:\n\n```\nx\n```"),
        (0, "question", 2, "user", "Why?"),
        (0, "answer", 2, "assistant", "Thus."),
    ]
    assert document.text == "Be brief.\n\nHow?\n\nSo:\n\n```\nx\n```\n\nWhy?\n\nThus."
    assert document.markup == "markdown"


def test_each_record_is_a_conversation() -> None:
    record = json.dumps({"messages": CHAT[1:3]})
    for text in (f"{record}\n{record}\n", f"[{record}, {record}]", f"\n{record}\n\n{record}"):
        assert [(one, number) for one, _, number, _, _ in rows(read(text))] == [(0, 1), (0, 1), (1, 1), (1, 1)]


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [message("user", "How?"), message("assistant", "So.")]},
        {"messages": [message("user", [{"type": "text", "text": "How?"}]), message("assistant", [{"type": "text", "text": "So."}, {"type": "image_url"}])]},
        {"conversations": [{"from": "human", "value": "How?"}, {"from": "gpt", "value": "So."}]},
        {"chat_messages": [{"sender": "human", "text": "How?"}, {"sender": "assistant", "text": "So."}]},
        {"prompt": "How?", "response": "So."},
        {"question": "How?", "answer": "So."},
        {"instruction": "How?", "input": "", "output": "So."},
        {"问题": "How?", "回答": "So."},
        {"history": [["How?", "So."]]},
        {"prompt": [message("user", "How?")], "completion": [message("assistant", "So.")]},
        {"messages": [message("user", "How?")], "choices": [{"message": message("assistant", "So.")}]},
        {"id": 3, "data": {"messages": [message("user", "How?"), message("model", "So.")]}},
        [message("user", "How?"), message("assistant", "So.")],
        {"messages": [message("user", "How?"), {"role": "assistant", "content": None, "tool_calls": []}, message("assistant", "So.")]},
        {"messages": [{"author": {"role": "user"}, "content": {"parts": ["How?"]}}, {"author": {"role": "assistant"}, "content": {"parts": ["So."]}}]},
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "-"])
def test_every_form_of_log(value: Any, name: str) -> None:
    assert said(read(value, name)) == [("question", "How?"), ("answer", "So.")]


def test_lines_with_one_message_each_are_one_conversation() -> None:
    document = read("\n".join(json.dumps(turn) for turn in CHAT))
    assert [(one, number) for one, _, number, _, _ in rows(document)] == [(0, None), (0, 1), (0, 1), (0, 2), (0, 2)]


def test_a_tree_of_messages_is_read_along_its_current_branch() -> None:
    def node(parent: str | None, role: str, text: str) -> dict[str, Any]:
        return {"parent": parent, "message": {"author": {"role": role}, "content": {"parts": [text]}}}

    mapping = {
        "root": {"parent": None, "message": None},
        "a": node("root", "user", "How?"),
        "b": node("a", "assistant", "Dropped."),
        "c": node("a", "assistant", "So."),
    }
    document = read([{"title": "t", "mapping": mapping, "current_node": "c"}], "conversations.json")
    assert said(document) == [("question", "How?"), ("answer", "So.")]


def test_a_record_may_hold_a_review_and_two_answers() -> None:
    document = read({"question": "How?", "chosen": "So.", "rejected": "No.", "feedback": "Fine."})
    assert said(document) == [("question", "How?"), ("answer", "So."), ("answer", "No."), ("review", "Fine.")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"Like so:\n\n```python\nx = 1\n```", "Like so:\n\n```python\nx = 1\n```"),
        (r"a\n\tb \"c\" \u4f60", 'a\n\tb "c" 你'),
        (r"a\nprint('x\\ny')", "a\nprint('x\\ny')"),
        (r"print('a\nb')", r"print('a\nb')"),
        (r'use "\n".join(x)', r'use "\n".join(x)'),
        ("two\nlines and \\n", "two\nlines and \\n"),
        ("a\r\nb", "a\nb"),
        ("plain", "plain"),
    ],
)
def test_text_that_was_escaped_twice(text: str, expected: str) -> None:
    assert unescape(text) == expected
    assert said(read({"prompt": "How?", "response": text}))[1] == ("answer", expected)


def test_broken_lines_are_left_out_and_named() -> None:
    record = json.dumps({"prompt": "How?", "response": "So."})
    document = read(f"{record}\n{{broken\n{record[:20]}\n{record}\n")
    assert [one for one, *_ in rows(document)] == [0, 0, 1, 1]
    assert [notice.message for notice in document.notices] == [
        "2 of its lines are not JSON and were left out (line 2, 3)"
    ]


@pytest.mark.parametrize(
    "text",
    ['{"name": "verifier", "version": 3}', "[1, 2]", "not json at all", '"word"', "{}", '{"role": "user"', "[[[1]]]"],
)
def test_json_that_is_no_conversation_is_text(text: str) -> None:
    document = read(text, "a.json")
    assert document.text == text
    assert [notice.message for notice in document.notices] == [
        "holds no conversation of a known form and was read as plain text"
    ]


@pytest.mark.parametrize(
    "value",
    [
        {
            "messages": [
                1,
                None,
                {"role": 3, "content": 4},
                {"role": "user"},
                message("user", "How?"),
                message("user", {"x": 1}),
            ]
        },
        {"messages": [message("user", "How?"), message("stranger", "…")]},
        {"mapping": {"a": {"message": message("user", "How?"), "parent": "a"}}, "current_node": "a"},
    ],
)
def test_odd_records_keep_what_is_known(value: Any) -> None:
    assert said(read(value)) == [("question", "How?")]


def test_half_of_a_surrogate_pair_does_not_reach_the_text() -> None:
    assert read(r'{"prompt": "How \ud83d?", "response": "So \u0000."}').text == "How \ufffd?\n\nSo \ufffd."


def test_labels_inside_a_turn_do_not_divide_it() -> None:
    assert len(read({"prompt": "问题1：为何？\n回答：写一下", "response": "问题2：如何？\n回答：好"}).passages) == 2
