"""What every backend offers. The rest of the program knows sandboxes only through this."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

from verifier.model import Environment, Lookup, NameQuery, Outcome, SessionJob


class Sandbox(Protocol):
    """A real TensorFlow, walled off. One session at a time; calls from several threads wait for each other."""

    @property
    def environment(self) -> Environment:
        """What is inside and how it is isolated; waits until that is known. Raises SandboxUnavailable."""

    def start(self) -> None:
        """Begin to get ready in the background; returns at once and never raises."""

    def run(self, job: SessionJob) -> Outcome:
        """Run a session in a fresh cell.

        A failure of ours is tried once more, then told as fate `sandbox-failed`. Raises SandboxUnavailable when
        there is no sandbox to run it in.
        """

    def lookup(self, queries: tuple[NameQuery, ...]) -> tuple[Lookup, ...]:
        """Ask about names in a process that sees no document's code; one answer per query, in order.

        Raises SandboxUnavailable, or ProtocolError when the answers do not come.
        """

    def close(self) -> None:
        """End everything that runs inside and wait until it is gone. May be called twice."""

    def __enter__(self) -> Self:
        """Start."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
