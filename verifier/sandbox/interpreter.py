"""Which Python an environment is built on: the running one where it fits, else one on PATH; never a download."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass

from verifier.errors import SandboxUnavailable
from verifier.sandbox.definition import Definition

_NEWEST, _OLDEST = 20, 7
_QUESTION = (
    "import json, sys, sysconfig; print(json.dumps([sys.executable, list(sys.version_info[:3]),"
    " sys.base_prefix, bool(sysconfig.get_config_var('Py_GIL_DISABLED'))]))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """A Python on this machine: its executable, version and the folder that holds its standard library."""

    executable: str
    version: str
    prefix: str


def find_interpreter(definition: Definition) -> Interpreter:
    """The interpreter to build an environment on; raises SandboxUnavailable when none is in range."""
    running = f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    if definition.accepts(sys.version_info[:2]) and sys.implementation.name == "cpython":
        return Interpreter(executable=sys.executable, version=running, prefix=sys.base_prefix)
    for minor in range(_NEWEST, _OLDEST - 1, -1):
        path = shutil.which(f"python3.{minor}") if definition.accepts((3, minor)) else None
        found = _ask(path) if path else None
        if found and definition.accepts((3, minor)):
            return found
    raise SandboxUnavailable(
        f"The sandbox {definition.name} needs Python {definition.python} and none is on PATH"
        f" (this is {running}); install one, for example python3.12."
    )


def _ask(path: str) -> Interpreter | None:
    """What an executable says about itself; None when it is no working Python (a shim without a version)."""
    try:
        answer = subprocess.run([path, "-I", "-c", _QUESTION], capture_output=True, check=True, timeout=30)
        executable, version, prefix, free_threaded = json.loads(answer.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    if free_threaded:
        return None
    return Interpreter(executable=executable, version=".".join(map(str, version)), prefix=prefix)
