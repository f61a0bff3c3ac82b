"""How the code of a session uses the names that nothing gives."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from verifier.probe.sessions import Session
from verifier.probe.standins.occurrences import Reader
from verifier.probe.standins.supplies import Live, Use


def uses_of(session: Session, names: Iterable[str], live: Live) -> dict[str, tuple[Use, ...]]:
    """Every use of each of the names, in the order of the code."""
    wanted, bound = set(names), set[str]()
    found: dict[str, list[Use]] = {name: [] for name in wanted}
    functions = {
        node.name: node for parsed in session.parsed for node in parsed.nodes if isinstance(node, ast.FunctionDef)
    }
    for index, parsed in enumerate(session.parsed):
        for node, flow in zip(parsed.nodes, parsed.flows, strict=True):
            here = wanted & (flow.reads | flow.later | flow.binds)
            if here:
                reader = Reader(node, index, session.aliases, live, functions)
                for part in ast.walk(node):
                    if isinstance(part, ast.Name) and part.id in here and not isinstance(part.ctx, ast.Del):
                        found[part.id] += [replace(use, later=part.id in bound) for use in reader.uses(part)]
            bound |= flow.binds & wanted
    return {name: tuple(uses) for name, uses in found.items()}
