"""A sandbox that may never be needed, and may not be had: opened when wanted, closed with the lease."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from verifier.errors import SandboxError
from verifier.model import Environment
from verifier.sandbox.base import Sandbox
from verifier.sandbox.choose import open_sandbox


class Lease:
    """At most one sandbox of a name. `failure` is why there is none, in one sentence, once that is known."""

    def __init__(self, name: str, backend: str, progress: Callable[[str], None], runtime: str = "") -> None:
        self._order = (name, backend, progress, runtime)
        self.sandbox: Sandbox | None = None
        self.failure = ""

    def __enter__(self) -> Self:
        """Nothing is started yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the sandbox, if there is one."""
        if self.sandbox is not None:
            self.sandbox.close()

    def want(self) -> None:
        """Begin to start it, if nobody has; other work goes on meanwhile."""
        if self.sandbox is not None or self.failure:
            return
        try:
            self.sandbox = open_sandbox(*self._order)
            self.sandbox.start()
        except SandboxError as error:
            self.failure = str(error)

    @property
    def environment(self) -> Environment | None:
        """How reports name it; waits until that is known. None when there is no sandbox."""
        if self.sandbox is None:
            return None
        try:
            return self.sandbox.environment
        except SandboxError as error:
            self.failure = str(error)
            return None
