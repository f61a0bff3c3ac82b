"""The filter, run through a small BPF machine: what it allows and denies on both architectures."""

from __future__ import annotations

import errno
import importlib.util
import struct
import sys

import pytest

from verifier.sandbox.definition import guest_folder

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


@pytest.fixture(scope="module")
def seccomp():
    spec = importlib.util.spec_from_file_location("guest_seccomp", guest_folder() / "seccomp.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.modules.pop("guest_seccomp", None)


def judge(program: bytes, number: int, architecture: int, *arguments: int) -> int:
    data = struct.pack("<IIQ6Q", number, architecture, 0, *(list(arguments) + [0] * 6)[:6])
    accumulator, at = 0, 0
    while True:
        code, true, false, value = struct.unpack_from("<HBBI", program, 8 * at)
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif code == 0x54:
            accumulator &= value
        elif code == 0x15:
            at += true if accumulator == value else false
        elif code == 0x35:
            at += true if accumulator >= value else false
        else:
            assert code == 0x06
            return value


CASES = [
    # machine, number, arguments, verdict
    ("x86_64", 0, (), ALLOW),  # read
    ("x86_64", 101, (), ERRNO | errno.EPERM),  # ptrace
    ("x86_64", 272, (), ERRNO | errno.EPERM),  # unshare
    ("x86_64", 435, (), ERRNO | errno.ENOSYS),  # clone3
    ("x86_64", 56, (0x11,), ALLOW),  # fork
    ("x86_64", 56, (0x3D0F00,), ALLOW),  # a thread
    ("x86_64", 56, (0x10000011,), ERRNO | errno.EPERM),  # a user namespace
    ("x86_64", 56, (0x40000011,), ERRNO | errno.EPERM),  # a network namespace
    ("x86_64", 41, (1,), ALLOW),
    ("x86_64", 41, (2,), ALLOW),
    ("x86_64", 41, (10,), ALLOW),
    ("x86_64", 41, (16,), ERRNO | errno.EAFNOSUPPORT),  # netlink
    ("x86_64", 41, (40,), ERRNO | errno.EAFNOSUPPORT),  # vsock
    ("x86_64", 16, (0, 0x5401), ALLOW),
    ("x86_64", 16, (0, 0x5412), ERRNO | errno.EPERM),  # TIOCSTI
    ("x86_64", 16, (0, 0x541C), ERRNO | errno.EPERM),  # TIOCLINUX
    ("x86_64", 302, (0,), ALLOW),
    ("x86_64", 302, (1,), ERRNO | errno.EPERM),  # the limits of another process
    ("x86_64", 0x40000000 + 39, (), ERRNO | errno.ENOSYS),  # x32
    ("aarch64", 63, (), ALLOW),  # read
    ("aarch64", 117, (), ERRNO | errno.EPERM),  # ptrace
    ("aarch64", 97, (), ERRNO | errno.EPERM),  # unshare
    ("aarch64", 220, (0x11,), ALLOW),
    ("aarch64", 220, (0x20000011,), ERRNO | errno.EPERM),
    ("aarch64", 198, (2,), ALLOW),
    ("aarch64", 198, (17,), ERRNO | errno.EAFNOSUPPORT),
    ("aarch64", 261, (7,), ERRNO | errno.EPERM),
]


@pytest.mark.parametrize(("machine", "number", "arguments", "verdict"), CASES)
def test_verdicts(seccomp, machine: str, number: int, arguments: tuple[int, ...], verdict: int) -> None:
    assert judge(seccomp.program(machine), number, ARCHITECTURES[machine], *arguments) == verdict


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_calls_of_another_architecture_kill(seccomp, machine: str) -> None:
    assert judge(seccomp.program(machine), 0, 0x40000003) == KILL


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_every_path_ends(seccomp, machine: str) -> None:
    program = seccomp.program(machine)
    assert len(program) // 8 < 4096
    for number in range(600):
        assert judge(program, number, ARCHITECTURES[machine]) in (ALLOW, ERRNO | errno.EPERM, ERRNO | errno.ENOSYS)
