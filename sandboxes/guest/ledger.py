"""Which names can still be relied on after something failed, and whose fault it is when they cannot.

A name is *unavailable* when the statement that should have bound it failed; it is *suspect* when a statement that
may have changed its object failed half-way. A culprit is (program index, statement index).
"""

from __future__ import annotations

import ast
import builtins
import types

# A failed call of one of these leaves nothing half-changed that later statements rely on.
_STATELESS = (types.ModuleType, type, types.FunctionType, types.BuiltinFunctionType, str, bytes, int, float, tuple)
# These say that the later statement itself names something that is not there, whatever happened before.
_OWN_FAULTS = (AttributeError, ImportError, SyntaxError)


class Ledger:
    """The names of one session's namespace that failures have touched."""

    def __init__(self, namespace):
        self._namespace = namespace
        self._unavailable = {}
        self._suspect = {}

    def absent(self, statement):
        """Names that the document never gives and that are not bound either."""
        return [name for name in statement["missing"] if name not in self._namespace and not hasattr(builtins, name)]

    def culprit(self, statement):
        """Who keeps this statement from running, or None."""
        for name in statement["reads"]:
            if name in self._unavailable:
                return self._unavailable[name]
        return None

    def succeeded(self, statement):
        """The names that a statement binds are good again."""
        for name in statement["binds"]:
            self._unavailable.pop(name, None)
            self._suspect.pop(name, None)

    def withhold(self, statement, culprit):
        """The names that a statement should have bound are unavailable."""
        for name in statement["binds"]:
            self._unavailable[name] = culprit

    def failed(self, statement, nodes, culprit):
        """A statement raised: what it binds is unavailable, what it may have changed is suspect."""
        self.withhold(statement, culprit)
        for name in {*statement["touches"], *_receivers(nodes)}:
            if name in self._namespace and not isinstance(self._namespace[name], _STATELESS):
                self._suspect.setdefault(name, culprit)

    def excuse(self, statement, error):
        """Who is to blame for an exception instead of the statement that raised it, or None."""
        if isinstance(error, NameError):
            return self._unavailable.get(getattr(error, "name", None))
        if isinstance(error, _OWN_FAULTS):
            return None
        for name in statement["reads"]:
            if name in self._suspect:
                return self._suspect[name]
        return None


def _receivers(nodes):
    """Names whose methods are called: `model` of `model.fit(x)`."""
    for node in nodes:
        for part in ast.walk(node):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
                value = part.func.value
                while isinstance(value, (ast.Attribute, ast.Subscript)):
                    value = value.value
                if isinstance(value, ast.Name):
                    yield value.id
