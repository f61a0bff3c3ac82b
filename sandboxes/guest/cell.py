"""The fresh cell of one session: who its first two processes are, what they see and what they may use.

The zygote clones INIT (pid 1 of new namespaces, trusted, runs nothing of the document). INIT makes the file
systems and forks the SNIPPET (pid 2), which gives up every right and only then calls its work. INIT reports
how pid 2 ended; when INIT goes, the kernel kills whatever is left in the cell.
"""

from __future__ import annotations

import _signal
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
# The zygote, INIT and those of the wall count too. A control group, where there is one, must refuse first: it tells us.
_OUR_PROCESSES = 8
# Where the private descriptors of a session live: above what programs commonly close in a loop of 3 to 255.
_HIGH = 900
# Address space is no memory: TensorFlow reserves about 2 GiB before it uses any.
_RESERVED = 4 << 30

# Who goes when memory runs out: the SNIPPET, then INIT with all that a dead snippet left in the cell, never the zygote.
_INIT_DIES, _SNIPPET_DIES = 900, 1000
# The interpreter ignores these two, so that they become errors.
_IGNORED = (signal.SIGPIPE, signal.SIGXFSZ)


def is_over(report):
    """Whether what a cell has reported so far tells of its end."""
    return b'"status":' in report and report.endswith(b"\n")


class Pipes:
    """The ends of the pipes that a cell writes to."""

    def __init__(self, claims, notices, stdout, stderr, status):
        self.claims = claims
        self.notices = notices
        self.stdout = stdout
        self.stderr = stderr
        self.status = status

    def of_snippet(self):
        """Those that the SNIPPET keeps."""
        return self.claims, self.notices, self.stdout, self.stderr


class Ends:
    """What a SNIPPET speaks on: descriptors for claims and notices, and two for marks among what it prints."""

    def __init__(self, claims, notices, *marks):
        self.claims = claims
        self.notices = notices
        self.marks = marks


class Snippet:
    """What the process at the bottom of a cell finds itself with: its job, and the ends to speak on."""

    def __init__(self, job, ends):
        self.job = job
        self.ends = ends


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


def open_cell(pipes, job, ident, nested):
    """Make a cell that waits for its job on the descriptor `job`. Returns twice, like a fork.

    In the caller: the pid of INIT. In the SNIPPET, once the job is there: a Snippet. Nothing of our own is to be
    left on the stack below a document, so the SNIPPET climbs down from here.
    """
    pid = kernel.clone(_NAMESPACES) if nested else os.fork()
    if pid:
        return pid
    try:
        return _init(pipes, job, ident, nested)
    except BaseException as error:
        _report(pipes.status, setup=str(error))
    os._exit(1)


def _report(descriptor, **facts):
    try:
        os.write(descriptor, json.dumps(facts).encode("ascii") + b"\n")
    except OSError:
        pass  # nobody is left to be told


def _init(pipes, source, ident, nested):
    kernel.die_with_parent()
    os.setsid()
    # What pid 1 does not handle cannot reach it from inside its cell.
    _reset_signals()
    if nested:
        _furnish()
        kernel.loopback_up()
    kernel.die_first(_INIT_DIES)
    kernel.hide_memory()
    inner, give = os.pipe()
    snippet = os.fork()
    if snippet == 0:
        try:
            return _snippet(pipes, inner, ident)
        except wire.Closed:
            os._exit(0)
        except BaseException as error:
            _report(pipes.status, setup=repr(error))
        os._exit(1)
    for descriptor in (*pipes.of_snippet(), inner):
        os.close(descriptor)
    try:
        payload = wire.receive_bytes(source)
    except wire.Closed:
        os._exit(0)  # nobody needs this cell
    job = json.loads(payload.decode("utf-8"))
    if nested:
        _size(job["limits"]["scratch"])
    _write_sources(job.get("programs", ()))
    if nested:
        kernel.mount("none", "/code", "", _SAFE | kernel.MS_REMOUNT | kernel.MS_RDONLY)
    _show_pid(ident, job["ticket"])
    wire.send(give, wire.MESSAGE, payload)
    _reap(snippet, pipes.status)
    os._exit(0)


def _snippet(pipes, source, ident):
    """Become harmless, wait for the job and for the host to have put us under our limits; returns the Snippet."""
    ends, source, ident, status = _confine(pipes, source, ident)
    pipes.status = status
    job = wire.receive(source)
    os.close(source)
    _limit(job["limits"])
    if not job["counted"]:
        kernel.install_filter(seccomp.unseen(platform.machine()))
    _show_pid(ident, job["ticket"])
    _join_group(ident, job["ticket"])
    # Until here our failures are told.
    os.close(status)
    return Snippet(job, ends)


def _reap(snippet, descriptor):
    """Wait until the SNIPPET is gone, burying orphans meanwhile."""
    while True:
        pid, status, usage = os.wait4(-1, 0)
        if pid == snippet:
            _report(descriptor, status=status, seconds=usage.ru_utime + usage.ru_stime, peak=usage.ru_maxrss * 1024)
            return


def _show_pid(ident, ticket):
    """Let the host see our true pid, which the kernel writes beside the message; in a container nobody looks."""
    if ident is not None:
        with socket.socket(fileno=os.dup(ident)) as channel:
            channel.send(ticket.encode("ascii"))


def _join_group(ident, ticket):
    """Wait until the host has put this cell into a control group. A container is one already.

    `ticket` is this session's: what was meant for a cell before this one is passed over.
    """
    if ident is None:
        return
    with socket.socket(fileno=ident) as channel:
        while channel.recv(64) not in (ticket.encode("ascii"), b""):
            pass


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


def _confine(pipes, source, ident):
    """Take every right from this process; (the Ends it keeps, where the job comes from, ident, status pipe)."""
    kernel.die_with_parent()
    os.setsid()
    kernel.die_first(_SNIPPET_DIES)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.umask(0o022)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    kept = [_raise(end) for end in pipes.of_snippet()]
    source, ident, status = (end if end is None else _raise(end) for end in (source, ident, pipes.status))
    os.dup2(pipes.stdout, 1)
    os.dup2(pipes.stderr, 2)
    os.closerange(3, _HIGH)
    os.closerange(status + 1, _OPEN_FILES + 64)
    os.chdir("/scratch")
    kernel.drop_capabilities()
    kernel.no_new_privileges()
    kernel.install_filter(seccomp.program(platform.machine()))
    return Ends(*kept), source, ident, status


def _reset_signals():
    for number in range(1, _signal.NSIG):
        if number not in _IGNORED:
            try:
                _signal.signal(number, _signal.SIG_DFL)
            except (OSError, ValueError):
                pass  # reserved by the kernel or by libc


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
        (resource.RLIMIT_NPROC, limits["processes"] + _OUR_PROCESSES),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        _, most = resource.getrlimit(kind)
        allowed = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(kind, (allowed, allowed))


# Loaded now: after the fork only this module's own code should run.
ctypes.get_errno()
