"""What objects hold and which attributes code sets on them; nothing of a document runs to tell."""

from __future__ import annotations

import dis
import inspect
import sys
import types


def members(value):
    """The attributes of an object itself, without those of its class."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except Exception:
        return {}
    return found if isinstance(found, dict) else {}


def stored_by(code):
    """The attributes that a code object, or one inside it, assigns on anything."""
    found = {step.argval for step in dis.get_instructions(code) if step.opname == "STORE_ATTR"}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= stored_by(constant)
    return found


def set_in_package(cls, name):
    """Whether some class of the package that `cls` comes from assigns an attribute of this name on anything."""
    root = cls.__module__.partition(".")[0]
    for path, module in list(sys.modules.items()):
        if path.partition(".")[0] == root and any(_assigns(member, name) for member in _classes(module)):
            return True
    return False


def _classes(module):
    members = getattr(module, "__dict__", {})
    return [member for member in list(members.values()) if isinstance(member, type)]


def _assigns(cls, name):
    for member in list(cls.__dict__.values()):
        try:
            code = getattr(inspect.unwrap(member), "__code__", None)
        except ValueError:
            continue
        if isinstance(code, types.CodeType) and name in code.co_names and name in stored_by(code):
            return True
    return False
