"""How many GPUs the code of a session names, read off its syntax."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from verifier.probe.plan import Parsed

_MOST = 8
_NAMED = re.compile(r"(?:[\w/:*]*[/:])?gpu(?::(\d+|\*))?:?", re.IGNORECASE)
_LISTS = frozenset({"list_physical_devices", "list_logical_devices", "get_visible_devices"})
_REPLICATED = frozenset({"MirroredStrategy"})


def devices_at_once(programs: Iterable[Parsed]) -> int:
    """How many devices the code needs before its first run; 0 when it may run as it is.

    Without them, replicas on several named GPUs would share one device and wait for each other for ever.
    """
    most = 0
    for node in _nodes(programs):
        if isinstance(node, ast.Call) and _leaf(node.func) in _REPLICATED:
            named = {index for text in _texts(node) if (index := _index(text)) is not None}
            most = max(most, max(named) + 1 if len(named) > 1 else 0)
    return min(most, _MOST)


def devices_named(programs: Iterable[Parsed]) -> int:
    """How many GPUs the code speaks of; 0 when it speaks of none."""
    code = tuple(programs)
    indices = [index for node in _nodes(code) for text in _texts(node) if (index := _index(text)) is not None]
    if not indices:
        return 0
    return min(max([*indices, *_picked(code)]) + 1, _MOST)


def asking(program: Parsed, names: set[str], modules: frozenset[str]) -> frozenset[int]:
    """The statements of a program that ask for GPUs or use what came of that.

    `names` are those that hold such things before; it is brought up to date. `modules`: calling a function of one
    does not change it.
    """
    found = set()
    for number, (node, flow) in enumerate(zip(program.nodes, program.flows, strict=True)):
        asks = any(_index(text) is not None for part in ast.walk(node) for text in _texts(part))
        if asks or names & (flow.reads | flow.later):
            found.add(number)
            names |= flow.binds | (flow.touches - modules)
        else:
            names -= flow.binds
    return frozenset(found)


def _nodes(programs: Iterable[Parsed]) -> Iterator[ast.AST]:
    for program in programs:
        for top in program.nodes:
            yield from ast.walk(top)


def _texts(node: ast.AST) -> Iterator[str]:
    """Text in a call's arguments, in lists and format strings of it, or in a plain constant."""
    for part in ast.walk(node) if isinstance(node, ast.Call) else ():
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def _index(text: str) -> int | None:
    """The number of the GPU that a text names, 0 where it names none in particular; None when it is no device."""
    match = _NAMED.fullmatch(text.strip())
    if match is None:
        return None
    return int(match[1]) if match[1] and match[1] != "*" else 0


def _picked(programs: Iterable[Parsed]) -> Iterator[int]:
    """Numbers with which the code picks from a list of devices: `gpus[1]`."""
    code = tuple(programs)
    lists = {
        target.id
        for node in _nodes(code)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _leaf(node.value.func) in _LISTS
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in _nodes(code):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            picked = isinstance(node.value, ast.Name) and node.value.id in lists
            listed = isinstance(node.value, ast.Call) and _leaf(node.value.func) in _LISTS
            if (picked or listed) and isinstance(node.slice.value, int):
                yield node.slice.value


def _leaf(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
