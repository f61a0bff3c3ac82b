"""Sentences right behind a block that state what it prints, returns or raises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.extract.clauses import split
from verifier.extract.stated.values import is_log, normal, value_end
from verifier.model import Span

_SUBJECT = (
    r"(?:结果|输出|返回值|答案|形状|输出结果|打印结果|运行结果|最终结果|执行结果|输出内容|返回结果"
    r"|打印出来的(?:结果|内容)?|得到的(?:结果|形状|值)|输出的?(?:形状|值)|结果的?(?:形状|值))"
)
_VERB_ZH = re.compile(
    rf"(?P<verb>(?:会|将会?|就会?|应该会?|可以|能)?(?:依次|分别|最终|最后|同样|也会?|直接)*(?:输出"
    rf"|打印|显示|看到|得到|返回)(?:出来|出|了)?(?:的?(?:结果|内容|值))?(?:为|是|如下)?[：:]?"
    rf"|{_SUBJECT}(?:都|应该|就|会|也|依次|分别)*(?:是|为|变成|等于|：|:))\s*"
)
_VERB_EN = re.compile(
    r"(?P<verb>(?<![\w./\\-])(?:(?:will|should|would|does|now|both|simply|just|then)\s+)*(?:prints?|printed"
    r"|outputs?|gives?|returns?|shows?|displays?|yields?|reports?|evaluates to|produces|see|get"
    r"|logs)(?:\s+(?:out|us|you|back))?:?"
    r"|\b(?:the |its? )?(?:final |printed |resulting |expected |output )?(?:output|result|shape"
    r"|value|answer|sum|mean|total|length|printout|number)\s*(?::|(?:came out|comes out) as|(?:is"
    r"|was|will be|should be|becomes|equals|reads)(?: then| now)?)"
    r"|\bthe \w+ (?:has|have|holds|contains))\s+(?:just |only |simply |exactly |a |an |the )*",
    re.IGNORECASE,
)
_OUTPUT = re.compile(
    r"(?P<verb>(?:^|(?<=\s))(?:Output|Outputs|Result|Prints?|Expected(?: output)?|Out|输出|结果"
    r"|打印)\s*[:：])\s*",
    re.IGNORECASE,
)
_SHAPE_EN = re.compile(r"\b(?:of|with|has|have) (?:a |the )?shape\s+", re.IGNORECASE)
_RAISES = re.compile(
    r"(?P<verb>(?:会|将|就会?|则会?)?(?:抛出|报|引发|触发|得到|抛)(?:一个|了)?|\b(?:raises?"
    r"|throws?|fails with|ends (?:in|with)|dies with|(?:gives?|get"
    r"|results? in) an?)(?:\s+an?)?)\s*[`“]?"
    r"(?P<name>[A-Z][A-Za-z]*(?:Error|Exception)|StopIteration)(?![A-Za-z])"
)
_COUNTED = re.compile(
    r"\s*(?:行|次|遍|个|条|张|列|维|秒|分钟|小时|轮|类|种|步|倍|层|页|(?:more |new |empty "
    r"|different |separate )*(?:lines?|times?|rows?|columns?|values?|numbers?|messages?|warnings?"
    r"|seconds?|minutes?|errors?|lists?|tensors?|arrays?|tuples?"
    r"|dimensional|samples?|images?|batches|figures?|plots?|of|more|or so|or more|to|%|percent|ms"
    r"|GB|MB)(?![A-Za-z]))",
    re.IGNORECASE,
)
_APPROXIMATE = re.compile(
    r"(?:大约|大概|约|左右|类似|差不多|接近|可能|随机|about|around|roughly|approximately"
    r"|something like|similar|e\.g\.|例如|比如|some|near|close to|different|随)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:不会|不再|没有|并不|不是|而不是|不|\b(?:not|never|no longer|n['’]t|instead of"
    r"|rather than|without|if)\b)[^，。；,;]{0,12}$",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:如果|若是?|假如|要是|当|一旦|改成|换成|\bif\b|\bwhen you\b|\bunless\b|\bwith\b[^,]{0,20}instead)",
    re.IGNORECASE,
)
_SHAPE_WORD = re.compile(r"形状|shape")
_NUMBERING = re.compile(r"\(?\d{1,3}(?:[.)]\s+(?=[^\s\d])|[、．]|\.(?=[^\s\d\]]))", re.ASCII)
_SIZES = re.compile(r"\d+(?:[x×]\d+)+(?!\w)", re.ASCII)
_AND = re.compile(r"\s*(?:和|、|与|然后|再|以及|,|，|;|；|and then|then|and)\s*(?:和|and|then|再)?\s*", re.IGNORECASE)
_BREAK = "，。；、！？,;!?)）\n"
_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]{0,39}(?=\s*(?:[，。；！？,;!?\n]|\.(?:\s|$)|$))")
_REACH = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Values that a sentence states. Spans are offsets into the text that was given.

    kind: "" for printed values, `shape`, or `exception` (then `values` holds its name); counted: "has 2 entries".
    """

    span: Span
    values: tuple[str, ...]
    kind: str = ""
    counted: bool = False


def said_behind(text: str) -> Said | None:
    """What the prose right behind a block states about its output; None when it states nothing clear.

    Only the first sentence counts; approximations, conditions and denials state nothing.
    """
    text = text[:_REACH]
    sentences = (sentence for sentence in split(text) if text[sentence[0].start : sentence[-1].end].strip(" \t\n~"))
    first = next(sentences, None)
    return next(_read(text, first[0].start, first[-1].end), None) if first else None


def _read(text: str, start: int, end: int) -> Iterator[Said]:
    raised = _RAISES.search(text, start, end)
    if raised and not _spared(text, start, raised.start()):
        yield Said(span=Span(start=raised.start(), end=raised.end("name")), values=(raised["name"],), kind="exception")
    for rule in (_OUTPUT, _VERB_ZH, _VERB_EN):
        for found in rule.finditer(text, start, end):
            if _spared(text, start, found.start()):
                return
            said = _values(text, found, min(len(text), _REACH))
            if said is not None:
                yield said


def _spared(text: str, start: int, at: int) -> bool:
    head = text[start:at]
    return bool(_DENIED.search(head) or _CONDITION.search(head) or _APPROXIMATE.search(head[-12:]))


def _values(text: str, found: re.Match[str], limit: int) -> Said | None:
    """The values behind a verb, up to four that are joined by `and`, `和` or a comma."""
    values: list[str] = []
    at = found.end()
    last = at
    verb = found["verb"].strip()
    if not verb.endswith((":", "：")) and "\n\n" in text[found.start() : at]:
        return None
    if _NUMBERING.match(text, at) and text[at - 1 : at] == "\n":
        return None
    while at < limit and len(values) < 4:
        shape = _SHAPE_EN.match(text, at) if not values else None
        end, value = _one(text, shape.end() if shape else at, verb)
        if end is None:
            break
        values.append(value)
        last = end
        joint = _AND.match(text, end)
        if not joint or joint.end() == end:
            break
        at = joint.end()
    if not values or is_log(" ".join(values)):
        return None
    counted = bool(re.search(r"\b(?:has|have|holds|contains)\b", verb))
    behind = text[last : last + 24]
    number = re.fullmatch(r"[-+]?[\d.]+", values[-1])
    if number and not counted and _COUNTED.match(behind):
        return None
    if counted and not (number and re.match(r"\s*(?:entries|entry|items?|elements?|keys?|members?)\b", behind)):
        return None
    if _APPROXIMATE.match(behind.strip()) or (number and behind[:1] in "%％"):
        return None
    kind = "shape" if _SHAPE_WORD.search(verb) else ""
    return Said(span=Span(start=found.start("verb"), end=last), values=tuple(values), kind=kind, counted=counted)


def _one(text: str, at: int, verb: str) -> tuple[int | None, str]:
    """End and characters of the value at `at`: in code marks, a rendering of a value, or one bare word."""
    if text[at : at + 1] == "`":
        close = text.find("`", at + 1)
        if at + 1 < close < at + 200 and "\n\n" not in text[at:close]:
            return close + 1, normal(text[at + 1 : close])
        return None, ""
    sizes = _SIZES.match(text, at) if _SHAPE_WORD.search(verb) else None
    if sizes:
        return sizes.end(), sizes.group()
    end = value_end(text, at)
    if end is not None and end > at:
        # `-3 1`: values that one call printed side by side.
        while end < len(text) and text[end] == " " and (more := value_end(text, end + 1)) is not None:
            end = more
        written = text[at:end]
        if written[-1:] == "." and text[end : end + 1] in ("", " ", "\n"):
            end, written = end - 1, written[:-1]
        return end, normal(written)
    word = _TOKEN.match(text, at)
    if (
        word
        and re.search(r"输出|打印|prints?|outputs?", verb, re.IGNORECASE)
        and not re.search(r"output (?:is|was)", verb)
    ):
        token = word.group().rstrip(".")
        return at + len(token), token
    return None, ""
