"""The decision what a block is, made before anything is repaired. Only `CODE` is ever run."""

from __future__ import annotations

import re
from collections.abc import Callable

from verifier.extract.classify.evidence import python_share
from verifier.extract.classify.languages import configuration, foreign_language, is_shell, other_language
from verifier.extract.classify.printed import is_construction, is_result, is_traceback, is_values_only, output_share
from verifier.extract.classify.tags import KINDS, plain_tag
from verifier.extract.classify.templates import is_signature, pseudo_share
from verifier.extract.parts import RegionKind
from verifier.extract.repair.check import compiles
from verifier.extract.repair.comments import HAN
from verifier.extract.repair.lift import IN, PROMPT
from verifier.extract.repair.scan import DOUBLES, FULL_WIDTH, SINGLES, SPACES, UNSEEN

_LOOKS = str.maketrans(
    dict.fromkeys(SINGLES, "'")
    | dict.fromkeys(DOUBLES, '"')
    | dict.fromkeys(SPACES, " ")
    | FULL_WIDTH
    | dict.fromkeys(UNSEEN)
)
del _LOOKS[ord("。")], _LOOKS[ord("、")], _LOOKS[ord("`")]
_OTHER_CELLS = ("%%bash", "%%sh", "%%writefile", "%%html", "%%javascript", "%%script", "%%cmd")
_ASSIGNMENT = re.compile(r"\s*[A-Za-z_]\w*\s*=(?!=)")
Decision = tuple[RegionKind, str]


def classify(body: str, language: str = "") -> Decision:
    """What the block holds and why. `language` is the container's or fence's word for it, which may be wrong."""
    body = _plainly(body)
    tag = plain_tag(language)
    said = KINDS.get(tag)
    if _is_session(body):
        return RegionKind.CODE, "a session at a Python prompt"
    before, traceback, _ = body.partition("Traceback (most recent call last)")
    if traceback and python_share(before)[0]:
        # Code, and behind it the error that it raised.
        body = before
    elif is_traceback(body):
        return RegionKind.TRACEBACK, "an error message of Python"
    strong, share = python_share(body)
    if said is RegionKind.CODE:
        return _said_python(body, strong)
    if said is not None:
        return _said_otherwise(body, said, tag, strong, share)
    return _unsaid(body, strong, share)


def _plainly(body: str) -> str:
    """The block without the damage that only changes how characters look; for reading, not for running."""
    return body.translate(_LOOKS)


def _is_session(body: str) -> bool:
    first = body.lstrip("\n").partition("\n")[0]
    return bool(PROMPT.match(first) or IN.match(first))


def _said_python(body: str, strong: int) -> Decision:
    if body.lstrip().startswith(_OTHER_CELLS):
        return RegionKind.SHELL, "a notebook cell for another program"
    if is_signature(body):
        return RegionKind.SIGNATURE, "parameters of a signature, not a call"
    if foreign := foreign_language(body, strong):
        return RegionKind.OTHER_LANGUAGE, f"tagged as Python but written in {foreign}"
    if not strong and is_shell(body):
        return RegionKind.SHELL, "commands for a shell"
    if pseudo_share(body) > (0.6 if strong else 0.49):
        return RegionKind.PSEUDO_CODE, "an algorithm in plain language"
    if _is_printed(body, strong):
        return RegionKind.OUTPUT, "lines that a program printed"
    return RegionKind.CODE, "tagged as Python"


def _is_printed(body: str, strong: int) -> bool:
    if is_construction(body):
        return False
    if not strong and (output_share(body) > 0.6 or (is_values_only(body) and not body.strip().isidentifier())):
        return True
    return output_share(body) > 0.8 and strong <= 1 and not (_ASSIGNMENT.match(body) and compiles(body))


def _said_otherwise(body: str, said: RegionKind, tag: str, strong: int, share: float) -> Decision:
    if strong and share > 0.7 and not _confirms(body, said):
        if is_signature(body):
            return RegionKind.SIGNATURE, "parameters of a signature, not a call"
        return RegionKind.CODE, f"Python, although tagged as {tag}"
    return said, f"tagged as {tag}"


def _confirms(body: str, said: RegionKind) -> bool:
    """Whether the block itself is no Python either; mere assignments are no evidence against a settings file."""
    if said is RegionKind.CONFIGURATION and "(" not in body and "import " not in body:
        return True
    return is_shell(body) or bool(other_language(body)) or bool(configuration(body)) or output_share(body) >= 0.3


def _unsaid(body: str, strong: int, share: float) -> Decision:
    found = _not_python(body, strong)
    if found:
        return found
    if strong and (share >= 0.5 or (compiles(body) and not HAN.search(body))):
        return RegionKind.CODE, "reads like Python"
    if pseudo_share(body) >= 0.3:
        return RegionKind.PSEUDO_CODE, "an algorithm in plain language"
    return RegionKind.OUTPUT, "text without any statement of Python"


def _not_python(body: str, strong: int) -> Decision | None:
    tests: tuple[tuple[RegionKind, Callable[[], str]], ...] = (
        (RegionKind.SIGNATURE, lambda: "parameters of a signature, not a call" if is_signature(body) else ""),
        (RegionKind.OTHER_LANGUAGE, lambda: foreign_language(body, strong) if body.lstrip().startswith("<") else ""),
        (RegionKind.SHELL, lambda: "commands for a shell" if is_shell(body) else ""),
        (RegionKind.CONFIGURATION, lambda: "JSON" if configuration(body) == "JSON" else ""),
        (RegionKind.OUTPUT, lambda: "values that a program printed" if is_values_only(body) or is_result(body) else ""),
        (RegionKind.OUTPUT, lambda: "lines that a program printed" if output_share(body) > 0.5 else ""),
        (RegionKind.CONFIGURATION, lambda: configuration(body)),
        (RegionKind.PSEUDO_CODE, lambda: "an algorithm in plain language" if pseudo_share(body) > 0.4 else ""),
        (RegionKind.OTHER_LANGUAGE, lambda: foreign_language(body, strong)),
    )
    return next(((kind, reason) for kind, test in tests if (reason := test())), None)
