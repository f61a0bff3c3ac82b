"""Which backend isolates an environment on this machine."""

from __future__ import annotations

from collections.abc import Callable

from verifier.errors import SandboxUnavailable
from verifier.sandbox.base import Sandbox
from verifier.sandbox.bubblewrap import BubblewrapSandbox
from verifier.sandbox.docker import DockerSandbox
from verifier.sandbox.engine import connect
from verifier.sandbox.environment import needs_substitute
from verifier.sandbox.image import image_ready
from verifier.sandbox.launch import find_bubblewrap, refusal

Progress = Callable[[str], None]


def open_sandbox(
    name: str = "tf-2.21", backend: str = "auto", progress: Progress = lambda _: None, runtime: str = ""
) -> Sandbox:
    """A sandbox of this name that is not started yet; raises SandboxUnavailable for a backend that there is not.

    `progress` is told sentences for people while an environment is being built. `runtime` is the OCI runtime of
    containers; naming one asks for a container.
    """
    chosen = backend
    if backend == "auto":
        chosen = "docker" if runtime else _best()
        if chosen == "bubblewrap" and needs_substitute(name) and _contained(name):
            chosen = "docker"
    if chosen == "bubblewrap":
        return BubblewrapSandbox(name, progress)
    if chosen == "docker":
        return DockerSandbox(name, progress, runtime)
    raise SandboxUnavailable(f"There is no backend named {backend!r}; use bubblewrap, docker or auto.")


def _contained(name: str) -> bool:
    """Whether an image has the environment itself, which is better than what would take its place."""
    try:
        return image_ready(name)
    except SandboxUnavailable:
        return False


def _best() -> str:
    """Bubblewrap where it works, else a container engine; raises SandboxUnavailable where there is neither."""
    try:
        reason = refusal(find_bubblewrap())
    except SandboxUnavailable as error:
        reason = str(error)
    if not reason:
        return "bubblewrap"
    try:
        connect().close()
    except SandboxUnavailable as error:
        raise SandboxUnavailable(f"Nothing here can isolate code. {reason} And: {error}") from error
    return "docker"
