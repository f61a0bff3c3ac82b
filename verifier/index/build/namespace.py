"""What names a module binds, read from its statements without running them.

Hides the order of execution: later bindings win, alternatives of one statement (`try`/`except`, `if`/`else`) give
way to the first, `del` removes, star imports are expanded by the resolver.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from verifier.index.build.sources import Module


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """`import module` (no name) or `from module import name`."""

    module: str
    name: str = ""


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Binding = Import | Definition | ast.expr


@dataclass(slots=True, kw_only=True)
class Namespace:
    """The bindings of one module or class body.

    exported  the expressions that `__all__` was put together from, in order; empty when there is none
    lists     plain names bound to lists, with what was added to them later
    pruned    the call of `remove_undocumented` or `make_all` that trims the module, if there is one
    open      the module computes attributes (`__getattr__`), so absence proves nothing
    """

    names: dict[str, Binding] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    lists: dict[str, list[ast.expr]] = field(default_factory=dict)
    pruned: ast.Call | None = None
    open: bool = False

    @property
    def exported(self) -> list[ast.expr]:
        """The parts of `__all__`."""
        return self.lists.get("__all__", [])


STAR = "*"


def read(module: Module) -> Namespace:
    """The namespace of a module; the names of star imports stand in `stars`, as module names."""
    reader = _Reader(module)
    reader.run(module.tree.body)
    reader.space.open = "__getattr__" in reader.space.names
    return reader.space


def read_class(node: ast.ClassDef, module: Module) -> Namespace:
    """The namespace of a class body."""
    reader = _Reader(module)
    reader.run(node.body)
    return reader.space


def absolute(module: Module, node: ast.ImportFrom) -> str:
    """The full name of the module that a `from` statement names."""
    if not node.level:
        return node.module or ""
    parts = module.parent.split(".")
    base = ".".join(parts[: len(parts) - node.level + 1])
    return f"{base}.{node.module}" if node.module else base


class _Reader:
    def __init__(self, module: Module) -> None:
        self.space = Namespace()
        self._module = module
        self._taken: set[str] | None = None

    def run(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _bind(self, name: str, binding: Binding) -> None:
        if self._taken is not None and name in self._taken:
            return
        # Put behind the star imports that stand before it, which it wins over.
        self.space.names.pop(name, None)
        self.space.names[name] = binding

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Import():
                self._import(node)
            case ast.ImportFrom():
                self._from(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node)
            case ast.ClassDef():
                self._bind(node.name, node)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                self._assignment(node)
            case ast.Delete(targets=targets):
                for target in targets:
                    self.space.names.pop(ast.unparse(target), None)
            case ast.Expr(value=ast.Call() as call):
                self._call(call)
            case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While():
                self._branches(node)
            case _:
                pass

    def _assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value)
            case ast.AnnAssign():
                self._assign(node.target, node.value or node.annotation)
            case ast.AugAssign(target=ast.Name(id=name)):
                self.space.lists.setdefault(name, []).append(node.value)
            case _:
                pass

    def _branches(self, node: ast.If | ast.Try | ast.With | ast.For | ast.While) -> None:
        typing_only = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        outer, before = self._taken, set(self.space.names)
        # For the type checker alone: adds what is missing, star imports too.
        kept = {name for name in before if not name.startswith(STAR)} if typing_only else set()
        if typing_only:
            self._taken = (outer or set()) | kept
        self.run(node.body)
        if isinstance(node, ast.With):
            self._taken = outer
            return
        # What the first alternative binds, the others must not replace; what stood before, they may.
        self._taken = (outer or set()) | (set(self.space.names) - before) | kept
        for handler in getattr(node, "handlers", ()):
            self.run(handler.body)
        self.run(getattr(node, "orelse", ()))
        self._taken = outer
        self.run(getattr(node, "finalbody", ()))

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            if alias.asname:
                self._bind(alias.asname, Import(module=alias.name))
            else:
                root = alias.name.partition(".")[0]
                self._bind(root, Import(module=root))

    def _from(self, node: ast.ImportFrom) -> None:
        module = absolute(self._module, node)
        for alias in node.names:
            if alias.name == STAR:
                if any(name.startswith(STAR) for name in self._taken or ()):
                    continue
                # Kept in order among the other bindings: what comes later wins over a star's names.
                self.space.names.pop(f"{STAR}{module}", None)
                self.space.names[f"{STAR}{module}"] = Import(module=module, name=STAR)
                self.space.stars.append(module)
            else:
                self._bind(alias.asname or alias.name, Import(module=module, name=alias.name))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        leaves = {decorator.attr for decorator in node.decorator_list if isinstance(decorator, ast.Attribute)}
        if leaves & {"setter", "deleter"} and node.name in self.space.names:
            return
        overload = any(leaf(decorator) == "overload" for decorator in node.decorator_list)
        if overload and node.name in self.space.names:
            return
        self._bind(node.name, node)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target:
            case ast.Name(id=name):
                before = self.space.names.get(name)
                wrappers = wrapping(value, name)
                if wrappers and isinstance(before, ast.FunctionDef | ast.ClassDef):
                    # `f = decorate(f)` is `@decorate` written out.
                    before.decorator_list += wrappers
                    return
                self._bind(name, value)
                if isinstance(value, ast.BinOp) and isinstance(value.left, ast.Name) and value.left.id == name:
                    self.space.lists.setdefault(name, []).append(value.right)
                elif isinstance(value, ast.List | ast.Tuple | ast.BinOp | ast.ListComp | ast.Call | ast.Attribute):
                    self.space.lists[name] = [value]
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                self._attach(owner, name, value)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
                for index, element in enumerate(targets):
                    one = values[index] if len(values) == len(targets) else value
                    self._assign(element, one if len(values) == len(targets) else ast.Constant(value=None))
            case _:
                pass

    def _attach(self, owner: str, name: str, value: ast.expr) -> None:
        """`Class.name = value` after the class is the same as `name = value` in its body."""
        holder = self.space.names.get(owner)
        if not isinstance(holder, ast.ClassDef):
            return
        match value:
            case ast.Attribute(value=ast.Name(id=same), attr=own) if same == owner:
                value = ast.Name(id=own, ctx=ast.Load())
            case _:
                pass
        holder.body.append(ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=value))

    def _call(self, call: ast.Call) -> None:
        if leaf(call.func) == "remove_undocumented":
            self.space.pruned = call
        match call:
            case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=owner), ast.Constant(value=str(name)), value]):
                self._attach(owner, name, value)
            case _:
                pass
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
            name, method = call.func.value.id, call.func.attr
            if method == "extend" and call.args:
                self.space.lists.setdefault(name, []).append(call.args[0])
            if method == "append" and call.args:
                self.space.lists.setdefault(name, []).append(ast.List(elts=[call.args[0]], ctx=ast.Load()))


def wrapping(node: ast.expr, name: str) -> list[ast.expr]:
    """The decorators of `a(b(name))` or `a(1)(name)`, outermost first; empty when it does not wrap `name`."""
    found: list[ast.expr] = []
    while isinstance(node, ast.Call) and len(node.args) == 1:
        found.append(node.func)
        node = node.args[0]
    return found if isinstance(node, ast.Name) and node.id == name else []


def leaf(node: ast.expr) -> str:
    """The last word of a (called) dotted name: `deprecated` of `deprecation.deprecated(None, "…")`."""
    while isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
