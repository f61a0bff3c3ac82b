"""Which system calls a session is denied. A deny-list: TensorFlow's needs are too many to list.

Denied calls fail with EPERM (the program sees an error and goes on); clone3 fails with ENOSYS, so that libc falls
back to clone, whose flags can be read; calls of another architecture end the process.
"""

from __future__ import annotations

import errno
import struct

# name -> (number on x86_64, number on aarch64); None where the architecture has no such call.
_DENIED = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "uselib": (134, None),
    "personality": (135, 92),
    "vhangup": (153, 58),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
    "mbind": (237, 235),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "set_mempolicy": (238, 237),
}
# Memory that no process seems to use: denied where only watching keeps a session within its limit.
_UNSEEN = {"memfd_create": (319, 279), "shmget": (29, 194), "memfd_secret": (447, 447)}
_CLONE = (56, 220)
_CLONE3 = (435, 435)
_SOCKET = (41, 198)
_IOCTL = (16, 29)
_PRLIMIT = (302, 261)

_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_X32_BIT = 0x40000000
_NEW_NAMESPACES = 0x7E020080  # every CLONE_NEW* flag of clone()
_FAMILIES = (0, 1, 2, 10)  # unspecified, UNIX, INET, INET6
_TERMINAL_INJECTION = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX

_LOAD, _AND = 0x20, 0x54
_EQUAL, _AT_LEAST, _RETURN = 0x15, 0x35, 0x06
_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_ERRNO = 0x00050000
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16


def _instruction(code, value, true=0, false=0):
    return struct.pack("<HBBI", code, true, false, value)


def _fail(code):
    return _instruction(_RETURN, _ERRNO | code)


def _low(argument):
    return _instruction(_LOAD, _ARGUMENTS_AT + 8 * argument)


def _guard(number, body):
    """`body` for one system call; it must end by returning, or fall through with the number loaded again."""
    return [_instruction(_EQUAL, number, 0, len(body)), *body]


def program(machine):
    """The filter for `machine` (`x86_64`, `aarch64`) as packed instructions; KeyError for any other."""
    _, column = _ARCHITECTURES[machine]
    code = _begin(machine)
    if machine == "x86_64":
        code += [_instruction(_AT_LEAST, _X32_BIT, 0, 1), _fail(errno.ENOSYS)]
    for numbers in sorted(_DENIED.values()):
        if numbers[column] is not None:
            code += _guard(numbers[column], [_fail(errno.EPERM)])
    allow = _instruction(_RETURN, _ALLOW)
    code += _guard(_CLONE3[column], [_fail(errno.ENOSYS)])
    code += _guard(
        _CLONE[column],
        [_low(0), _instruction(_AND, _NEW_NAMESPACES), _instruction(_EQUAL, 0, 0, 1), allow, _fail(errno.EPERM)],
    )
    families = [_instruction(_EQUAL, family, len(_FAMILIES) - place, 0) for place, family in enumerate(_FAMILIES)]
    code += _guard(_SOCKET[column], [_low(0), *families, _fail(errno.EAFNOSUPPORT), allow])
    requests = [_instruction(_EQUAL, request, 2 - place, 0) for place, request in enumerate(_TERMINAL_INJECTION)]
    code += _guard(_IOCTL[column], [_low(1), *requests, allow, _fail(errno.EPERM)])
    # Limits of oneself only: pid 1 shares the user id.
    code += _guard(_PRLIMIT[column], [_low(0), _instruction(_EQUAL, 0, 0, 1), allow, _fail(errno.EPERM)])
    code.append(allow)
    return b"".join(code)


def unseen(machine):
    """A further filter that denies memory which no process seems to use, as a kernel without it would."""
    _, column = _ARCHITECTURES[machine]
    code = _begin(machine)
    for numbers in sorted(_UNSEEN.values()):
        code += _guard(numbers[column], [_fail(errno.ENOSYS)])
    code.append(_instruction(_RETURN, _ALLOW))
    return b"".join(code)


def _begin(machine):
    """End calls of another architecture, and load the number of the call."""
    return [
        _instruction(_LOAD, _ARCHITECTURE_AT),
        _instruction(_EQUAL, _ARCHITECTURES[machine][0], 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NUMBER_AT),
    ]
