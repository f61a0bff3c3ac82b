"""One failing statement as those who have ideas see it: its code, what it said, and what the oracles know.

Hides how a piece of syntax is found for a place in the code, and how a change of it is written down.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from verifier.model import Diagnosis, Edit, Fault, Run, Span, Step
from verifier.probe.diagnose import Names, full_path
from verifier.probe.plan import Offsets
from verifier.probe.sessions import Session
from verifier.text import inner_message

_Node = TypeVar("_Node", bound=ast.AST)
# What the same package is called: Keras by itself, and inside TensorFlow.
_NO_ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")
_TWINS = (("tensorflow.keras", "keras"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Idea:
    """A change that might help, with spans of the code of its scene; `reason` says in words where it comes from."""

    edits: tuple[Edit, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A statement that raised, or that needs a name which nothing gives (then there is no `fault`).

    statement  its range in `code`; place: the failing expression, else the statement
    bound      names that the session gives before it or anywhere in this code
    aliases    what the names bound by imports stand for
    """

    code: str
    tree: ast.Module
    offsets: Offsets
    statement: Span
    place: Span
    fault: Fault | None
    missing: tuple[str, ...]
    diagnosis: Diagnosis | None
    bound: frozenset[str]
    aliases: Mapping[str, str]
    names: Names

    @property
    def message(self) -> str:
        """What the exception says; empty where there is none."""
        if self.fault is None:
            return ""
        return inner_message(self.fault.message)

    def raised(self, *classes: str) -> bool:
        """Whether the exception is of one of these classes."""
        return self.fault is not None and any(self.fault.is_a(name) for name in classes)

    def nodes(self, kind: type[_Node], within: Span | None = None) -> Iterator[_Node]:
        """The pieces of syntax of a kind inside the failing place (or another one), outermost first."""
        wanted = within or self.place
        for top in self.tree.body:
            if self.span(top).overlaps(wanted):
                for node in ast.walk(top):
                    if isinstance(node, kind) and _has_place(node) and wanted.covers(self.span(node)):
                        yield node

    def around(self) -> Span:
        """The top-level statements that the failing place stands in, which need not be the one that was being run."""
        spans = [span for span in map(self.span, self.tree.body) if span.overlaps(self.place)]
        return Span(start=min(s.start for s in spans), end=max(s.end for s in spans)) if spans else self.statement

    def call(self) -> ast.Call | None:
        """The call that failed: the whole failing place, else the outermost call in it."""
        return next(self.nodes(ast.Call), None)

    def chains(self) -> list[ast.Attribute]:
        """The longest dotted names that begin with the one that has no such attribute, in order: `tf.contrib.rnn.X`.

        The first stands in the failing place; the others are those of the whole code that fail in the same way.
        """
        match = _NO_ATTRIBUTE.search(self.message)
        name = match[1] if match else ""
        short = next((self.text(node) for node in self.nodes(ast.Attribute) if node.attr == name and _dotted(node)), "")
        if not short:
            return []
        whole = Span(start=0, end=len(self.code))
        found = [node for node in self.nodes(ast.Attribute, whole) if _dotted(node) and _begins(self.text(node), short)]
        spans = [self.span(node) for node in found]
        longest = [
            (span, node)
            for span, node in zip(spans, found, strict=True)
            if not any(other != span and other.covers(span) for other in spans)
        ]
        ordered = sorted(longest, key=lambda pair: (not self.place.overlaps(pair[0]), pair[0]))
        return [node for _, node in ordered]

    def chain(self) -> ast.Attribute | None:
        """The first of `chains`."""
        return next(iter(self.chains()), None)

    def path(self, node: ast.AST) -> str:
        """The import path that a dotted expression stands for; empty when it begins with no import."""
        return full_path(node, self.aliases)

    def spelled(self, path: str) -> str:
        """An import path as this code can write it with what it has imported; empty when it cannot."""
        found = [text for name, known in self.aliases.items() for text in _relative(path, name, known)]
        return min(found, key=lambda text: (len(text), text), default="")

    def span(self, node: ast.AST) -> Span:
        """The characters of a piece of syntax that has a place: a statement, an expression, an argument by name."""
        if isinstance(node, ast.stmt | ast.expr):
            return self.offsets.span(node)
        if not isinstance(node, ast.keyword):
            raise TypeError(f"{type(node).__name__} has no place in the code")
        start = self.offsets.at(node.lineno, node.col_offset)
        end = self.offsets.at(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
        return Span(start=start, end=end)

    def text(self, node: ast.AST) -> str:
        """The code of a piece of syntax."""
        return self.span(node).of(self.code)

    def swap(self, node: ast.AST, after: str) -> Edit:
        """The edit that puts something in the place of a piece of syntax."""
        span = self.span(node)
        return Edit(span=span, before=span.of(self.code), after=after)

    def put(self, start: int, before: str, after: str) -> Edit:
        """The edit that puts something in the place of characters that stand at an offset."""
        return Edit(span=Span(start=start, end=start + len(before)), before=before, after=after)

    def ahead(self, line: str, statement: Span | None = None) -> Edit:
        """The edit that puts a simple statement in front of the failing one, or of another one."""
        at = (statement or self.statement).start
        fresh = at == 0 or self.code[at - 1] == "\n"
        return Edit(span=Span(start=at, end=at), before="", after=line + ("\n" if fresh else "; "))

    def without(self, call: ast.Call, keyword: ast.keyword) -> Edit:
        """The edit that takes a keyword argument out of a call, with one comma."""
        span = self.span(keyword)
        others = [self.span(node) for node in (*call.args, *call.keywords) if node is not keyword]
        before = max((other.end for other in others if other.end <= span.start), default=None)
        after = min((other.start for other in others if other.start >= span.end), default=None)
        if before is not None:
            span = Span(start=before, end=span.end)
        elif after is not None:
            span = Span(start=span.start, end=after)
        return Edit(span=span, before=span.of(self.code), after="")


def _relative(path: str, name: str, known: str) -> Iterator[str]:
    forms = {known}
    for one, other in _TWINS:
        for here, there in ((one, other), (other, one)):
            if known == here or known.startswith(f"{here}."):
                forms.add(there + known.removeprefix(here))
    for form in forms:
        if path == form:
            yield name
        elif path.startswith(f"{form}."):
            yield name + path.removeprefix(form)


def _has_place(node: ast.AST) -> bool:
    return isinstance(node, ast.stmt | ast.expr | ast.keyword)


def _begins(text: str, short: str) -> bool:
    return text == short or text.startswith(f"{short}.")


def _dotted(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def scene_of(session: Session, index: int, run: Run, number: int, names: Names) -> Scene:
    """The scene of one statement that did not finish, in the session that was run."""
    code, step = session.programs[index].code, run.steps[number]
    statement = session.programs[index].statements[number].span
    expression = step.fault.expression if step.fault else None
    return Scene(
        code=code,
        tree=ast.parse(code),
        offsets=Offsets(code),
        statement=statement,
        place=_staged(session, index, step) or expression or statement,
        fault=step.fault,
        missing=step.missing,
        diagnosis=next((one for one in run.diagnoses if one.statement == number), None),
        bound=frozenset().union(*(item.binds for item in session.parsed[: index + 1])),
        aliases=session.aliases,
        names=names,
    )


def _staged(session: Session, index: int, step: Step) -> Span | None:
    """The line inside a function that AutoGraph ran, which is deeper than the failing expression."""
    program = session.programs[index]
    if step.fault is None or not step.fault.message.startswith("in user code:"):
        return None
    lines = [line for name, line in step.fault.frames if name == program.name]
    nodes = [
        node
        for top in session.parsed[index].nodes
        for node in ast.walk(top)
        if isinstance(node, ast.stmt) and lines and node.lineno <= lines[-1] <= (node.end_lineno or node.lineno)
    ]
    places = [Offsets(program.code).span(node) for node in nodes]
    return min(places, key=lambda span: span.end - span.start, default=None)
