"""Which statements rest on stand-ins, directly or through other names, read off the data flow."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from verifier.probe.diagnose import full_path
from verifier.probe.sessions import Session
from verifier.probe.standins.supplies import Supply

Origins = frozenset[str]
_NONE: Origins = frozenset()


def origins(session: Session, supplies: Iterable[Supply]) -> dict[tuple[int, int], Origins]:
    """The names of the stand-ins behind each statement that rests on one, by (program, statement).

    `session` is the author's, without the stand-ins; programs are counted as there.
    """
    flow = _Flow(session.aliases, tuple(supplies))
    for index, (program, parsed) in enumerate(zip(session.programs, session.parsed, strict=True)):
        flow.enter(index)
        for number, item in enumerate(program.statements):
            if number < len(parsed.nodes):
                flow.take((index, number), parsed.nodes[number], set(item.reads), item.binds, item.touches)
                flow.define(parsed.nodes[number], parsed.flows[number].later)
    return flow.found


class _Flow:
    """What each name rests on at the present statement."""

    def __init__(self, aliases: Mapping[str, str], supplies: tuple[Supply, ...]) -> None:
        self.found: dict[tuple[int, int], Origins] = {}
        self._aliases = aliases
        self._supplies = supplies
        self._resting: dict[str, Origins] = {}
        self._bodies: dict[str, set[str]] = {}

    def enter(self, program: int) -> None:
        """The stand-ins in front of a program are run."""
        for supply in self._supplies:
            if supply.before == program:
                for name in supply.names:
                    self._resting[name] = frozenset({supply.standin.name})

    def take(
        self, place: tuple[int, int], node: ast.stmt, reads: set[str], binds: Iterable[str], touches: Iterable[str]
    ) -> None:
        """A statement is run: what it binds or touches rests on what it reads."""
        reached = self._reached(reads)
        behind = _NONE.union(*(self._resting.get(name, _NONE) for name in reached), self._direct(place, node))
        for name in binds:
            self._resting[name] = behind
            self._bodies.pop(name, None)
        if not behind:
            return
        self.found[place] = behind
        for name in touches:
            self._resting[name] = self._resting.get(name, _NONE) | behind

    def define(self, node: ast.stmt, later: set[str]) -> None:
        """A function rests on what its body reads when it is called; so far it rests on nothing."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._bodies[node.name] = later
            if direct := self._direct((-1, -1), node):
                self._resting[node.name] = direct

    def _reached(self, reads: set[str]) -> set[str]:
        """The names read, and those that the functions among them read."""
        found, waiting = set(reads), list(reads)
        while waiting:
            for name in self._bodies.get(waiting.pop(), ()):
                if name not in found:
                    found.add(name)
                    waiting.append(name)
        return found

    def _direct(self, place: tuple[int, int], node: ast.stmt) -> Origins:
        """Stand-ins that the code of a statement leads to without any variable."""
        sources = [supply for supply in self._supplies if supply.paths or supply.texts or supply.places]
        found = {supply.standin.name for supply in sources if place in supply.places}
        if any(supply.paths or supply.texts for supply in sources):
            words = set(self._words(node))
            for supply in sources:
                if words & {*supply.texts} or any(word.endswith(path) for word in words for path in supply.paths):
                    found.add(supply.standin.name)
        return frozenset(found)

    def _words(self, node: ast.stmt) -> Iterable[str]:
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value
            elif isinstance(part, ast.Attribute | ast.Name):
                yield full_path(part, self._aliases)
