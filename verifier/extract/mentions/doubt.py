"""How sure it is that a sentence claims a name at all: hedges, hearsay, examples, questions about existence."""

from __future__ import annotations

import re
from functools import lru_cache

from verifier.model import Confidence

_GAP = r"[^，。；,;]{0,14}$"
_VAGUE = re.compile(
    r"(?:类似于?|诸如|比如某个|例如某个|假设有|假设叫|形如|\bsomething (?:like|along the lines of)"
    r"|\bsome kind of|\ba hypothetical|\bimagine (?:an?|that)"
    r"|\bsay,? an? |\blet's (?:say|pretend)|\bas if there were)" + _GAP,
    re.IGNORECASE,
)
_VAGUE_BEHIND = re.compile(
    r"^[`”\"'’]?\s*(?:之类|这一类|一类的|什么的|or so\b|or something|or whatever|or the like)", re.IGNORECASE
)
_UNSURE = re.compile(
    r"(?:好像|似乎|也许|或许|貌似|印象[中里]|(?<![要须还])我记得|记不[清太]|不太?确定|不太记得"
    r"|依稀|没记错|大约是|大概|(?:可能|应该|估计)(?:就?[是叫在用写有]|存在)"
    r"|\bI (?:think|believe|guess|suppose|recall)|\bif I (?:remember|recall|am not mistaken)"
    r"|\bif memory serves|\bmaybe|\bperhaps"
    r"|\bprobably|\bpossibly|\bpresumably|\bmight be|\bmay be|\bcould be|\bnot sure|\bapparently"
    r"|\bseems? to be|\bsupposedly|\bshould be called"
    r"|\bI vaguely)" + r"[^。；;]{0,24}$",
    re.IGNORECASE,
)
_UNSURE_BEHIND = re.compile(
    r"^[`”\"'’]?[^，。；,;]{0,6}(?:吧|好像|似乎|大概|可能|应该)(?=[是叫吧有。，]|$)"
    r"|^[`”\"'’]?,? (?:I (?:think|believe|guess)|if I (?:remember|recall)|or similar|maybe"
    r"|perhaps|probably)\b",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"(?:(?<!还)有人(?:说|写|用|认为|以为)|网上(?:也|有人)?(?:说|流传)?|据说|听说|传言|传说|号称"
    r"|很多人以为|不少人以为|常见误区|误以为|以为|some (?:people )?(?:say|claim|write|believe)"
    r"|\b(?:somebody|someone) (?:wrote|writes|uses|used)"
    r"|people (?:say|claim|think|often write)|it is (?:often )?said|is said to|are said to|rumou?r"
    r"|supposedly|allegedly|reportedly|one hears"
    r"|(?:friend|colleague|someone|somebody) (?:told|said|claimed|mentioned))",
    re.IGNORECASE,
)
_HEARSAY_BEHIND = re.compile(
    r"^[`”\"'’]?(?:\([^()]*\))?\s*(?:is|are|was) (?:often )?(?:said|claimed|rumou?red|supposed|believed) to",
    re.IGNORECASE,
)
_ASKS_EXISTENCE = re.compile(
    r"有没有|是否(?:还)?(?:有|存在|可用|在)|存不存在|还在[吗么]|存在[吗么]|还有[吗么]|真的有"
    r"|还能用[吗么]|有[^，。；]{0,10}[吗么]\s*[?？]|在不在"
    r"|\b(?:does|do|did)\b[^;?]{0,60}\b(?:still )?exist\b|\b(?:is|are) there (?:an?|any)\b|\bisn['’]t there\b"
    r"|\b(?:is|are)\b[^;?]{0,60}\b(?:still (?:there|available|around)|available|a thing|gone"
    r"|removed)\b|\bwas\b[^;?]{0,60}\bremoved\b",
    re.IGNORECASE,
)
# Hedges stand right before a name; none is longer than this with the gap that it may have.
_REACH = 64
_QUESTION = re.compile(r"[?？]\s*[”\"’'`*)）]*\s*$|[吗么]\s*[。！]?\s*$")


def is_question(sentence: str) -> bool:
    """Whether a sentence asks."""
    return bool(_QUESTION.search(sentence))


def asks_existence(sentence: str) -> bool:
    """Whether a sentence asks if something exists, rather than merely using a name in a question."""
    return is_question(sentence) and bool(_ASKS_EXISTENCE.search(sentence))


def is_hearsay(before: str, after: str) -> bool:
    """Whether the clause reports what others say."""
    return bool(_HEARSAY.search(before) or _HEARSAY_BEHIND.match(after))


@lru_cache(maxsize=512)  # long lists repeat their surroundings
def doubt_of(sentence: str, before: str, after: str) -> tuple[Confidence, str]:
    """How sure the claim is, and why not surer. `before` and `after` are the clause around the name."""
    if asks_existence(sentence):
        return Confidence.GUESS, "the text asks whether it exists"
    near = before[-_REACH:]
    if _VAGUE.search(near) or _VAGUE_BEHIND.match(after):
        return Confidence.GUESS, "the text names it only as an example of a kind"
    if _UNSURE.search(near) or _UNSURE_BEHIND.match(after):
        return Confidence.LIKELY, "the text is not sure of the name"
    if is_hearsay(before, after):
        return Confidence.LIKELY, "the text reports what others say"
    return Confidence.SURE, ""
