"""Building environments and images for people who do not want to wait for the first verification."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from verifier.errors import SandboxUnavailable, UsageError
from verifier.sandbox.definition import names
from verifier.sandbox.environment import ensure

Progress = Callable[[str], None]


def build_environments(chosen: tuple[str, ...], usual: str, progress: Progress) -> None:
    """Install environments, by default all. Raises UsageError for an unknown name, and SandboxUnavailable.

    An environment that nobody named and this machine cannot have is told and left out, unless it is the usual one.
    """
    for name in _known(chosen) or (usual, *(name for name in names() if name != usual)):
        try:
            ensure(name, progress)
        except SandboxUnavailable as error:
            if name in chosen or name == usual:
                raise
            progress(f"going on without {name}: {error}")


def build_images(
    chosen: tuple[str, ...], usual: str, base: str | None, wheels: Path | None, progress: Progress
) -> None:
    """Build images for the container engine, by default of the usual environment. Raises as above."""
    from verifier.sandbox.image import build_image  # noqa: PLC0415 - the SDK takes a second to import

    for name in _known(chosen) or (usual,):
        progress(f"{name} is {build_image(name, base, wheels, progress)}")


def _known(chosen: tuple[str, ...]) -> tuple[str, ...]:
    for name in chosen:
        if name not in names():
            raise UsageError(f"the environment must be one of {', '.join(names())}, not {name!r}")
    return chosen
