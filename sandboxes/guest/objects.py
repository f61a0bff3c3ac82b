"""What an object of a library is: its kind, where it is defined, whether it is deprecated or a mere stub."""

from __future__ import annotations

import ast
import dis
import inspect
import re
import textwrap
import types

from guest import faults

_NOTE = 600
_HEAD = 400  # a deprecation directive further down is about an argument
_SPHINX = re.compile(r"\.\. deprecated::\s*(.+?)(?:\n\s*\n|\Z)", re.S)
_TENSORFLOW = re.compile(r"THIS (?:FUNCTION|CLASS) IS DEPRECATED\.\s*(.+?)(?:\n\s*\n|\Z)", re.S)
_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
)


class _InstanceAttribute:
    """Stands for an attribute that a class gives its instances only."""


INSTANCE_ATTRIBUTE = _InstanceAttribute()


def static_member(owner, name):
    """The member as it stands in a class, before descriptors act; None for modules and instances."""
    if not isinstance(owner, type):
        return None
    return inspect.getattr_static(owner, name, None)


def sets_on_instances(cls, name):
    """Whether some method of a class assigns `self.<name>`."""
    if any(name in (getattr(base, "__annotations__", None) or {}) for base in cls.__mro__):
        return True
    for base in cls.__mro__:
        for member in list(base.__dict__.values()):
            code = getattr(inspect.unwrap(member) if callable(member) else member, "__code__", None)
            if code is not None and name in code.co_names and _stores(code, name):
                return True
    return False


def _stores(code, name):
    return any(step.opname == "STORE_ATTR" and step.argval == name for step in dis.get_instructions(code))


def describe(owner, name, value, static):
    """Kind, canonical name, deprecation and stub message of a resolved name."""
    return {
        "kind": kind_of(owner, value, static),
        "canonical": _canonical(owner, name, value),
        "deprecated": _deprecation(value, static),
        "stub": _stub(value),
    }


def kind_of(owner, value, static):
    """`module`, `class`, `function`, `method`, `property` or `constant`."""
    if isinstance(value, types.ModuleType):
        return "module"
    if isinstance(value, type):
        return "class"
    if value is INSTANCE_ATTRIBUTE or isinstance(static, property) or inspect.isdatadescriptor(static):
        return "property"
    if isinstance(owner, type):
        return "method" if callable(value) else "constant"
    if isinstance(value, _FUNCTIONS) or (callable(value) and hasattr(value, "__name__")):
        return "function"
    # Wrapped objects of lazy modules: TensorFlow hides some modules behind its own class.
    if hasattr(value, "__path__") or type(value).__name__.endswith("LazyLoader"):
        return "module"
    return "constant"


def _canonical(owner, name, value):
    if isinstance(value, types.ModuleType):
        return value.__name__
    module, qualified = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if isinstance(module, str) and isinstance(qualified, str):
        return faults.safe_text(module + "." + qualified, 300)
    parent = getattr(owner, "__name__", None)
    if isinstance(owner, type):
        parent = faults.class_name(owner)
    return "%s.%s" % (parent, name) if isinstance(parent, str) else ""


def _deprecation(value, static):
    """The note of an object that is itself deprecated (not one of its arguments or aliases)."""
    target = static.fget if isinstance(static, property) else value
    note = _note_of(target)
    if not note and isinstance(target, type):
        note = _note_of(target.__init__) or _note_of(target.__new__)
    return faults.safe_text(note, _NOTE)


def _note_of(target):
    note = getattr(target, "__dict__", {}).get("__deprecated__")
    if isinstance(note, str):
        return note
    text = _own_docstring(target)
    found = _TENSORFLOW.search(text) or _SPHINX.search(text[:_HEAD])
    return " ".join(found.group(1).split()) if found else ""


def _own_docstring(target):
    text = target.__dict__.get("__doc__") if isinstance(target, type) else getattr(target, "__doc__", None)
    return text if isinstance(text, str) else ""


def _stub(value):
    """The message of a function or class that only raises when called; empty for one that does something."""
    target = value
    if isinstance(value, type):
        target = value.__init__ if isinstance(value.__init__, types.FunctionType) else value.__new__
    if not isinstance(target, types.FunctionType) or not _only_raises(target.__code__):
        return ""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(target)))
    except (OSError, SyntaxError, TypeError):
        return ""
    body = [node for node in tree.body[0].body if not _is_docstring(node)]
    if len(body) != 1 or not isinstance(body[0], ast.Raise) or not isinstance(body[0].exc, ast.Call):
        return ""
    error = body[0].exc
    name = getattr(error.func, "id", "")
    # Abstract methods are for subclasses to fill in, not stubs.
    if name == "NotImplementedError":
        return ""
    words = [part.value for part in ast.walk(error) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return faults.safe_text(" ".join(" ".join(words).split()) or name, _NOTE)


def _is_docstring(node):
    # Python 3.7 has a node type of its own for strings.
    return isinstance(node, ast.Expr) and type(node.value).__name__ in ("Constant", "Str")


def _only_raises(code):
    """Whether bytecode ends by raising on its only path; cheap, so that few sources need to be read."""
    raises = False
    for step in dis.get_instructions(code):
        if step.opname.startswith("RETURN_") and step.opname != "RETURN_GENERATOR":
            return False
        if "JUMP" in step.opname or step.opname.startswith(("STORE_ATTR", "FOR_ITER")):
            return False
        raises = raises or step.opname == "RAISE_VARARGS"
    return raises
