"""Stand-ins for files that code reads, where the way it reads them makes plain what is in them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from verifier.model import Fault, StandIn
from verifier.probe.plan import Offsets
from verifier.probe.sessions import Session
from verifier.probe.standins.contents import content_of
from verifier.probe.standins.paths import last_word, nodes_of
from verifier.probe.standins.reading import Content, Reading
from verifier.probe.standins.supplies import Live, Supply
from verifier.probe.standins.watch import Seen

_NODE = re.compile(r"\{\{[^}]*\}\}\s*")
_PATHS = (
    re.compile(r"No such file or directory: '(?P<path>[^']+)'"),
    re.compile(r"^(?P<path>[^;\n]+); No such file or directory"),
    re.compile(r"No files match `file_pattern` (?P<path>\S+?)\.?$"),
    re.compile(r"No files matched pattern: (?P<path>[^'\"]+)"),
    re.compile(r"non-existent directory: '(?P<path>[^']+)'"),
    re.compile(r"Could not find directory (?P<path>\S+)"),
)
_LONGEST = 200


def files(session: Session, seen: Seen) -> Iterator[Supply]:
    """Stand-ins for the files that a run did not find."""
    done: set[str] = set()
    for place, step in seen.raised():
        path = _missing_path(step.fault) if step.fault else ""
        if not path or path in done:
            continue
        done.add(path)
        content = _content(session, seen.live, place, path, step.fault)
        if content is not None:
            standin = StandIn(name=content.name or path, role=content.role, code=content.code)
            yield Supply(standin=standin, texts=(path,), places=(place,))


def variables(session: Session, seen: Seen) -> Iterator[Supply]:
    """Stand-ins for the environment variables that a run did not find."""
    places: dict[str, list[tuple[int, int]]] = {}
    for place, step in seen.raised():
        name = step.fault.message.strip("'\"") if step.fault and step.fault.is_a("KeyError") else ""
        program, number = place
        nodes = session.parsed[program].nodes
        source = ast.unparse(nodes[number]) if number < len(nodes) else ""
        if name.isidentifier() and "environ" in source and repr(name) in source:
            places.setdefault(name, []).append(place)
    code = "\n".join(ast.unparse(node) for parsed in session.parsed for node in parsed.nodes)
    for name, wanted in places.items():
        value = "1" if re.search(rf"\b(?:int|float)\(os\.environ\[{name!r}\]", code) else "standin"
        role = f"an environment variable set to {value}"
        standin = StandIn(name=name, role=role, code=f"import os\nos.environ[{name!r}] = {value!r}")
        yield Supply(standin=standin, texts=(name,), places=tuple(wanted))


def _missing_path(fault: Fault) -> str:
    message = _NODE.sub("", fault.message)
    for pattern in _PATHS:
        if match := pattern.search(message):
            path = match["path"]
            return path if len(path) <= _LONGEST and path.isprintable() else ""
    return ""


def _content(session: Session, live: Live, place: tuple[int, int], path: str, fault: Fault | None) -> Content | None:
    """What the file holds, if every call that reads it agrees."""
    named = (call for call in _calls(session) if path in set(_paths_in(call, live)))
    for calls in (named, _near(session, place, fault)):
        contents = [
            content
            for call in calls
            if (content := content_of(Reading(session=session, live=live, call=call, path=path))) is not None
        ]
        if contents:
            return contents[0] if len({content.kind for content in contents}) == 1 else None
    return None


def _calls(session: Session) -> Iterator[ast.Call]:
    for _, node in nodes_of(session):
        if isinstance(node, ast.Call) and last_word(node.func):
            yield node


def _paths_in(call: ast.Call, live: Live) -> Iterator[str]:
    """The strings among the arguments of a call, literal or known by name."""
    for argument in (*call.args, *(item.value for item in call.keywords)):
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value
        elif isinstance(argument, ast.Name) and argument.id in live:
            yield live[argument.id].text


def _near(session: Session, place: tuple[int, int], fault: Fault | None) -> Iterator[ast.Call]:
    """The calls in the failing part of the code, the innermost that the interpreter tells; else in its statement."""
    program, number = place
    parsed = session.parsed[program]
    if number >= len(parsed.nodes):
        return
    span = fault.expression if fault is not None else None
    offsets = Offsets(session.programs[program].code)
    trees = [parsed.nodes[number]] if span is None else list(parsed.nodes)
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (span is None or span.covers(offsets.span(node))):
                yield node
