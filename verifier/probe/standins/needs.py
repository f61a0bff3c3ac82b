"""What a run lacked, as stand-ins for it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from verifier.probe.flow import GIVEN
from verifier.probe.sessions import Session
from verifier.probe.standins.downloads import downloads
from verifier.probe.standins.files import files, variables
from verifier.probe.standins.roles import proposed
from verifier.probe.standins.supplies import Supply
from verifier.probe.standins.watch import Seen


def needed(session: Session, seen: Seen, supplies: Iterable[Supply]) -> tuple[Supply, ...]:
    """Stand-ins for what the run lacked and has a plain role; those that it had already are not proposed again."""
    had = {(item.standin.name, item.before): item for item in supplies}
    named = {name: item for (name, _), item in sorted(had.items(), key=lambda pair: pair[0][1])}
    absent = tuple(_in_order(session, seen.absent() | _within(session) | {*named} & _given_by_name(named)))
    others = (*downloads(session, seen), *files(session, seen), *variables(session, seen))
    found = tuple(item for item in others if item.standin.name not in named)
    for hasty in (False, True):
        proposals = proposed(session, absent, seen.lives, named, hasty=hasty)
        found = found if hasty and found else (*found, *(i for i in proposals if (i.standin.name, i.before) not in had))
    return found


def _given_by_name(named: Mapping[str, Supply]) -> set[str]:
    return {name for name, item in named.items() if item.names}


def _within(session: Session) -> set[str]:
    """Names that nothing binds and that functions need which the code calls."""
    bodies: dict[str, set[str]] = {}
    called: set[str] = set()
    bound = {*GIVEN, *session.aliases}
    for parsed in session.parsed:
        bound |= parsed.binds
        for node, flow in zip(parsed.nodes, parsed.flows, strict=True):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                bodies[node.name] = flow.later
            else:
                called |= flow.reads | flow.later
    waiting = list(called)
    while waiting:
        more = bodies.get(waiting.pop(), set()) - called
        called |= more
        waiting += more
    return called - bound if not any(parsed.star for parsed in session.parsed) else set()


def _in_order(session: Session, names: set[str]) -> list[str]:
    """Names in the order in which the code first wants them."""
    ordered: dict[str, None] = {}
    for parsed in session.parsed:
        for flow in parsed.flows:
            for name in sorted((flow.reads | flow.later) & names):
                ordered.setdefault(name)
    return list(ordered)
