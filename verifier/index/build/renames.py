"""TensorFlow's own tables for the change from 1 to 2, read from the upgrade tool that its wheel ships."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verifier.index.build.sources import Module, Sources
from verifier.index.store import Renames

_TOOL = "tensorflow.tools.compatibility"
# The prefixes of the tables -> the packages they stand for.
_PACKAGES = {"tf": "tensorflow", "tfa": "tensorflow_addons"}


def renames(sources: Sources) -> Renames:
    """The tables of symbols and keywords; later tables win, as in the tool itself."""
    symbols: dict[str, str] = {}
    for module, table in (
        ("renames_v2", "renames"),
        ("all_renames_v2", "addons_symbol_mappings"),
        ("all_renames_v2", "manual_symbol_renames"),
    ):
        for key, value in _pairs(sources.module(f"{_TOOL}.{module}"), table):
            new = _text(value)
            if new:
                symbols[_full(key)] = _full(new)
    keywords: dict[str, dict[str, str]] = {}
    for key, value in _pairs(sources.module(f"{_TOOL}.tf_upgrade_v2"), "function_keyword_renames"):
        if isinstance(value, ast.Dict):
            keywords[_full(key)] = {
                _text(old): _text(new) for old, new in zip(value.keys, value.values, strict=True) if old is not None
            }
    return Renames(symbols=symbols, keywords=keywords)


def _pairs(module: Module | None, table: str) -> Iterator[tuple[str, ast.expr]]:
    """Literal keys and their values of the first dictionary bound to `table`, as a name or on an object."""
    for node in ast.walk(module.tree) if module else ():
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Dict) or not node.value.keys:
            continue
        if any(ast.unparse(target).rpartition(".")[2] == table for target in node.targets):
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value
            return


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _full(name: str) -> str:
    root, dot, rest = name.partition(".")
    return f"{_PACKAGES.get(root, root)}{dot}{rest}"
