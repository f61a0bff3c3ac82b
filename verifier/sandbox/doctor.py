"""What this machine has to run code in, and one remedy for each thing that it lacks."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from verifier.errors import SandboxUnavailable
from verifier.sandbox.cgroup import make_group
from verifier.sandbox.definition import names, read_definition
from verifier.sandbox.environment import cache_folder, ensure, is_ready
from verifier.sandbox.interpreter import InterpreterMissing, find_interpreter
from verifier.sandbox.launch import bubblewrap_version, find_bubblewrap, refusal

_ROOM = 8 << 30  # four environments take 5 GiB, and uv keeps the wheels
_BACKENDS = ("bubblewrap", "container engine")
_SWITCHES = (
    "kernel/apparmor_restrict_unprivileged_userns",
    "kernel/unprivileged_userns_clone",
    "user/max_user_namespaces",
)


class State(StrEnum):
    """How a finding counts."""

    GOOD = "ok"
    HINT = "hint"  # something would be better, nothing is amiss
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at: what was found, and how to mend it where it is not well."""

    subject: str
    state: State
    found: str
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """All findings; `able` when code can be run in the usual environment."""

    findings: tuple[Finding, ...]
    able: bool


def examine(usual: str) -> Diagnosis:
    """Look at everything that running code needs. Builds nothing, fetches nothing, raises nothing."""
    walls = (*_bubblewrap(), *_engine(usual))
    environments = tuple(finding for name in names() for finding in _environment(name, usual))
    isolated = any(finding.state is State.GOOD for finding in walls if finding.subject in _BACKENDS)
    if isolated:
        # One way to isolate code is enough; that another one is missing is no problem.
        walls = tuple(_softened(finding) for finding in walls)
    findings = (*walls, _groups(), *environments, _disk())
    return Diagnosis(findings=findings, able=all(finding.state is not State.PROBLEM for finding in findings))


def _softened(finding: Finding) -> Finding:
    if finding.state is not State.PROBLEM:
        return finding
    return Finding(subject=finding.subject, state=State.HINT, found=finding.found, remedy=finding.remedy)


def _problem(subject: str, error: Exception) -> Finding:
    """An error's one sentence says what is wrong before its semicolon, and what to do behind it."""
    found, _, remedy = str(error).partition("; ")
    return Finding(subject=subject, state=State.PROBLEM, found=found, remedy=remedy)


def _bubblewrap() -> Iterator[Finding]:
    try:
        bwrap = find_bubblewrap()
    except SandboxUnavailable as error:
        yield _problem("bubblewrap", error)
        return
    complaint = refusal(bwrap)
    if not complaint:
        found = f"{bubblewrap_version(bwrap)} makes namespaces as {'root' if os.geteuid() == 0 else 'you'}"
        yield Finding(subject="bubblewrap", state=State.GOOD, found=found)
        return
    found, _, remedy = complaint.partition("): ")
    yield Finding(
        subject="bubblewrap",
        state=State.PROBLEM,
        found=f"{found}){_switches()}" if remedy else found,
        remedy=remedy or "run it by hand to see why, or use --sandbox docker",
    )


def _switches() -> str:
    """The kernel's settings about user namespaces, as far as it has them."""
    told = []
    for switch in _SWITCHES:
        try:
            told.append(f"{switch.replace('/', '.')}={Path('/proc/sys', switch).read_text(encoding='ascii').strip()}")
        except OSError:
            continue
    return f"; {', '.join(told)}" if told else ""


def _engine(usual: str) -> Iterator[Finding]:
    from verifier.sandbox.engine import connect  # noqa: PLC0415 - the SDK takes a second to import
    from verifier.sandbox.image import image_ready  # noqa: PLC0415 - as above

    try:
        engine = connect()
    except SandboxUnavailable as error:
        yield _problem("container engine", error)
        return
    try:
        found = f"{engine.name} at {engine.address}"
    finally:
        engine.close()
    ready = [name for name in names() if _holds(image_ready, name)]
    images = f"; images of {', '.join(ready)}" if ready else "; no image of an environment"
    remedy = "" if usual in ready else f"`verify sandbox build {usual} --sandbox docker`"
    # An engine without the image cannot isolate anything yet.
    yield Finding(
        subject="container engine",
        state=State.GOOD if usual in ready else State.PROBLEM,
        found=found + images,
        remedy=remedy,
    )


def _holds(question: Callable[[str], bool], name: str) -> bool:
    try:
        return question(name)
    except SandboxUnavailable:
        return False


def _groups() -> Finding:
    modern = Path("/sys/fs/cgroup/cgroup.controllers").exists()
    version = "version 2" if modern else "version 1"
    group = make_group()
    if group is not None:
        group.remove()
        return Finding(subject="control groups", state=State.GOOD, found=f"{version}, delegated to us")
    remedy = (
        "start it in a scope of your own: `systemd-run --user --scope -p Delegate=yes verify …`"
        if modern
        else "run it as root, or let an administrator hand you a group for memory and pids"
    )
    found = f"{version}, not delegated; memory is limited by watching and by rlimits"
    return Finding(subject="control groups", state=State.HINT, found=found, remedy=remedy)


def _environment(name: str, usual: str) -> Iterator[Finding]:
    definition = read_definition(name)
    try:
        interpreter = find_interpreter(definition)
    except InterpreterMissing:
        yield _without_interpreter(name, usual)
        return
    python = f"Python {interpreter.version} ({interpreter.executable})"
    if not is_ready(name):
        state = State.PROBLEM if name == usual else State.HINT
        remedy = f"`verify sandbox build {name}`"
        yield Finding(subject=name, state=state, found=f"not built yet; {python} is there for it", remedy=remedy)
        return
    try:
        folder = ensure(name)
    except SandboxUnavailable as error:
        yield _problem(name, error)
        return
    packages = {package.replace("_", "-"): version for package, version in folder.packages}
    tensorflow = packages.get("tensorflow-cpu", packages.get("tensorflow", "?"))
    yield Finding(subject=name, state=State.GOOD, found=f"built: TensorFlow {tensorflow} on {python}, {folder.path}")


def _without_interpreter(name: str, usual: str) -> Finding:
    definition = read_definition(name)
    running = f"this is {sys.version_info.major}.{sys.version_info.minor}"
    remedy = f"install Python {definition.python}, for example with pyenv or uv"
    if definition.substitute is None:
        state = State.PROBLEM if name == usual else State.HINT
        found = f"no Python {definition.python} here ({running})"
        return Finding(subject=name, state=state, found=found, remedy=remedy)
    found = f"no Python {definition.python} here; {definition.substitute.words} takes its place"
    return Finding(subject=name, state=State.HINT, found=found, remedy=remedy)


def _disk() -> Finding:
    cache = cache_folder()
    existing = next(folder for folder in (cache, *cache.parents) if folder.exists())
    free = shutil.disk_usage(existing).free
    found = f"{free >> 30} GiB free for {cache}"
    if free >= _ROOM:
        return Finding(subject="disk", state=State.GOOD, found=found)
    remedy = f"free {_ROOM >> 30} GiB or point VERIFIER_CACHE_DIR to another disk"
    return Finding(subject="disk", state=State.HINT, found=found, remedy=remedy)
