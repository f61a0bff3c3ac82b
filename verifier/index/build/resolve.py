"""Follows a name through imports, assignments and decorators to the thing that it stands for.

Hides the ways in which a package hands a name on: `from x import y as z`, star imports, submodules, assignments
(`raw = export("raw")(function)`), and pruned modules (`remove_undocumented`).
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from verifier.index.build import descriptors
from verifier.index.build.namespace import (
    STAR,
    Binding,
    Definition,
    Import,
    Namespace,
    leaf,
    read,
    read_class,
    wrapping,
)
from verifier.index.build.sources import Module, Sources

_DOCUMENTED = re.compile(r"^\s*@@(\w+)\s*$", re.MULTILINE)
_DEPTH = 40
_NESTING = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a name stands for: a module (`node` is None and no qualname), or an object defined in a module.

    deprecated  the note of a `deprecated(…)(object)` or `deprecated_alias(…)` on the way, else ""
    """

    module: str
    qualname: str = ""
    node: ast.AST | None = None
    deprecated: str = ""

    @property
    def canonical(self) -> str:
        """Module and qualified name in one dotted path."""
        return f"{self.module}.{self.qualname}" if self.qualname else self.module


class Resolver:
    """Answers what names stand for in a set of sources. Results are remembered."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._spaces: dict[str, Namespace] = {}
        self._names: dict[str, dict[str, Binding]] = {}
        self._open: set[str] = set()
        self._messages: dict[str, dict[str, descriptors.Message]] = {}

    def module(self, name: str) -> Module | None:
        """The module that an import of `name` reaches."""
        return self.sources.module(self.sources.locate(name))

    def space(self, module: Module) -> Namespace:
        """The module's own bindings, star imports not expanded."""
        if module.name not in self._spaces:
            self._spaces[module.name] = read(module)
        return self._spaces[module.name]

    def is_open(self, name: str) -> bool:
        """Whether the module computes attributes or takes names from a module that cannot be read."""
        module = self.module(name)
        if module is None:
            return True
        self.names(module)
        return module.name in self._open or self.space(module).open

    def messages(self, module: Module) -> dict[str, descriptors.Message]:
        """Protobuf messages of a generated module, by qualified name."""
        if module.name not in self._messages:
            found, enums = descriptors.messages(module.tree)
            self._messages[module.name] = {message.name: message for message in found}
            for name in enums:
                self.space(module).names.setdefault(name, ast.Constant(value=0))
        return self._messages[module.name]

    def names(self, module: Module) -> dict[str, Binding]:
        """Every name that the module binds, star imports expanded and pruned names left out."""
        if module.name in self._names:
            return self._names[module.name]
        # Set first: a cycle of star imports sees what is there so far.
        names = self._names[module.name] = {}
        if module.name.endswith("_pb2"):
            for name in self.messages(module):
                if "." not in name:
                    names[name] = ast.Name(id=name, ctx=ast.Load())
        for name, binding in self.space(module).names.items():
            if not name.startswith(STAR):
                if not (module.name.endswith("_pb2") and name in names):
                    names[name] = binding
                continue
            self._expand(module, name.removeprefix(STAR), names)
        self._prune(module, names)
        return names

    def _expand(self, module: Module, source: str, names: dict[str, Binding]) -> None:
        origin = self.module(source)
        if origin is None:
            self._open.add(module.name)
            return
        if origin.name in self._open:
            self._open.add(module.name)
        for name in self.public(origin):
            names[name] = Import(module=origin.name, name=name)

    def public(self, module: Module) -> tuple[str, ...]:
        """The names that `from module import *` gives."""
        names = self.names(module)
        exported = self._exported(module)
        if exported is None:
            return tuple(name for name in names if not name.startswith("_"))
        return tuple(dict.fromkeys(exported))

    def _exported(self, module: Module) -> list[str] | None:
        """`__all__`, as far as it is made of literals; None when it is missing or computed."""
        parts = self.space(module).exported
        if not parts:
            return None
        exported: list[str] = []
        for part in parts:
            words = self._words(part, module, 0)
            if words is None:
                return None
            exported += words
        return exported

    def _words(self, node: ast.expr, module: Module, depth: int) -> list[str] | None:
        if depth > _NESTING:
            return None
        match node:
            case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
                if not all(isinstance(element, ast.Constant) for element in elements):
                    return None
                return [str(element.value) for element in elements if isinstance(element, ast.Constant)]
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                first, second = self._words(left, module, depth), self._words(right, module, depth)
                return None if first is None or second is None else first + second
            case ast.Name(id=name):
                parts = [self._words(part, module, depth + 1) for part in self.space(module).lists.get(name, ())]
                return [word for part in parts if part for word in part] if parts else None
            case ast.Attribute(attr="__all__", value=value):
                found = self.expression(value, module)
                other = self.module(found.module) if found and not found.qualname else None
                return list(self.public(other)) if other else None
            case ast.Call(args=[only]) if leaf(node.func) in ("list", "tuple", "set", "sorted"):
                return self._words(only, module, depth)
            case _:
                return None

    def _prune(self, module: Module, names: dict[str, Binding]) -> None:
        call = self.space(module).pruned
        if call is None:
            return
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        allowed = call.args[1] if len(call.args) > 1 else keywords.get("allowed_exception_list")
        documents = call.args[2] if len(call.args) > 2 else keywords.get("doc_string_modules")
        kept = set(self._words(allowed, module, 0) or ()) if allowed is not None else set()
        texts = [ast.get_docstring(module.tree) or ""]
        if isinstance(documents, ast.List):
            texts = []
            for element in documents.elts:
                if "sys.modules[__name__]" in ast.unparse(element):
                    texts.append(ast.get_docstring(module.tree) or "")
                    continue
                found = self.expression(element, module)
                other = self.module(found.module) if found and not found.qualname else None
                texts.append((ast.get_docstring(other.tree) or "") if other else "")
        for text in texts:
            kept.update(_DOCUMENTED.findall(text))
        for name in list(names):
            if name not in kept and not name.startswith("_"):
                del names[name]

    def member(self, module_name: str, name: str, depth: int = 0) -> Found | None:
        """What `name` is inside a module: one of its names, or a submodule."""
        module = self.module(module_name)
        if module is None or depth > _DEPTH:
            return None
        names = self.names(module)
        if module.name.endswith("_pb2") and name in self.messages(module):
            return Found(module=module.name, qualname=name, node=ast.Pass())
        binding = names.get(name)
        if binding is None and name in self.space(module).names:
            # A pruned name: gone from the module, but its own definitions still use it.
            binding = self.space(module).names[name]
        if binding is not None:
            found = self.follow(binding, name, module, depth + 1)
            if found is not None or not self.sources.locate(f"{module_name}.{name}"):
                return found
        inner = self.sources.locate(f"{module_name}.{name}")
        return Found(module=inner) if inner else None

    def follow(self, binding: Binding, name: str, module: Module, depth: int = 0) -> Found | None:
        """What a binding of a module stands for; None when the trail leaves these sources."""
        if depth > _DEPTH:
            return None
        match binding:
            case Import(module=source, name=""):
                place = self.sources.locate(source)
                return Found(module=place) if place else None
            case Import(module=source, name=wanted):
                if source == module.name and wanted == name:
                    inner = self.sources.locate(f"{source}.{wanted}")
                    return Found(module=inner) if inner else None
                return self.member(source, wanted, depth + 1)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return Found(module=module.name, qualname=name, node=binding)
            case ast.expr():
                onward = self._assigned(binding, name, module, depth)
                return onward or Found(module=module.name, qualname=name, node=binding)

    def _assigned(self, node: ast.expr, name: str, module: Module, depth: int) -> Found | None:
        wrappers = wrapping(node, name)
        if wrappers:
            return self._rewrapped(wrappers, name, module, depth)
        match node:
            case ast.Name(id=other) if other != name:
                return self.member(module.name, other, depth + 1) if other in self.names(module) else None
            case ast.Attribute():
                return self.expression(node, module, depth + 1)
            case ast.Call(func=function, args=arguments):
                word = leaf(function)
                if word == "deprecated_alias" and len(arguments) == 3:
                    found = self.expression(arguments[2], module, depth + 1)
                    note = f"use {text_of(arguments[1])} instead" if text_of(arguments[1]) else "deprecated"
                    return _noted(found, note)
                note = self.announced(function, module, depth + 1) if len(arguments) == 1 else ""
                if len(arguments) == 1 and (note or isinstance(function, ast.Call)):
                    return _noted(self.expression(arguments[0], module, depth + 1), note)
                if word in ("to_raw_op", "add_dispatch_support", "contextmanager") and len(arguments) == 1:
                    return self.expression(arguments[0], module, depth + 1)
        return None

    def _rewrapped(self, wrappers: list[ast.expr], name: str, module: Module, depth: int) -> Found | None:
        """`name = wrap(name)` where the inner name came by a star import."""
        notes = [note for one in wrappers if (note := self.announced(one, module, depth + 1))]
        for source in reversed(self.space(module).stars):
            origin = self.module(source)
            if origin is not None and name in self.names(origin):
                found = self.member(origin.name, name, depth + 1)
                return _noted(found, notes[0]) if notes else found
        return None

    def note(self, node: Definition, module: Module) -> str:
        """The deprecation note of a decorated definition. Endpoints and single arguments do not count."""
        return next((note for one in node.decorator_list if (note := self.announced(one, module))), "")

    def announced(self, decorator: ast.expr, module: Module, depth: int = 0) -> str:
        """The note that a decorator adds: `deprecated(…)`, a name for that, or a class that calls it; else ""."""
        if leaf(decorator) == "deprecated":
            return deprecation(decorator) if isinstance(decorator, ast.Call) else "deprecated"
        maker = decorator.func if isinstance(decorator, ast.Call) else decorator
        found = self.expression(maker, module, depth + 1)
        node = found.node if found else None
        if isinstance(node, ast.Call) and maker is decorator and leaf(node) == "deprecated":
            return deprecation(node)
        if not isinstance(node, ast.ClassDef) or maker is decorator:
            return ""
        bodies = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__call__"]
        calls = [one.func for body in bodies for one in ast.walk(body) if isinstance(one, ast.Call)]
        return next((deprecation(one) for one in calls if isinstance(one, ast.Call) and leaf(one) == "deprecated"), "")

    def expression(self, node: ast.expr, module: Module, depth: int = 0) -> Found | None:
        """What a name, a dotted name or a wrapped one stands for in a module."""
        if depth > _DEPTH:
            return None
        match node:
            case ast.Name(id=name):
                return self.member(module.name, name, depth + 1)
            case ast.Attribute(value=value, attr=name):
                base = self.expression(value, module, depth + 1)
                if base is None:
                    return None
                return self.attribute(base, name, depth + 1)
            case ast.Call():
                return self._assigned(node, "", module, depth + 1)
            case ast.Subscript(value=value):
                return self.expression(value, module, depth + 1)
        return None

    def outside(self, node: ast.expr, module: Module) -> list[str]:
        """The import path of a dotted name whose trail leaves these sources; a builtin's has one word in front."""
        path = ast.unparse(node).split(".")
        for _ in range(_DEPTH):
            binding = self.names(module).get(path[0])
            if binding is None:
                return ["builtins", *path]
            if not isinstance(binding, Import):
                return path
            path = [*f"{binding.module}.{binding.name}".strip(".").split("."), *path[1:]]
            if not binding.name or (onward := self.module(binding.module)) is None:
                return path
            module, path = onward, path[binding.module.count(".") + 1 :]
        return path

    def attribute(self, base: Found, name: str, depth: int = 0) -> Found | None:
        """An attribute of something that was found: a module's name, or a name in a class body."""
        if not base.qualname:
            return self.member(base.module, name, depth + 1)
        module = self.module(base.module)
        if isinstance(base.node, ast.ClassDef) and module is not None:
            inner = read_class(base.node, module).names.get(name)
            if isinstance(inner, ast.FunctionDef | ast.ClassDef | ast.expr):
                return Found(module=base.module, qualname=f"{base.qualname}.{name}", node=inner)
        return None


def _noted(found: Found | None, note: str) -> Found | None:
    if found is None:
        return None
    return Found(module=found.module, qualname=found.qualname, node=found.node, deprecated=found.deprecated or note)


def text_of(node: ast.expr) -> str:
    """The value of a string literal, its whitespace collapsed; "" for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return " ".join(node.value.split())
    if isinstance(node, ast.JoinedStr):
        return " ".join("".join(str(part.value) for part in node.values if isinstance(part, ast.Constant)).split())
    if isinstance(node, ast.BinOp):
        return f"{text_of(node.left)} {text_of(node.right) if isinstance(node.op, ast.Add) else ''}".strip()
    return ""


def deprecation(call: ast.Call) -> str:
    """The note of a `deprecated(date, instructions)` call, at most 200 characters; "deprecated" when it has none."""
    given = [keyword.value for keyword in call.keywords if keyword.arg == "instructions"] or call.args[1:2]
    note = text_of(given[0]) if given else ""
    return (note or "deprecated")[:200]
