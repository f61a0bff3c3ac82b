"""Call parentheses in prose: where they close, and what stands between them.

Prose writes `f(x, y)`, `f（“a”, k＝1）`, `f(...)`, and also `f（说明文字）` and `layer(s)`, which are no calls.
"""

from __future__ import annotations

import ast
import re
import warnings

from verifier.model import CallForm

_OPEN = {"(": ")", "（": "）", "[": "]", "［": "］", "{": "}", "｛": "｝"}
_ASCII = str.maketrans("（）［］｛｝，：＝．；“”‘’′″＂＇　\u00a0…", "()[]{},:=.;\"\"''''\"'  \x00")
_BRACKET = re.compile(r"[()（）\[\]［］{}｛｝]|\n[ \t]*\n")
_CLOSE = frozenset(")）]］}｝")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_QUOTED = re.compile(r"[\"'“”‘’][^\"'“”‘’\n]*[\"'“”‘’]")
_PLURAL = frozenset(("s", "es", "ies"))
_LONGEST = 300


def brackets_of(text: str) -> dict[int, int]:
    """Offset of each opening bracket -> offset of the one that closes it. A blank line closes nothing and ends all."""
    closing: dict[int, int] = {}
    stack: list[int] = []
    for found in _BRACKET.finditer(text):
        char = found.group()
        if char in _OPEN:
            stack.append(found.start())
        elif char in _CLOSE:
            if stack:
                closing[stack.pop()] = found.start()
        else:
            stack.clear()
    return closing


def is_call(inside: str, *, full_width: bool) -> bool:
    """Whether the text between parentheses that touch a name reads as arguments rather than as a remark."""
    if len(inside) > _LONGEST or inside.strip() in _PLURAL:
        return False
    if not inside.strip():
        return True
    bare = _QUOTED.sub("", inside)
    if _HAN.search(bare):
        return False
    if full_width and not re.search(r"[=＝\"'“”‘’0-9\[(（,，…]|\.\.\.", inside):
        return False
    return _parse(inside) is not None


def call_form(inside: str) -> CallForm | None:
    """The shape of a call; None when it has no arguments or only an ellipsis that stands for some."""
    call = _parse(inside)
    if call is None or not (call.args or call.keywords):
        return None
    given = [argument for argument in call.args if not _is_ellipsis(argument)]
    if len(given) < len(call.args) and not call.keywords:
        return None
    starred = len(given) < len(call.args) or any(isinstance(argument, ast.Starred) for argument in given)
    return CallForm(
        positional=sum(not isinstance(argument, ast.Starred) for argument in given),
        keywords=tuple(keyword.arg for keyword in call.keywords if keyword.arg),
        starred=starred or any(keyword.arg is None for keyword in call.keywords),
    )


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _parse(inside: str) -> ast.Call | None:
    code = f"f({inside.translate(_ASCII)})".replace("\x00", "...").replace("......", "...").replace("\\_", "_")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            node = ast.parse(" ".join(code.splitlines()), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    return node
