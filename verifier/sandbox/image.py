"""Images of environments: how one is built from a lock file and found again. Hides the two layers of an image.

The packages of an environment make the lower layer (2 GiB, minutes, needs a base image), the guest the upper one
(a second, needs nothing). The tag of each carries a digest of all it is made of, so an image that is out of date
is never taken for the current one. Nothing is pulled unless somebody asked for an image to be built.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import tarfile
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from verifier.errors import SandboxUnavailable
from verifier.sandbox.definition import Definition, guest_folder, read_definition, sandboxes_folder
from verifier.sandbox.engine import Engine, EngineError, Image, NotThere, connect
from verifier.sandbox.environment import cache_folder
from verifier.sandbox.gather import Target, gather, installed

Progress = Callable[[str], None]

_LABEL = "verifier.image"
_BASE = re.compile(r"^ARG BASE=(\S+)$", re.MULTILINE)
_ROOM = 6 << 30  # the packages, the context that is made of them and the image
_QUESTION = (
    "import json, os, platform, sys; print(json.dumps([list(sys.version_info[:3]),"
    " os.confstr('CS_GNU_LIBC_VERSION').split()[1], platform.machine()]))"
)


def _silent(_sentence: str) -> None:
    """Progress that nobody wants to hear about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxImage:
    """An image that is ready to run. `digest`: of all that it is made of, 16 hexadecimal digits."""

    reference: str
    digest: str
    python: str
    packages: tuple[tuple[str, str], ...]


def build_image(name: str, base: str | None = None, wheels: Path | None = None, progress: Progress = _silent) -> str:
    """Build the image of an environment and return its tag; at once when it is there already.

    base: the image to build on, by default VERIFIER_DOCKER_BASE, else what the Dockerfile says unless there is one
    on another base; fetched when the engine lacks it. wheels: a folder to take packages from instead of the network.
    Raises SandboxUnavailable.
    """
    definition = read_definition(name)
    engine = connect()
    try:
        wanted = base or os.environ.get("VERIFIER_DOCKER_BASE")
        current = None if wanted else _packages(engine, definition)
        if current is None:
            current = _current(engine, definition, wanted or default_base(name), wheels, progress)
        tag, _ = _with_guest(engine, current, name)
        _tidy(engine, name, tag)
    except EngineError as error:
        raise SandboxUnavailable(f"The image of {name} cannot be built: {error}.") from error
    finally:
        engine.close()
    return tag


def _current(engine: Engine, definition: Definition, base: str, wheels: Path | None, progress: Progress) -> Image:
    """The packages of an environment on this base, built now when they are not there."""
    below = _base(engine, base, progress)
    tag = f"verifier/{definition.name}:packages-{_digest(_recipe(definition), below.id)}"
    with suppress(NotThere):
        return engine.image(tag)
    _build_packages(engine, definition, base, tag, wheels, progress)
    return engine.image(tag)


def image_ready(name: str) -> bool:
    """Whether `find_image` would find one; raises SandboxUnavailable when no engine answers."""
    engine = connect()
    try:
        return _packages(engine, read_definition(name)) is not None
    except EngineError as error:
        raise SandboxUnavailable(f"The container engine failed: {error}.") from error
    finally:
        engine.close()


def find_image(engine: Engine, definition: Definition) -> SandboxImage:
    """The current image of an environment, with today's guest in it.

    Raises SandboxUnavailable when there is none, and EngineError.
    """
    below = _packages(engine, definition)
    if below is None:
        raise SandboxUnavailable(
            f"There is no image of {definition.name} yet; make it with"
            f" `verify sandbox build {definition.name} --sandbox docker`."
        )
    tag, digest = _with_guest(engine, below, definition.name)
    packages = json.loads(below.labels["verifier.packages"])
    return SandboxImage(
        reference=tag,
        digest=digest,
        python=below.labels["verifier.python"],
        packages=tuple((str(package), str(version)) for package, version in packages),
    )


def default_base(name: str) -> str:
    """The base image that an environment's Dockerfile names."""
    found = _BASE.search(_dockerfile(name))
    assert found is not None  # noqa: S101 - a test reads every Dockerfile
    return found[1]


def _dockerfile(name: str) -> str:
    return (sandboxes_folder() / name / "Dockerfile").read_text(encoding="utf-8")


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _recipe(definition: Definition) -> str:
    return _digest(definition.lock, definition.source, _dockerfile(definition.name))


def _packages(engine: Engine, definition: Definition) -> Image | None:
    wanted = {"verifier.recipe": _recipe(definition), _LABEL: "packages"}
    return next(iter(engine.images(wanted)), None)


def _tidy(engine: Engine, name: str, current: str) -> None:
    """Take away what earlier guests left of this environment, except where a container still stands on it."""
    kept = engine.image(current).id
    for old in engine.images({"verifier.name": name, _LABEL: "guest"}):
        if old.id != kept:
            with suppress(EngineError):
                engine.remove_image(old.id)


def _base(engine: Engine, reference: str, progress: Progress) -> Image:
    try:
        return engine.image(reference)
    except NotThere:
        progress(f"fetching the base image {reference} (once)")
    try:
        engine.pull(reference)
        return engine.image(reference)
    except EngineError as error:
        raise SandboxUnavailable(
            f"The base image {reference} is not here and cannot be fetched ({error}); name one that the engine has"
            " with --base (docs/docker.md shows how to make one without a registry)."
        ) from error


def _target(engine: Engine, definition: Definition, base: str) -> Target:
    """What the packages must fit; raises SandboxUnavailable for a base that does not suit."""
    try:
        version, glibc, machine = json.loads(engine.ask(base, _QUESTION))
    except (EngineError, ValueError) as error:
        raise SandboxUnavailable(f"The base image {base} has no python3 on glibc ({error}); name another.") from error
    python = ".".join(map(str, version))
    if not definition.accepts((version[0], version[1])):
        raise SandboxUnavailable(
            f"The base image {base} has Python {python}, but {definition.name} needs {definition.python};"
            " name another with --base."
        )
    return Target(python=python, glibc=glibc, machine=machine)


def _build_packages(
    engine: Engine, definition: Definition, base: str, tag: str, wheels: Path | None, progress: Progress
) -> None:
    target = _target(engine, definition, base)
    cache = cache_folder()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(cache).free < _ROOM:
            raise SandboxUnavailable(f"Less than {_ROOM >> 30} GiB are free in {cache}; make room for the image.")
        with tempfile.TemporaryDirectory(dir=cache, prefix="image-") as scratch:
            folder = Path(scratch, "packages")
            progress(f"gathering the packages of {definition.name} for Python {target.python}")
            gather(definition, target, folder, wheels)
            labels = {
                _LABEL: "packages",
                "verifier.name": definition.name,
                "verifier.recipe": _recipe(definition),
                "verifier.base": base,
                "verifier.python": target.python,
                "verifier.packages": json.dumps(installed(folder), separators=(",", ":")),
            }
            progress(f"building the image of {definition.name} on {base} (once, about 3 minutes)")
            with _context(Path(scratch), definition, folder) as context:
                engine.build(context, "Dockerfile", tag, labels, BASE=base)
    except OSError as error:
        raise SandboxUnavailable(
            f"Cannot prepare the image in {cache}: {error.strerror or error}; make room there or point"
            " VERIFIER_CACHE_DIR to a folder you can write to."
        ) from error
    progress(f"the image of {definition.name} is ready")


def _context(scratch: Path, definition: Definition, packages: Path) -> IO[bytes]:
    file = tempfile.TemporaryFile(dir=scratch)  # noqa: SIM115 - the caller closes it
    with tarfile.open(fileobj=file, mode="w") as archive:
        _add(archive, "Dockerfile", _dockerfile(definition.name).encode())
        _add(archive, "requirements.lock", definition.lock.encode())
        archive.add(packages, "packages", filter=_anonymous)
    file.seek(0)
    return file


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """An entry without its owner: what is in an image does not depend on who built it."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
    return entry


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), 0o644
    archive.addfile(entry, io.BytesIO(data))


def _with_guest(engine: Engine, below: Image, name: str) -> tuple[str, str]:
    """Tag and digest of the image with the guest of this installation, made now when it is not there."""
    files = {path.name: path.read_bytes() for path in sorted(guest_folder().glob("*.py"))}
    dockerfile = (sandboxes_folder() / "docker" / "Dockerfile").read_bytes()
    parts = [dockerfile, *(part for file, data in files.items() for part in (file.encode(), data))]
    digest = _digest(below.id, *(hashlib.sha256(part).hexdigest() for part in parts))
    tag = f"verifier/{name}:{digest}"
    with suppress(NotThere):
        engine.image(tag)
        return tag, digest
    context = io.BytesIO()
    with tarfile.open(fileobj=context, mode="w") as archive:
        _add(archive, "Dockerfile", dockerfile)
        for file, data in files.items():
            _add(archive, f"guest/{file}", data)
    context.seek(0)
    engine.build(context, "Dockerfile", tag, {_LABEL: "guest"}, PACKAGES=below.id)
    return tag, digest
