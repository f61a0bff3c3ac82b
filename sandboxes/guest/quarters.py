"""What a container lacks of bubblewrap's wall: a user namespace of our own, and a root with only what sessions see.

A container gives its processes no right at all. Inside a user namespace of its own the zygote may make cells, and
may leave the container's root, with its /sys and /etc, for one that holds nothing but what programs need to run.
"""

from __future__ import annotations

import contextlib
import os
import sys

from guest import kernel

_ROOT = "/tmp/root"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/env", "/opt/guest")
_SETTINGS = ("/etc/ld.so.cache", "/etc/ssl/certs", "/etc/fonts", "/etc/alternatives")
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}
_SCRATCH = {"/tmp": "1777", "/scratch": "0700", "/dev/shm": "1777", "/code": "0755"}
_SIZE = 64 << 20
_SAFE = kernel.MS_NOSUID | kernel.MS_NODEV


def settle():
    """Move in where the kernel lets us. To be called before there is a second thread."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            _move_in()
            code = 0
        finally:
            os._exit(code)
    if os.waitpid(pid, 0)[1] == 0:  # half a move would be worse than none
        _move_in()


def _move_in():
    _own_namespace()
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("tmpfs", "/tmp", "tmpfs", _SAFE, "size=1m,mode=0755")
    for path in _SYSTEM + _SETTINGS + _own_prefix():
        _take_along(path)
    with open(_ROOT + "/etc/hosts", "w") as file:
        file.write("127.0.0.1 localhost\n::1 localhost\n")
    with open(_ROOT + "/etc/passwd", "w") as file:
        file.write("user:x:%d:%d::/scratch:/bin/sh\n" % (os.getuid(), os.getgid()))
    _make_devices()
    _bind("/proc", _ROOT + "/proc")
    for folder, mode in _SCRATCH.items():
        os.makedirs(_ROOT + folder, exist_ok=True)
        kernel.mount("tmpfs", _ROOT + folder, "tmpfs", _SAFE, "size=%d,mode=%s" % (_SIZE, mode))
    _enter()
    _forbid_namespaces()


def _own_namespace():
    """Enter new namespaces in which our own user, under its own number, has every right."""
    maps = {
        "setgroups": "deny",
        "uid_map": "%d %d 1" % ((os.getuid(),) * 2),
        "gid_map": "%d %d 1" % ((os.getgid(),) * 2),
    }
    kernel.unshare(kernel.CLONE_NEWUSER | kernel.CLONE_NEWNS)
    for name, text in maps.items():
        with open("/proc/self/" + name, "w") as file:
            file.write(text)


def _own_prefix():
    """Where the interpreter itself lives, unless that is among the rest."""
    return () if sys.base_prefix.startswith("/usr") else (sys.base_prefix,)


def _take_along(path):
    """Show a file, folder or link of the container in the new root; what there is not is left out."""
    target = _ROOT + path
    if os.path.islink(path) and path in _SYSTEM:
        os.symlink(os.readlink(path), target)
    elif os.path.exists(path):
        _bind(path, target)


def _bind(path, target):
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w"):
            pass  # a place for a file to be mounted on
    kernel.mount(path, target, "", kernel.MS_BIND | kernel.MS_REC)


def _make_devices():
    os.makedirs(_ROOT + "/dev")
    for name in _DEVICES:
        if os.path.exists("/dev/" + name):
            _bind("/dev/" + name, _ROOT + "/dev/" + name)
    for name, target in _LINKS.items():
        os.symlink(target, _ROOT + "/dev/" + name)
    with contextlib.suppress(OSError):
        os.makedirs(_ROOT + "/dev/pts")
        kernel.mount("devpts", _ROOT + "/dev/pts", "devpts", kernel.MS_NOSUID, "newinstance,ptmxmode=0666,mode=620")
        os.symlink("pts/ptmx", _ROOT + "/dev/ptmx")


def _enter():
    """Make the new root the root, with no way back to the old one."""
    kernel.mount(_ROOT, _ROOT, "", kernel.MS_BIND | kernel.MS_REC)
    os.chdir(_ROOT)
    kernel.pivot_root(".", ".")
    kernel.unmount(".", kernel.MNT_DETACH)
    kernel.mount("none", "/", "", kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY | _SAFE)
    os.chdir("/scratch")


def _forbid_namespaces():
    """No user namespace below this one; a second lock beside the filter of each session."""
    with contextlib.suppress(OSError), open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")
