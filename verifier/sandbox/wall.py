"""What every backend's wall offers: a guest behind it, a link to it, and its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from verifier.errors import ProtocolError, SandboxUnavailable
from verifier.model import Limits
from verifier.sandbox.frames import MESSAGE, PROTOCOL, decode_message

START_SECONDS = 180.0  # importing TensorFlow takes 3 s, on a cold and busy machine a minute


class WallGone(Exception):
    """The process behind the wall has ended while we still needed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """What the guest says when it is ready.

    nested: it makes a fresh cell per session. anonymous: its own private memory in bytes. seconds: its start.
    """

    nested: bool
    anonymous: int
    seconds: float


class Wall(Protocol):
    """One zygote behind one wall."""

    def hello(self) -> Hello:
        """Wait until the guest is ready; raises SandboxUnavailable with what its wall said."""

    def restrict(self, limits: Limits) -> None:
        """Set the limits of the next session, where it is the wall that keeps them; raises WallGone."""

    def send(self, message: dict[str, object]) -> None:
        """Send one message; raises WallGone."""

    def receive(self, seconds: float, *, meeting: bool = False) -> Iterator[tuple[int, bytes]]:
        """The frames that come within `seconds`, perhaps none; raises WallGone and ProtocolError.

        `meeting`: return as soon as `meet` has an answer, too.
        """

    def meet(self, ticket: bytes) -> int | None:
        """Pid, as this machine counts, of the init of the cell with this ticket; None as long as it is not there."""

    def dismiss(self, ticket: bytes) -> None:
        """Let the init that was met go on."""

    def close(self) -> None:
        """Kill everything behind the wall and wait until it is gone."""

    def complaint(self) -> str:
        """What the wall and the guest wrote on stderr."""


def read_hello(channel: int, payload: bytes) -> Hello:
    """The guest's first message; raises ProtocolError or SandboxUnavailable when it is not what it should be."""
    message = decode_message(payload) if channel == MESSAGE else {}
    if message.get("kind") != "ready" or message.get("protocol") != PROTOCOL:
        raise ProtocolError("The guest does not speak this version of the protocol.")
    failed = message.get("failed")
    if isinstance(failed, dict) and "tensorflow" in failed:
        raise SandboxUnavailable(f"TensorFlow cannot be imported in the sandbox: {failed['tensorflow']}")
    return Hello(
        nested=bool(message["nested"]),
        anonymous=int(str(message["anonymous"])),
        seconds=float(str(message["seconds"])),
    )
