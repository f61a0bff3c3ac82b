"""Objects that a failed statement should have changed. Hides how they are found, by identity, and what may change them.

An object that a statement only asked something of is not suspect: `model.get_layer("x")` leaves a model as it was.
"""

from __future__ import annotations

import ast
import types

from guest import attributes

# Nothing that these hold can be changed in place.
_STATELESS = (
    types.ModuleType,
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    str,
    bytes,
    int,
    float,
    complex,
    tuple,
    frozenset,
    range,
    type(None),
)
_STATELESS_CLASSES = frozenset(
    {"Tensor", "KerasTensor", "SparseTensor", "RaggedTensor", "DatasetV2", "DatasetV1", "Generator"}
)
# Methods that only ask, by what they are called; those of tables and arrays give a changed copy instead.
_ASKING = ("get_", "is_", "has_", "to_", "as_", "count", "index", "copy")
_ASKS = frozenset({"summary", "numpy", "describe", "head", "tail", "info", "keys", "values", "items", "get", "format"})
_COPYING = frozenset({"ndarray", "DataFrame", "Series", "Index"})
_CHANGING = frozenset({"sort", "fill", "resize", "put", "itemset", "partition", "insert", "pop", "update", "setflags"})
# Functions of libraries that change their first argument.
_CHANGE_FIRST = frozenset({"setattr", "delattr", "shuffle", "heappush", "heappop", "heapify", "insort", "insort_left"})
_ASSIGNED = "="
_ITEM = "[]"
_MOST = 400  # objects looked at on the way to a suspect
_ITEMS = 40  # of a list that are suspect with it


class Suspects:
    """The suspect objects of a session, with who made each suspect and how."""

    def __init__(self, namespace, owns):
        self._namespace = namespace
        self._owns = owns
        self._found = {}  # id -> (object, culprit, methods)
        self._attributes = {}  # attribute that was to be set -> culprit

    def add(self, nodes, names, culprit):
        """Suspect what the nodes of a failed statement should have changed.

        `names` are all that it reads. Returns whether it runs functions of the document, which may change
        anything that they see.
        """
        for name, method, inside in _changes(nodes):
            self._suspect_path(self._namespace.get(name), method, inside, culprit)
        for node in nodes:
            for attribute in _assigned_attributes(node):
                self._attributes.setdefault(attribute, culprit)
        own = [name for name in names if self._is_own(self._namespace.get(name))]
        for name in names if own else ():
            self._suspect(self._namespace.get(name), "", culprit)
        for name in own:
            for attribute in _stored(self._namespace[name]):
                self._attributes.setdefault(attribute, culprit)
        return bool(own)

    def clear(self, nodes):
        """What a failed call should have changed is as it should be once the same method has run."""
        if not self._found:
            return
        for name, method, _inside in _changes(nodes):
            entry = self._found.get(id(self._namespace.get(name)))
            if entry and method in entry[2]:
                del self._found[id(entry[0])]

    def culprit(self, value):
        """Who made an object, or something inside it, suspect; None when nobody did."""
        if not self._found:
            return None
        pending, seen = [value], set()
        while pending and len(seen) < _MOST:
            item = pending.pop(0)
            if id(item) in self._found:
                return self._found[id(item)][1]
            if id(item) not in seen:
                seen.add(id(item))
                pending += _parts(item)
        return None

    def should_have_set(self, attribute, value):
        """Who failed to give an object this attribute, or None when nobody was going to."""
        found = self._attributes.get(attribute)
        if found or value is None:
            return found
        culprit = self.culprit(value)
        return culprit if culprit and attributes.set_in_package(type(value), attribute) else None

    def _suspect_path(self, value, method, inside, culprit):
        """Suspect an object and those on the way from it: of a list, each item may be meant."""
        self._suspect(value, method, culprit)
        values = [value]
        for step in inside:
            values = [
                part
                for value in values
                for part in (_parts(value) if step == _ITEM else [attributes.members(value).get(step)])
            ]
            for part in values[:_ITEMS]:
                self._suspect(part, method, culprit)

    def _suspect(self, value, method, culprit):
        if isinstance(value, _STATELESS) or not _may_change(value, method):
            return
        _, first, methods = self._found.get(id(value), (value, culprit, set()))
        self._found[id(value)] = (value, first, methods | {method})
        if self._is_own(value):
            for part in attributes.members(value).values():
                if not isinstance(part, _STATELESS) and id(part) not in self._found:
                    self._suspect(part, method, culprit)

    def _is_own(self, value):
        """Whether a value is a function or class of the document, or an object of such a class."""
        if isinstance(value, types.MethodType):
            value = value.__func__
        if isinstance(value, types.FunctionType):
            return self._owns(value.__code__.co_filename)
        cls = value if isinstance(value, type) else type(value)
        wrapped = attributes.members(value).get("_python_function")
        return cls.__module__ == "__main__" or (wrapped is not None and self._is_own(wrapped))


def _may_change(value, method):
    """Whether a method of this name may change a value in place; no name, or an assignment, always may."""
    names = {base.__name__ for base in type(value).__mro__}
    if names & _STATELESS_CLASSES:
        return False
    if method in ("", _ASSIGNED):
        return True
    if names & _COPYING:
        return method in _CHANGING
    return method not in _ASKS and not method.startswith(_ASKING)


def _parts(value):
    """What a value holds, one level down."""
    if isinstance(value, dict):
        return list(value.values())[:_MOST]
    if isinstance(value, (list, set, tuple)):
        return list(value)[:_MOST]
    if isinstance(value, _STATELESS):
        return []
    return list(attributes.members(value).values())


def _changes(nodes):
    """(name, method or sign, steps from the object of the name) of everything that a statement may change."""
    for node in nodes:
        sources = _sources(node)
        for part in ast.walk(node):
            for place, method in _places(part):
                name, inside = _root(place)
                if name:
                    yield name, method, inside
                for source in sources.get(name, ()):
                    yield source, method, [_ITEM, *inside]


def _root(place):
    """(name at the root of a dotted or indexed expression, steps from there); the name is empty without one."""
    inside = []
    while isinstance(place, (ast.Attribute, ast.Subscript, ast.Call)):
        if not isinstance(place, ast.Call):
            inside.insert(0, getattr(place, "attr", _ITEM))
        place = place.func if isinstance(place, ast.Call) else place.value
    return getattr(place, "id", ""), inside


def _places(part):
    """The expressions whose objects a node may change, with the method that does it."""
    if isinstance(part, ast.Call):
        called = part.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if isinstance(called, ast.Attribute):
            inplace = any(word.arg == "inplace" for word in part.keywords)
            yield called.value, _ASSIGNED if inplace else name
        if name in _CHANGE_FIRST and part.args:
            yield part.args[0], _ASSIGNED
    elif isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load):
        yield part.value, _ASSIGNED


def _sources(node):
    """What stands behind the names that a statement itself binds: the list of a loop, the object of a `with`."""
    found = {}
    for part in ast.walk(node):
        if isinstance(part, (ast.For, ast.AsyncFor, ast.comprehension)):
            target, value = part.target, part.iter
        elif isinstance(part, ast.withitem):
            target, value = part.optional_vars, part.context_expr
        elif isinstance(part, ast.Assign):
            target, value = part.targets[0], part.value
        else:
            continue
        names = {item.id for item in ast.walk(value) if isinstance(item, ast.Name)}
        for item in ast.walk(target) if target is not None else ():
            if isinstance(item, ast.Name):
                found.setdefault(item.id, set()).update(names)
    return found


def _assigned_attributes(node):
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
            yield part.attr
        elif isinstance(part, ast.Call) and getattr(part.func, "id", "") == "setattr" and len(part.args) > 1:
            yield getattr(part.args[1], "value", getattr(part.args[1], "s", None))


def _stored(value):
    """Attributes that a function or the methods of a class set on anything."""
    if isinstance(value, types.FunctionType):
        return attributes.stored_by(value.__code__)
    cls = value if isinstance(value, type) else type(value)
    codes = [getattr(member, "__code__", None) for member in list(cls.__dict__.values())]
    return {name for code in codes if code is not None for name in attributes.stored_by(code)}
