"""What every reader of a format gives back, and the sheet on which it puts the visible text together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from verifier.model import Cell, Passage, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The visible text of one input. Without `passages` the text itself has to tell who speaks."""

    text: str
    encoding: str = "utf-8"
    markup: str = "text"
    cells: tuple[Cell, ...] = ()
    passages: tuple[Passage, ...] = ()
    notices: tuple[str, ...] = ()


# Raises InputError with a predicate ("is not a notebook: …"); the caller puts the name of the document before it.
Reader: TypeAlias = Callable[[bytes], Reading]


@dataclass(slots=True)
class Sheet:
    """Collects blocks of text, apart from each other by a blank line, and the cells among them."""

    _parts: list[str] = field(default_factory=list)
    _cells: list[Cell] = field(default_factory=list)
    _length: int = 0

    def add(self, block: str, kind: str = "", language: str = "") -> Span:
        """Put a block at the end; with a `kind` it becomes a cell. Returns where it stands."""
        if self._parts:
            self._put("\n\n")
        start = self._length
        self._put(block)
        span = Span(start=start, end=self._length)
        if kind:
            self._cells.append(Cell(span=span, kind=kind, language=language))
        return span

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    @property
    def text(self) -> str:
        """All blocks so far."""
        return "".join(self._parts)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells so far, in order."""
        return tuple(self._cells)
