"""The packages of a lock file, laid out for another machine's Python. Hides how uv is told about that machine."""

from __future__ import annotations

import importlib.metadata
import sys
from dataclasses import dataclass
from pathlib import Path

from uv import find_uv_bin

from verifier.sandbox.building import BUILDERS, pins, run
from verifier.sandbox.definition import Definition

_GLIBC = (*range(40, 30, -1), 28, 17)  # the minor versions of glibc 2 that uv has a name for


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The Python that the packages must fit: its version, the glibc it runs on, and the processor (`x86_64`)."""

    python: str
    glibc: str
    machine: str


def gather(definition: Definition, target: Target, folder: Path, wheels: Path | None) -> None:
    """Install what the lock file names for `target` into `folder`, each checked by its hash.

    wheels: where to take the packages from, instead of the network. Raises SandboxUnavailable.
    """
    source = ("--no-index", "--find-links", str(wheels.resolve())) if wheels else ()
    options = ("--python-version", target.python, "--python-platform", _platform(target), *source)
    settings: dict[str, str] = {}
    if definition.from_source:
        # Pure Python, so that it can be built here; by what is locked too, never by something fetched without a hash.
        builders = folder.with_name("builders")
        _install(definition, pins(definition.lock, BUILDERS), builders, options, settings)
        options += ("--no-build-isolation", *(f"--no-binary={package}" for package in definition.from_source))
        settings["PYTHONPATH"] = str(builders)
    _install(definition, definition.lock, folder, options, settings)


def _install(
    definition: Definition, lock: str, folder: Path, options: tuple[str, ...], settings: dict[str, str]
) -> None:
    file = folder.with_name(f"{folder.name}.lock")
    file.write_text(lock, encoding="utf-8")
    command = [find_uv_bin(), "pip", "install", "--quiet", "--target", str(folder), "--python", sys.executable]
    checks = ("--require-hashes", "--no-deps", "--only-binary", ":all:", "--link-mode", "hardlink")
    run([*command, *checks, *options, "-r", str(file)], definition, settings)


def _platform(target: Target) -> str:
    """The target as uv names it; what was built for an older C library runs on a newer one."""
    major, minor = (int(part) for part in target.glibc.split(".")[:2])
    known = next((number for number in _GLIBC if (2, number) <= (major, minor)), min(_GLIBC))
    return f"{target.machine}-manylinux_2_{known}"


def installed(folder: Path) -> list[tuple[str, str]]:
    """Names and versions of the packages in a folder, sorted."""
    found = importlib.metadata.distributions(path=[str(folder)])
    return sorted({item.metadata["Name"].lower(): item.version for item in found}.items())
