"""Whether a candidate is a mention of an API, and how sure that is.

A dotted name with a known root always is. Everything else needs evidence beside it: code marks, call
parentheses, a type noun, an underscore after a verb of use. Ordinary words (`print`, `map`, `model`, 33 of 48
that were tried are exported names too) never count without.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.extract.mentions.classes import is_class_name
from verifier.extract.mentions.defined import Own
from verifier.extract.mentions.library import Rooted, is_receiver, rooted
from verifier.extract.mentions.nouns import Called
from verifier.extract.mentions.prose import BLANK
from verifier.extract.mentions.scan import Candidate
from verifier.extract.mentions.words import (
    ADJECTIVE,
    CONCEPTS,
    FUNCTION_NAMES,
    MATHS,
    NOT_AN_API,
    NOT_CLASSES,
    PRODUCTS,
    PYTHON_WORDS,
    VARIABLE,
    VERBAL,
)
from verifier.model import Confidence

_VERB = re.compile(
    r"(?:使用|调用|通过|利用|借助|采用|改用|换成|用|重写|实现|覆盖|\b(?:call|calls|calling|use"
    r"|uses|using|used|via|through|with|override|overrides|overriding|invoke|invokes|run|try))"
    r"\s*(?:了|过|的是)?\s*(?:the\s+|an?\s+)?$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"(?:\b(?:the|its|call|calls|calling|use|uses|using|via|with|override|overrides|overriding"
    r"|of|s|no|and|or|both|own)\s+|[\u4e00-\u9fff，、（(]\s?)$",
    re.IGNORECASE,
)
_ARGUED = re.compile(r"[=＝\"'“”‘’0-9\[]")
_TAKEN = re.compile(
    r"(?:\b(?:takes|accepts|accept|expects|supports|pass|passing|set|setting|given|an? argument"
    r"|keyword)|接受|支持|传入?|传递|设置|指定|传给它?的?)\s*(?:the |an? )?[`“\"']$"
)
_WEAK = "only its code marks say that it is a name"
_FEW_WORDS = frozenset(("function", "method", "argument", "attribute", "decorator"))
_LAYERED = frozenset(("layer", "optimizer", "callback"))
_WEAK_NOUNS = frozenset(("loss", "activation", "library", "constant"))
_ALIASES = frozenset(("tf", "np", "pd", "plt", "keras"))
_INNER_CAPITAL = re.compile(r"[a-z0-9][A-Z]|[0-9]")
_CELLS = frozenset(("LSTM", "GRU", "RNN", "SGD", "ELU", "FTRL"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A candidate that is a mention: its target, how sure, and whether its noun may be shared with names before it."""

    target: str
    elsewhere: str = ""
    confidence: Confidence = Confidence.SURE
    doubt: str = ""
    argument: bool = False


def read_dotted(candidate: Candidate, noun: Called, own: Own) -> Reading | None:
    """The reading of a dotted name; None when nothing says that it is an API."""
    root = rooted(candidate.name, own)
    if root.standard:
        return None
    if root.known:
        return _rooted_reading(candidate, root, noun)
    first = candidate.name.partition(".")[0]
    evident = candidate.mark is not None or candidate.inside is not None or candidate.stray
    if is_receiver(first, own) and (evident or first in own.bound or not _is_proper_name(candidate)):
        if first in own.bound and not (evident or noun.kind or "_" in candidate.leaf):
            return None
        return Reading(target=root.target)
    if candidate.alone or candidate.inside or (candidate.inside is not None and len(first) > 1):
        return Reading(
            target=root.target, confidence=Confidence.LIKELY, doubt="the text does not say what its receiver is"
        )
    return None


def _rooted_reading(candidate: Candidate, root: Rooted, noun: Called) -> Reading | None:
    if root.elsewhere and len(candidate.name.partition(".")[0]) <= 2 and candidate.name[0] in "nF":
        weak = not (candidate.mark or candidate.inside is not None or candidate.name.startswith("np."))
        if weak:
            return None
    parts = root.target.split(".")
    singular = _singular(parts[-1])
    if singular and not noun.kind and candidate.inside is None:
        return Reading(
            target=".".join((*parts[:-1], singular)),
            elsewhere=root.elsewhere,
            confidence=Confidence.LIKELY,
            doubt=f"read as the plural of {singular}",
        )
    if root.respelt:
        return Reading(
            target=root.target, confidence=Confidence.LIKELY, doubt="the first word is written in another case"
        )
    return Reading(target=root.target, elsewhere=root.elsewhere)


_PLURALS = re.compile(
    r"^(?:\w*(?:Tensor|Variable|Dataset|Layer|Model|Optimizer|Estimator|Module|Function|Session"
    r"|Graph|Operation|Callback|Example"
    r"|Placeholder|Dimension|Iterator|Constant|Array))s$|^\w*Strategies$"
)


def _singular(leaf: str) -> str:
    if not _PLURALS.match(leaf) or not leaf[0].isupper():
        return ""
    return leaf.removesuffix("ies") + "y" if leaf.endswith("ies") else leaf.removesuffix("s")


def read_bare(candidate: Candidate, noun: Called, before: str, after: str, own: Own) -> Reading | None:
    """The reading of a name without a dot; None when nothing says that it is an API."""
    name = candidate.name
    product = name.lower() in PRODUCTS and not (noun.kind == "callback" or candidate.inside)
    if name in own.bound or len(name) < 2 or name.startswith("__") or product or name in _ALIASES:
        return None
    if noun.kind == "argument" and not is_class_name(name):
        return _argument(candidate, noun, before)
    target = own.aliases.get(name, name)
    placed = ("behind", "before", "predicate") if candidate.alone else ("behind", "before")
    strong = noun.where in placed and noun.kind in (*_FEW_WORDS, *_LAYERED, "class", "module", "api")
    if NOT_AN_API.match(after) and not strong:
        return None
    if candidate.mark is not None:
        return _marked(candidate, before, target, own, strong=strong)
    if candidate.inside is not None:
        return _called(candidate, before, target, own)
    if candidate.stray and (strong or (len(name) > 3 and name not in PYTHON_WORDS and not _is_variable(name))):
        doubt = "" if strong else _WEAK
        return Reading(target=target, confidence=Confidence.SURE if strong else Confidence.LIKELY, doubt=doubt)
    return _unmarked(candidate, noun, before, target, own)


def _argument(candidate: Candidate, noun: Called, before: str) -> Reading | None:
    name = candidate.name
    if candidate.mark is not None and not candidate.alone:
        return None
    if candidate.mark is None and (
        name.lower() in CONCEPTS or not name[0].islower() or not _said_plainly(name, noun, before)
    ):
        return None
    return Reading(target="", argument=True)


def _marked(candidate: Candidate, before: str, target: str, own: Own, *, strong: bool) -> Reading | None:
    name, called = candidate.name, candidate.inside is not None
    if not candidate.alone or (not strong and _is_no_name(name, own, called=called)):
        return None
    if _TAKEN.search(before) and name[0].islower() and not called:
        return Reading(target="", argument=True)
    if strong or called:
        return Reading(target=target)
    return Reading(target=target, confidence=Confidence.LIKELY, doubt=_WEAK)


def _is_no_name(name: str, own: Own, *, called: bool) -> bool:
    """Whether a word in code marks is a value, a variable or Python's own."""
    if called:
        return name in PYTHON_WORDS - {"map", "filter", "range"}
    return (
        name in PYTHON_WORDS
        or name in own.values
        or name.lower() in PRODUCTS
        or _is_variable(name)
        or (name.isupper() and name not in _CELLS)
    )


def _called(candidate: Candidate, before: str, target: str, own: Own) -> Reading | None:
    """A call without code marks; markup and addresses hold calls of other languages (`javascript:go(1)`)."""
    if not _is_call(candidate, own) or before.endswith((":", BLANK)):
        return None
    if "_" in target or "." in target or target[0].isupper():
        return Reading(target=target)
    return Reading(target=target, confidence=Confidence.LIKELY, doubt="the text does not say whose function it is")


def _is_call(candidate: Candidate, own: Own) -> bool:
    name, inside = candidate.name, candidate.inside or ""
    if name in PYTHON_WORDS or name.lower() in PRODUCTS or (name in MATHS and not candidate.mark) or name in own.values:
        return False
    if name.lower() in CONCEPTS - {"embedding", "dense", "batch", "input", "dropout"} and not _ARGUED.search(inside):
        return False
    if name.lower() in CONCEPTS and name[0].islower() and name != "batch" and not re.search(r"[=＝]", inside):
        return False
    if name[0].isupper():
        return bool(_ARGUED.search(inside)) if inside.strip() else any(char.islower() for char in name)
    return len(name) > 2


def _unmarked(candidate: Candidate, noun: Called, before: str, target: str, own: Own) -> Reading | None:
    name = candidate.name
    if name in own.values and noun.where != "behind":
        return None
    beside = noun.kind if noun.where in ("behind", "before") else ""
    if "_" in name:
        if beside and beside not in _WEAK_NOUNS:
            return Reading(target=target)
        if _VERB.search(before) and not _is_variable(name) and name.islower():
            return Reading(target=target, confidence=Confidence.LIKELY, doubt="the text does not say what it is")
        return None
    if beside and (_is_lower(name, noun, before) if name[0].islower() else _is_class(name, noun, before)):
        return Reading(target=target)
    return Reading(target=target) if is_class_name(name) else None


def _is_lower(name: str, noun: Called, before: str) -> bool:
    known = name.lower() in CONCEPTS or name in MATHS or len(name) < 3
    return noun.kind in _FEW_WORDS and not known and _said_plainly(name, noun, before)


def _is_class(name: str, noun: Called, before: str) -> bool:
    if name.isupper():
        return noun.kind in _LAYERED and name in _CELLS
    said_class = noun.kind == "class" and noun.where == "behind" and _in_chinese(before)
    if noun.kind in _WEAK_NOUNS or (noun.kind == "api" and noun.where != "behind"):
        return False
    if name.lower() in NOT_CLASSES and not said_class:
        return False
    return bool(_INNER_CAPITAL.search(name)) or _capitalised(noun, before)


def _said_plainly(name: str, noun: Called, before: str) -> bool:
    """Whether an unmarked lower-case word before a noun is a name rather than an adjective of the sentence."""
    if noun.where == "before" or re.search(r"[\u4e00-\u9fff，。：、]\s*$", before) or not before.strip():
        return True
    return "_" in name or (bool(_ARTICLE.search(before)) and not ADJECTIVE.search(name))


def _capitalised(noun: Called, before: str) -> bool:
    """Whether one capitalised word before a noun is a class rather than a proper name or a sentence start."""
    if _in_chinese(before):
        return (
            noun.kind in (*_LAYERED, "class", "method", "function", "decorator", "initializer")
            and noun.where == "behind"
        )
    return noun.kind in _LAYERED and noun.where == "behind" and bool(_ARTICLE.search(before))


def _is_variable(name: str) -> bool:
    return bool(VARIABLE.match(name)) and name not in FUNCTION_NAMES and not VERBAL.match(name)


def _in_chinese(before: str) -> bool:
    return bool(re.search(r"[\u4e00-\u9fff，。：、（]\s*$", before)) or not re.search(r"[A-Za-z]", before[-30:])


def _is_proper_name(candidate: Candidate) -> bool:
    """Whether a dotted word is two capitalised words, such as the names of people."""
    return candidate.name[0].isupper() and candidate.leaf[0].isupper()
