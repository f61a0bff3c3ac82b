"""Which name a failing statement stumbled over, and what the oracles know about it.

The exception says what went wrong here and now. Only the history of the library can tell a slip of memory from
a name or an argument of another release.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from verifier.model import CallForm, Diagnosis, Fault, Lookup, NameQuery, Run, StepFate
from verifier.text import inner_message

_NO_ATTRIBUTE = re.compile(r"^(?:module '(?P<module>[\w.]+)'|type object '(?P<type>\w+)'|'(?P<object>[\w.]+)' object)")
_ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")
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
            methods = {call.name.rpartition(".")[2]: indexed(call.name) for call in step.calls}
            diagnosis = _diagnose(step.statement, step.fault, span.of(code), _Paths(aliases, methods), names)
            if diagnosis is not None:
                found.append(diagnosis)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Paths:
    """Where names lead: those bound by imports, and methods by the live objects that a statement called them on."""

    aliases: Mapping[str, str]
    methods: Mapping[str, str]


def indexed(name: str) -> str:
    """The path at which the index of TensorFlow has a method of a live object."""
    return f"tensorflow.{name}" if name.startswith("keras.") else name


def _diagnose(statement: int, fault: Fault, source: str, paths: _Paths, names: Names) -> Diagnosis | None:
    fault = _bare(fault)
    if fault.is_a("ImportError"):
        return _of_import(statement, fault, names)
    nodes = _nodes(source)
    if fault.is_a("AttributeError"):
        return _of_attribute(statement, fault, nodes, paths.aliases, names)
    if keyword := refused_keyword(fault.message):
        return _of_keyword(statement, keyword, nodes, paths, names)
    return None


def _bare(fault: Fault) -> Fault:
    """An exception as the author's code raised it, before AutoGraph or Keras wrapped it and lost the name."""
    message = inner_message(fault.message)
    if message == fault.message:
        return fault
    match = _ATTRIBUTE.search(message) if fault.is_a("AttributeError") else None
    return replace(fault, message=message, name=fault.name or (match[1] if match else ""))


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
    statement: int, keyword: str, nodes: tuple[ast.AST, ...], paths: _Paths, names: Names
) -> Diagnosis | None:
    for node in nodes:
        if not isinstance(node, ast.Call) or keyword not in {item.arg for item in node.keywords}:
            continue
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        path = full_path(node.func, paths.aliases) or paths.methods.get(method, "")
        if not path:
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
