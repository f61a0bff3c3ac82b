"""The shipped index, and small wheels of our own to read."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from verifier.index import Index
from verifier.index.build.exports import Exports, Hook, exports
from verifier.index.build.sources import Sources

Files = dict[str, str]
ReadPackage = Callable[..., Exports]


@pytest.fixture(scope="session")
def index() -> Index:
    return Index.load()


@pytest.fixture
def make_wheel(tmp_path: Path) -> Callable[[Files], Path]:
    """Writes a wheel that holds these files and gives its path."""
    made: list[Path] = []

    def make(files: Files) -> Path:
        path = tmp_path / f"wheel{len(made)}.zip"
        with ZipFile(path, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, textwrap.dedent(text))
        made.append(path)
        return path

    return make


@pytest.fixture
def read_package(make_wheel: Callable[[Files], Path]) -> ReadPackage:
    """What the package `lib` in these files exports; a file is named by its module path."""

    def read(files: Files, hooks: tuple[Hook, ...] = (), root: str = "lib") -> Exports:
        return exports(Sources((make_wheel(files),)), root, hooks)

    return read
