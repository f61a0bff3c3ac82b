"""The fresh cell of one session: who its first two processes are, what they see and what they may use.

The zygote clones INIT (pid 1 of new namespaces, trusted, runs nothing of the document). INIT makes the file
systems and forks the SNIPPET (pid 2), which gives up every right and only then calls its work. INIT reports
how pid 2 ended; when INIT goes, the kernel kills whatever is left in the cell.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import resource
import signal
import socket

from guest import kernel, seccomp, wire

_NAMESPACES = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWNET | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS
_SAFE = kernel.MS_NOSUID | kernel.MS_NODEV
_SOURCES = 16 << 20  # room for the programs of one session
_OPEN_FILES = 1024
_INODES = 16384
_SCRATCH = {"/tmp": "1777", "/dev/shm": "1777", "/scratch": "0700"}
# Where the private descriptors of a session live: above what programs commonly close in a loop of 3 to 255.
_HIGH = 900
# Address space is no memory: TensorFlow reserves about 2 GiB before it uses any.
_RESERVED = 4 << 30

SETUP_FAILED = 96  # exit status of a SNIPPET that never began
CHANNEL_CLOSED = 97  # exit status of a SNIPPET that can no longer report


class Pipes:
    """The ends of the pipes that a cell writes to."""

    def __init__(self, claims, stdout, stderr, status):
        self.claims = claims
        self.stdout = stdout
        self.stderr = stderr
        self.status = status


def can_nest():
    """Whether this process may make cells. Tried once, in a child, before anything big is loaded."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            child = kernel.clone(_NAMESPACES)
            if child == 0:
                _furnish()
                kernel.loopback_up()
                os._exit(0)
            code = os.waitpid(child, 0)[1]
        finally:
            os._exit(1 if code else 0)
    return os.waitpid(pid, 0)[1] == 0


def open_cell(pipes, job, ident, nested, work):
    """Make a cell that waits for its job on the descriptor `job`; returns the pid of INIT.

    `work(job, claims, marks)` runs in the SNIPPET and must not return.
    """
    pid = kernel.clone(_NAMESPACES) if nested else os.fork()
    if pid == 0:
        try:
            _init(pipes, job, ident, nested, work)
        except BaseException as error:
            _report(pipes.status, setup=str(error))
        os._exit(1)
    return pid


def _report(descriptor, **facts):
    try:
        os.write(descriptor, json.dumps(facts).encode("ascii"))
    except OSError:
        pass  # nobody is left to be told


def _init(pipes, source, ident, nested, work):
    kernel.die_with_parent()
    os.setsid()
    if nested:
        _furnish()
        kernel.loopback_up()
    kernel.hide_memory()
    _show_pid(ident)
    try:
        job = wire.receive(source)
    except wire.Closed:
        os._exit(0)  # nobody needs this cell
    if nested:
        _size(job["limits"]["scratch"])
    _write_sources(job.get("programs", ()))
    if nested:
        kernel.mount("none", "/code", "", _SAFE | kernel.MS_REMOUNT | kernel.MS_RDONLY)
    _join_group(ident)
    pid = os.fork()
    if pid == 0:
        code = SETUP_FAILED
        try:
            claims, marks = _confine(job["limits"], pipes)
            code = CHANNEL_CLOSED
            work(job, claims, marks)
        except BaseException as error:
            if code == SETUP_FAILED:
                _report(pipes.status, setup=repr(error))
        os._exit(code)
    for descriptor in (pipes.claims, pipes.stdout, pipes.stderr):
        os.close(descriptor)
    _reap(pid, pipes.status)
    os._exit(0)


def _reap(snippet, descriptor):
    """Wait until the SNIPPET is gone, burying orphans meanwhile."""
    while True:
        pid, status, usage = os.wait4(-1, 0)
        if pid == snippet:
            _report(descriptor, status=status, seconds=usage.ru_utime + usage.ru_stime, peak=usage.ru_maxrss * 1024)
            return


def _show_pid(ident):
    """Let the host see our true pid, which the kernel writes beside the message."""
    with socket.socket(fileno=os.dup(ident)) as channel:
        channel.send(b"here")


def _join_group(ident):
    """Wait until the host has put us into a control group; nothing was used before."""
    with socket.socket(fileno=os.dup(ident)) as channel:
        channel.recv(1)


def _furnish():
    """Private file systems: process list of this cell only, empty scratch folders, a place for the programs."""
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    for options in ("hidepid=invisible,subset=pid", "hidepid=2", ""):
        try:
            kernel.mount("proc", "/proc", "proc", _SAFE | kernel.MS_NOEXEC, options)
            break
        except OSError as error:
            if error.errno != errno.EINVAL or not options:
                raise
    for folder, mode in _SCRATCH.items():
        kernel.mount("tmpfs", folder, "tmpfs", _SAFE, "nr_inodes=%d,mode=%s" % (_INODES, mode))
    kernel.mount("tmpfs", "/code", "tmpfs", _SAFE, "size=%d,mode=0755" % _SOURCES)


def _size(scratch):
    """Set how much each scratch folder holds."""
    for folder in _SCRATCH:
        kernel.mount("none", folder, "", _SAFE | kernel.MS_REMOUNT, "size=%d" % scratch)


def _write_sources(programs):
    for program in programs:
        with open(program["path"], "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.write(program["code"])


def _confine(limits, pipes):
    """Take every right from the SNIPPET; returns (claims descriptor, (stdout, stderr) for marks)."""
    os.setsid()
    for number in range(1, signal.NSIG):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            try:
                signal.signal(number, signal.SIG_DFL)
            except (OSError, ValueError):
                pass  # reserved by libc
    os.umask(0o022)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    high = [_raise(end) for end in (pipes.claims, pipes.stdout, pipes.stderr)]
    os.dup2(pipes.stdout, 1)
    os.dup2(pipes.stderr, 2)
    os.closerange(3, _HIGH)
    os.closerange(max(high) + 1, _OPEN_FILES + 64)
    os.chdir("/scratch")
    _limit(limits)
    kernel.drop_capabilities()
    kernel.no_new_privileges()
    kernel.install_filter(seccomp.program(platform.machine()))
    return high[0], (high[1], high[2])


def _raise(descriptor):
    """A copy of a descriptor out of the way of programs, closed when another program is executed."""
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _HIGH)


def _limit(limits):
    space = limits["memory"] + _RESERVED
    seconds = int(limits["wall_seconds"] * (os.cpu_count() or 1)) + 5
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, space),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, limits["scratch"]),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        _, most = resource.getrlimit(kind)
        allowed = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(kind, (allowed, allowed))


# Loaded now: after the fork only this module's own code should run.
ctypes.get_errno()
