"""Whether a call fits a signature, by Python's own rules; complaints are in Python's own words."""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import lru_cache
from inspect import Parameter, Signature

from verifier.model import CallForm


@lru_cache(maxsize=4096)
def parse(signature: str) -> Signature | None:
    """A signature from its text; None when the text is empty or no parameter list."""
    if not signature:
        return None
    try:
        tree = ast.parse(f"def f{signature}: pass")
    except (SyntaxError, ValueError):
        return None
    node = tree.body[0]
    return Signature(_parameters(node.args)) if isinstance(node, ast.FunctionDef) else None


def _parameters(arguments: ast.arguments) -> list[Parameter]:
    positional = [*arguments.posonlyargs, *arguments.args]
    required = len(positional) - len(arguments.defaults)
    found = []
    for index, one in enumerate(positional):
        kind = Parameter.POSITIONAL_ONLY if index < len(arguments.posonlyargs) else Parameter.POSITIONAL_OR_KEYWORD
        found.append(Parameter(one.arg, kind, default=Parameter.empty if index < required else None))
    if arguments.vararg:
        found.append(Parameter(arguments.vararg.arg, Parameter.VAR_POSITIONAL))
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(Parameter(one.arg, Parameter.KEYWORD_ONLY, default=Parameter.empty if default is None else None))
    if arguments.kwarg:
        found.append(Parameter(arguments.kwarg.arg, Parameter.VAR_KEYWORD))
    return found


def parameters(signature: str) -> tuple[str, ...]:
    """The names that may be given as keywords, in order."""
    parsed = parse(signature)
    named = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    return tuple(one.name for one in parsed.parameters.values() if one.kind in named) if parsed else ()


def takes_any_place(signature: str) -> bool:
    """Whether it has `*args`: what is given by position may then stand for any parameter of another function."""
    parsed = parse(signature)
    return parsed is not None and any(one.kind is Parameter.VAR_POSITIONAL for one in parsed.parameters.values())


def required(signature: str) -> int:
    """How many parameters must be given, and may be given by position."""
    parsed = parse(signature)
    return sum(_must(one) for one in parsed.parameters.values()) if parsed else 0


def _must(one: Parameter) -> bool:
    return one.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) and one.default is Parameter.empty


def accepts(signature: str, keyword: str, leftovers: Collection[str] | None = None) -> bool | None:
    """Whether a keyword is one of the parameters; None when that cannot be told.

    `leftovers` are the keywords that a `**kwargs` may take; None: it may take any.
    """
    parsed = parse(signature)
    if parsed is None:
        return None
    if keyword in parameters(signature):
        return True
    return None if _takes(parsed, keyword, leftovers) else False


def complaint(signature: str, call: CallForm, leftovers: Collection[str] | None = None) -> str | None:
    """Why the call does not fit, "" when it fits, None when that cannot be told; `leftovers` as in `accepts`.

    It cannot be told when the signature is unknown, when a keyword disappears in `**kwargs`, or when the call
    itself unpacks `*` or `**` and nothing else is wrong.
    """
    parsed = parse(signature)
    if parsed is None:
        return None
    named = parameters(signature)
    swallowed = [keyword for keyword in call.keywords if keyword not in named]
    refused = [keyword for keyword in swallowed if not _takes(parsed, keyword, leftovers)]
    if refused:
        return f"got an unexpected keyword argument '{refused[0]}'"
    bind = parsed.bind_partial if call.starred else parsed.bind
    try:
        bind(*[None] * call.positional, **dict.fromkeys(call.keywords))
    except TypeError as error:
        return str(error)
    return None if swallowed or call.starred else ""


def _takes(signature: Signature, keyword: str, leftovers: Collection[str] | None) -> bool:
    """Whether `**kwargs` may take the keyword."""
    any_keyword = any(one.kind is Parameter.VAR_KEYWORD for one in signature.parameters.values())
    return any_keyword and (leftovers is None or keyword in leftovers)
