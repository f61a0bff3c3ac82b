"""How an environment is filled: a virtual environment with the packages of a lock file, ready for read-only use.

uv installs, also for Pythons that it no longer makes environments for: those make their own.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from uv import find_uv_bin

from verifier.errors import SandboxUnavailable
from verifier.sandbox.definition import Definition
from verifier.sandbox.interpreter import Interpreter

MANIFEST = "environment.json"
BAKED = "baked"  # what first use would otherwise have to make, such as matplotlib's list of fonts
_ROOM = 4 << 30  # an environment takes 2 GiB, and uv keeps the wheels
_BAKE = "import matplotlib.font_manager"
_OLDEST_OF_UV = (3, 8)
_SHARED = ("--no-python-downloads", "--quiet")
BUILDERS = ("setuptools", "wheel")
_NO_NETWORK = re.compile(
    r"error sending request|dns error|failed to (?:fetch|download)|timed out|connection (?:refused|reset)"
    r"|could not connect|tcp connect|network",
    re.IGNORECASE,
)
_DISK_FULL = re.compile(r"no space left|os error 28|disk quota", re.IGNORECASE)


def build(definition: Definition, interpreter: Interpreter, folder: Path) -> None:
    """Fill `folder`; raises SandboxUnavailable with what to do. The caller owns the folder and clears it up."""
    _check_room(folder.parent)
    if _number(interpreter.version) >= _OLDEST_OF_UV:
        make = [find_uv_bin(), "venv", *_SHARED, "--relocatable", "--python", interpreter.executable]
    else:
        make = [interpreter.executable, "-I", "-m", "venv", "--without-pip"]
    run([*make, str(folder)], definition)
    python = str(folder / "bin" / "python")
    if definition.from_source:
        # Their builds use what is installed, never something fetched without a hash; so that comes first.
        _install(python, folder / "builders.lock", pins(definition.lock, BUILDERS), definition)
    _install(python, folder / "requirements.lock", definition.lock, definition)
    _bake(folder, python, definition)
    _write_manifest(folder, interpreter, definition)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def pins(lock: str, names: tuple[str, ...]) -> str:
    """The entries of a lock file for these packages."""
    entries = re.split(r"^(?=[A-Za-z0-9])", lock, flags=re.MULTILINE)
    return "".join(entry for entry in entries if entry.partition("==")[0] in names)


def _install(python: str, file: Path, lock: str, definition: Definition) -> None:
    file.write_text(lock, encoding="utf-8")
    command = [find_uv_bin(), "pip", "install", *_SHARED, "--python", python, "--require-hashes", "--compile-bytecode"]
    command += ["--no-deps", "--only-binary", ":all:", "--no-build-isolation"]
    for package in definition.from_source:
        command += ["--no-binary", package]
    run([*command, "-r", str(file)], definition)


def _check_room(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < _ROOM:
        raise SandboxUnavailable(
            f"Only {free >> 20} MiB are free for the sandbox in {folder}; free {_ROOM >> 30} GiB"
            " or point VERIFIER_CACHE_DIR to another disk."
        )


def run(command: list[str], definition: Definition, environment: dict[str, str] | None = None) -> None:
    """Run an installer; raises SandboxUnavailable with one sentence when it fails."""
    settings = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    try:
        done = subprocess.run(
            command,
            env={**settings, **(environment or {})},
            cwd="/",  # a project's own settings are not ours; the user's (an index nearby) are
            capture_output=True,
            text=True,
            check=False,
            umask=0o022,
        )
    except OSError as error:
        raise SandboxUnavailable(
            f"Cannot start {Path(command[0]).name} to build {definition.name}: {error}."
        ) from error
    if done.returncode:
        raise SandboxUnavailable(explain(done.stderr, definition))


def explain(complaint: str, definition: Definition) -> str:
    """One sentence for what an installer wrote when it failed."""
    if _DISK_FULL.search(complaint):
        return f"The disk is full; free {_ROOM >> 30} GiB for the sandbox or point VERIFIER_CACHE_DIR to another disk."
    if "hash mismatch" in complaint.lower():
        return f"A package of {definition.name} is not the one that was locked (its hash differs); check your index."
    if _NO_NETWORK.search(complaint):
        return (
            f"The packages of {definition.name} cannot be downloaded; connect to the network once,"
            " or set UV_INDEX_URL or UV_FIND_LINKS to where they are."
        )
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    return f"Building the sandbox {definition.name} failed: {' '.join(lines[-3:]) or 'no reason given'}"


def _bake(folder: Path, python: str, definition: Definition) -> None:
    baked = folder / BAKED
    baked.mkdir()
    run([python, "-s", "-B", "-c", _BAKE], definition, {"MPLCONFIGDIR": str(baked), "MPLBACKEND": "Agg"})


def _write_manifest(folder: Path, interpreter: Interpreter, definition: Definition) -> None:
    sites = [str(path) for path in folder.glob("lib/python*/site-packages")]
    packages = {item.metadata["Name"].lower(): item.version for item in importlib.metadata.distributions(path=sites)}
    manifest = {
        "name": definition.name,
        "python": interpreter.version,
        "prefix": interpreter.prefix,
        "packages": sorted(packages.items()),
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
