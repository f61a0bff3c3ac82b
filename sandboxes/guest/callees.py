"""What the calls of a statement mean: methods of live objects under their public names, with their signatures.

Nothing of the document runs for it: attributes are read off instances and classes without descriptors, so that what
only a property or another call could tell stays untold. Functions of modules are known by their paths already.
"""

from __future__ import annotations

import ast
import sys
import types

from guest import attributes, calls, faults, objects

_MOST = 40  # calls of one statement that are looked at
_SIGNATURE = 600
_PLAIN_WRAPPERS = frozenset({"keras", "tensorflow", "tf_keras"})  # theirs take what they wrap takes
_INNER = frozenset({"src", "python", "core"})  # parts of paths that libraries keep to themselves


class Callees:
    """Looks at the calls of a session's statements; methods that it has seen are looked up once."""

    def __init__(self, namespace, positions):
        self._namespace = namespace
        self._positions = positions
        self._known = {}

    def look(self, nodes, path, seen=()):
        """[start, end, name, kind, signature, complaint, deprecation] of each call whose object is there now.

        Those in `seen` are kept as they are.
        """
        found = {(item[0], item[1]): item for item in seen}
        for call in _method_calls(nodes)[:_MOST]:
            start = self._positions.offset(path, call.lineno, call.col_offset)
            if not hasattr(call, "end_lineno"):
                break  # an interpreter that does not tell where a call ends
            end = self._positions.offset(path, call.end_lineno, call.end_col_offset)
            if (start, end) in found:
                continue
            try:
                facts = self._facts(call)
            except Exception:
                continue
            if facts:
                found[start, end] = [start, end, *facts]
        return [found[place] for place in sorted(found)]

    def _facts(self, call):
        receiver = self._value(call.func.value)
        if receiver is None or isinstance(receiver, (types.ModuleType, type)):
            return None
        name = call.func.attr
        if name in attributes.members(receiver):
            return None
        cls = type(receiver)
        if (cls, name) not in self._known:
            self._known[cls, name] = _described(cls, name)
        if self._known[cls, name] is None:
            return None
        path, kind, signature, skipped, text, deprecated = self._known[cls, name]
        return path, kind, text, calls.complaint(signature, skipped, _form(call), None), deprecated

    def _value(self, node):
        """The object that an expression names, or None where only running it could tell."""
        if isinstance(node, ast.Name):
            return self._namespace.get(node.id)
        if isinstance(node, ast.Attribute):
            holder = self._value(node.value)
            return None if holder is None else attributes.members(holder).get(node.attr)
        if isinstance(node, ast.Subscript):
            return _item(self._value(node.value), node.slice)
        return None


def _described(cls, name):
    owner = next((base for base in cls.__mro__ if name in base.__dict__), None)
    if owner is None or owner.__module__ in ("builtins", "__main__"):
        return None
    static = owner.__dict__[name]
    value = static.__func__ if isinstance(static, (staticmethod, classmethod)) else static
    if not callable(value):
        return None
    signature, _ = calls.signature_of(owner, value, static)
    skipped = not isinstance(static, staticmethod) and signature is not None and bool(signature.parameters)
    text = "" if signature is None else faults.safe_text(calls.without_first(signature, skipped), _SIGNATURE)
    path = "%s.%s" % (_public_home(cls, owner), name)
    if hasattr(value, "__wrapped__") and path.partition(".")[0] not in _PLAIN_WRAPPERS:
        signature = None  # a wrapper may take more than what it wraps, such as the old name of an argument
    return path, "method", signature, skipped, text, objects.describe(owner, name, value, static)["deprecated"]


def _public_home(cls, owner):
    """The class under which people know a method: that which defines it, else the nearest that a library offers."""
    line = cls.__mro__
    defined = line.index(owner)
    for base in (*line[defined::-1], *line[defined + 1 : -1]):
        path = _public_path(base)
        if path:
            return path
    return faults.class_name(owner)


def _public_path(cls):
    """The shortest path at which a library offers a class; empty for one of its own inner classes."""
    paths = [path for path in cls.__dict__.get("_tf_api_names") or () if not path.startswith("_")]
    if paths:
        return "tensorflow." + min(paths, key=len)
    if cls.__name__.startswith("_") or cls.__module__ == "__main__":
        return ""
    parts = cls.__module__.split(".")
    for size in range(1, len(parts) + 1):
        prefix = ".".join(parts[:size])
        offered = getattr(sys.modules.get(prefix), "__dict__", {}).get(cls.__name__) is cls
        if offered and not any(part in _INNER or part.startswith("_") for part in parts[:size]):
            return "%s.%s" % (prefix, cls.__name__)
    return ""


def _item(holder, index):
    index = getattr(index, "value", index)  # Python 3.8 wraps an index once more
    index = getattr(index, "value", index)
    if type(holder) in (list, tuple, dict) and type(index) in (int, str):
        try:
            return holder[index]
        except (LookupError, TypeError):
            pass
    return None


def _method_calls(nodes):
    return [part for node in nodes for part in ast.walk(node) if _is_method_call(part)]


def _is_method_call(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def _form(call):
    return {
        "positional": sum(not isinstance(item, ast.Starred) for item in call.args),
        "keywords": [word.arg for word in call.keywords if word.arg],
        "starred": any(isinstance(item, ast.Starred) for item in call.args)
        or any(word.arg is None for word in call.keywords),
    }
