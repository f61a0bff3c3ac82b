"""What the document's own code defines: its names are no API, its import aliases tell what a root stands for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass

from verifier.extract.parts import Region, Snippet
from verifier.extract.trees import nodes
from verifier.model import Document

# Import path -> the root under which it is customarily written.
_CUSTOMARY = {
    "tensorflow": "tf", "tensorflow.keras": "tf.keras", "keras": "keras", "numpy": "np", "pandas": "pd",
    "matplotlib.pyplot": "plt", "tensorflow_datasets": "tfds", "tensorflow_hub": "hub",
}  # fmt: skip
_BINDING = re.compile(
    r"^[ \t>.]*(?:async[ \t]+)?(?:def|class)[ \t]+([A-Za-z_][A-Za-z0-9_]*)"
    r"|^[ \t>.]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*[=＝](?![=＝])",
    re.MULTILINE,
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """Names of one document: bound by its code, written in its strings, and its import aliases.

    aliases   local name -> dotted name under a customary root (`L` -> `tf.keras.layers`)
    bound     variables, functions, classes, parameters
    values    identifiers that occur as whole string constants (layer names, modes, column names)
    """

    aliases: dict[str, str]
    bound: frozenset[str]
    values: frozenset[str]


def customary(path: str) -> str:
    """A full import path under its customary root: `tensorflow.keras.layers` -> `tf.keras.layers`."""
    head, rest = path, ""
    while head:
        if head in _CUSTOMARY:
            return f"{_CUSTOMARY[head]}{rest}"
        head, dot, tail = head.rpartition(".")
        rest = f"{dot}{tail}{rest}"
    return path


def own_names(document: Document, regions: Iterable[Region], snippets: Iterable[Snippet]) -> Own:
    """Everything that the code of `document` binds. Code that does not parse is read line by line."""
    aliases: dict[str, set[str]] = {}
    bound: set[str] = set()
    values: set[str] = set()
    for snippet in snippets:
        _read(nodes(snippet.code), aliases, bound, values)
    for region in regions:
        for found in _BINDING.finditer(region.body.of(document.text)):
            bound.update(filter(None, found.groups()))
    single = {name: paths.pop() for name, paths in aliases.items() if len(paths) == 1}
    return Own(aliases=single, bound=frozenset(bound - single.keys()), values=frozenset(values))


def _read(tree: Iterable[ast.AST], aliases: dict[str, set[str]], bound: set[str], values: set[str]) -> None:
    for node in tree:
        match node:
            case ast.Import(names=names):
                for name in names:
                    path = name.name if name.asname else name.name.partition(".")[0]
                    aliases.setdefault(name.asname or path, set()).add(customary(path))
            case ast.ImportFrom(module=str(module), names=names, level=0):
                for name in names:
                    aliases.setdefault(name.asname or name.name, set()).add(f"{customary(module)}.{name.name}")
            case ast.Name(id=name, ctx=ast.Store()):
                bound.add(name)
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.arg(arg=name)
            ):
                bound.add(name)
            case ast.Attribute(attr=name, value=ast.Name(id="self"), ctx=ast.Store()):
                bound.add(name)
            case ast.Constant(value=str(text)) if len(text) < 60 and _NAME.fullmatch(text):
                values.add(text)
            case _:
                pass
