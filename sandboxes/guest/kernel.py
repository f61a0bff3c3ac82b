"""Calls of the Linux kernel that Python does not offer. Hides numbers, structures and libc.

Every function raises OSError with the kernel's own reason.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import signal
import socket
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_SECCOMP_MODE_FILTER = 2
_SIOCSIFFLAGS = 0x8914
_SIOCGIFFLAGS = 0x8913
_IFF_UP = 1
_LARGE = 2 << 20
_MADV_COLLAPSE = 25

_SYS_CLONE = {"x86_64": 56, "aarch64": 220}
_SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

_libc = ctypes.CDLL(None, use_errno=True)
# Keeps the interpreter lock over the call: after clone() nobody else could give it back in the child.
_held = ctypes.PyDLL(None, use_errno=True)


def _check(result, what):
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, "%s: %s" % (what, os.strerror(code)))
    return result


def clone(flags):
    """Fork into new namespaces; 0 in the child, its pid in the parent.

    Unlike os.fork() this tells neither Python nor libc; a child may do little more than mount and fork.
    """
    number = _SYS_CLONE[platform.machine()]
    zero = ctypes.c_ulong(0)
    arguments = (ctypes.c_long(number), ctypes.c_ulong(flags | signal.SIGCHLD), zero, zero, zero, zero)
    return _check(_held.syscall(*arguments), "clone")


def mount(source, target, kind, flags, options=""):
    """Mount a file system."""
    result = _libc.mount(
        source.encode(), target.encode(), kind.encode() if kind else None, ctypes.c_ulong(flags), options.encode()
    )
    _check(result, "mount " + target)


def unmount(target, flags):
    """Take a file system away."""
    _check(_libc.umount2(target.encode(), ctypes.c_int(flags)), "umount " + target)


def pivot_root(new, old):
    """Make `new` the root and put the present one at `old`."""
    number = ctypes.c_long(_SYS_PIVOT_ROOT[platform.machine()])
    _check(_libc.syscall(number, ctypes.c_char_p(new.encode()), ctypes.c_char_p(old.encode())), "pivot_root")


def unshare(flags):
    """Move this process into new namespaces."""
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def _prctl(option, *arguments):
    padded = list(arguments) + [0] * (4 - len(arguments))
    return _check(_libc.prctl(option, *[ctypes.c_ulong(value) for value in padded]), "prctl %d" % option)


class Child:
    """A child of this process, to be killed for certain: by a descriptor where the interpreter has them (3.9).

    Its number cannot become anybody else's before `bury`, because we are its parent and have not waited for it.
    """

    def __init__(self, pid):
        self._pid = pid
        self._handle = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None

    def kill(self):
        """Kill it; its whole cell goes with an init."""
        try:
            if self._handle is None:
                os.kill(self._pid, signal.SIGKILL)
            else:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        except ProcessLookupError:
            pass  # it was quicker

    def bury(self):
        """Wait until it is gone, and with an init all of its cell."""
        os.waitpid(self._pid, 0)
        if self._handle is not None:
            os.close(self._handle)


def die_with_parent():
    """Have the kernel kill this process when its parent dies."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def hide_memory():
    """Deny everyone else a look into this process."""
    _prctl(_PR_SET_DUMPABLE, 0)


def die_first(score):
    """Have the kernel choose this process before those with a lower score, when memory runs out for all; up to 1000."""
    _prctl(_PR_SET_DUMPABLE, 1)  # the files of a process that hides its memory are not its own
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write(str(score))
    except OSError:
        pass  # without it the kernel goes by size alone, which is right nearly always
    hide_memory()


def drop_capabilities():
    """Give up every capability for good."""
    for capability in range(64):
        try:
            _prctl(_PR_CAPBSET_DROP, capability)
        except OSError:
            break
    try:
        _prctl(_PR_CAP_AMBIENT, 4)
    except OSError:
        pass  # kernels without ambient capabilities have none to clear
    header = struct.pack("<Ii", 0x20080522, 0)
    _check(_libc.capset(header, struct.pack("<6I", 0, 0, 0, 0, 0, 0)), "capset")


def no_new_privileges():
    """No program that is executed from here on gains rights."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def install_filter(program):
    """Install a seccomp filter: packed BPF instructions of 8 bytes each."""
    buffer = ctypes.create_string_buffer(program, len(program))
    header = ctypes.create_string_buffer(struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer)))
    _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(header))


def loopback_up():
    """Switch on the loopback device of this network namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(probe, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(probe, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | _IFF_UP))


def flush_streams():
    """Write out what C code has buffered for stdout and stderr."""
    _libc.fflush(None)


def gather_pages():
    """Have the kernel keep this process's memory in large pages where it can (Linux 6.1).

    A fork and its end, which walk over every page, then take a fraction of the time.
    """
    with open("/proc/self/maps") as maps:
        areas = [line.split() for line in maps]
    for area in areas:
        if area[1] == "rw-p" and (len(area) == 5 or area[5] == "[heap]"):
            begin, end = (int(number, 16) for number in area[0].split("-"))
            begin, end = -(-begin // _LARGE) * _LARGE, end // _LARGE * _LARGE
            if begin < end:
                _libc.madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), ctypes.c_int(_MADV_COLLAPSE))
