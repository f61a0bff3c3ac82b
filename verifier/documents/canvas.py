"""Puts the visible text of a page together as a browser lays it out: white space, line breaks, preformatted blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from verifier.model import Cell, Span

# The white space that HTML collapses; a no-break space is not among it.
_SPACE = re.compile(r"[ \t\n\r\f]+")


@dataclass(slots=True)
class Canvas:
    """Grows the text of a page from left to right. `block` is the code block being written, if any."""

    _parts: list[str] = field(default_factory=list)
    _length: int = 0
    _breaks: int = 0
    _space: bool = False
    _quoted: bool = False
    _cells: list[Cell] = field(default_factory=list)
    _block: list[str] | None = None
    _preserved: bool = True

    @property
    def text(self) -> str:
        """All text so far."""
        return "".join(self._parts)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The code blocks so far, in order."""
        return tuple(self._cells)

    @property
    def in_block(self) -> bool:
        """Whether a code block is being written."""
        return self._block is not None

    def write(self, text: str) -> None:
        """Add text as it stands in the source of the page."""
        if self._block is not None:
            self._write_block(text)
            return
        words = _SPACE.sub(" ", text)
        self._space = self._space or (words.startswith(" ") and not self._quoted)
        if words.strip(" "):
            self._quoted = False
            self._emit(words.strip(" "))
            self._space = words.endswith(" ")

    def open_quote(self, *, spaced: bool) -> None:
        """Put a backtick before inline code; `spaced` when the code begins with white space, which goes before it."""
        if self._block is None:
            self._space = self._space or spaced
            self._emit("`")
            self._quoted = True

    def close_quote(self) -> None:
        """Put a backtick behind inline code; white space at its end goes behind it."""
        if self._block is None:
            spaced, self._space, self._breaks, self._quoted = self._space, False, 0, False
            self._emit("`")
            self._space = spaced

    def line(self) -> None:
        """A line break that was asked for (`<br>`)."""
        if self._block is not None:
            self._block.append("\n")
        else:
            self._breaks, self._space = min(self._breaks + 1, 2), False

    def apart(self, lines: int) -> None:
        """Let what follows begin on a new line, after an empty one when `lines` is 2."""
        if self._block is not None:
            if self._block and not self._block[-1].endswith("\n"):
                self._block.append("\n")
        else:
            self._breaks, self._space = max(self._breaks, lines), False

    def begin_block(self, *, preserved: bool) -> None:
        """Begin a code block. Its white space counts when `preserved`, else only its line breaks do."""
        self._block, self._preserved = [], preserved

    def end_block(self, kind: str, language: str) -> None:
        """End the code block and make a cell of it, unless it is blank."""
        block = "".join(self._block or ())
        self._block = None
        block = re.sub(r"\A(?:[ \t]*\n)+|\s+\Z", "", block)
        if not block:
            return
        self.apart(2)
        self._emit(block)
        self._cells.append(
            Cell(span=Span(start=self._length - len(block), end=self._length), kind=kind, language=language)
        )
        self.apart(2)

    def _write_block(self, text: str) -> None:
        block = self._block
        if block is None:
            return
        if not self._preserved:
            text = _SPACE.sub(" ", text)
            text = text.lstrip(" ") if not block or block[-1].endswith("\n") else text
        if text:
            block.append(text)

    def _emit(self, text: str) -> None:
        if self._length:
            gap = "\n" * min(self._breaks, 2) or (" " if self._space else "")
            self._parts.append(gap)
            self._length += len(gap)
        self._breaks, self._space = 0, False
        self._parts.append(text)
        self._length += len(text)
