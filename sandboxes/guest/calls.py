"""Whether a call of a given shape fits a signature. Answers None where the signature does not decide."""

from __future__ import annotations

import inspect

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def signature_of(owner, value, static):
    """(signature or None, whether its first parameter is `self` and not for the caller to give)."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None, False
    except Exception:
        return None, False
    plain = isinstance(owner, type) and not isinstance(value, type)
    skipped = plain and not isinstance(static, (staticmethod, classmethod)) and not hasattr(value, "__self__")
    return signature, skipped and bool(signature.parameters)


def without_first(signature, skipped):
    """The signature as its caller sees it."""
    if not skipped:
        return signature
    return signature.replace(parameters=list(signature.parameters.values())[1:])


def complaint(signature, skipped, call, value):
    """The interpreter's complaint about a call, "" when it fits, None when only calling could tell."""
    if signature is None:
        return None
    strange = [name for name in call["keywords"] if has_argument(signature, name, value) is None]
    if call["starred"]:
        unknown = [name for name in call["keywords"] if has_argument(signature, name, value) is False]
        return "got an unexpected keyword argument %r" % unknown[0] if unknown else None
    try:
        signature.bind(*[None] * (call["positional"] + skipped), **dict.fromkeys(call["keywords"]))
    except TypeError as error:
        return str(error)
    return None if strange else ""


def has_argument(signature, name, value):
    """Whether a keyword argument of this name is accepted; None when `**kwargs` hides the answer."""
    fields = getattr(getattr(value, "DESCRIPTOR", None), "fields_by_name", None)
    if fields is not None:
        return name in fields
    if signature is None:
        return None
    swallows = False
    for parameter in signature.parameters.values():
        if parameter.name == name and parameter.kind in _NAMED:
            return True
        swallows = swallows or parameter.kind is inspect.Parameter.VAR_KEYWORD
    return None if swallows else False
