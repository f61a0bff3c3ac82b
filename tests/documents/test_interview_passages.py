import pytest

from verifier.documents.interview import passages
from verifier.model import Role, Span

Row = tuple[str, int | None, str]


def rows(text: str) -> list[Row]:
    return [(part.role.value, part.number, part.span.of(text).strip()) for part in passages(text)]


def spoken(text: str) -> list[tuple[str, str]]:
    return [(part.role.value, part.speaker) for part in passages(text)]


NOTES = """算法工程师面试笔记

这位候选人准备充分。

岗位： 算法工程师 从业年限： 4年

简介： 做过语音识别。

问题1：怎么建立常量？

考察目标：考察基础。

回答： 用 tf.constant。

再补充一句，也可以用 tf.fill。

问题2：怎么求和？

考察目标：考察归约。

回答：

点评： 基础不错，tf.fill 说得对。
"""


def test_the_parts_of_interview_notes() -> None:
    assert rows(NOTES) == [
        ("header", None, NOTES.partition("问题1")[0].strip()),
        ("question", 1, "问题1：怎么建立常量？"),
        ("question", 1, "考察目标：考察基础。"),
        ("answer", 1, "回答： 用 tf.constant。\n\n再补充一句，也可以用 tf.fill。"),
        ("question", 2, "问题2：怎么求和？"),
        ("question", 2, "考察目标：考察归约。"),
        ("answer", 2, "回答："),
        ("review", None, "点评： 基础不错，tf.fill 说得对。"),
    ]


def test_notes_without_blank_lines_read_the_same() -> None:
    dense = NOTES.replace("\n\n", "\n")
    assert [(role, number) for role, number, _ in rows(dense)] == [(role, number) for role, number, _ in rows(NOTES)]


def test_notes_that_lost_every_line_break_read_the_same() -> None:
    flat = NOTES.replace("\n\n", " ").replace("\n", " ")
    assert [(role, number) for role, number, _ in rows(flat)] == [(role, number) for role, number, _ in rows(NOTES)]


@pytest.mark.parametrize(
    "question",
    [
        "问题1：为何？", "问题 1: 为何？", "问题一：为何？", "问题１：为何？", "问1：为何？", "题目1、为何？", "第1题：为何？", "第一个问题：为何？",
        "面试题1：为何？", "Q1：为何？", "Q1: Why?", "Q1. Why?", "Q 1) Why?", "Question 1: Why?", "Question #1: Why?", "QUESTION 1: Why?",
        "Interview question 1: Why?", "Question 1 of 9: Why?", "**问题1：为何？**", "**问题1**：为何？", "**Q1.** Why?", "## 问题1：为何？",
        "### Q1: Why?", "- 问题1：为何？", "> 问题1：为何？", "　　问题1：为何？", "【问题1】为何？", "1. 问：为何？", "（1）问：为何？", "● 问题1：为何？",
        "__Question 1__: Why?", "问题1（基础）：为何？", "问题1 为何？",
    ],
)  # fmt: skip
def test_every_way_to_write_a_question(question: str) -> None:
    text = f"{question}\n回答：因为。\n"
    assert rows(text) == [("question", 1, question.strip()), ("answer", 1, "回答：因为。")]


@pytest.mark.parametrize(
    "answer",
    [
        "回答：因为。", "回答: 因为。", "答：因为。", "答案：因为。", "参考回答：因为。", "参考答案：因为。", "A1: So.", "A: So.", "Answer: So.", "Answer 1: So.",
        "**Answer:** So.", "**Answer**: So.", "**A:** So.", "Sample answer: So.", "Candidate's answer: So.", "Candidate’s answer: So.", "候选人回答：因为。",
        "> 回答：因为。", "- **回答**：因为。", "【回答】因为。", "### 回答\n\n因为。", "回答 ： 因为。",
    ],
)  # fmt: skip
def test_every_way_to_write_an_answer(answer: str) -> None:
    assert rows(f"问题1：为何？\n{answer}\n") == [("question", 1, "问题1：为何？"), ("answer", 1, answer)]


@pytest.mark.parametrize(
    "purpose",
    [
        "考察目标：基础。",
        "考察点：基础。",
        "考点：基础。",
        "**考察目标**：基础。",
        "What we look for: basics.",
        "*Purpose:* basics.",
        "Purpose: basics.",
    ],
)
def test_what_a_question_is_for_belongs_to_the_interviewer(purpose: str) -> None:
    text = f"Q1: Why?\n{purpose}\nAnswer: So.\n"
    assert rows(text) == [("question", 1, "Q1: Why?"), ("question", 1, purpose), ("answer", 1, "Answer: So.")]


@pytest.mark.parametrize(
    "review",
    [
        "点评：好。", "评价：好。", "评语：好。", "总结评价：好。", "面试官点评：好。", "总体评价：好。", "**点评：** 好。", "## 点评\n\n好。", "Review: good.", "Feedback: good.",
        "Assessment: good.", "Panel remarks: good.", "Reviewer: good.", "**Interviewer's notes:** good.", "Overall assessment: good.",
    ],
)  # fmt: skip
def test_every_way_to_write_a_review(review: str) -> None:
    assert rows(f"问题1：为何？\n回答：因为。\n{review}\n")[2:] == [("review", None, review)]


@pytest.mark.parametrize(
    "header",
    [
        "岗位：工程师",
        "职位: 工程师",
        "从业年限：3年",
        "姓名：某人",
        "**Role:** engineer",
        "Position: engineer",
        "Candidate profile: five years",
        "个人简介：某人",
    ],
)
def test_what_stands_before_the_first_question_is_the_header(header: str) -> None:
    assert rows(f"{header}\n问题1：为何？\n回答：因为。\n")[0] == ("header", None, header)


def test_an_english_sheet_without_answer_labels() -> None:
    text = (
        "# Interview sheet\n\n**Q1. What is eager mode?**\n\nOps run at once.\n\nNo graph.\n\n"
        "**Q2. And a trace?** | `tf.function` |\n\nA graph.\n"
    )
    assert rows(text) == [
        ("header", None, "# Interview sheet"),
        ("question", 1, "**Q1. What is eager mode?**"),
        ("answer", 1, "Ops run at once.\n\nNo graph."),
        ("question", 2, "**Q2. And a trace?** | `tf.function` |"),
        ("answer", 2, "A graph."),
    ]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("## Question 1\n\nWhat is a graph?", "A plan."),
        ("Q1. What is eager\nexecution in general?", "It runs."),
        ("Q1. Explain graphs.", "Nodes.\nEdges."),
        ("问题1：谈谈图", "节点和边。"),
    ],
)
def test_where_an_unlabelled_answer_begins(question: str, answer: str) -> None:
    text = f"{question}\n{answer}\n\nQ2. Why?\nSo.\n"
    assert rows(text)[:2] == [("question", 1, question), ("answer", 1, answer)]


def test_an_answer_that_lost_its_label_behind_the_purpose() -> None:
    text = "问题1：为何？\n\n考察目标：基础。\n\n因为 tf.abs。\n\n问题2：如何？\n\n考察目标：基础。\n\n回答：这样。\n"
    assert ("answer", 1, "因为 tf.abs。") in rows(text)


def test_an_answer_alone_shows_the_question_before_it() -> None:
    text = "1. 什么是图？\n答：计划。\n\n2、什么是会话？\n答：运行。\n"
    assert rows(text) == [
        ("question", 1, "1. 什么是图？"),
        ("answer", 1, "答：计划。"),
        ("question", 2, "2、什么是会话？"),
        ("answer", 2, "答：运行。"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("面试官：介绍一下？\n候选人：用过 Keras。\n", [("question", "面试官"), ("answer", "候选人")]),
        ("Interviewer: Hi?\nCandidate: Hello.\n", [("question", "Interviewer"), ("answer", "Candidate")]),
        ("[00:01:20] 面试官：你好？\n[00:01:30] 候选人：好。\n", [("question", "面试官"), ("answer", "候选人")]),
        ("面试官 00:01:20\n你好？\n\n候选人 00:01:30\n好。\n", [("question", "面试官"), ("answer", "候选人")]),
        (
            "面试官A：你好？\n候选人：好。\n面试官B：然后？\n",
            [("question", "面试官A"), ("answer", "候选人"), ("question", "面试官B")],
        ),
        ("Interviewer (Ann): Hi?\nInterviewee: Yo.\n", [("question", "Ann"), ("answer", "Interviewee")]),
        ("**User:** Hi?\n\n**Assistant:** Yo.\n", [("question", "User"), ("answer", "Assistant")]),
        (
            "面试官：先说图？\n王五：好的。\n面试官：再说层？\n王五：行。\n",
            [("question", "面试官"), ("answer", "王五")] * 2,
        ),
        (
            "Interviewer: Hi.\nJane Roe: Yo.\nInterviewer: So?\nJane Roe: No.\n",
            [("question", "Interviewer"), ("answer", "Jane Roe")] * 2,
        ),
        (
            "候选人：王五\n面试官：赵六\n赵六：先说图？\n王五：好的。\n",
            [("header", ""), ("question", "赵六"), ("answer", "王五")],
        ),
        ("候选人：王五\n问题1：为何？\n回答：因为。\n", [("header", ""), ("question", ""), ("answer", "")]),
    ],
)
def test_speakers(text: str, expected: list[tuple[str, str]]) -> None:
    assert spoken(text) == expected


def test_a_word_with_a_colon_in_an_answer_is_no_speaker() -> None:
    text = "面试官：先说图？\n王五：好的。\n例如：这样。\n面试官：再说层？\n王五：行。\n"
    assert len(passages(text)) == 4


TWO = """# 面试记录

姓名：甲某

问题1：为何？
回答：一。
问题2：如何？
回答：二。
点评：好。

# 面试记录

姓名：乙某

问题1：为何？
回答：三。
点评：差。
"""


def test_two_interviews_in_one_file_are_two_conversations() -> None:
    found = passages(TWO)
    assert [part.conversation for part in found] == [0] * 6 + [1] * 4
    assert found[6].span.of(TWO).startswith("# 面试记录")
    assert [part.number for part in found if part.role is Role.REVIEW] == [2, 1]


def test_headings_alone_divide_interviews_when_the_numbers_begin_again() -> None:
    text = "## Candidate A\n\nQ1: Why?\n\nx\n\nQ2: How?\n\ny\n\n## Candidate B\n\nQ1: Why?\n\nz\n\nQ2: How?\n\nw\n"
    found = passages(text)
    assert [part.span.of(text).strip() for part in found if part.role is Role.HEADER] == [
        "## Candidate A",
        "## Candidate B",
    ]
    assert {part.conversation for part in found} == {0, 1}


def test_a_header_word_inside_an_answer_changes_nothing() -> None:
    text = "Q1: Why?\nA1: So.\n\nSummary: use tf.abs.\n\nBackground: none.\n\nQ2: How?\nA2: Thus.\n"
    assert [role for role, _, _ in rows(text)] == ["question", "answer", "question", "answer"]


@pytest.mark.parametrize("home", [1, 2, 3])
def test_problems_that_an_answer_counts_are_no_questions(home: int) -> None:
    listed = "问题1：太慢。\n问题2：太大。\n问题3：太贵。\n都解决了。\n"
    text = "".join(f"问题{n}：难点？\n回答：有。\n{listed if n == home else ''}" for n in (1, 2, 3))
    expected = [(role, n) for n in (1, 2, 3) for role in ("question", "answer")]
    assert [(role, number) for role, number, _ in rows(text)] == expected
    assert rows(text)[2 * home - 1][2].endswith("都解决了。")


def test_a_last_question_that_nobody_answered_stays_one() -> None:
    text = "岗位：甲\n问题1：为何？\n回答：一。\n问题2：如何？\n岗位：乙\n问题1：为何？\n回答：二。\n"
    assert ("question", 2, "问题2：如何？") in rows(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "\n", "Just prose about tensors.\n", "A1 = 3\nQ1 = 4\n", "answer: int\nquestion: str\n", "class Card:\n    question: str\n    answer: str\n",
        "Q: int = 3\nA: str = ''\n", "question: hi\nanswer: ho\nrole: user\n", "A: first\nB: second\nC: third\n", "问题在于：回答不了。\n他回答：好。\n",
        "# How to sort?\n\nQuestion\n\nI have a list.\n\n## Answer\n\nUse tf.sort.\n\n**Comment**\n\nYes.\n", "**Answer (accepted)**\n\nUse tf.sort.\n\n2 Answers\n",
        "问题1：太慢\n\n说明。\n", "Q1 2023 was good. Q2 2023 was bad.\nQ3 2023 too.\n", "Summary: short.\nReview: fine film.\n", "Q:\\data\\a\nA:\\data\\b\n",
        "```\n问题1：为何？\n回答：因为。\n```\n", "Answer: 42\n", "岗位：工程师\n简介：某人\n",
    ],
)  # fmt: skip
def test_what_is_no_interview(text: str) -> None:
    assert passages(text) == ()


def test_choices_of_a_quiz_are_no_answers() -> None:
    text = "Q1: Which?\nA: tf.sort\nB: tf.order\nC: none\n\nQ2: Which?\nA: x\nB: y\nC: z\n"
    assert ("answer", 1, "A: tf.sort\nB: tf.order\nC: none") in rows(text)


def test_labels_inside_a_fence_do_not_count() -> None:
    text = "问题1：为何？\n回答：\n```text\n问题2：示例\n回答：示例\n```\n完。\n\n问题2：如何？\n回答：这样。\n"
    assert [number for _, number, _ in rows(text)] == [1, 1, 2, 2]
    assert "示例" in rows(text)[1][2]


@pytest.mark.parametrize("fence", ["```", "~~~", "```python"])
def test_a_fence_that_nobody_closed_ends_at_the_next_question(fence: str) -> None:
    text = (
        f"问题1：为何？\n回答：\n{fence}\nx = 1\n\n问题2：如何？\n回答：\n```\ny = 2\n```\n\n问题3：好？\n回答：好。\n"
    )
    assert [(role, number) for role, number, _ in rows(text)] == [
        (role, n) for n in (1, 2, 3) for role in ("question", "answer")
    ]


def test_labels_inside_known_code_do_not_count() -> None:
    text = "问题1：为何？\n回答：因为。\n"
    assert passages(text, [Span(start=0, end=len(text))]) == ()


def test_a_long_article_with_questions_at_its_end_keeps_its_own_voice() -> None:
    text = "Words about layers.\n" * 150 + "Q: Why?\nA: So.\n"
    assert [part.role for part in passages(text)] == [Role.OTHER, Role.QUESTION, Role.ANSWER]
