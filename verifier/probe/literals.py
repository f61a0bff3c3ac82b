"""What an expression is worth, read off its syntax: literals, names bound to them, and plain text made of them."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping

_MOST = 64  # elements of a list that is worth writing out
Known = Mapping[str, object]


class Unknown(Exception):
    """The expression cannot be read without running it."""


def worth(node: ast.expr, known: Known) -> object:
    """The value of an expression; `known` gives those of names. Raises Unknown."""
    try:
        return _worth(node, known)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise Unknown from error


def _worth(node: ast.expr, known: Known) -> object:
    reader = _READERS.get(type(node))
    if reader is None:
        raise Unknown
    return reader(node, known)


def _list(node: ast.List | ast.Tuple, known: Known) -> list[object]:
    return [_worth(part, known) for part in node.elts]


def _dict(node: ast.Dict, known: Known) -> dict[object, object]:
    if None in node.keys:
        raise Unknown
    return {_worth(key, known): _worth(value, known) for key, value in zip(node.keys, node.values, strict=True) if key}


def _text(node: ast.JoinedStr, known: Known) -> str:
    return "".join(str(_worth(part, known)) for part in node.values)


def _formatted(node: ast.FormattedValue, known: Known) -> object:
    if node.conversion != -1 or node.format_spec is not None:
        raise Unknown
    return _worth(node.value, known)


def _operation(node: ast.BinOp, known: Known) -> object:
    left, right = _worth(node.left, known), _worth(node.right, known)
    if isinstance(node.op, ast.Add):
        return _sum(left, right)
    if isinstance(node.op, ast.Mod) and isinstance(left, str):
        return left % (tuple(right) if isinstance(right, list) else right)
    raise Unknown


def _comprehension(node: ast.ListComp, known: Known) -> list[object]:
    (each,) = node.generators
    items = _worth(each.iter, known)
    if each.ifs or not isinstance(each.target, ast.Name) or not isinstance(items, list) or len(items) > _MOST:
        raise Unknown
    return [_worth(node.elt, {**known, each.target.id: item}) for item in items]


def _call(node: ast.Call, known: Known) -> object:
    name = ast.unparse(node.func)
    if name == "dict" and not node.args:
        return {word.arg: _worth(word.value, known) for word in node.keywords}
    if name == "json.dumps" and len(node.args) == 1:
        return json.dumps(_worth(node.args[0], known))  # however it is indented
    if len(node.args) != 1 or node.keywords or name not in _FUNCTIONS:
        raise Unknown
    return _FUNCTIONS[name](_worth(node.args[0], known))


def _sum(left: object, right: object) -> object:
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if isinstance(left, list) and isinstance(right, list):
        return left + right
    raise Unknown


def _item(holder: object, key: object) -> object:
    if isinstance(holder, dict):
        return holder[key]
    if isinstance(holder, list) and isinstance(key, int):
        return holder[key]
    raise Unknown


def _range(stop: object) -> list[int]:
    if isinstance(stop, int) and 0 <= stop <= _MOST:
        return list(range(stop))
    raise Unknown


def _loaded(text: object) -> object:
    if isinstance(text, str):
        return json.loads(text)
    raise Unknown


_FUNCTIONS: dict[str, Callable[[object], object]] = {
    "json.loads": _loaded,
    "str": str,
    "range": _range,
}
_READERS: dict[type[ast.expr], Callable[..., object]] = {
    ast.Constant: lambda node, _known: node.value,
    ast.Name: lambda node, known: known[node.id],
    ast.Subscript: lambda node, known: _item(_worth(node.value, known), _worth(node.slice, known)),
    ast.List: _list,
    ast.Tuple: _list,
    ast.Dict: _dict,
    ast.JoinedStr: _text,
    ast.FormattedValue: _formatted,
    ast.BinOp: _operation,
    ast.ListComp: _comprehension,
    ast.Call: _call,
}
