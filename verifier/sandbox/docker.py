"""A container as the wall, and the sandbox that stands on it.

The guest's link is the container's standard input and output. Whoever holds the other end keeps the container
alive: when this process is gone, the engine closes the input and the guest ends.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from verifier.errors import SandboxUnavailable
from verifier.model import Environment, Limits
from verifier.sandbox.building import BAKED
from verifier.sandbox.definition import Definition, read_definition, sandboxes_folder
from verifier.sandbox.engine import Attachment, Engine, EngineError, connect
from verifier.sandbox.frames import LinkDecoder, encode_message
from verifier.sandbox.image import SandboxImage, find_image
from verifier.sandbox.launch import session_variables
from verifier.sandbox.multiplex import OUTPUT, Demultiplexer
from verifier.sandbox.profile import Profile
from verifier.sandbox.reconcile import LABEL, is_abandoned, marks
from verifier.sandbox.wall import START_SECONDS, Hello, Wall, WallGone, read_hello
from verifier.sandbox.warm import WarmSandbox

_CHUNK = 1 << 18
_LOG = 1 << 16  # bytes of the guest's errors that are kept
_SEND_SECONDS = 60.0
# What the zygote takes beside its own private memory: page tables, scratch folders, the kernel's own.
_ROOM = 64 << 20
_GRAIN = 32 << 20  # no two starts take exactly the same, and that must not count as another limit
_START_MEMORY = 4 << 30
_START_PROCESSES = 256
_KEPT = 2  # processes that are not the session's: the zygote and the init of the cell


class DockerWall:
    """Implements `verifier.sandbox.wall.Wall`. Raises EngineError when no container can be started."""

    def __init__(self, engine: Engine, profile: Profile) -> None:
        self._engine = engine
        self._decoder = LinkDecoder()
        self._parts = Demultiplexer()
        self._errors = bytearray()
        self._hello: Hello | None = None
        self._limits = self.wanted = (profile.memory, profile.processes)
        self._attachment: Attachment | None = None
        self._container = engine.create(profile.config())
        try:
            # Attached before the start, so that not a word is lost.
            self._attachment = engine.attach(self._container)
            engine.start(self._container)
        except BaseException:
            self.close()
            raise

    def hello(self) -> Hello:
        """Wait until the guest is ready; raises SandboxUnavailable with what its wall said."""
        if self._hello is None:
            self._hello = self._await_hello()
        return self._hello

    def restrict(self, limits: Limits) -> None:
        """Have the engine change the container's limits when the next session's are others; raises WallGone.

        `wanted` is what the next container has to be started with when this one cannot be changed.
        """
        own = -(-self.hello().anonymous // _GRAIN) * _GRAIN
        self.wanted = (limits.memory + own + _ROOM, limits.processes + _KEPT)
        if self.wanted == self._limits:
            return
        try:
            self._engine.update(self._container, memory=self.wanted[0], processes=self.wanted[1])
        except EngineError as error:
            self._errors += f"the limits of this container cannot be changed: {error}".encode()
            raise WallGone from error
        self._limits = self.wanted

    def send(self, message: dict[str, object]) -> None:
        """Send one message; raises WallGone."""
        link = self._connection()
        try:
            link.settimeout(_SEND_SECONDS)
            link.sendall(encode_message(message))
        except OSError as error:
            raise WallGone from error

    def receive(self, seconds: float, *, meeting: bool = False) -> Iterator[tuple[int, bytes]]:  # noqa: ARG002 - nobody is met in a container
        """The frames that come within `seconds`, perhaps none; raises WallGone and ProtocolError."""
        link = self._connection()
        link.settimeout(max(seconds, 0.001))
        try:
            data = link.recv(_CHUNK)
        except TimeoutError:
            return
        except OSError as error:
            raise WallGone from error
        if not data:
            raise WallGone
        for stream, payload in self._parts.feed(data):
            if stream == OUTPUT:
                yield from self._decoder.feed(payload)
            else:
                self._errors += payload
                del self._errors[:-_LOG]

    def meet(self, ticket: bytes) -> int | None:  # noqa: ARG002 - nobody is met in a container
        """Nobody: the container is under its limits as a whole, and its processes have no number here."""
        return None

    def dismiss(self, ticket: bytes) -> None:
        """Nothing: nobody was met."""

    def close(self) -> None:
        """Kill everything in the container and take it away."""
        if self._attachment is not None:
            self._attachment.close()
            self._attachment = None
        with suppress(EngineError):  # what stays behind is taken away at the next start
            self._engine.remove(self._container)

    def complaint(self) -> str:
        """What the guest wrote on stderr, and how the engine says that the container ended."""
        words = self._errors.decode("utf-8", "replace")
        try:
            end = self._engine.autopsy(self._container)
        except EngineError as error:
            return f"{words} (the engine: {error})".strip()
        if end.running:
            return words.strip()
        memory = ", out of memory" if end.out_of_memory else ""
        return f"{words} (the container ended with status {end.exit_code}{memory}) {end.error}".strip()

    def _connection(self) -> socket.socket:
        if self._attachment is None:
            raise WallGone
        return self._attachment.link

    def _await_hello(self) -> Hello:
        until = time.monotonic() + START_SECONDS
        try:
            while (left := until - time.monotonic()) > 0:
                for channel, payload in self.receive(left):
                    return read_hello(channel, payload)
        except WallGone:
            raise SandboxUnavailable(f"The container ended before it was ready: {self.complaint()[-600:]}") from None
        raise SandboxUnavailable(f"The container was not ready after {START_SECONDS:.0f} s; is the machine overloaded?")


class DockerSandbox(WarmSandbox):
    """Implements `verifier.sandbox.base.Sandbox`. `runtime`: the OCI runtime, or empty for the engine's own."""

    def __init__(self, name: str, progress: Callable[[str], None] = lambda _: None, runtime: str = "") -> None:
        super().__init__()
        self._name = name
        self._progress = progress
        self._runtime = runtime
        self._engine: Engine | None = None
        self._image: SandboxImage | None = None
        self._nests = True
        self._last: DockerWall | None = None

    def close(self) -> None:
        """End everything that runs inside and wait until it is gone."""
        super().close()
        with self._lock:
            if self._engine:
                self._engine.close()
                self._engine = None

    def _open_wall(self) -> Wall:
        try:
            engine = self._engine = self._engine or self._connected()
            definition = read_definition(self._name)
            image = self._image = self._image or find_image(engine, definition)
            return self._started(engine, definition, image)
        except EngineError as error:
            raise SandboxUnavailable(f"The container engine refused: {error}.") from error

    def _connected(self) -> Engine:
        engine = connect()
        try:
            self._tidy(engine)
        except BaseException:
            engine.close()
            raise
        return engine

    def _tidy(self, engine: Engine) -> None:
        """Take away what others left behind, and see whether the engine can do what is asked."""
        if self._runtime and self._runtime not in engine.runtimes:
            raise SandboxUnavailable(
                f"{engine.name} has no runtime named {self._runtime!r}, only {', '.join(engine.runtimes)};"
                " install it and name it in the engine's settings."
            )
        for container in engine.containers(LABEL):
            if is_abandoned(container):
                with suppress(EngineError):  # somebody else may be doing the same
                    engine.remove(container.id)

    def _started(self, engine: Engine, definition: Definition, image: SandboxImage) -> Wall:
        memory, processes = self._last.wanted if self._last else (_START_MEMORY, _START_PROCESSES)
        profile = Profile(
            image=image.reference,
            seccomp=sandboxes_folder() / "docker" / "seccomp.json",
            variables=session_variables(BAKED, definition.variables),
            memory=memory,
            processes=processes,
            processors=engine.processors,
            labels=marks(),
            runtime=self._runtime,
            nests=self._nests,
            podman=engine.podman,
        )
        wall = self._last = DockerWall(engine, profile)
        try:
            nested = wall.hello().nested
        except BaseException:
            self._last = None
            wall.close()
            raise
        if nested or not self._nests:
            return wall
        # Rights that are of no use here are not given: every session gets a container that is closed harder.
        wall.close()
        self._nests = False
        return self._started(engine, definition, image)

    def _describe(self, hello: Hello) -> Environment:
        assert self._engine is not None and self._image is not None  # noqa: S101, PT018 - a ready wall has both
        cells = "a fresh cell per session" if hello.nested else "one container per session (no nested namespaces)"
        runtime = f" with {self._runtime}" if self._runtime else ""
        return Environment(
            name=self._name,
            backend="docker",
            isolation=f"{self._engine.name}{runtime}: a container without network and rights, seccomp, {cells},"
            " memory by control group",
            python=self._image.python,
            packages=self._image.packages,
            digest=self._image.digest,
        )
