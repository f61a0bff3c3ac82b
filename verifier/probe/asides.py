"""Calls that stand whole in a sentence, such as `net.get_layer("dense")`: run behind the code that they speak of."""

from __future__ import annotations

import ast

from verifier.model import Claim, ClaimKind, Polarity

_STRAIGHT = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "（": "(", "）": ")", "，": ",", "＝": "="})
_LITERALS = ast.Constant | ast.List | ast.Tuple | ast.Dict | ast.Set | ast.UnaryOp | ast.USub | ast.Load | ast.keyword


def aside_code(claim: Claim) -> str:
    """The call that a sentence quotes, as code, when it can be run as it stands; else an empty string.

    Its arguments must be literals or dotted library names: `model.fit(x, y)` in a sentence speaks of any x and y.
    A call without arguments names a function more often than it calls it.
    """
    if claim.kind is not ClaimKind.API or claim.call is None or claim.polarity is Polarity.NEGATED or claim.release:
        return ""
    code = claim.quote.translate(_STRAIGHT)
    try:
        node = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return ""
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    if not arguments or not all(_plain(argument) for argument in arguments) or not _dotted(node.func):
        return ""
    return code


def _plain(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return _dotted(node)
    ellipsis = any(isinstance(child, ast.Constant) and child.value is ... for child in ast.walk(node))
    return not ellipsis and all(isinstance(child, _LITERALS) for child in ast.walk(node))


def _dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
