"""What the index knows about one symbol in one release, and how it is read from a syntax tree."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from verifier.index.build.namespace import leaf
from verifier.index.build.resolve import text_of

_LONGEST_DEFAULT = 32
_PROPERTIES = {"property", "cached_property", "abstractproperty", "classproperty", "lazy_property"}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Fact:
    """One symbol in one release.

    kind        `module`, `class`, `function`, `method`, `property`, `constant`, `attribute` (set on instances), or
                "" when the source does not tell
    canonical   the defining module and qualified name
    signature   parameters in parentheses as Python writes them, without annotations; "" when unknown
    deprecated  the note of the deprecation of the object itself
    stub        what its body raises, when it does nothing else
    open        attributes may exist that cannot be read, so absence of a member proves nothing
    """

    kind: str
    canonical: str = ""
    signature: str = ""
    deprecated: str = ""
    stub: str = ""
    open: bool = False


def signature(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, *, bound: bool = False) -> str:
    """The parameters of a function as text; `bound` leaves out the first positional one (`self`)."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    parts = [_parameter(one.arg, default) for one, default in zip(positional, defaults, strict=True)]
    if arguments.posonlyargs:
        parts.insert(len(arguments.posonlyargs), "/")
    if bound and positional:
        del parts[0]
        if parts[:1] == ["/"]:
            del parts[0]
    if arguments.vararg:
        parts.append(f"*{arguments.vararg.arg}")
    elif arguments.kwonlyargs:
        parts.append("*")
    parts += [
        _parameter(one.arg, default) for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    if arguments.kwarg:
        parts.append(f"**{arguments.kwarg.arg}")
    return f"({', '.join(parts)})"


def _parameter(name: str, default: ast.expr | None) -> str:
    if default is None:
        return name
    text = ast.unparse(default)
    return f"{name}={text if len(text) <= _LONGEST_DEFAULT else '...'}"


def stub(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """What the body raises when it does nothing else: `ImportError: message`; else ""."""
    body = node.body
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    if len(body) != 1 or not isinstance(body[0], ast.Raise) or body[0].exc is None:
        return ""
    raised = body[0].exc
    message = text_of(raised.args[0]) if isinstance(raised, ast.Call) and raised.args else ""
    return f"{leaf(raised)}: {message}"[:300] if message else leaf(raised)


def decorated_as(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """`property`, `static`, `class` or "": how a function in a class body is bound."""
    for decorator in node.decorator_list:
        word = leaf(decorator)
        if word in _PROPERTIES:
            return "property"
        if word == "staticmethod":
            return "static"
        if word == "classmethod":
            return "class"
    return ""
