"""Lines of compiled code, and whether running it can reach lines of the document that have not run yet."""

from __future__ import annotations

import dis
import types

from guest import attributes

_OPTIMISED = 0x1  # functions, as opposed to the bodies of modules and classes
_AT_ONCE = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_INERT = (types.ModuleType, types.BuiltinFunctionType, str, bytes, int, float, complex, type(None))
_INERT_CLASSES = frozenset(
    {"Tensor", "Variable", "BaseResourceVariable", "KerasTensor", "ndarray", "DatasetV2", "generic"}
)


def of(code):
    """(lines that run with the code itself, lines of the functions defined in it)."""
    at_once, later = _own(code), set()
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            first, second = of(constant)
            if _runs_at_once(constant):
                at_once |= first
                later |= second
            else:
                later |= first | second
    return at_once, later


def branches(code):
    """Whether some of the lines that belong to code itself may be passed over when it runs."""
    jumps = (step.opcode in dis.hasjrel or step.opcode in dis.hasjabs for step in dis.get_instructions(code))
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    bodies = (constant for constant in inner if not constant.co_flags & _OPTIMISED)
    return (len(_own(code)) > 1 and any(jumps)) or any(map(branches, bodies))


def _own(code):
    return {line for _, line in dis.findlinestarts(code) if line}


def _runs_at_once(code):
    return not code.co_flags & _OPTIMISED or code.co_name in _AT_ONCE


def _names(code, *, whole):
    """Names that code looks up outside itself; `whole`: those of functions defined in it too."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and (whole or _runs_at_once(constant)):
            found |= _names(constant, whole=whole)
    return found


class Reach:
    """Whether code can reach open lines of the document: such as it is, it may call what its names stand for."""

    def __init__(self, namespace, opened, codes):
        self._namespace = namespace
        self._open = opened
        # Then functions that TensorFlow would rewrite run as they are.
        self._eager = any("eagerly" in code for code in codes)

    def is_quiet(self, code):
        """Whether no open line can run with this code."""
        return not self._open or self._are_quiet(_names(code, whole=False), False, set())

    def _are_quiet(self, names, in_graph, seen):
        return all(self._is_quiet(name, in_graph, seen) for name in names if (name, in_graph) not in seen)

    def _is_quiet(self, name, in_graph, seen):
        seen.add((name, in_graph))
        if name not in self._namespace:
            return True  # a builtin, or an attribute of something else
        value = self._namespace[name]
        if isinstance(value, types.FunctionType):
            return self._is_quiet_function(value, in_graph, seen)
        wrapped = attributes.members(value).get("_python_function")
        if isinstance(wrapped, types.FunctionType) and not self._eager:
            # What TensorFlow rewrites leaves its mark there, and calls functions of the document rewritten too.
            return self._are_quiet(_names(wrapped.__code__, whole=True), True, seen)
        if isinstance(value, type):
            return value.__module__ != "__main__"
        return self._is_inert(value)

    def _is_quiet_function(self, function, in_graph, seen):
        code = function.__code__
        if not in_graph:
            at_once, later = of(code)
            if any((code.co_filename, line) in self._open for line in at_once | later):
                return False
        return self._are_quiet(_names(code, whole=True), in_graph, seen)

    def _is_inert(self, value):
        if isinstance(value, _INERT):
            return True
        if type(value) in (list, tuple):
            return all(self._is_inert(part) for part in value[:100])
        return any(base.__name__ in _INERT_CLASSES for base in type(value).__mro__)
