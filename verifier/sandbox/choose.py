"""Which backend isolates an environment on this machine."""

from __future__ import annotations

from collections.abc import Callable

from verifier.errors import SandboxUnavailable
from verifier.sandbox.base import Sandbox
from verifier.sandbox.bubblewrap import BubblewrapSandbox


def open_sandbox(
    name: str = "tf-2.21", backend: str = "auto", progress: Callable[[str], None] = lambda _: None
) -> Sandbox:
    """A sandbox of this name that is not started yet; raises SandboxUnavailable for a backend that there is not.

    `progress` is told sentences for people while an environment is being built.
    """
    if backend in ("auto", "bubblewrap"):
        return BubblewrapSandbox(name, progress)
    if backend == "docker":
        raise SandboxUnavailable("The Docker backend is not part of this release; use --sandbox bubblewrap.")
    raise SandboxUnavailable(f"There is no backend named {backend!r}; use bubblewrap or auto.")
