"""Code that is written for several machines: which cluster it names, and who plays its tasks on this one.

The session's own process plays the task that the document gives it. The others are played beside it, in the same
cell: workers that train together run the session's programs in their turn; what only serves a coordinator is a
plain TensorFlow server. A cluster that cannot be read off the code, or is larger than a cell allows, has no
companions: whoever waits for it runs into the time limit, which accuses nobody.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from verifier.model import NO_RIG, Companion, Limits, Rig, StandIn, Step
from verifier.probe.devices import devices_at_once
from verifier.probe.plan import Parsed
from verifier.probe.roles import Roles, read_roles
from verifier.probe.startup import is_late

_COMPANIONS = 3  # processes beside the session's own
_SERVERS = 8  # TensorFlow servers in all of them
_THREADS = 64  # of one TensorFlow that takes part in a cluster, at most; 46 were counted on two processors
_FIRST_PORT, _LAST_PORT = 1024, 65535
_HOME = "127.0.0.1"
# The sandbox has no file of host names: even this one must be led home.
_ANY_LOCAL = (("localhost", _HOME),)

_OF_WORDS = ("AttributeError", "ImportError", "NameError", "SyntaxError")  # the same on every device
# How TensorFlow says that the others of a cluster do not answer.
_TORN = (
    "UnavailableError",
    "DeadlineExceededError",
    "InternalError",
    "CancelledError",
    "AbortedError",
    "UnknownError",
    "FailedPreconditionError",
    "OSError",
)

Cluster = dict[str, tuple[str, ...]]
Task = tuple[str, int]


def rig_of(programs: Iterable[Parsed]) -> Rig:
    """What a session with these programs needs around it; NO_RIG for code of one process and one device."""
    code = tuple(programs)
    gpus, roles = devices_at_once(code), read_roles(code)
    if not roles.started and not roles.servers:
        return Rig(gpus=gpus) if gpus else NO_RIG
    return _around(roles, gpus)


def _around(roles: Roles, gpus: int) -> Rig:
    loopback = _loopback(roles.cluster)
    companions: tuple[Companion, ...] = ()
    if loopback and roles.started:
        companions = _peers(roles) if roles.peers else _servants(roles)
    return Rig(
        gpus=gpus,
        cluster=tuple(roles.cluster.items()),
        task=roles.own_task,
        companions=companions,
        loopback=loopback or _ANY_LOCAL,
    )


def _tasks(cluster: Cluster, *left_out: str) -> list[Task]:
    return [(kind, index) for kind, every in cluster.items() if kind not in left_out for index in range(len(every))]


def _peers(roles: Roles) -> tuple[Companion, ...]:
    """The other workers of a strategy whose workers all run the same code."""
    tasks = _tasks(roles.cluster, "evaluator")
    others = [task for task in tasks if task != roles.task]
    if roles.task not in tasks or len(others) > _COMPANIONS:
        return ()
    return tuple(Companion(tasks=(task,)) for task in others)


def _servants(roles: Roles) -> tuple[Companion, ...]:
    """The servers that a coordinator needs, those that the document starts itself left out."""
    if roles.from_environment and roles.task and roles.task[0] in {"ps", "worker"}:
        return ()  # it serves, for ever and by itself
    # With TF_CONFIG every process starts its own server; without, those of this one are all there are.
    if None in roles.servers and not roles.from_environment:
        return ()
    own = {*roles.servers, roles.task}
    others = [task for task in _tasks(roles.cluster, "evaluator", "chief", "master") if task not in own]
    if len(others) > _SERVERS:
        return ()
    return tuple(Companion(tasks=tuple(others[n::_COMPANIONS]), serves=True) for n in range(_COMPANIONS) if others[n:])


def _loopback(cluster: Cluster) -> tuple[tuple[str, str], ...]:
    """Where each address of a cluster leads on this machine, all different; none when one of them is no address."""
    led: dict[str, str] = {}
    taken: set[int] = set()
    for address in (address for every in cluster.values() for address in every):
        _, colon, digits = address.rpartition(":")
        if not colon or not digits.isdecimal() or int(digits) > _LAST_PORT:
            return ()
        port = max(int(digits), _FIRST_PORT)
        while port in taken:
            port = port + 1 if port < _LAST_PORT else _FIRST_PORT
        taken.add(port)
        led[address] = f"{_HOME}:{port}"
    return tuple(led.items())


def roomy(limits: Limits, rig: Rig) -> Limits:
    """The limits of a session with room for the threads of its companions; memory and disk stay as they are."""
    tasks = sum(len(companion.tasks) for companion in rig.companions)
    return replace(limits, processes=limits.processes + tasks * _THREADS) if tasks else limits


def companions_of(rig: Rig) -> tuple[str, ...]:
    """The tasks that were played beside a session, as a report names them: `worker 1`."""
    return tuple(f"{kind} {index}" for companion in rig.companions for kind, index in companion.tasks)


def supplied_by(rig: Rig) -> tuple[StandIn, ...]:
    """What a rig supplies that the document takes for granted, for the report."""
    found = []
    if rig.gpus:
        count = f"{rig.gpus} logical CPU device{'s' if rig.gpus > 1 else ''}"
        role = f"{count} stand{'' if rig.gpus > 1 else 's'} in for the GPU{'s' if rig.gpus > 1 else ''} that it names"
        found.append(StandIn(name="GPU", role=role, code=""))
    if rig.companions:
        found.append(StandIn(name="cluster", role=_played(rig), code=""))
    return tuple(found)


def tainted_by(rig: Rig, steps: Iterable[Step]) -> tuple[int, ...]:
    """Statements whose fault or output may come from what stands in, not from the code."""
    return tuple(step.statement for step in steps if _may_cause(rig, step))


def _may_cause(rig: Rig, step: Step) -> bool:
    if step.fault is not None:
        torn = any(step.fault.is_a(name) for name in _TORN) or is_late(step)
        of_words = any(step.fault.is_a(name) for name in _OF_WORDS)
        return bool((rig.gpus and not of_words) or (rig.companions and torn))
    printed = step.stdout + (step.value or "")
    return ("CPU:" in printed and bool(rig.gpus)) or (_HOME in printed and bool(rig.loopback))


def _played(rig: Rig) -> str:
    others = ", ".join(companions_of(rig))
    moved = ", ".join(f"{written} at {led}" for written, led in rig.loopback if not _is_local(written))
    how = "as a server" if rig.companions[0].serves else "with the same code"
    return f"{_own_part(rig)}; beside it, each {how}: {others}" + (f" ({moved})" if moved else "")


def _own_part(rig: Rig) -> str:
    if rig.task is None:
        return "ran as the coordinator of a cluster on this machine"
    kind, index = rig.task
    count = len(dict(rig.cluster).get(kind, ()))
    return f"ran as {kind} {index} of {count} on this machine" if count > 1 else f"ran as {kind} on this machine"


def _is_local(address: str) -> bool:
    return address.rpartition(":")[0] in {"localhost", _HOME}
