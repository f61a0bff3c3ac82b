"""Code that is incomplete by intent: `...`, `<your path>`, `YOUR_API_KEY`, `此处省略`.

Placeholders are never filled in. One that keeps the code from compiling is replaced by `...`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from verifier.extract.repair.draft import Edit
from verifier.extract.repair.scan import Kind, Token
from verifier.extract.trees import nodes
from verifier.model import RepairClass

_ANGLED = re.compile(
    r"(?<![\w)\]])<(?!/?(?:br|code|pre|span|p|div)\b)([A-Za-z\u3400-\u9fff][^<>\n=()\[\]]{0,60})>(?!\w)"
)
_DOTS = re.compile(r"\.{4,}|(?<!\.)\.\.(?!\.)(?=[ \t]*(?:[,)\]\n]|$))|…+|⋮|·{3,}")
_WORDS = re.compile(
    r"""<\s*(?:你的|您的|your\b|填写|path\b|某|api|token|key\b)[^<>\n]{0,60}>
      | \bYOUR[_A-Z]+\b | \b(?:path|dir)/to/\w+ | \byour[_-](?:api|key|token|path|data|model|dataset)\w*\b
      | (?:此处|这里|中间)?(?:省略|略去|从略) | \byour\ code(?:\ goes)?\ here\b | \bTODO\b:?\ *(?:implement|fill|add)
      | 你的代码 | 在此(?:处)?(?:填写|添加|实现|编写)""",
    re.VERBOSE | re.IGNORECASE,
)


def placeholder_edits(text: str, tokens: Sequence[Token]) -> list[Edit]:
    """Edits that put `...` where a placeholder stands in the place of code."""
    edits: list[Edit] = []
    at = 0
    borders = [(token.start, token.end) for token in tokens if token.kind in {Kind.STRING, Kind.COMMENT}]
    for start, end in [*borders, (len(text), len(text))]:
        for pattern in (_ANGLED, _DOTS):
            edits += [_placeholder(found) for found in pattern.finditer(text, at, start)]
        at = end
    return edits


def _placeholder(found: re.Match[str]) -> Edit:
    return Edit(
        start=found.start(),
        end=found.end(),
        after="...",
        rule="placeholder",
        klass=RepairClass.R3,
        reason=f"`{found.group()}` stands for something that is not in the text",
    )


def placeholder_in(code: str, *, invented: bool) -> str:
    """Why `code`, which compiles, is incomplete by intent; an empty string when it is whole.

    `invented`: a placeholder was replaced by `...` before.
    """
    found = _WORDS.search(code)
    if found:
        return f"`{found.group()}` stands for something that the text leaves out"
    if invented or _has_ellipsis(code):
        return "`...` stands for code that the text leaves out"
    if re.search(r"^[ \t]*#[ \t]*(?:\.{3,}|…+)[ \t]*$", code, re.MULTILINE):
        return "a comment `...` stands for code that the text leaves out"
    return ""


def _has_ellipsis(code: str) -> bool:
    """Whether `...` is a statement or an argument; as an index (`x[..., 0]`) or annotation it is ordinary code."""
    if "..." not in code:
        return False
    every = nodes(code)
    ordinary = {id(inner) for node in every if isinstance(node, ast.Subscript) for inner in ast.walk(node.slice)}
    return any(isinstance(node, ast.Constant) and node.value is Ellipsis and id(node) not in ordinary for node in every)
