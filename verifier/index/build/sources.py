"""The modules inside a set of wheels, found by dotted name and parsed on demand.

Hides how wheels lay out their files: several wheels form one import path, TensorFlow 1.15 and 2.0 keep their
sources in `tensorflow_core`, and generated API modules stand in for packages that have no file of their own.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

# Sources for Python 3.6 may use `async` and `await` as plain identifiers, which later parsers refuse.
_SOFT_KEYWORD = re.compile(r"\b(async|await)\b(?!\s+(?:def|for|with)\b)")
# Old wheels keep their packages in `<name>.data/purelib/`; installing moves them out.
_INSTALLED = re.compile(r"^[^/]+\.data/(?:pure|plat)lib/")
# `tensorflow.io` is no file: the package's search path sends it to the generated API. First existing wins.
_API_ROOTS = ("tensorflow._api.v2", "tensorflow._api.v1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One parsed module. `text` is its source; `tree` has no body when no parser accepts the source."""

    name: str
    package: bool
    text: str
    tree: ast.Module

    @property
    def parent(self) -> str:
        """The package that relative imports of this module start from."""
        return self.name if self.package else self.name.rpartition(".")[0]


class Sources:
    """All modules of some wheels. A `.pyi` file stands in for a compiled module; `stubs` prefers it to a `.py` too."""

    def __init__(self, wheels: tuple[Path, ...], *, stubs: bool = False) -> None:
        self._files: dict[str, tuple[ZipFile, str]] = {}
        self._parsed: dict[str, Module | None] = {}
        self._packages: set[str] = set()
        for wheel in wheels:
            self._add(ZipFile(wheel), stubs=stubs)

    def _add(self, archive: ZipFile, *, stubs: bool) -> None:
        names = sorted(archive.namelist())
        split = any(name == "tensorflow_core/__init__.py" for name in names)
        for suffix in (".py", ".pyi") if stubs else (".pyi", ".py"):
            for name in names:
                if not name.endswith(suffix) or ".dist-info/" in name:
                    continue
                if split and name == "tensorflow/__init__.py":
                    continue
                path = _INSTALLED.sub("", name.removesuffix(suffix))
                path = "tensorflow" + path[len("tensorflow_core") :] if path.startswith("tensorflow_core/") else path
                module = path.removesuffix("/__init__").replace("/", ".")
                self._files[module] = (archive, name)
                if path.endswith("/__init__"):
                    self._packages.add(module)

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def modules(self) -> tuple[str, ...]:
        """Every dotted module name, sorted."""
        return tuple(sorted(self._files))

    def children(self, package: str) -> tuple[str, ...]:
        """Names of the modules directly inside a package, sorted."""
        prefix = f"{package}."
        inside = (name[len(prefix) :] for name in self._files if name.startswith(prefix))
        return tuple(sorted({name for name in inside if "." not in name}))

    def locate(self, name: str) -> str:
        """The name under which the module is stored, or "" when these wheels have no such module."""
        if name in self._files:
            return name
        if name.startswith("tensorflow."):
            for root in _API_ROOTS:
                candidate = root + name[len("tensorflow") :]
                if candidate in self._files:
                    return candidate
        return ""

    def module(self, name: str) -> Module | None:
        """The parsed module, or None when there is none of this exact name."""
        if name not in self._parsed:
            self._parsed[name] = self._parse(name)
        return self._parsed[name]

    def _parse(self, name: str) -> Module | None:
        if name not in self._files:
            return None
        archive, path = self._files[name]
        text = archive.read(path).decode("utf-8", "replace")
        return Module(name=name, package=name in self._packages, text=text, tree=parse(text))


def parse(text: str) -> ast.Module:
    """The syntax tree of a source of any Python 3; an empty module when it cannot be read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for candidate in (text, _SOFT_KEYWORD.sub(r"\1_", text)):
            try:
                return ast.parse(candidate)
            except (SyntaxError, ValueError, RecursionError):
                continue
    return ast.Module(body=[], type_ignores=[])
