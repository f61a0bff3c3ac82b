"""Which cluster a session's code names and which task it takes itself, read off the code without running it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field

from verifier.probe.literals import Unknown, worth
from verifier.probe.plan import Parsed

_TF_CONFIG = "TF_CONFIG"
# Strategies whose workers all run the same code and wait for each other.
_PEERS = frozenset({"MultiWorkerMirroredStrategy", "CollectiveAllReduceStrategy"})
# What waits for servers that run elsewhere.
_COORDINATORS = frozenset(
    {
        "ParameterServerStrategy",
        "ParameterServerStrategyV2",
        "ClusterCoordinator",
        "MonitoredTrainingSession",
        "MonitoredSession",
        "Supervisor",
        "experimental_connect_to_cluster",
    }
)
Task = tuple[str, int]


@dataclass(slots=True)
class Roles:
    """What the code says.

    cluster  addresses by kind of task; task: its own; from_environment: both come from TF_CONFIG
    servers  tasks for which the code starts a server itself, None for one that cannot be told
    started  something waits for the cluster; peers: its workers run the same code
    """

    cluster: dict[str, tuple[str, ...]] = field(default_factory=dict)
    task: Task | None = None
    from_environment: bool = False
    servers: list[Task | None] = field(default_factory=list)
    started: bool = False
    peers: bool = False

    @property
    def own_task(self) -> Task | None:
        """The task of the session's own process, if the code says it in any way."""
        return self.task or (self.servers[0] if len(self.servers) == 1 else None)


def read_roles(programs: Iterable[Parsed]) -> Roles:
    """The cluster and the task that hold when the code first connects, in the order of the programs."""
    reader = _Reader()
    for program in programs:
        for node in program.nodes:
            reader.statement(node)
    return reader.roles


class _Reader:
    """Follows statements in order, branches and bodies as if all of them ran."""

    def __init__(self) -> None:
        self.roles = Roles()
        self._known: dict[str, object] = {}

    def statement(self, node: ast.stmt) -> None:
        for call in _calls(node):
            self._call(call)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._assign(node.targets[0], node.value)
        for inner in _inner(node):
            self.statement(inner)

    def _assign(self, target: ast.expr, expression: ast.expr) -> None:
        value = self._worth(expression)
        if isinstance(target, ast.Name):
            if value is None:
                self._known.pop(target.id, None)
            else:
                self._known[target.id] = deepcopy(value)
        elif isinstance(target, ast.Subscript):
            if _is_environment(target.value):
                self._environment({self._worth(target.slice): value})
            else:
                self._change(target, value)

    def _change(self, target: ast.Subscript, value: object) -> None:
        holder = self._worth(target.value)
        key = self._worth(target.slice)
        if isinstance(holder, dict) and isinstance(key, str | int):
            holder[key] = value  # the reader's own copy: names hold what was read, not a second reading

    def _worth(self, node: ast.expr) -> object:
        try:
            return worth(node, self._known)
        except Unknown:
            return None

    def _call(self, call: ast.Call) -> None:
        name = _leaf(call.func)
        if name in {"update", "setdefault"} and isinstance(call.func, ast.Attribute):
            self._set_environment(name, call)
        elif name == "ClusterSpec" and call.args and not self.roles.started:
            self._named(self._worth(call.args[0]))
        elif name == "Server":
            self.roles.servers.append(self._own_server(call))
        elif name == "SimpleClusterResolver" and not self.roles.started:
            self.roles.task = self._task(call, "task_type", "task_id") or self.roles.task
        elif name in _PEERS or name in _COORDINATORS or _joins_session(name, call):
            self.roles.peers = self.roles.peers or (name in _PEERS and not self.roles.started)
            self.roles.started = True

    def _set_environment(self, name: str, call: ast.Call) -> None:
        if not isinstance(call.func, ast.Attribute) or not _is_environment(call.func.value):
            return
        values = [self._worth(argument) for argument in call.args]
        if name == "setdefault" and len(values) == 2:
            self._environment({values[0]: values[1]})
        elif values and isinstance(values[0], dict):
            self._environment(values[0])

    def _environment(self, variables: dict[object, object]) -> None:
        text = variables.get(_TF_CONFIG)
        if not isinstance(text, str) or (self.roles.started and self.roles.cluster):
            return
        try:
            config = json.loads(text)
        except ValueError:
            return
        if not isinstance(config, dict):
            return
        self._named(config.get("cluster"))
        task = config.get("task")
        if isinstance(task, dict):
            self.roles.task = _as_task(task.get("type"), task.get("index"))
            self.roles.from_environment = True

    def _named(self, cluster: object) -> None:
        if not isinstance(cluster, dict):
            return
        found = {kind: tuple(every) for kind, every in cluster.items() if isinstance(every, list | tuple)}
        if found and all(isinstance(address, str) for every in found.values() for address in every):
            self.roles.cluster = found

    def _own_server(self, call: ast.Call) -> Task | None:
        return self._task(call, "job_name", "task_index", *call.args[1:3])

    def _task(self, call: ast.Call, kind: str, index: str, *positional: ast.expr) -> Task | None:
        words = {word.arg: word.value for word in call.keywords}
        given = [words.get(kind), words.get(index)]
        given = [word or (positional[n] if n < len(positional) else None) for n, word in enumerate(given)]
        values = [None if node is None else self._worth(node) for node in given]
        return _as_task(*values)


def _as_task(kind: object, index: object) -> Task | None:
    if isinstance(index, str) and index.isdecimal():
        index = int(index)
    return (kind, index) if isinstance(kind, str) and isinstance(index, int) else None


def _calls(node: ast.stmt) -> Iterator[ast.Call]:
    """The calls of a statement itself, not of the statements inside it, in the order of the text."""
    pending: list[ast.AST] = [node]
    found = []
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Call):
            found.append(part)
        pending += [child for child in ast.iter_child_nodes(part) if not isinstance(child, ast.stmt)]
    yield from sorted(found, key=lambda call: (call.end_lineno or 0, call.end_col_offset or 0))


def _inner(node: ast.AST) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from _inner(child)


def _leaf(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_environment(node: ast.expr) -> bool:
    return _leaf(node) == "environ"


def _joins_session(name: str, call: ast.Call) -> bool:
    """Whether a session of release 1 is opened at a server."""
    if name not in {"Session", "InteractiveSession"}:
        return False
    targets = [*call.args[:1], *(word.value for word in call.keywords if word.arg == "target")]
    return any(_leaf(target) == "target" for target in targets)
