"""Classes of the standard library, the one thing that may be imported while the index is built.

Hides where older Pythons kept them, and how their constructors are written down without any value that changes from
run to run.
"""

from __future__ import annotations

import collections
import contextlib
import importlib
import inspect
import sys


def find(path: list[str]) -> type | None:
    """The class of the standard library at a dotted path; None when there is none."""
    # `collections.Mapping` is the spelling of older Pythons.
    if path[0] == "collections" and len(path) == 2 and not hasattr(collections, path[1]):
        path = ["collections", "abc", path[1]]
    if path[0] == "typing_extensions":
        path = ["typing", *path[1:]]
    if path[0] not in sys.stdlib_module_names:
        return None
    value: object = None
    for index in range(len(path), 0, -1):
        with contextlib.suppress(ImportError):
            value = importlib.import_module(".".join(path[:index]))
            for word in path[index:]:
                value = getattr(value, word, None)
            break
    if path[0] == "typing":
        value = getattr(value, "__origin__", value)
        return value if isinstance(value, type) else object
    return value if isinstance(value, type) else None


def construction(one: type) -> str | None:
    """The parameters of a class as text; None when it defines no constructor of its own."""
    if "__init__" not in vars(one) and "__new__" not in vars(one):
        return None
    try:
        parameters = inspect.signature(one).parameters.values()
    except (TypeError, ValueError):
        return "(*args, **kwargs)"
    # A default's repr may hold an address; that there is one is all that matters.
    plain = [inspect.Parameter(item.name, item.kind) for item in parameters]
    texts = [str(bare) + ("=..." if item.default is not item.empty else "")
             for bare, item in zip(plain, parameters, strict=True)]  # fmt: skip
    return f"({', '.join(_marked(texts, plain))})"


def _marked(texts: list[str], parameters: list[inspect.Parameter]) -> list[str]:
    """Parameters with the `/` and `*` that their kinds need."""
    kinds = [one.kind for one in parameters]
    marked = list(texts)
    star = inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds
    if star:
        marked.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    if inspect.Parameter.POSITIONAL_ONLY in kinds:
        marked.insert(kinds.count(inspect.Parameter.POSITIONAL_ONLY), "/")
    return marked
