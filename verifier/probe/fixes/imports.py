"""Names that nothing gives, and names that cannot be imported from where the code looks for them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from rapidfuzz.distance import OSA

from verifier.model import NameQuery
from verifier.names import CUSTOMARY_IMPORTS
from verifier.probe.fixes.scene import Idea, Scene

_UNBOUND = re.compile(r"name '(\w+)' is not defined")
_LONG = 7
# A function's name that more places have than this is a word, not a name.
_OWNERS = 2


def imports(scene: Scene) -> Iterator[Idea]:
    """Imports that give the missing names, or the names that were meant."""
    missing = _missing(scene)
    homes = {name: _homes(scene, name) for name in missing}
    if len(missing) > 1 and all(homes.values()):
        yield _together({name: found[0] for name, found in homes.items()}, scene)
    for name in missing:
        yield from _slip(scene, name)
        for home in homes[name]:
            yield _together({name: home}, scene)


def _together(homes: dict[str, str], scene: Scene) -> Idea:
    """One statement for each module that names come from; an import statement in the place of a module stands alone."""
    lines: dict[str, list[str]] = {}
    for name, home in homes.items():
        lines.setdefault(home, []).extend([] if home.startswith(("import ", "from ")) else [name])
    told = [f"from {home} import {', '.join(names)}" if names else home for home, names in lines.items()]
    edits = [scene.ahead(line) for line in told]
    joined = replace(edits[0], after="".join(edit.after for edit in edits))
    return Idea(edits=(joined,), reason=f"nothing gives {' and '.join(f'`{name}`' for name in homes)}")


def _missing(scene: Scene) -> tuple[str, ...]:
    if scene.missing:
        return scene.missing
    match = _UNBOUND.search(scene.message) if scene.raised("NameError") else None
    return (match[1],) if match else ()


def _uses(scene: Scene, name: str) -> list[ast.Name]:
    return [
        node
        for node in ast.walk(scene.tree)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]


def _slip(scene: Scene, name: str) -> Iterator[Idea]:
    """Another name that differs by a slip of the finger or in its case only."""
    for known in sorted(scene.bound):
        if not _is_slip(name, known):
            continue
        here = [node for node in _uses(scene, name) if scene.statement.covers(scene.span(node))]
        uses = here or _uses(scene, name)
        if uses:
            edits = tuple(scene.swap(node, known) for node in sorted(uses, key=lambda node: scene.span(node).start))
            yield Idea(edits=edits, reason=f"`{known}` is the name that the code gives")


def _is_slip(wrong: str, right: str) -> bool:
    if wrong == right or min(len(wrong), len(right)) < 3:
        return False
    if wrong.lower() == right.lower() or wrong.replace("_", "") == right.replace("_", ""):
        return True
    # x1 and x2, y_test and y_text: names that are told apart by a number or have a short odd part are two names.
    digits = [char for char in wrong if char.isdigit()] != [char for char in right if char.isdigit()]
    if digits or min(len(wrong), len(right)) < 5 or wrong.rstrip("s") == right.rstrip("s"):
        return False
    return OSA.distance(wrong, right) <= (2 if min(len(wrong), len(right)) >= 2 * _LONG else 1)


def _homes(scene: Scene, name: str) -> list[str]:
    """Modules from which a missing name can be imported, or the whole import statement that is customary for it."""
    uses = _uses(scene, name)
    if name in CUSTOMARY_IMPORTS:
        return [CUSTOMARY_IMPORTS[name]]
    if not uses or not _is_a_name(scene, name):
        return []
    owners = [owner for owner in scene.names.lookup_bare(name).owners if ".compat." not in owner]
    modules = [owner for owner in owners if not owner.rpartition(".")[2][:1].isupper()]
    if not name[:1].isupper() and len(modules) > _OWNERS:
        return []
    return [owner for owner in modules[:2] if all(_has(scene, f"{owner}.{name}", node) for node in uses)]


def _is_a_name(scene: Scene, name: str) -> bool:
    """Whether a word is plainly the name of something in a library: `Dense`, `train_test_split`, not `data`."""
    called = {
        node.func.id for node in ast.walk(scene.tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    bases = {
        node.value.id
        for node in ast.walk(scene.tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    if name[:1].isupper():
        return any(char.islower() for char in name) and name in called | bases
    return "_" in name and name in called


def _has(scene: Scene, path: str, use: ast.Name) -> bool:
    """Whether what stands behind a name where it is used exists at this path."""
    for node in ast.walk(scene.tree):
        if isinstance(node, ast.Attribute) and node.value is use:
            lookup = scene.names.lookup(NameQuery(path=f"{path}.{node.attr}"))
            return lookup.found or lookup.unknown
    return True
