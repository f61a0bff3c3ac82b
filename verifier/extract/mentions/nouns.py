"""What the words beside a name call it: a function, a method of something, an argument, a layer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.extract.mentions.words import IDENTIFIER, NOUN_EN, NOUN_ZH, kind_of

_PATH = rf"{IDENTIFIER}(?:\.{IDENTIFIER})*"
_QUOTE_END = r"[`”\"'’」]?"
_QUOTE = r"[`“\"'‘「]?"
_BEHIND = re.compile(
    rf"^{_QUOTE_END}\s{{0,2}}(?:(?:这[两三四几些]个?|这个|这一|这|该|此|等|自带的|内置的"
    rf"|普通的)\s*)?(?:个\s*)?(?P<zh>{NOUN_ZH})|^{_QUOTE_END}\s(?P<en>{NOUN_EN})"
)
_PREDICATE = re.compile(
    rf"^{_QUOTE_END}\s*(?:(?:其实|本质上|实际上|就|只|也|都|不过|现在|它)\s*)*是(?!不|否"
    rf"|存在)(?:一个|一种|个|一类|所有)?[^，。；,;（(]{{0,14}}?(?P<zh>{NOUN_ZH})"
    rf"(?=[，。；,.;、！!）)\s]|而|$)"
    rf"|^{_QUOTE_END}\s+(?:is|was)\s+(?:(?:just|actually|really|simply|only|also|merely|still"
    rf"|now)\s+)?(?:an?|the|one of the)\s+(?:[a-z-]+\s+){{0,3}}?"
    rf"(?P<en>{NOUN_EN})(?=\s*(?:[.,;:!?)]|$)|\s+(?:that|which|of|to|for|in|and|with|from|on|called"
    rf"|you|not|rather|whose|taking)\b)",
)
_BEFORE = re.compile(
    rf"(?P<zh>{NOUN_ZH})(?:名|名字)?(?:是|为|叫做?|名为|叫作|：|:)?\s*{_QUOTE}$"
    rf"|(?<!in )(?<!of )(?<!with )(?:\b(?:[Tt]he|[Aa]n?"
    rf"|[Tt]his)\s+(?:[a-z-]+\s+)?(?P<en>{NOUN_EN})\s+|(?P<named>{NOUN_EN})\s+(?:called"
    rf"|named)\s+){_QUOTE}$"
)
_OWNER_BEFORE = re.compile(
    rf"(?<![A-Za-z0-9_.\-])(?P<owner>{_PATH})(?:\(\))?{_QUOTE_END}\s*(?:{NOUN_ZH}|对象|实例)?\s*"
    r"(?:库?[中里]的?|里面的?|上的?|下的?|自带的?|提供的?|的|并?没有|有(?:一个|个)?"
    r"|提供了?(?:一个)?|接受|支持|['’]s|has (?:an?|no|the)|has|takes (?:an?|the)?|accepts (?:an?"
    r"|the)?|provides)"
    rf"\s*(?:一个|名为|叫做?)?\s*{_QUOTE}$"
)
_OWNER_BEHIND = re.compile(
    rf"^{_QUOTE_END}\s+(?:is (?:an?|the) (?:[a-z]+ )?)?{NOUN_EN}\s+(?:of|on|in|from|to"
    rf"|for)\s+(?:(?:the|an?)\s+)?{_QUOTE}(?P<en>{_PATH})"
    rf"|^{_QUOTE_END}\s*是\s*{_QUOTE}(?P<zh>{_PATH}){_QUOTE_END}\s*(?:类|对象)?的(?:一个)?{NOUN_ZH}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What a name is called, and where the word for it stands: `behind`, `before`, `predicate`, or nowhere ("")."""

    kind: str = ""
    where: str = ""


def called(before: str, after: str) -> Called:
    """What the text right before and right after a name calls it."""
    for rule, where in ((_BEHIND, "behind"), (_PREDICATE, "predicate")):
        found = rule.match(after)
        if found:
            return Called(kind=kind_of(found["zh"] or found["en"]), where=where)
    found = _BEFORE.search(before[-40:])
    if found:
        return Called(kind=kind_of(found["zh"] or found["en"] or found["named"]), where="before")
    return Called()


def owner(before: str, after: str) -> str:
    """The dotted name, class or function that the text says a name belongs to; "" when it says none."""
    found = _OWNER_BEFORE.search(before[-80:])
    if found:
        return found["owner"]
    found = _OWNER_BEHIND.match(after[:120])
    return (found["en"] or found["zh"]) if found else ""
