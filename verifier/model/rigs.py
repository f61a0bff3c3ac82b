"""What surrounds a session whose code is written for several machines or devices: all of it on this machine."""

from __future__ import annotations

from dataclasses import dataclass

Task = tuple[str, int]  # what a cluster calls one of its processes: kind and index


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """A process beside the session's own. It plays these tasks of the cluster.

    `serves`: it only offers TensorFlow servers to the others; else it runs the session's programs in its turn.
    """

    tasks: tuple[Task, ...]
    serves: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rig:
    """The devices and processes that a session is given, and where its addresses lead.

    gpus        devices that answer to names of GPUs; each is a logical CPU device
    cluster     addresses by kind of task, as the code names them
    task        what the session's own process plays; None when the code does not say
    companions  the processes that play the others
    loopback    address in the code -> address on this machine, where they differ
    """

    gpus: int = 0
    cluster: tuple[tuple[str, tuple[str, ...]], ...] = ()
    task: Task | None = None
    companions: tuple[Companion, ...] = ()
    loopback: tuple[tuple[str, str], ...] = ()


NO_RIG = Rig()
