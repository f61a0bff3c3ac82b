"""Which names a statement reads, binds and touches, read off its syntax."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

# `input` is a builtin that documents use as the name of their data; taken for the function it makes nonsense errors.
GIVEN = (frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__", "__builtins__"}) - {"input"}
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(slots=True)
class Flow:
    """The names of one statement.

    reads: needed when it runs; later: needed when a function that it defines is called; gives: bound when one is
    called, by `global`; binds: given; drops: deleted; touches: objects it may change in place; modules: names bound
    by imports; star: it imports `*`.
    """

    reads: set[str] = field(default_factory=set)
    later: set[str] = field(default_factory=set)
    gives: set[str] = field(default_factory=set)
    binds: set[str] = field(default_factory=set)
    drops: set[str] = field(default_factory=set)
    touches: set[str] = field(default_factory=set)
    modules: set[str] = field(default_factory=set)
    star: bool = False


def flow_of(node: ast.stmt, *, lazy: bool = False) -> Flow:
    """The names that one statement reads, gives and touches. `lazy`: annotations are not evaluated."""
    visitor = _Visitor(lazy=lazy)
    visitor.visit(node)
    return visitor.flow


class _Visitor(ast.NodeVisitor):
    """Collects names in the order of evaluation, as far as the syntax tells it."""

    def __init__(self, *, lazy: bool) -> None:
        self.flow = Flow()
        self._lazy = lazy
        self._called: set[int] = set()

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            callable_input = node.id == "input" and id(node) in self._called
            if node.id not in self.flow.binds and not callable_input:
                self.flow.reads.add(node.id)
        elif isinstance(node.ctx, ast.Del):
            self.flow.reads.add(node.id)
            self.flow.drops.add(node.id)
        else:
            self.flow.binds.add(node.id)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self._target(target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        if isinstance(node.target, ast.Name):
            if node.target.id not in self.flow.binds:
                self.flow.reads.add(node.target.id)
            self.flow.binds.add(node.target.id)
        else:
            self._target(node.target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._annotated(node.annotation)
        if node.value is not None:
            self.visit(node.value)
            self._target(node.target)

    def visit_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._target(target)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.flow.binds.add(node.target.id)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.visit(node.iter)
        self._target(node.target)
        self._all((*node.body, *node.orelse))

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        self.visit_For(node)

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self._target(item.optional_vars)
        self._all(node.body)

    def visit_AsyncWith(self, node: ast.AsyncWith) -> None:
        self.visit_With(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.type is not None:
            self.visit(node.type)
        if node.name:
            self.flow.binds.add(node.name)
        self._all(node.body)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            self.flow.binds.add(name)
            self.flow.modules.add(name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self.flow.star = True
                continue
            self.flow.binds.add(alias.asname or alias.name)
            # `from tensorflow.keras import layers`: a lower-case import is mostly a module, and never a model.
            if alias.name.islower():
                self.flow.modules.add(alias.asname or alias.name)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name):
            self._called.add(id(node.func))
        elif isinstance(node.func, ast.Attribute):
            self._touch(node.func.value)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._defaults(node.args)
        # A lambda is mostly passed on and called at once: what it needs is needed now.
        inner = _inside([node.body], _parameters(node.args), lazy=self._lazy)
        self.flow.reads |= (inner.reads | inner.later) - self.flow.binds
        self.flow.touches |= inner.touches

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._all((*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)))
        body = _Visitor(lazy=self._lazy)
        body._all(node.body)
        self.flow.reads |= body.flow.reads - self.flow.binds
        self.flow.later |= body.flow.later - {node.name}
        self.flow.gives |= body.flow.gives
        self.flow.binds.add(node.name)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node)

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar) -> None:
        if node.name:
            self.flow.binds.add(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        self.visit_MatchAs(node)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self.flow.binds.add(node.rest)
        self.generic_visit(node)

    def _all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._all(node.decorator_list)
        self._defaults(node.args)
        self._annotations(node)
        inner = _inside(node.body, _parameters(node.args), lazy=self._lazy)
        self.flow.later |= (inner.reads | inner.later) - {node.name}
        self.flow.gives |= inner.gives
        self.flow.binds.add(node.name)

    def _annotations(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        arguments = node.args
        stars = (item for item in (arguments.vararg, arguments.kwarg) if item is not None)
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars)
        for annotation in (*(item.annotation for item in every), node.returns):
            if annotation is not None:
                self._annotated(annotation)

    def _annotated(self, annotation: ast.expr) -> None:
        if not self._lazy:
            self.visit(annotation)

    def _defaults(self, arguments: ast.arguments) -> None:
        self._all(arguments.defaults)
        self._all(default for default in arguments.kw_defaults if default is not None)

    def _comprehension(self, node: _COMPREHENSIONS) -> None:
        inner = _Visitor(lazy=self._lazy)
        for generator in node.generators:
            inner.visit(generator.iter)
            inner._target(generator.target)
            inner._all(generator.ifs)
        inner._all([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])
        self.flow.reads |= inner.flow.reads - self.flow.binds
        self.flow.touches |= inner.flow.touches - inner.flow.binds
        # An assignment expression binds outside the comprehension.
        self.flow.binds |= {part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr)}

    def _target(self, node: ast.expr) -> None:
        """A place that is assigned to: a name is bound, an attribute or item changes its object."""
        if isinstance(node, ast.Attribute | ast.Subscript):
            self._touch(node)
            self.visit(node.value)
            if isinstance(node, ast.Subscript):
                self.visit(node.slice)
            return
        if isinstance(node, ast.Tuple | ast.List):
            for element in node.elts:
                self._target(element)
            return
        if isinstance(node, ast.Starred):
            self._target(node.value)
            return
        self.visit(node)

    def _touch(self, node: ast.expr) -> None:
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
            node = node.func if isinstance(node, ast.Call) else node.value
        if isinstance(node, ast.Name):
            self.flow.touches.add(node.id)


def _parameters(arguments: ast.arguments) -> set[str]:
    plain = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    stars = (item for item in (arguments.vararg, arguments.kwarg) if item is not None)
    return {item.arg for item in (*plain, *stars)}


def _inside(body: Iterable[ast.AST], parameters: set[str], *, lazy: bool) -> Flow:
    """What a function body takes from outside and gives there: what is bound anywhere in the body is its own."""
    visitor = _Visitor(lazy=lazy)
    nodes = list(body)
    visitor._all(nodes)  # noqa: SLF001
    flow = visitor.flow
    shared = {(type(part), name) for node in nodes for part in _declarations(node) for name in part.names}
    local = (parameters | flow.binds) - {name for _, name in shared}
    return Flow(
        reads=flow.reads - local,
        later=flow.later - local,
        gives=flow.gives | {name for kind, name in shared if kind is ast.Global and name in flow.binds},
        touches=flow.touches - local,
    )


def _declarations(node: ast.AST) -> Iterator[ast.Global | ast.Nonlocal]:
    """The declarations of a function's own scope, not of functions inside it."""
    if isinstance(node, ast.Global | ast.Nonlocal):
        yield node
    elif not isinstance(node, _SCOPES | ast.ClassDef):
        for child in ast.iter_child_nodes(node):
            yield from _declarations(child)
