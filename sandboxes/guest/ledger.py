"""Which names can still be relied on after something failed, and whose fault it is when they cannot.

A name is *unavailable* when the statement that should have bound it failed: it is taken out of the namespace, so
that functions which use it stumble as well. An object is *suspect* when a statement that should have changed it
failed or was not run; a name is *derived* when it was made of one. A culprit is (program index, statement index).
"""

from __future__ import annotations

import ast
import builtins
import re

from guest import faults, suspects

# What a call says about its own words, whatever objects it is given.
_OF_WORDS = re.compile(r"unexpected keyword argument|positional argument|required keyword-only argument")
_LACKS = re.compile(r"'([^']*)'(?: object)? has no attribute '([^']*)'")
_UNBOUND = re.compile(r"name '([^']+)' is not defined")
_ANY = "*"


class Ledger:
    """The names and objects of one session's namespace that failures have touched."""

    def __init__(self, namespace, owns):
        self._namespace = namespace
        self._unavailable = {}
        self._derived = {}
        self._later = {}
        self._suspects = suspects.Suspects(namespace, owns)

    def absent(self, statement):
        """Names that the document never gives and that are not bound either."""
        return [name for name in statement["missing"] if name not in self._namespace and not hasattr(builtins, name)]

    def culprit(self, statement):
        """Who keeps this statement from running, or None."""
        for name in statement["reads"]:
            if name in self._unavailable and name not in self._namespace:
                return self._unavailable[name]
        return None

    def succeeded(self, statement, nodes):
        """The names that a statement binds are good again, unless it made them of something suspect."""
        self._suspects.clear(nodes)
        source = self._tainted(statement) if statement["binds"] else None
        for name in statement["binds"]:
            self._unavailable.pop(name, None)
            self._derived.pop(name, None)
            self._later.pop(name, None)
            if statement["later"]:
                self._later[name] = statement["later"]
            elif source:
                self._derived[name] = source

    def withhold(self, statement, culprit):
        """The names that a statement should have bound are unavailable."""
        for name in statement["binds"]:
            self._unavailable[name] = culprit
            self._namespace.pop(name, None)

    def passed_over(self, statement, nodes, culprit):
        """A statement was not run, or not to its end: it gave nothing, and what it should have changed is suspect."""
        self.withhold(statement, culprit)
        # Each import stands by itself, whatever else a statement is about.
        for name in _imported(nodes, self._namespace):
            self._unavailable.pop(name, None)
        if self._suspects.add(nodes, self._reached(statement), culprit):
            for name in self._reached(statement):
                # A function of the document should have bound it.
                if name not in self._namespace and not hasattr(builtins, name):
                    self._unavailable.setdefault(name, culprit)

    def excuse(self, statement, error):
        """Who is to blame for an exception instead of the statement that raised it, or None."""
        if isinstance(error, NameError):
            if isinstance(error, UnboundLocalError):
                return None
            return self._unavailable.get(_name(error)) or self._unavailable.get(_ANY)
        if isinstance(error, (ImportError, SyntaxError)):
            return None
        if isinstance(error, TypeError) and _OF_WORDS.search(faults.safe_text(error, 300)):
            return None
        if isinstance(error, AttributeError):
            named = _LACKS.search(faults.safe_text(error, 300))
            if named and named.group(1) != "NoneType":
                return self._suspects.should_have_set(named.group(2), getattr(error, "obj", None))
        return self._tainted(statement)

    def _tainted(self, statement):
        """Who spoilt something that a statement reads, or None."""
        for name in self._reached(statement):
            found = self._derived.get(name) or self._suspects.culprit(self._namespace.get(name))
            if found:
                return found
        return None

    def _reached(self, statement):
        """The names that a statement reads, and those that the functions among them use."""
        found, pending = [], list(statement["reads"])
        while pending:
            name = pending.pop(0)
            if name not in found:
                found.append(name)
                pending += self._later.get(name, ())
        return found


def _name(error):
    """The name that is not there. AutoGraph raises the error anew, with the name in its message only."""
    found = _UNBOUND.search(faults.safe_text(error, 4000))
    return faults.name_of(error) or (found.group(1) if found else "")


def _imported(nodes, namespace):
    """Import one by one what a statement imports that did not run to its end; yields the names that exist."""
    for node in _imports(nodes):
        for alias in node.names:
            alone = ast.parse("")
            single = type(node)(**dict(ast.iter_fields(node), names=[alias]))
            alone.body = [ast.copy_location(single, node)]
            try:
                exec(compile(alone, "<import>", "exec", dont_inherit=True), namespace)
            except Exception:
                continue
            yield _ANY if alias.name == _ANY else alias.asname or alias.name.partition(".")[0]


def _imports(nodes):
    """The imports of statements and of the statements inside them, functions and classes left out."""
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            for inner in _imports(ast.iter_child_nodes(node)):
                yield inner
