"""The other processes and devices of a session whose code is written for several: who plays them, and how.

Companions are forked before TensorFlow runs anything, inside the same cell and under the same limits; what they
print and claim goes nowhere, and they end with the cell.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal

from guest import devices, kernel

_COORDINATOR_THREADS = 2
# TensorFlow polls 64 connections with a thread each; a session may have 128 threads in all.
_THRIFT = {"TF_GRPC_WORKER_CACHE_QUEUES": "2", "TF_GRPC_WORKER_CACHE_THREADS": "2"}


def assemble(rig, descriptors):
    """Surround this process with what its session needs; returns whether it is a companion itself.

    `descriptors` are those on which a session reports. Must be called before TensorFlow runs an operation.
    """
    for name, value in _THRIFT.items():
        os.putenv(name, value)  # for TensorFlow alone: the session's code does not see it
    for companion in rig["companions"]:
        if os.fork() == 0:
            _become(companion, rig, descriptors)
            return True
    _prepare(rig)
    return False


def linger():
    """Wait for the end of the cell: a task that leaves takes the others' cluster with it."""
    while True:
        signal.pause()


def _become(companion, rig, descriptors):
    kernel.die_with_parent()
    null = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2, *descriptors):
        os.dup2(null, descriptor)
    _prepare(rig)
    if companion["serves"]:
        _serve(companion["tasks"], rig)
    _take_part(*companion["tasks"][0])


def _prepare(rig):
    if rig["gpus"]:
        # Releases that keep their devices otherwise go without, as the code would without this.
        with contextlib.suppress(ImportError, AttributeError):
            devices.lend(rig["gpus"])
    if rig["loopback"]:
        _lead_home(dict(rig["loopback"]))


def _lead_home(loopback):
    """Let the addresses of other machines mean this one wherever TensorFlow connects; the code still reads its own."""
    from tensorflow.python.training import server_lib

    as_written = server_lib.ClusterSpec.as_cluster_def

    def as_cluster_def(self):
        definition = type(as_written(self))()
        definition.CopyFrom(as_written(self))
        for job in definition.job:
            for index, address in list(job.tasks.items()):
                job.tasks[index] = _led_home(address, loopback)
        return definition

    server_lib.ClusterSpec.as_cluster_def = as_cluster_def


def _led_home(address, loopback):
    host, colon, port = address.rpartition(":")
    return loopback.get(address) or loopback.get(host, host) + colon + port


def _serve(tasks, rig):
    """Offer a TensorFlow server for each task, for ever."""
    from tensorflow.core.protobuf import config_pb2
    from tensorflow.python.training import server_lib

    cluster = server_lib.ClusterSpec({kind: list(addresses) for kind, addresses in rig["cluster"]})
    # With fewer threads than tasks the servers of one process wait for each other for ever.
    config = config_pb2.ConfigProto(inter_op_parallelism_threads=len(tasks) + _COORDINATOR_THREADS)
    servers = [server_lib.Server(cluster, kind, index, protocol="grpc", config=config) for kind, index in tasks]
    servers[0].join()
    linger()


def _take_part(kind, index):
    """Play a task: the code that sets or names the session's own task sets this one."""
    os.environ.__class__ = type("Environment", (type(os.environ),), {"__setitem__": _setting(kind, index)})
    if "TF_CONFIG" in os.environ:
        os.environ["TF_CONFIG"] = os.environ["TF_CONFIG"]
    from tensorflow.python.distribute.cluster_resolver import cluster_resolver

    as_written = cluster_resolver.SimpleClusterResolver.__init__

    def init(self, *arguments, **options):
        as_written(self, *arguments, **options)
        if self._task_type is not None:
            self._task_type, self._task_id = kind, index

    cluster_resolver.SimpleClusterResolver.__init__ = init


def _setting(kind, index):
    def setting(self, key, value):
        os._Environ.__setitem__(self, key, _as_task(value, kind, index) if key == "TF_CONFIG" else value)

    return setting


def _as_task(text, kind, index):
    try:
        config = json.loads(text)
        config["task"] = {"type": kind, "index": index}
        return json.dumps(config)
    except (TypeError, ValueError):
        return text
