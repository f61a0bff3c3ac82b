"""Which words announce whose turn it is in an interview, in Chinese and English.

Adding a word is adding it to one of the lists. Labels are compared in lower case with their inner spaces as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a label announces. `PURPOSE` is what the interviewer wants to find out with a question."""

    HEADER = "header"
    QUESTION = "question"
    PURPOSE = "purpose"
    ANSWER = "answer"
    REVIEW = "review"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a label means.

    speaker  the label names a person, so a number behind it numbers persons and not questions
    telling  the label is not used for much else, so it is evidence that the document is an interview
    """

    kind: Kind
    speaker: bool = False
    telling: bool = True


# Chinese words stand apart by spaces, English ones by bars or line ends.
_HEADER = """岗位 应聘岗位 面试岗位 职位 应聘职位 面试职位 从业年限 工作年限 从业经验 姓名
候选人姓名 面试者姓名 应聘者姓名 面试时间 面试日期
position|role|candidate name|candidate profile|years of experience|interview date|applied position"""
_VAGUE_HEADER = """简介 个人简介 候选人简介 自我简介 工作经验 背景 学历 年龄 性别 日期 时间
experience|summary|profile|background|name|date|level|team|candidate summary"""
_QUESTION = """ｑ 面试官提问 面试官追问 面试官问 面试问题 面试题目 面试题 问题 题目 提问 追问 问 题
interview question|follow-up question|follow-up|question|q"""
_ASKERS = """面试官 考官 主考官 提问者 采访者 采访人 主持人 用户
interviewer|hiring manager|moderator|user|human"""
_PURPOSE = """考察目标 考查目标 考察目的 考察点 考查点 考察要点 考察内容 考察重点 考察意图 考察方向
考核点 考核目标 考点 出题意图 提问目的 问题目的 面试目的 考察能力
what we look for|what we are looking for|what we're looking for|what to look for|looking for"""
_VAGUE_PURPOSE = """目的
purpose|objective|intent|assesses"""
_ANSWER = """ａ 回答 答案 参考回答 参考答案 示例回答 标准答案 候选人回答 面试者回答 被面试者回答
应聘者回答 回答要点 补充回答 候选人答 我的回答 解答 答 追答
answer|sample answer|model answer|suggested answer|reference answer|candidate's answer|candidate answer|ans|a"""
_VAGUE_ANSWER = """答复 解析 参考思路
response|reply"""
_ANSWERERS = """候选人 面试者 被面试者 被面试人 应聘者 应聘人 求职者 受访者 受访人 应试者 考生 助手
candidate|interviewee|applicant|respondent|assistant|chatgpt|ai|bot"""
_REVIEW = """点评 评价 评语 总评 总体评价 综合评价 整体评价 总结评价 最终评价 面试评价 反馈
面试官点评 面试官评价 面试官评语 面试官反馈 面试官总结 考官点评 专家点评 导师点评 评委点评
面试点评 总体点评 总结点评 面试反馈 面试总结 面试小结 面试结论 评审意见 评委意见
review|feedback|assessment|panel remarks|panel feedback|panel notes|reviewer|reviewer notes
reviewer's remarks|interviewer feedback|interviewer notes|interviewer's notes|interviewer's feedback
interviewer remarks|overall assessment|overall evaluation|overall feedback|final assessment
final remarks|candidate evaluation|hiring recommendation"""
_VAGUE_REVIEW = """评论 录用建议 面试评分
remarks|verdict|evaluation summary"""


def _table() -> dict[str, Meaning]:
    table: dict[str, Meaning] = {}
    for words, meaning in (
        (_HEADER, Meaning(kind=Kind.HEADER)),
        (_VAGUE_HEADER, Meaning(kind=Kind.HEADER, telling=False)),
        (_QUESTION, Meaning(kind=Kind.QUESTION)),
        (_ASKERS, Meaning(kind=Kind.QUESTION, speaker=True)),
        (_PURPOSE, Meaning(kind=Kind.PURPOSE)),
        (_VAGUE_PURPOSE, Meaning(kind=Kind.PURPOSE, telling=False)),
        (_ANSWER, Meaning(kind=Kind.ANSWER)),
        (_VAGUE_ANSWER, Meaning(kind=Kind.ANSWER, telling=False)),
        (_ANSWERERS, Meaning(kind=Kind.ANSWER, speaker=True)),
        (_REVIEW, Meaning(kind=Kind.REVIEW)),
        (_VAGUE_REVIEW, Meaning(kind=Kind.REVIEW, telling=False)),
    ):
        for line in words.split("\n"):
            table.update(dict.fromkeys(line.split("|") if line.isascii() else line.split(), meaning))
    return table


LABELS: dict[str, Meaning] = _table()

_CHINESE_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}


def number(digits: str) -> int | None:
    """The value of a number in Arabic (also full-width) or Chinese digits up to 99; None when it is none."""
    if not digits:
        return None
    if digits.isdecimal():
        return int(digits)
    tens, ten, ones = digits.rpartition("十")
    if not ten:
        return _CHINESE_DIGITS.get(digits) if len(digits) == 1 else None
    high = _CHINESE_DIGITS.get(tens) if tens else 1
    low = _CHINESE_DIGITS.get(ones) if ones else 0
    return None if high is None or low is None else 10 * high + low
