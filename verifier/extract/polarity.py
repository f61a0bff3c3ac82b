"""What prose denies: that a block of code works, that a name exists."""

from __future__ import annotations

import re

from verifier.extract.clauses import split

_EXCEPTION = re.compile(
    r"(?<![A-Za-z0-9_])(?:[a-z_]+\.)*((?:[A-Z][A-Za-z0-9]*)(?:Error|Exception|Interrupt)"
    r"|StopIteration)(?![A-Za-z0-9_])"
)
_FAILS = re.compile(
    r"报错|出错|抛出|抛异常|会抛|失败|崩溃|跑不[通起动]|运行不了|无法(?:运行|执行|工作|通过|编译)"
    r"|不能(?:运行|执行|工作|直接运行|跑)"
    r"|不(?:可行|正确|工作)|行不通|是错[的误]|错误(?:的(?:写法|用法|做法|示范|例子|代码)|写法|示例"
    r"|用法|做法|示范|代码|范例)"
    r"|写错了?|反例|反面(?:例子|教材)|有(?:问题|错误|bug)的|有(?:错|bug)"
    r"|\b(?:fails?|failing|failed|crash(?:es|ed)?|blows up|bombs|errors? out)\b"
    r"|\bbreaks\b(?! (?:the|an?|its?|up|down|out|into)\b)"
    r"|\b(?:raises?|raised|throws?|threw|triggers?|ends in|results? in|gives?|gave|get|gets|got|produces?)\b"
    r"(?=(?:[^.;:，。]|\.(?=[A-Za-z])){0,40}?(?:[A-Za-z]*Error|[A-Za-z]*Exception|\berrors?\b|\bexception))"
    r"|\b(?:is|are|was|looks?) (?:all |quite |simply |plainly |just )?(?:wrong|incorrect|broken"
    r"|invalid|mistaken|buggy)\b"
    r"|\b(?:does|do|did|will|would|can)(?: not|n['’]t) (?:work|run|compile|execute)"
    r"|\bwon['’]t (?:work|run|compile)|\bcannot (?:work|run)"
    r"|^\W*(?:wrong|bad|incorrect|broken|don['’]t do this|do not do this|错误"
    r"|错)\s*[)）]?\s*(?:way|example|code|version|usage)?\W*$"
    r"|\b(?:wrong|bad|incorrect|broken|failing|buggy) (?:way|example|code|version|usage|snippet"
    r"|program|attempt)\b|❌|✗|✘"
    r"|\bon purpose\b|\bcounter-?example\b",
    re.IGNORECASE,
)
_EXCEPTION_ALONE = re.compile(
    r"(?:会|将|则|就|报|抛|得到|触发|引发|遇到|出现|提示|\bwith|\bgives?|\bget"
    r"|\braises?)\s*(?:an? )?[`“\"']?[A-Z]\w*(?:Error|Exception)"
)
# The failure is denied, avoided, cured, over, only possible, or somebody else's.
_SPARED = re.compile(
    r"不(?:会|再|至于|用|必|要|应该?|容易)[^，。；]{0,8}(?:报错|出错|抛|失败|崩溃|出现|错)"
    r"|没有?(?:再)?(?:报错|出错|抛出|失败|错误|问题|崩溃)"
    r"|(?:避免|防止|以免|免得|解决|修复|修正|排查|处理|捕获|消除|绕[开过]|忽略|看到|如何|怎么|怎样"
    r"|并不|从不)[^，。；]{0,24}(?:报错|出错|抛|失败|崩溃|错|异常|Error)"
    r"|(?:报错|失败|崩溃|错误)[^，。；]{0,6}(?:就?(?:消失|没有|解决|好)了|时)|(?:否则|不然|要不|不这样)"
    r"|\b(?:no longer|not|never|n['’]t|without|cannot|hardly|stops?|avoids?|avoiding|prevents?"
    r"|fix(?:es|ed|ing)?|cures?"
    r"|solv(?:es?|ed|ing)|resolv(?:es?|ed|ing)|catch(?:es|ing)?|handl(?:es?|ing)|instead of"
    r"|rather than)\b[^.;:]{0,30}?"
    r"\b(?:fail\w*|crash\w*|break\w*|blow\w*|rais\w+|throw\w*|errors?|exceptions?|wrong|broken"
    r"|[A-Z]\w+Error)\b"
    r"|\b(?:otherwise|if it fails|or else|in case|should|would have|nothing)\b",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"改[成为用]|换[成用]|正确|应该|应当|解决|修复|修改后|改正|新[写用]?法|新版|替代"
    r"|才[能会对可行]|这样就|即可|就可以|就行|就好|没问题|可以(?:这样|写成|改)"
    r"|\binstead\b|\bfix(?:ed|es)?\b|\bcorrect(?:ed|ly)?\b|\bright way\b|\bsolution\b|\bshould\b"
    r"|\bnew (?:spelling|way|code|form)\b"
    r"|\bworks\b|\bworking\b|\bask it\b|\buse\b|\breplace|\bchange (?:it|this|that) to\b|✅|✓|✔",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？]\s*$")
_WHY = re.compile(r"为什么|为何|\bwhy\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"^\W*(?:如果|假如|若|要是|一旦|除非|万一|if\b|when you forget|unless\b|without\b)", re.IGNORECASE
)
_POSITIVE_NOT_WORK = re.compile(
    r"(?:does|do|did|will|would|can)(?: not|n['’]t) (?:work|run|compile|execute)", re.IGNORECASE
)
# A sentence that points at what stands below speaks of the block, wherever it stands in the lead.
_POINTS_DOWN = re.compile(
    r"\b(?:next|following) (?:\w+ )?(?:lines?|code|block|snippet|cell|example|program)\b"
    r"|\b(?:code|lines?|block|snippet) below\b"
    r"|(?:下面|以下|如下|接下来)(?:的|这)?(?:几行|这段|这几行|一段)?(?:代码|程序|写法|例子|片段)",
    re.IGNORECASE,
)
# A lead longer than this is a passage; only its end introduces the code.
_REACH = 400


def announces_failure(lead: str) -> str | None:
    """Whether the prose just before a block of code says that the block fails.

    Returns the name of the exception it announces, `""` when it says that the block fails or is wrong without
    naming one, None when it says nothing of the kind. A sentence that ends in a colon introduces the block by
    itself; else the last two sentences count, and any that points down at the block. A later turn ("instead",
    `改成`) takes an earlier failure back.
    """
    lead = lead[-_REACH:].rstrip(" \t\n*_`#")
    sentences = split(lead)
    if not sentences:
        return None
    for sentence in sentences:
        spoken = [clause.of(lead) for clause in sentence]
        if any(map(_POINTS_DOWN.search, spoken)) and any(map(_fails, spoken)):
            return _exception(spoken)
    reach = 1 if lead.endswith((":", "：")) or len(sentences) == 1 else 2
    clauses = [clause.of(lead) for sentence in sentences[-reach:] for clause in sentence]
    for index in range(len(clauses) - 1, -1, -1):
        clause = clauses[index]
        if _fails(clause):
            conditional = any(_CONDITION.match(before) for before in clauses[max(index - 1, 0) : index + 1])
            if conditional and index < len(clauses) - 1:
                return None
            return _exception(clauses[index:]) or _exception(clauses[:index])
        if _SPARED.search(clause) or _TURN.search(clause):
            return None
    return None


def _fails(clause: str) -> bool:
    if not (_FAILS.search(clause) or _EXCEPTION_ALONE.search(clause)):
        return False
    if _QUESTION.search(clause) and not _WHY.search(clause):
        return False
    spared = _SPARED.search(clause)
    return not spared or bool(_POSITIVE_NOT_WORK.search(clause) and not spared.group().startswith("not "))


def _exception(clauses: list[str]) -> str:
    for clause in clauses:
        named = _EXCEPTION.search(clause)
        if named:
            return named.group(1)
    return ""
