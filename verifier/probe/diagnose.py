"""Which name a failing statement stumbled over, and what the oracles know about it.

The exception says what went wrong here and now. Only the history of the library can tell a slip of memory from
a name or an argument of another release.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Protocol

from verifier.model import CallForm, Diagnosis, Fault, Lookup, NameQuery, Run, StepFate

_NO_ATTRIBUTE = re.compile(r"^(?:module '(?P<module>[\w.]+)'|type object '(?P<type>\w+)'|'(?P<object>[\w.]+)' object)")
_CANNOT_IMPORT = re.compile(r"^cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'")
# How Python, Keras 2, Keras 3 and pybind name an argument that they refuse.
_REFUSED = (
    re.compile(r"unexpected keyword argument '(?P<word>\w+)'"),
    re.compile(r"not recognized: \{?\[?'(?P<word>\w+)'"),
    re.compile(r"(?:Unrecognized|Unexpected|Invalid|Unknown) keyword arguments?[^:]*: ?[{\[(]*'(?P<word>\w+)'"),
    re.compile(r"keyword argument[s]? [`'](?P<word>\w+)[`'] (?:is|are) not"),
    re.compile(r"`(?P<word>\w+)` is deprecated"),
)


class Names(Protocol):
    """The oracle that knows names and their history."""

    def lookup(self, query: NameQuery) -> Lookup:
        """What is known about a full path."""

    def lookup_bare(self, leaf: str, *, said_kind: str = "", receiver: str = "") -> Lookup:
        """What is known about a method or function of which only the last word is known."""

    def renamed_keyword(self, path: str, keyword: str) -> str:
        """The present name of an argument that was renamed, or an empty string."""

    def takers(self, keyword: str) -> tuple[str, ...]:
        """Functions and classes that take an argument of this name."""

    def accepting(self, path: str, keyword: str) -> str:
        """The releases in which a function has an argument of this name, as text; empty when in none."""


def refused_keyword(message: str) -> str:
    """The keyword argument that an error message complains about, or an empty string."""
    for pattern in _REFUSED:
        if match := pattern.search(message):
            return match["word"]
    return ""


def diagnose(code: str, run: Run, aliases: Mapping[str, str], names: Names) -> tuple[Diagnosis, ...]:
    """A diagnosis for every raised statement whose exception is about a name or an argument."""
    found = []
    for step in run.steps:
        if step.fate is StepFate.RAISED and step.fault is not None:
            span = step.fault.expression or run.statements[step.statement].span
            diagnosis = _diagnose(step.statement, step.fault, span.of(code), aliases, names)
            if diagnosis is not None:
                found.append(diagnosis)
    return tuple(found)


def _diagnose(statement: int, fault: Fault, source: str, aliases: Mapping[str, str], names: Names) -> Diagnosis | None:
    if fault.is_a("ImportError"):
        return _of_import(statement, fault, names)
    nodes = _nodes(source)
    if fault.is_a("AttributeError"):
        return _of_attribute(statement, fault, nodes, aliases, names)
    if keyword := refused_keyword(fault.message):
        return _of_keyword(statement, keyword, nodes, aliases, names)
    return None


def _of_import(statement: int, fault: Fault, names: Names) -> Diagnosis | None:
    if match := _CANNOT_IMPORT.match(fault.message):
        path, form = f"{match['module']}.{match['name']}", "from"
    elif fault.name:
        path, form = fault.name, "import"
    else:
        return None
    return Diagnosis(statement=statement, target=path, lookup=names.lookup(NameQuery(path=path, form=form)))


def _of_attribute(
    statement: int, fault: Fault, nodes: tuple[ast.AST, ...], aliases: Mapping[str, str], names: Names
) -> Diagnosis | None:
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr == fault.name:
            path = full_path(node, aliases)
            if path:
                return Diagnosis(statement=statement, target=path, lookup=names.lookup(NameQuery(path=path)))
    match = _NO_ATTRIBUTE.match(fault.message)
    if match is None or not fault.name:
        return None
    if match["module"]:
        path = f"{match['module']}.{fault.name}"
        return Diagnosis(statement=statement, target=path, lookup=names.lookup(NameQuery(path=path)))
    receiver = (match["type"] or match["object"]).rpartition(".")[2]
    lookup = names.lookup_bare(fault.name, receiver=receiver)
    return Diagnosis(statement=statement, target=f"{receiver}.{fault.name}", lookup=lookup)


def _of_keyword(
    statement: int, keyword: str, nodes: tuple[ast.AST, ...], aliases: Mapping[str, str], names: Names
) -> Diagnosis | None:
    for node in nodes:
        if not isinstance(node, ast.Call) or keyword not in {item.arg for item in node.keywords}:
            continue
        path = full_path(node.func, aliases)
        if not path:
            method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            lookup = names.lookup_bare(method) if method else Lookup(name="", found=False, unknown=True)
            return Diagnosis(statement=statement, target=method, lookup=lookup, keyword=keyword)
        lookup = names.lookup(NameQuery(path=path, call=call_form(node), argument=keyword))
        return Diagnosis(
            statement=statement,
            target=path,
            lookup=lookup,
            keyword=keyword,
            renamed_to=names.renamed_keyword(path, keyword),
            accepted=names.accepting(path, keyword),
        )
    return None


def _nodes(source: str) -> tuple[ast.AST, ...]:
    """The syntax nodes of a piece of code, outermost first; none when it does not stand by itself."""
    try:
        return tuple(ast.walk(ast.parse(source.strip(), mode="exec")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def full_path(node: ast.AST, aliases: Mapping[str, str]) -> str:
    """The import path of a dotted expression whose first name is bound by an import, or an empty string."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in aliases:
        return ""
    return ".".join([aliases[node.id], *reversed(parts)])


def call_form(node: ast.Call) -> CallForm:
    """The shape of a call: positional arguments, keywords, and whether it passes on `*` or `**`."""
    starred = any(isinstance(item, ast.Starred) for item in node.args) or any(k.arg is None for k in node.keywords)
    return CallForm(
        positional=sum(not isinstance(item, ast.Starred) for item in node.args),
        keywords=tuple(item.arg for item in node.keywords if item.arg is not None),
        starred=starred,
    )
