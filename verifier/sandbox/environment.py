"""Environments on this machine: found in the cache, or built there once.

A folder is keyed by everything it is made of, appears under its final name only when it is complete, and is
never changed afterwards; so finding one takes milliseconds and needs no lock.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from platformdirs import user_cache_path

from verifier.errors import SandboxUnavailable
from verifier.model import Environment
from verifier.model.environments import substituted
from verifier.sandbox.building import BAKED, MANIFEST, build
from verifier.sandbox.definition import Definition, Substitute, read_definition
from verifier.sandbox.interpreter import Interpreter, InterpreterMissing, find_interpreter

Progress = Callable[[str], None]
Builder = Callable[[Definition, Interpreter, Path], None]


def _silent(_sentence: str) -> None:
    """Progress that nobody wants to hear about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentFolder:
    """A complete environment: where it is, what is in it and which variables its programs see.

    prefix is the folder of the interpreter it was built on, which it needs at run time.
    """

    name: str
    title: str
    path: Path
    python: str
    prefix: Path
    packages: tuple[tuple[str, str], ...]
    variables: tuple[tuple[str, str], ...]
    digest: str

    @property
    def baked(self) -> Path:
        """The folder with what first use would otherwise have to make."""
        return self.path / BAKED

    def describe(self, backend: str = "", isolation: str = "") -> Environment:
        """The environment as a report names it."""
        return Environment(
            name=self.name,
            backend=backend,
            isolation=isolation,
            python=self.python,
            packages=self.packages,
            digest=self.digest,
        )


def cache_folder() -> Path:
    """Where environments are kept: VERIFIER_CACHE_DIR, else the user's cache folder."""
    chosen = os.environ.get("VERIFIER_CACHE_DIR")
    return Path(chosen).expanduser().resolve() if chosen else user_cache_path("verifier")


def ensure(name: str, progress: Progress = _silent, builder: Builder = build) -> EnvironmentFolder:
    """The environment of this name, built now if this machine has none yet (about two minutes, 2 GiB).

    Raises SandboxUnavailable with one sentence that says what to do.
    """
    definition = read_definition(name)
    try:
        interpreter = find_interpreter(definition)
    except InterpreterMissing:
        if definition.substitute is None:
            raise
        other = ensure(definition.substitute.environment, progress, builder)
        return _substituted(definition, definition.substitute, other)
    root, key = cache_folder() / "environments", _key(definition, interpreter)
    if not (root / key / MANIFEST).is_file():
        _build_once(root, key, definition, interpreter, progress, builder)
    return _open(root / key, definition, interpreter)


def is_ready(name: str) -> bool:
    """Whether `ensure` would return at once; raises SandboxUnavailable when there is nothing to build it on."""
    definition = read_definition(name)
    try:
        interpreter = find_interpreter(definition)
    except InterpreterMissing:
        if definition.substitute is None:
            raise
        return is_ready(definition.substitute.environment)
    return (cache_folder() / "environments" / _key(definition, interpreter) / MANIFEST).is_file()


def needs_substitute(name: str) -> bool:
    """Whether something else would take the place of this environment, for want of its Python."""
    definition = read_definition(name)
    try:
        find_interpreter(definition)
    except InterpreterMissing:
        return definition.substitute is not None
    return False


def _key(definition: Definition, interpreter: Interpreter) -> str:
    return f"{definition.name}-{definition.digest(interpreter.version)}"


def _substituted(definition: Definition, substitute: Substitute, folder: EnvironmentFolder) -> EnvironmentFolder:
    """Another environment in the place of one whose Python is missing, under a name that says so."""
    return replace(
        folder,
        name=substituted(definition.name, substitute.words),
        title=f"{substitute.words}, which stands in for {definition.title}",
        variables=tuple(sorted({**dict(folder.variables), **substitute.variables}.items())),
    )


def _build_once(
    root: Path, key: str, definition: Definition, interpreter: Interpreter, progress: Progress, builder: Builder
) -> None:
    try:
        root.mkdir(parents=True, exist_ok=True)
        with _lock(root / f"{key}.lock", lambda: progress(f"waiting for another verify to build {definition.name}")):
            if (root / key / MANIFEST).is_file():
                return
            progress(f"installing TensorFlow {definition.tensorflow} for {definition.name} (once, about 2 minutes)")
            _replace(root, key, definition, interpreter, builder)
            progress(f"{definition.name} is ready")
    except OSError as error:
        raise SandboxUnavailable(
            f"Cannot build the sandbox in {root}: {error.strerror or error};"
            " make room there or point VERIFIER_CACHE_DIR to a folder you can write to."
        ) from error


def _replace(root: Path, key: str, definition: Definition, interpreter: Interpreter, builder: Builder) -> None:
    unfinished = root / f".{key}.unfinished"
    # We hold the lock: what stands here is of a build that was interrupted.
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.rmtree(root / key, ignore_errors=True)
    try:
        builder(definition, interpreter, unfinished)
        unfinished.rename(root / key)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


@contextmanager
def _lock(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold an exclusive lock between processes; the kernel frees it when its holder dies."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _open(folder: Path, definition: Definition, interpreter: Interpreter) -> EnvironmentFolder:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return EnvironmentFolder(
            name=definition.name,
            title=definition.title,
            path=folder,
            python=manifest["python"],
            prefix=Path(manifest["prefix"]),
            packages=tuple((str(name), str(version)) for name, version in manifest["packages"]),
            variables=tuple(sorted(definition.variables.items())),
            digest=definition.digest(interpreter.version),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SandboxUnavailable(
            f"The environment in {folder} is damaged ({error}); delete it and run again."
        ) from error
