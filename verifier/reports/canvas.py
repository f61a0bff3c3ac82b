"""Hides the terminal: styles, wrapping by columns, and what an encoding without ornaments gets instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.color import ColorSystem
from rich.style import Style

from verifier.model import Status
from verifier.reports.safe import held, visible
from verifier.text import width

# Blue against orange, told apart by every common kind of colour blindness; shape and word say it too.
_STYLES = {
    "works": Style(color="color(33)", bold=True),
    "broken": Style(color="color(208)", bold=True),
    "outdated": Style(color="color(178)", bold=True),
    "unproven": Style(color="color(141)", bold=True),
    "not-run": Style(color="color(245)", bold=True),
    "strong": Style(bold=True),
    "gutter": Style(color="color(67)", bold=True),
    "dim": Style(color="color(245)"),
    "plain": Style(),
}
_NEVER_FIRST = frozenset("，。、；：！？）》」』”’…,.;:!?)]}")

Part = tuple[str, str]  # text and the name of its style


@dataclass(slots=True, kw_only=True)
class Canvas:
    """Collects lines of styled text for a terminal `width` columns wide. Every text is made harmless here."""

    width: int
    color: bool
    encoding: str = "utf-8"
    _lines: list[str] = field(default_factory=list)

    def clean(self, text: str) -> str:
        """`text` as it may be shown on this terminal."""
        return held(visible(text), self.encoding).replace("\t", "    ")

    def line(self, *parts: Part) -> None:
        """One line as it is: nothing is wrapped or cut."""
        styled = (self._styled(self.clean(text).replace("\n", " "), style) for text, style in parts)
        self._lines.append("".join(styled).rstrip())

    def paragraph(self, text: str, *lead: Part, indent: int, style: str = "plain") -> None:
        """`text` behind `lead`, wrapped; its further lines begin at column `indent`."""
        text = self.clean(text)
        room = max(self.width - indent, _LEAST)
        first = self.width - sum(width(self.clean(part)) for part, _ in lead)
        if first < min(_LEAST, width(text)):
            self.line(*lead)
            lead, first, text = ((" " * indent, "plain"),), room, text.lstrip()
        pieces = wrap(text, first=first, room=room)
        self.line(*lead, (next(pieces), style))
        for piece in pieces:
            self.line((" " * indent, "plain"), (piece, style))

    def blank(self) -> None:
        """An empty line, unless the last one is empty or there is none."""
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def text(self) -> str:
        """All lines, each ended; empty when there is none."""
        return "".join(f"{line}\n" for line in self._lines)

    def _styled(self, text: str, style: str) -> str:
        if not self.color or not text:
            return text
        return _STYLES[style].render(text, color_system=ColorSystem.EIGHT_BIT)


_LEAST = 16  # columns that a wrapped text gets even on a terminal too narrow for it


def style_of(status: Status) -> str:
    """Name of the style of a status."""
    return str(status)


def wrap(text: str, *, first: int, room: int) -> Iterator[str]:
    """The lines of `text`: at most `first` columns for the first, `room` for the others.

    Lines break at spaces and at wide characters, which need none; a longer run is cut. Line ends are kept.
    """
    limit = first
    for line in text.split("\n"):
        yield from _wrap_line(line, first=limit, room=room)
        limit = room


def _wrap_line(line: str, *, first: int, room: int) -> Iterator[str]:
    start = used = since = 0
    cut = None  # where the current line may break, and (since) the columns behind it
    limit = first
    for at, char in enumerate(line):
        size = width(char)
        if char == " ":
            cut, since = at + 1, 0
        elif at > start and char not in _NEVER_FIRST and (size == 2 or width(line[at - 1]) == 2):
            cut, since = at, 0
        if used + size > limit and at > start and char != " ":
            if cut is None or cut <= start:
                cut, since = at, 0
            yield line[start:cut].rstrip()
            start, used, limit = cut, since, room
            cut = None
        used += size
        since += 0 if char == " " else size
    yield line[start:].rstrip()
