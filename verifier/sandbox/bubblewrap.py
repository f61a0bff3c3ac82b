"""Bubblewrap's wall, and the sandbox that stands on it.

bwrap is told to die with the *thread* that started it, so that thread waits for it and lives as long as it does.
When the host is killed the kernel ends bwrap, and with bwrap's process namespace everything inside.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator

from verifier.errors import SandboxUnavailable
from verifier.model import Environment, Limits
from verifier.sandbox.cgroup import make_group
from verifier.sandbox.environment import EnvironmentFolder, ensure
from verifier.sandbox.frames import LinkDecoder, encode_message
from verifier.sandbox.launch import Descriptors, account_data, bubblewrap_version, command, explain, find_bubblewrap
from verifier.sandbox.wall import START_SECONDS, Hello, Wall, WallGone, read_hello
from verifier.sandbox.warm import WarmSandbox

_END_SECONDS = 10.0
_CHUNK = 1 << 18


class BubblewrapWall:
    """Implements `verifier.sandbox.wall.Wall`."""

    def __init__(self, bwrap: str, environment: EnvironmentFolder, *, drop: bool) -> None:
        self._command = (bwrap, environment, drop)
        self._link, self._inner_link = socket.socketpair()
        self._ident, self._inner_ident = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ident.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._errors = os.fdopen(os.memfd_create("wall-errors"), "w+b")
        self._decoder = LinkDecoder()
        self._process: subprocess.Popen[bytes] | None = None
        self._spawned = threading.Event()
        self._spawn_error: Exception | None = None
        self._hello: Hello | None = None
        self._keeper = threading.Thread(target=self._keep, name="sandbox-wall", daemon=True)
        self._keeper.start()

    def hello(self) -> Hello:
        """Wait until the guest is ready; raises SandboxUnavailable with what its wall said."""
        if self._hello is None:
            self._hello = self._await_hello()
        return self._hello

    def restrict(self, limits: Limits) -> None:
        """Nothing: the limits are kept by a control group, by watching and by the guest."""

    def send(self, message: dict[str, object]) -> None:
        """Send one message; raises WallGone."""
        try:
            self._link.sendall(encode_message(message))
        except OSError as error:
            raise WallGone from error

    def receive(self, seconds: float, *, meeting: bool = False) -> Iterator[tuple[int, bytes]]:
        """The frames that come within `seconds`, perhaps none; raises WallGone and ProtocolError.

        `meeting`: return as soon as `meet` has an answer, too.
        """
        ends = [self._link, self._ident] if meeting else [self._link]
        ready, _, _ = select.select(ends, [], [], max(seconds, 0.0))
        if self._link not in ready:
            return
        try:
            data = self._link.recv(_CHUNK)
        except OSError as error:
            raise WallGone from error
        if not data:
            raise WallGone
        yield from self._decoder.feed(data)

    def meet(self, ticket: bytes) -> int | None:
        """Pid, as this machine counts, of the init of the cell with this ticket; None as long as it is not there."""
        if not select.select([self._ident], [], [], 0)[0]:
            return None
        size = socket.CMSG_SPACE(struct.calcsize("3i"))
        shown, controls, _, _ = self._ident.recvmsg(64, size)
        if shown != ticket:
            return None  # of a cell that died before it was met
        for level, kind, data in controls:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                pid: int = struct.unpack_from("3i", data)[0]
                return pid
        return None

    def dismiss(self, ticket: bytes) -> None:
        """Let the init that was met go on."""
        with contextlib.suppress(OSError):
            self._ident.send(ticket)

    def close(self) -> None:
        """Kill everything behind the wall and wait until it is gone."""
        self._spawned.wait(_END_SECONDS)
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        self._keeper.join(_END_SECONDS)
        for end in (self._link, self._ident):
            end.close()
        self._errors.close()

    def complaint(self) -> str:
        """What the wall and the guest wrote on stderr."""
        self._errors.seek(0)
        return self._errors.read()[-4096:].decode("utf-8", "replace")

    def _keep(self) -> None:
        try:
            self._spawn()
        except Exception as error:  # noqa: BLE001 - handed to whoever waits for the wall
            self._spawn_error = error
        finally:
            self._inner_link.close()
            self._inner_ident.close()
            self._spawned.set()
        if self._process is not None:
            self._process.wait()

    def _spawn(self) -> None:
        bwrap, environment, drop = self._command
        account = os.memfd_create("passwd")
        try:
            os.write(account, account_data())
            os.lseek(account, 0, os.SEEK_SET)
            link, ident = self._inner_link.fileno(), self._inner_ident.fileno()
            given = Descriptors(link=link, ident=ident, account=account)
            self._process = subprocess.Popen(
                command(bwrap, environment, given, drop=drop),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=(link, ident, account),
                env={},
                cwd="/",
                # A Ctrl-C at the terminal is for us to handle.
                start_new_session=True,
            )
        finally:
            os.close(account)

    def _await_hello(self) -> Hello:
        self._spawned.wait()
        if self._spawn_error is not None:
            raise SandboxUnavailable(f"The sandbox did not start: {self._spawn_error}") from self._spawn_error
        until = time.monotonic() + START_SECONDS
        try:
            while (left := until - time.monotonic()) > 0:
                for channel, payload in self.receive(left):
                    return read_hello(channel, payload)
        except WallGone:
            raise SandboxUnavailable(explain(self.complaint())) from None
        raise SandboxUnavailable(f"The sandbox was not ready after {START_SECONDS:.0f} s; is the machine overloaded?")


class BubblewrapSandbox(WarmSandbox):
    """Implements `verifier.sandbox.base.Sandbox`."""

    def __init__(self, name: str, progress: Callable[[str], None] = lambda _: None) -> None:
        super().__init__()
        self._name = name
        self._progress = progress
        self._folder: EnvironmentFolder | None = None
        self._version = ""
        self._drop = os.geteuid() == 0

    def _open_wall(self) -> Wall:
        bwrap = find_bubblewrap()
        self._version = self._version or bubblewrap_version(bwrap)
        self._folder = self._folder or ensure(self._name, self._progress)
        self._group = self._group or make_group()
        wall = BubblewrapWall(bwrap, self._folder, drop=self._drop)
        try:
            wall.hello()
        except BaseException as error:
            wall.close()
            if not self._drop or not isinstance(error, SandboxUnavailable):
                raise
            # Where nobody may not see the environment or make namespaces, root's own wall may still do.
            self._drop = False
            return self._open_wall()
        return wall

    def _describe(self, hello: Hello) -> Environment:
        assert self._folder is not None  # noqa: S101 - a ready wall has one
        cells = "a fresh cell per session" if hello.nested else "one wall per session (no nested namespaces)"
        memory = "memory by control group" if self._group else "memory by watching"
        isolation = f"{self._version}: user, mount, pid, net and ipc namespaces, seccomp, {cells}, {memory}"
        return self._folder.describe(backend="bubblewrap", isolation=isolation)
