"""Which Python an environment is built on: the running one where it fits, else one of this machine; no download.

Version managers keep their interpreters off PATH, or put scripts there that stand for none until a project
chooses one; so their folders are looked through as well.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from verifier.errors import SandboxUnavailable
from verifier.sandbox.definition import Definition

_NEWEST, _OLDEST = 20, 7
_QUESTION = (
    "import json, sys, sysconfig; print(json.dumps([sys.executable, list(sys.version_info[:3]),"
    " sys.base_prefix, bool(sysconfig.get_config_var('Py_GIL_DISABLED'))]))"
)
_SYSTEM = ("/usr/local/bin", "/usr/bin")


class InterpreterMissing(SandboxUnavailable):
    """No Python of this machine is in the range of an environment, or its packages are for other machines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """A Python on this machine: its executable, version and the folder that holds its standard library."""

    executable: str
    version: str
    prefix: str


def find_interpreter(definition: Definition) -> Interpreter:
    """The interpreter to build an environment on; raises InterpreterMissing when none is in range."""
    machine = platform.machine()
    if definition.machines and machine not in definition.machines:
        raise InterpreterMissing(f"The packages of {definition.name} were never published for {machine}.")
    running = f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    if definition.accepts(sys.version_info[:2]) and sys.implementation.name == "cpython":
        return Interpreter(executable=sys.executable, version=running, prefix=sys.base_prefix)
    for minor in range(_NEWEST, _OLDEST - 1, -1):
        if not definition.accepts((3, minor)):
            continue
        for path in _places(minor):
            found = _ask(path)
            if found and found.version.startswith(f"3.{minor}."):
                return found
    raise InterpreterMissing(
        f"The sandbox {definition.name} needs Python {definition.python} and this machine has none"
        f" (this is {running}); install one, for example with pyenv or uv."
    )


def _places(minor: int) -> Iterator[Path]:
    """Executables that may be Python 3.`minor`: on PATH, and where version managers keep theirs."""
    name = f"python3.{minor}"
    folders = [Path(folder) for folder in (*os.environ.get("PATH", "").split(os.pathsep), *_SYSTEM) if folder]
    home = Path.home()
    pyenv = Path(os.environ.get("PYENV_ROOT") or home / ".pyenv")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or home / ".local" / "share" / "uv" / "python")
    folders += [*sorted(pyenv.glob(f"versions/3.{minor}.*/bin")), *sorted(uv.glob(f"cpython-3.{minor}.*/bin"))]
    seen: set[Path] = set()
    for folder in folders:
        path = folder / name
        if path not in seen and os.access(path, os.X_OK) and path.is_file():
            seen.add(path)
            yield path


def _ask(path: Path) -> Interpreter | None:
    """What an executable says about itself; None when it is no working Python (a shim without a version)."""
    try:
        answer = subprocess.run([str(path), "-I", "-c", _QUESTION], capture_output=True, check=True, timeout=30)
        executable, version, prefix, free_threaded = json.loads(answer.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    if free_threaded:
        return None
    return Interpreter(executable=executable, version=".".join(map(str, version)), prefix=prefix)
