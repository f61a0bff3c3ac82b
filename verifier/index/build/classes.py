"""Classes with their own members and their order of bases.

Hides where members come from: methods, class attributes, attributes set on `self`, named tuples, data classes,
protobuf messages, and the standard library's bases. A base that cannot be read makes a class open.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from verifier.index.build import facts, standard
from verifier.index.build.descriptors import METHODS
from verifier.index.build.facts import Fact
from verifier.index.build.namespace import leaf, read_class
from verifier.index.build.resolve import Found, Resolver, text_of
from verifier.index.build.sources import Module

# Classes that never have instances of their own: making one gives an object of the second class, by `__new__`, by a
# metaclass or in C++. What that class has counts as a member of the first.
_INSTANCES = {
    "tensorflow.python.framework.ops.Tensor": "tensorflow.python.framework.ops._EagerTensorBase",
    "tensorflow.python.framework.tensor.Tensor": "tensorflow.python.framework.ops._EagerTensorBase",
    "tensorflow.python.ops.variables.Variable": "tensorflow.python.ops.resource_variable_ops.BaseResourceVariable",
    "tensorflow.python.ops.variables.VariableV1": "tensorflow.python.ops.resource_variable_ops.BaseResourceVariable",
    "tensorflow.python.ops.variable_v1.VariableV1": "tensorflow.python.ops.resource_variable_ops.BaseResourceVariable",
    "tensorflow.python.keras.engine.training.Model": "tensorflow.python.keras.engine.functional.Functional",
    "keras.engine.training.Model": "keras.engine.functional.Functional",
    "keras.src.engine.training.Model": "keras.src.engine.functional.Functional",
    "tf_keras.src.engine.training.Model": "tf_keras.src.engine.functional.Functional",
    "keras.src.models.model.Model": "keras.src.models.functional.Functional",
}
_TUPLE_METHODS = ("count", "index", "_asdict", "_fields", "_make", "_replace")


@dataclass(slots=True, kw_only=True)
class Record:
    """One class: its linearised ancestors (itself first), its own public members, and how it is constructed.

    members     name -> fact; `initial` is the signature of its own `__init__` (or fields), None when it has none
    open        an ancestor cannot be read, or attributes are computed
    """

    canonical: str
    mro: tuple[str, ...] = ()
    members: dict[str, Fact] = field(default_factory=dict)
    initial: str | None = None
    stub: str = ""
    deprecated: str = ""
    open: bool = False


class Classes:
    """Reads class records on demand and remembers them by canonical name."""

    def __init__(self, resolver: Resolver) -> None:
        self.records: dict[str, Record] = {}
        self._resolver = resolver

    def fact(self, found: Found) -> Fact | None:
        """The fact of a class that was found; None when it is not a class."""
        record = self.record(found)
        if record is None:
            return None
        return Fact(
            kind="class",
            canonical=record.canonical,
            signature=self._construction(record),
            deprecated=found.deprecated or record.deprecated,
            stub=self._stub(record),
            open=record.open,
        )

    def record(self, found: Found) -> Record | None:
        """The record of what was found; None when it is not a class."""
        known = self.records.get(found.canonical)
        if known is not None:
            return known
        module = self._resolver.module(found.module)
        if module is None or not found.qualname:
            return None
        if isinstance(found.node, ast.ClassDef):
            return self._class(found, found.node, module)
        message = self._resolver.messages(module).get(found.qualname) if module.name.endswith("_pb2") else None
        if message is not None:
            return self._fixed(found.canonical, (*message.fields, *message.nested, *METHODS), message.fields)
        fields = _named_tuple(found.node)
        if fields is not None:
            return self._fixed(found.canonical, (*fields, *_TUPLE_METHODS), fields, required=True)
        return None

    def _fixed(
        self, canonical: str, names: tuple[str, ...], fields: tuple[str, ...], *, required: bool = False
    ) -> Record:
        members = {name: Fact(kind="method" if name in METHODS + _TUPLE_METHODS else "property") for name in names}
        parts = [*fields] if required else ["*", *(f"{name}=None" for name in fields)] if fields else []
        record = Record(canonical=canonical, mro=(canonical,), members=members, initial=f"({', '.join(parts)})")
        self.records[canonical] = record
        return record

    def _class(self, found: Found, node: ast.ClassDef, module: Module) -> Record:
        record = Record(canonical=found.canonical, mro=(found.canonical,))
        # Registered first: a class that mentions itself among its members must not recurse.
        self.records[found.canonical] = record
        record.deprecated = self._resolver.note(node, module)
        lines: list[tuple[str, ...]] = []
        for base in _bases(node):
            self._base(base, module, record, lines)
        record.mro = _linearise(found.canonical, lines)
        self._own(record, node, module)
        if all(self.records[one].initial is None for one in record.mro):
            record.initial = self._made_by_metaclass(node, module)
        return record

    def _made_by_metaclass(self, node: ast.ClassDef, module: Module) -> str | None:
        """How the metaclass wants to be called for an object; None when that is as usual."""
        for keyword in node.keywords:
            found = self._resolver.expression(keyword.value, module) if keyword.arg == "metaclass" else None
            for one in found.node.body if found is not None and isinstance(found.node, ast.ClassDef) else ():
                if isinstance(one, ast.FunctionDef) and one.name == "__call__":
                    return facts.signature(one, bound=True)
        return None

    def complete(self) -> None:
        """Give the classes that only make objects of another one its members; to be called when all are read.

        Not before: the other class mostly is a subclass, and would be read while its own base is not yet known.
        """
        for canonical, instance in _INSTANCES.items():
            record = self.records.get(canonical)
            home, _, name = instance.rpartition(".")
            found = self._resolver.member(home, name) if record is not None else None
            real = self.record(found) if found is not None else None
            if record is not None and real is not None:
                record.mro = (*record.mro, *(one for one in real.mro if one not in record.mro))

    def _base(self, base: ast.expr, module: Module, record: Record, lines: list[tuple[str, ...]]) -> None:
        fields = _named_tuple(base)
        if fields is not None:
            name = f"{record.canonical}.<fields>"
            self._fixed(name, (*fields, *_TUPLE_METHODS), fields, required=True)
            lines.append((name,))
            return
        found = self._resolver.expression(base, module)
        inherited = self.record(found) if found is not None else None
        if inherited is record:
            # `class name_scope(Base)` after `Base = name_scope` of a star import: the first one is out of sight.
            record.open = True
            return
        if inherited is not None:
            record.open |= inherited.open
            lines.append(inherited.mro)
            return
        outside = self._standard(base, module)
        if outside is None:
            record.open = True
        else:
            lines.append(outside)

    def _standard(self, base: ast.expr, module: Module) -> tuple[str, ...] | None:
        """The ancestors of a class of the standard library, each as a record; None when it is not one."""
        if isinstance(base, ast.Subscript):
            return self._standard(base.value, module)
        known = standard.find(self._resolver.outside(base, module))
        if known is None:
            return None
        line: list[str] = []
        for one in known.__mro__:
            name = f"{one.__module__}.{one.__qualname__}"
            if one is object:
                continue
            line.append(name)
            if name not in self.records:
                kinds = {key: "method" if callable(value) else "property" for key, value in vars(one).items()}
                public = {key: Fact(kind=kind) for key, kind in kinds.items() if not key.startswith("_")}
                self.records[name] = Record(
                    canonical=name, mro=(name,), members=public, initial=standard.construction(one)
                )
        return tuple(line)

    def _own(self, record: Record, node: ast.ClassDef, module: Module) -> None:
        space = read_class(node, module)
        attributes: dict[str, Fact] = {}
        for name, binding in space.names.items():
            if isinstance(binding, ast.FunctionDef | ast.AsyncFunctionDef):
                self._method(record, name, binding, attributes, module)
            elif isinstance(binding, ast.ClassDef) and not name.startswith("_"):
                inner = Found(module=module.name, qualname=f"{_qualname(record, module)}.{name}", node=binding)
                fact = self.fact(inner)
                if fact is not None:
                    record.members[name] = fact
            elif isinstance(binding, ast.expr) and not name.startswith("_"):
                record.members[name] = self._value(binding, record, module)
        if any(leaf(decorator) == "dataclass" for decorator in node.decorator_list) or "NamedTuple" in map(
            leaf, node.bases
        ):
            record.initial = record.initial or _data_class(node)
        for name, fact in attributes.items():
            record.members.setdefault(name, fact)

    def _method(
        self,
        record: Record,
        name: str,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        attributes: dict[str, Fact],
        module: Module,
    ) -> None:
        record.open |= name == "__getattr__" and not _only_refuses(node)
        if name == "__init__" or (name == "__new__" and record.initial is None):
            record.initial = facts.signature(node, bound=True)
            record.stub = facts.stub(node)
            record.deprecated = record.deprecated or self._resolver.note(node, module)
        for attribute in _set_on_self(node):
            attributes.setdefault(attribute, Fact(kind="attribute"))
        if name.startswith("_") and name != "__call__":
            return
        how = facts.decorated_as(node)
        record.members[name] = Fact(
            kind="property" if how == "property" else "method",
            signature="" if how == "property" else facts.signature(node, bound=how != "static"),
            deprecated=self._resolver.note(node, module),
        )

    def _value(self, node: ast.expr, record: Record, module: Module) -> Fact:
        if isinstance(node, ast.Name) and node.id in record.members:
            return record.members[node.id]
        if isinstance(node, ast.Lambda):
            return Fact(kind="method", signature=facts.signature(node, bound=True))
        if isinstance(node, ast.Call) and leaf(node) == "property":
            return Fact(kind="property")
        found = self._resolver.expression(node, module) if isinstance(node, ast.Name | ast.Attribute) else None
        if found is not None and isinstance(found.node, ast.FunctionDef):
            return Fact(kind="method", signature=facts.signature(found.node, bound=True))
        if found is not None:
            return self.fact(found) or Fact(kind="constant")
        return Fact(kind="constant")

    def _construction(self, record: Record) -> str:
        for name in record.mro:
            initial = self.records[name].initial
            if initial is not None:
                return initial
        return "" if record.open else "()"

    def _stub(self, record: Record) -> str:
        for name in record.mro:
            one = self.records[name]
            if one.initial is not None:
                # An abstract class says so in the same way; it is no stub.
                return "" if one.stub.startswith("NotImplementedError") else one.stub
        return ""


def _qualname(record: Record, module: Module) -> str:
    return record.canonical[len(module.name) + 1 :]


def _bases(node: ast.ClassDef) -> list[ast.expr]:
    bases: list[ast.expr] = []
    for base in node.bases:
        # six.with_metaclass(Meta, Base) is how sources for two Pythons wrote class C(Base, metaclass=Meta).
        if isinstance(base, ast.Call) and leaf(base) == "with_metaclass":
            bases += base.args[1:]
        else:
            bases.append(base)
    return bases


def _linearise(name: str, lines: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Depth first, left to right, a shared ancestor behind its last descendant: nearly always Python's own order."""
    flat = [one for line in lines for one in line]
    last = {one: index for index, one in enumerate(flat)}
    return (name, *(one for index, one in enumerate(flat) if last[one] == index))


def _named_tuple(node: ast.AST | None) -> tuple[str, ...] | None:
    if not isinstance(node, ast.Call) or leaf(node) not in ("namedtuple", "NamedTuple") or len(node.args) < 2:
        return None
    listed = node.args[1]
    if isinstance(listed, ast.Constant):
        return tuple(text_of(listed).replace(",", " ").split())
    if isinstance(listed, ast.List | ast.Tuple):
        firsts = [one.elts[0] if isinstance(one, ast.Tuple) and one.elts else one for one in listed.elts]
        return tuple(text_of(one) for one in firsts if text_of(one))
    return None


def _data_class(node: ast.ClassDef) -> str:
    parts = [
        one.target.id + ("=..." if one.value is not None else "")
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        if "ClassVar" not in ast.unparse(one.annotation)
    ]
    return f"({', '.join(parts)})"


def _only_refuses(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a `__getattr__` gives nothing: it raises, or asks `__getattribute__`, which has just failed."""
    returns = [inner for inner in ast.walk(node) if isinstance(inner, ast.Return)]
    return all(one.value is not None and leaf(one.value) == "__getattribute__" for one in returns)


def _set_on_self(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    if not node.args.args:
        return set()
    own = node.args.args[0].arg
    return {
        inner.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.Attribute)
        and isinstance(inner.ctx, ast.Store)
        and isinstance(inner.value, ast.Name)
        and inner.value.id == own
        and not inner.attr.startswith("_")
    }
