"""Turns what the user names (files, folders, globs, `-`) into the list of documents to read."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from verifier.documents.names import shown
from verifier.documents.registry import SUFFIXES
from verifier.errors import InputError

_SKIPPED = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})


def find_documents(paths: Sequence[str]) -> tuple[str, ...]:
    """The documents that `paths` name, each once, in the order given; what a folder or glob holds is sorted.

    A file is always taken, whatever its suffix. Folders are searched to the bottom for known suffixes, without
    hidden folders and files; a link that leads back up is not followed again. `-` stands for standard input and
    is kept. Raises InputError when a path does not exist or holds no document.
    """
    found: dict[str, None] = {}
    for path in paths:
        found.update(dict.fromkeys(_expand(path)))
    return tuple(found)


def _expand(path: str) -> Iterator[str]:
    if path == "-" or (path and os.path.lexists(path) and not Path(path).is_dir()):
        yield path
    elif path and Path(path).is_dir():
        yield from _in_folder(path)
    elif glob.has_magic(path):
        yield from _matches(path)
    else:
        raise InputError(f"cannot read {shown(path) or 'an empty path'}: there is no such file or folder")


def _in_folder(folder: str) -> list[str]:
    found = sorted(_walk(folder))
    if not found:
        raise InputError(f"{shown(folder)} holds no document: looked for {', '.join(SUFFIXES)} in it and its folders")
    return found


def _matches(pattern: str) -> list[str]:
    found: list[str] = []
    for path in sorted(glob.glob(pattern, recursive=True)):  # noqa: PTH207 - keeps the path as the user wrote it
        if not Path(path).is_dir():
            found.append(path)
        elif not pattern.endswith("**"):
            found += sorted(_walk(path))
    if not found:
        raise InputError(
            f"nothing matches {shown(pattern)}; quote it so that the shell leaves it alone, and check the folder"
        )
    return found


def _walk(folder: str) -> Iterator[str]:
    def complain(error: OSError) -> None:
        if error.filename == folder:
            raise InputError(f"cannot read {shown(folder)}: {(error.strerror or 'unknown error').lower()}")

    seen: set[str] = set()
    for here, folders, files in os.walk(folder, onerror=complain, followlinks=True):
        real = os.path.realpath(here)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        for name in files:
            path = Path(here, name)
            if not name.startswith(".") and path.suffix.lower() in SUFFIXES and path.is_file():
                yield str(path)
