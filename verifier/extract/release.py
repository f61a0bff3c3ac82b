"""Which TensorFlow release a piece of prose speaks of.

Releases are written `1.x`, `2.x` (a whole line of releases) or `2.16` (a minor release; patches are dropped).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.model import Span

EARLIER = "earlier"  # the text says "formerly" and names no release

_NUMBER = r"(?P<major>[012])(?:\.(?P<minor>\d{1,2}|[xX*])(?:\.(?:\d{1,2}|[xX*]))?)?(?:\s*[-‐‑]?rc\d+)?"
_DIGIT = re.compile("[012]")
_EDGE = r"(?![A-Za-z0-9_]|\.\d)"
# The product's name, then a number: `TensorFlow 1.x`, `TF2`, `tensorflow==1.15`, `TF-1.4`, `tf v2.3`.
_NAMED = re.compile(
    rf"(?<![A-Za-z0-9_.])(?:tensorflow(?:[-_]?(?:gpu|cpu))?|tf)\s*(?:[-=≥>~]=?=?\s*|(?:的|in"
    rf"|releases?|versions?|版本)\s*)?"
    rf"[vV]?\s*{_NUMBER}{_EDGE}",
    re.IGNORECASE,
)
# A number that a word beside it makes a release.
_LINE = re.compile(r"(?<![A-Za-z0-9_.=])[vV]?(?P<major>[12])\.(?P<minor>[xX])(?![A-Za-z0-9_])")
_MARKED = re.compile(rf"(?<![A-Za-z0-9_.])[vV]{_NUMBER}{_EDGE}")
_BARE = re.compile(
    r"(?<![A-Za-z0-9_.=(\[×x*/+-])(?P<major>[12])\.(?P<minor>\d{1,2})(?:\.\d{1,2})?(?![A-Za-z0-9_%]|\.\d)"
)
_BEHIND = re.compile(
    r"\s*(?:版本?|以[前后来]|之[前后]|起|开始|里|中(?!位)|时代|及|的(?:代码|写法|接口|时候|年代|风格)"
    r"|(?:or|and) (?:later|newer|above|earlier|older)|onwards?|onward|releases?\b|versions?\b|and up\b|\+)",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:自从?|到了|(?<![大等小低高处位])于|早于|晚于|截至|版本|升级到|迁移到"
    r"|\b(?:since|as of|versions?|releases?|prior to|starting (?:from|with|in)|upgrad\w+ to"
    r"|(?:removed|added|introduced|deprecated|gone|new|dropped|changed|renamed|deleted|appeared"
    r"|arrived|landed"
    r"|back|until|before|after) (?:in|with|from|by)?))\s*$",
    re.IGNORECASE,
)
# The number belongs to something else.
_FOREIGN = re.compile(
    r"(?:python|py|numpy|np|pandas|cuda|cudnn|keras|pytorch|torch|java|gcc|glibc|protobuf|ubuntu"
    r"|scikit-learn|sklearn"
    r"|jax|matplotlib|bazel|horovod|pip|windows|第|图|表|公式|学习率|比例|约|section|chapter"
    r"|figure|table|rate|of)\s*[-=≥>]*[vV]?\s*$",
    re.IGNORECASE,
)
_PRIOR_BEFORE = re.compile(
    r"(?:\b(?:before|prior to|older than|earlier than|until|pre)|早于|低于|不到)[\s-]*(?:the\s+)?$", re.IGNORECASE
)
# `2.16 及以前` includes 2.16 itself.
_PRIOR_BEHIND = re.compile(r"\s*(?:这个)?(?:版本?)?\s*(?:之前|以前|前(?=[，,的]))")
_JOINED = re.compile(r"\s*(?:版本?)?\s*(?:和|与|及|、|/|or|and|&|或者?|跟|以及)\s*(?:在|in\s)?\s*$", re.IGNORECASE)
_SET_ASIDE = re.compile(
    r"(?:unlike|instead of|rather than|不同于|不像|区别于|而不是|而非|不是|compared (?:to|with)"
    r"|than)\s*(?:in\s+)?$",
    re.IGNORECASE,
)
_FORMERLY = re.compile(
    r"以前|早期|早先|原先|原来(?=[用叫是写的])|曾经?(?=[叫是有])|当年|从前|老版本|旧版|老接口"
    r"|旧接口|老写法|旧写法"
    r"|\bused to\b|\bformerly\b|\bin the past\b|\bpreviously\b"
    r"|\bback then\b|\bhistorically\b|\bin (?:old|older|earlier|early|legacy) (?:releases?"
    r"|versions?|code|days)\b",
    re.IGNORECASE,
)
_NOWADAYS = re.compile(r"现在|如今|目前|改用|改成|换成|\bnow\b|\btoday\b|\bthese days\b", re.IGNORECASE)


def releases(text: str, *, bare: bool = False) -> Iterator[tuple[Span, str]]:
    """Every release that `text` names, in order, with its place.

    `2.16 以前` and `before 2.16` name the release before it (`2.15`), `before 2.0` the whole line `1.x`.
    `bare`: the text is known to speak of releases (something is gone "with 2.0"), so a number needs no word beside it.
    """
    if not _DIGIT.search(text):
        return
    taken = 0
    places = sorted(
        (found for rule in (_NAMED, _LINE, _MARKED, _BARE) for found in rule.finditer(text)),
        key=lambda found: (found.start(), -found.end()),
    )
    for found in places:
        if found.start() < taken or not _is_release(text, found, bare=bare):
            continue
        taken = found.end()
        yield Span(start=found.start(), end=found.end()), _written(text, found)


def _is_release(text: str, found: re.Match[str], *, bare: bool) -> bool:
    head = text[max(found.start() - 24, 0) : found.start()]
    if found.re is _NAMED:
        return True
    if _FOREIGN.search(head):
        return False
    if bare or found.re is not _BARE:
        return True
    return bool(_BEHIND.match(text, found.end()) or (_BEFORE.search(head) and int(found["minor"]) <= 30))


def _written(text: str, found: re.Match[str]) -> str:
    major, minor = int(found["major"]), found["minor"]
    head = text[max(found.start() - 24, 0) : found.start()]
    prior = _PRIOR_BEFORE.search(head) or _PRIOR_BEHIND.match(text, found.end())
    if minor is None or not minor.isdigit():
        return f"{max(major - 1, 0) if prior else major}.x"
    if not prior:
        return f"{major}.{int(minor)}"
    return f"{major}.{int(minor) - 1}" if int(minor) else f"{max(major - 1, 0)}.x"


def stated_release(text: str) -> str | None:
    """The release that a heading or an introducing sentence names for what follows it; None when it names none.

    The one named last counts: it stands nearest to what it introduces. `1.x and 2.x` names no single one, and
    `unlike 1.x` speaks of another.
    """
    named = [
        (span, release)
        for span, release in releases(text)
        if not _SET_ASIDE.search(text[max(span.start - 24, 0) : span.start])
    ]
    if not named:
        return None
    span, release = named[-1]
    if len(named) > 1 and named[-2][1] != release and _JOINED.fullmatch(text, named[-2][0].end, span.start):
        return None
    return release


def clause_release(clause: str) -> str | None:
    """The release that a clause claims something for; `earlier` when it only says that it is past."""
    release = stated_release(clause)
    if release is not None:
        return release
    return EARLIER if _FORMERLY.search(clause) and not _NOWADAYS.search(clause) else None
