"""Class G: system calls that a session has no business with. Each is refused and the program goes on."""

from __future__ import annotations

import os

import pytest
from attacks.case import Case

from verifier.model import Fate

pytestmark = pytest.mark.sandbox

# name -> number on x86_64 and aarch64; None where the architecture has no such call.
CALLS = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438),
    "kcmp": (312, 272), "process_madvise": (440, 440), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "userfaultfd": (323, 282), "bpf": (321, 280), "perf_event_open": (298, 241),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "unshare": (272, 97), "setns": (308, 268),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "syslog": (103, 116), "iopl": (172, None), "ioperm": (173, None),
    "modify_ldt": (154, None), "personality": (135, 92), "vhangup": (153, 58), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171), "sethostname": (170, 161),
    "setdomainname": (171, 162), "fanotify_init": (300, 262), "lookup_dcookie": (212, 18), "migrate_pages": (256, 238),
    "move_pages": (279, 239), "mknod": (133, None), "nfsservctl": (180, 42), "uselib": (134, None), "clone3": (435, 435),
}  # fmt: skip
COLUMN = {"x86_64": 0, "aarch64": 1}[os.uname().machine]

# A call is made in a child, with arguments that would do something if they could; -1 is what must come of it.
REFUSED = """\
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
buffer = ctypes.create_string_buffer(4096)
def call(name, number, *arguments):
    if number is None: return
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    code = errno.errorcode.get(ctypes.get_errno())
    if result != -1 or code not in ('EPERM', 'ENOSYS', 'EACCES'): print(name, result, code)
"""


def refused(name: str, *calls: tuple, **more) -> Case:
    """A program that makes calls of CALLS, given as (name, argument, …), and prints those that were not refused."""
    lines = [f"call({call!r}, {CALLS[call][COLUMN]}, {', '.join(map(str, arguments))})" for call, *arguments in calls]
    return Case(name=name, code="\n".join([REFUSED, *lines, "print('on')"]), printed="on\n", **more)


def does(name: str, code: str, **more) -> Case:
    return Case(name=name, code=code, **more)


NEW = {"NEWNS": 0x20000, "NEWCGROUP": 0x2000000, "NEWUTS": 0x4000000, "NEWIPC": 0x8000000, "NEWUSER": 0x10000000, "NEWPID": 0x20000000, "NEWNET": 0x40000000}  # fmt: skip
MACHINE_CODE = "import ctypes, mmap\npage = mmap.mmap(-1, 4096, prot=7)\npage.write({code!r})\nctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()\nprint('back')"
SIXTY_FOUR = (
    # getpid by the tables of other architectures, whose numbers mean other calls.
    does("the calls of i386", MACHINE_CODE.format(code=b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"), fate=Fate.CRASHED, detail="SIGSYS|SIGSEGV", ordinary=True),
    does("the calls of x32", "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(libc.syscall(ctypes.c_long(0x40000000 + 39)), ctypes.get_errno())", fate=(Fate.FINISHED, Fate.CRASHED), prints="^(-1 38\n)?$", ordinary=True),
    does("far calls into 32-bit code", "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(libc.syscall(154, 1, ctypes.create_string_buffer(16), 16))", printed="-1\n"),
) if COLUMN == 0 else ()  # fmt: skip

CASES = (
    refused("tracing", ("ptrace", 16, 1, 0, 0), ("ptrace", 0, 0, 0, 0), ordinary=True),
    refused("memory of other processes", ("process_vm_readv", 1, "buffer", 1, "buffer", 1, 0), ("process_vm_writev", 1, "buffer", 1, "buffer", 1, 0)),
    refused("descriptors of other processes", ("pidfd_getfd", "os.pidfd_open(os.getpid())", 0, 0), ("kcmp", 1, 2, 0, 0, 0)),
    refused("io_uring", ("io_uring_setup", 8, "buffer"), ("io_uring_enter", 0, 1, 0, 0, 0, 0), ("io_uring_register", 0, 0, 0, 0), ordinary=True),
    refused("faults handled in user space", ("userfaultfd", 0), ("userfaultfd", 1)),
    refused("programs in the kernel", ("bpf", 0, "buffer", 72), ("bpf", 5, "buffer", 72), ordinary=True),
    refused("performance counters", ("perf_event_open", "buffer", 0, -1, -1, 0)),
    refused("keys", ("add_key", "b'user'", "b'k'", "b'v'", 1, -3), ("request_key", "b'user'", "b'k'", 0, -3), ("keyctl", 0, -3, 1), ("keyctl", 1, 0)),
    refused("new namespaces by unshare", *(("unshare", flag) for flag in NEW.values()), ("unshare", 0x7E020000), ordinary=True),
    refused("old namespaces by setns", ("setns", "os.open('/proc/self/ns/net', os.O_RDONLY)", 0), ("setns", "os.open('/proc/self/ns/user', os.O_RDONLY)", 0)),
    refused("new namespaces by clone3", ("clone3", "buffer", 88)),
    refused("mounting", ("mount", "b'none'", "b'/scratch'", "b'tmpfs'", 0, 0), ("mount", "b'/'", "b'/tmp'", 0, 4096, 0), ("umount2", "b'/proc'", 2), ("umount2", "b'/tmp'", 2), ordinary=True),
    refused("remounting what is read-only", ("mount", "b'none'", "b'/'", 0, 32, 0), ("mount", "b'none'", "b'/code'", 0, 32, 0), ("mount", "b'none'", "b'/usr'", 0, 4128, 0)),
    refused("mounting by the new calls", ("open_tree", -100, "b'/'", 1), ("move_mount", -1, "b''", -100, "b'/tmp'", 4), ("fsopen", "b'tmpfs'", 0), ("fsconfig", 0, 6, 0, 0, 0), ("fsmount", 0, 0, 0), ("fspick", -100, "b'/'", 0), ("mount_setattr", -100, "b'/'", 0, "buffer", 32)),
    refused("another root", ("pivot_root", "b'/scratch'", "b'/scratch'"), ("chroot", "b'/scratch'"), ordinary=True),
    refused("files by handle", ("name_to_handle_at", -100, "b'/'", "buffer", "buffer", 0), ("open_by_handle_at", 0, "buffer", 0), ordinary=True),
    refused("modules of the kernel", ("init_module", "buffer", 4096, "b''"), ("finit_module", 0, "b''", 0), ("delete_module", "b'x'", 0)),
    refused("another kernel", ("kexec_load", 0, 0, 0, 0), ("kexec_file_load", 0, 0, 0, 0, 0), ("reboot", 0xFEE1DEAD, 0x28121969, 0, 0)),
    refused("swap, accounts and quotas", ("swapon", "b'/scratch/s'", 0), ("swapoff", "b'/scratch/s'"), ("acct", "b'/scratch/a'"), ("quotactl", 0, 0, 0, 0), ("quotactl_fd", 0, 0, 0, 0)),
    refused("the log of the kernel", ("syslog", 3, "buffer", 4096), ("syslog", 5, 0, 0)),
    refused("ports of the machine", ("iopl", 3), ("ioperm", 0, 1024, 1), ("modify_ldt", 1, "buffer", 16)),
    refused("another personality", ("personality", 0x0040000), ("personality", 0x0008)),
    refused("clocks", ("settimeofday", "buffer", 0), ("clock_settime", 0, "buffer"), ("clock_adjtime", 0, "buffer"), ("adjtimex", "buffer")),
    refused("names of the host", ("sethostname", "b'x'", 1), ("setdomainname", "b'x'", 1), ("vhangup",)),
    refused("watching file systems", ("fanotify_init", 0, 0), ("lookup_dcookie", 0, "buffer", 4096)),
    refused("placement of pages", ("migrate_pages", 1, 0, 0, 0), ("move_pages", 1, 0, 0, 0, 0, 0)),
    refused("calls from the past", ("uselib", "b'/lib/x'"), ("nfsservctl", 0, 0, 0)),
    does("new namespaces by clone", REFUSED + f"for name, flag in {NEW!r}.items():\n    pid = os.getpid()\n    call(name, {(56, 220)[COLUMN]}, flag | 17, 0, 0, 0, 0)\n    if os.getpid() != pid: os._exit(0)\nprint('on')", printed="on\n", ordinary=True),
    does("new namespaces by a tool", "import subprocess\nfor flags in ('-r', '-m', '-n', '-p', '-i', '-u', '-C'):\n    if subprocess.run(['unshare', flags, 'true'], capture_output=True).returncode == 0: print(flags)", printed="", ordinary=True),
    does("families of sockets", "import socket\nfor family in range(64):\n    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):\n        try: socket.socket(family, kind).close()\n        except OSError: continue\n        if family not in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6) or kind == socket.SOCK_RAW and family != socket.AF_UNIX: print(family, kind)", printed="", ordinary=True),
    does("memory that is writable and executable by huge pages", "import mmap\ntry: mmap.mmap(-1, 2 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000); print('huge')\nexcept OSError: print('refused')", prints="huge|refused"),
    does("locking memory", "import ctypes\nlibc = ctypes.CDLL(None)\nbuffer = ctypes.create_string_buffer(1 << 20)\nprint(libc.mlock(buffer, 1 << 20), libc.mlockall(3))", printed="-1 -1\n"),
    does("real-time scheduling", "import os\ntry: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)); print('real time')\nexcept OSError: print('refused')", printed="refused\n"),
    does("giving up the filter", "import ctypes\nlibc = ctypes.CDLL(None)\nprint(libc.prctl(38, 0, 0, 0, 0), libc.prctl(22, 0, 0, 0, 0), libc.prctl(24, 0, 0, 0, 0) and 1, open('/proc/self/status').read().count('Seccomp:\\t2'))", prints="1$", ordinary=True),
    does("a filter of its own on top", "import ctypes, struct\nlibc = ctypes.CDLL(None)\ncode = ctypes.create_string_buffer(struct.pack('<HBBI', 6, 0, 0, 0x7FFF0000))\nlibc.prctl(22, 2, ctypes.create_string_buffer(struct.pack('@HP', 1, ctypes.addressof(code))), 0, 0)\nprint(libc.syscall(" + f"{CALLS['unshare'][COLUMN]}, 0x10000000))", printed="-1\n"),
    does("a core dump", "import os, resource\ntry: resource.setrlimit(resource.RLIMIT_CORE, (-1, -1))\nexcept ValueError: pass\nos.chdir('/scratch')\nos.abort()", fate=Fate.CRASHED, detail="^SIGABRT$"),
    does("what TensorFlow needs is allowed", "import threading, multiprocessing, mmap, os, socket, tempfile\nmmap.mmap(-1, 1 << 20)\nos.sched_getaffinity(0)\nsocket.socketpair()\ntempfile.TemporaryFile()\nos.pidfd_open(os.getpid())\nimport tensorflow as tf\nprint(int(tf.reduce_sum(tf.ones((64, 64)) @ tf.ones((64, 64)))))", printed="262144\n", ordinary=True),
    *SIXTY_FOUR,
)  # fmt: skip


def test_kernel(attack, case: Case) -> None:
    attack(case)
