import pytest

from verifier.documents.labels import LABELS, Kind, number
from verifier.documents.markers import Marker, read
from verifier.documents.speech import lines, speech
from verifier.model import Span


def mark(line: str) -> Marker | None:
    return read(line, 0, len(line))


@pytest.mark.parametrize(
    ("digits", "value"),
    [
        ("7", 7),
        ("12", 12),
        ("３", 3),
        ("一", 1),
        ("九", 9),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("三十五", 35),
        ("", None),
        ("一二", None),
        ("十十", None),
    ],
)
def test_numbers_in_both_scripts(digits: str, value: int | None) -> None:
    assert number(digits) == value


def test_every_label_is_lower_case_and_trimmed() -> None:
    assert all(label == label.lower().strip() and "  " not in label for label in LABELS)


@pytest.mark.parametrize("label", sorted(LABELS))
def test_every_label_marks_a_line(label: str) -> None:
    written = label[0].upper() + label[1:]
    marker = mark(f"{written}：内容")
    assert marker is not None
    assert (marker.kind, marker.label) == (LABELS[label].kind, written)
    assert marker.content == len(written) + 1


@pytest.mark.parametrize(
    ("line", "content", "count", "speaker"),
    [
        ("**问题2：** 为何？", "为何？", 2, ""),
        ("## Q3. Why?", "Why?", 3, ""),
        ("> - 4. 问：为何？", "为何？", 4, ""),
        ("[00:01:02] 面试官2：好", "好", None, "面试官2"),
        ("候选人（王五）：好", "好", None, "王五"),
        ("Interviewer B: Hi", "Hi", None, "Interviewer B"),
        ("\u200b\ufeff回答：\u00a0好", "好", None, ""),
        ("第三题：为何？", "为何？", 3, ""),
        ("Question 2 of 10: Why?", "Why?", 2, ""),
        ("面试官 00:12:01", "", None, "面试官"),
    ],
)
def test_what_a_marker_knows(line: str, content: str, count: int | None, speaker: str) -> None:
    marker = mark(line)
    assert marker is not None
    assert (line[marker.content :], marker.number, marker.speaker) == (content, count, speaker)


@pytest.mark.parametrize(
    ("line", "telling", "closed"),
    [
        ("问题1：为何？", True, False),
        ("**Q1. Why?**", True, True),
        ("**Q1.** Why?", True, False),
        ("## Question 1", True, True),
        ("## Answer", False, True),
        ("**Answer**", False, True),
        ("Summary: short", False, False),
        ("Response: fine", False, False),
    ],
)
def test_what_counts_as_evidence(line: str, telling: bool, closed: bool) -> None:
    marker = mark(line)
    assert marker is not None
    assert (marker.telling, marker.closed) == (telling, closed)


@pytest.mark.parametrize(
    "line",
    [
        "", "   ", "plain words", "问题在于数据", "问题1中提到的方法", "他的回答：好", "回答了问题", "answer: 3", "answer = 3", "A1 = 3", "A1: float = 3.0", "A: int",
        "Answer: Optional[str] = None", "Q::x", "A := 3", "Q:\\data", "Position://x", "A:b", "Answers: many", "Question", "回答", "Q1", "Questioning: no",
        '"role": "user"', "AIs: many", "Q1 2023 was good.", "评价标准：速度", "问题的答案：三",
    ],
)  # fmt: skip
def test_what_is_no_marker(line: str) -> None:
    assert mark(line) is None


def test_a_label_far_inside_a_line_is_not_looked_for() -> None:
    assert mark(">" * 500 + "回答：好") is None


def test_lines_are_offsets_of_what_is_not_blank() -> None:
    text = "one\n\n  two\n \t\nthree"
    assert [text[start:end] for start, end in lines(text)] == ["one", "  two", "three"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\n```\nb\n```\nc", "ac"),
        ("a\n~~~\nb\n```\nb\n~~~\nc", "ac"),
        ("a\n````\nb\n```\nb\n````\nc", "ac"),
        ("a\n> ```\n> b\n> ```\nc", "ac"),
        ("a\n```x``` y\nc", "a```x``` yc"),
        ("a\n```\nb", "a"),
    ],
)
def test_lines_in_fences_are_no_speech(text: str, kept: str) -> None:
    assert "".join(text[line.start : line.end] for line in speech(text, ())) == kept


def test_a_fence_with_a_well_known_end_keeps_even_a_label() -> None:
    text = "问题1：为何？\n```\n回答：示例\n```\n问题2：如何？\n"
    assert [line.marker.kind for line in speech(text, ()) if line.marker] == [Kind.QUESTION] * 2


def test_an_open_fence_before_a_tagged_one_ends_at_a_label() -> None:
    text = "问题1：为何？\n```\nx = 1\n回答：好\n```python\ny = 2\n```\n"
    assert [line.marker.kind for line in speech(text, ()) if line.marker] == [Kind.QUESTION, Kind.ANSWER]


def test_known_code_is_no_speech() -> None:
    text = "one\ntwo\nthree"
    assert [text[line.start : line.end] for line in speech(text, [Span(start=4, end=7)])] == ["one", "three"]
