"""Hides how a place in a document is shown on few columns: which characters of a line, and where the underline goes.

Lines of interview notes are paragraphs of thousands of characters, half of them two columns wide. A window is
therefore measured in columns, and it begins and ends between characters, never inside one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from verifier.model import Span
from verifier.text import Lines, width

_TAB = 4
_MOST_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One line of a document as it is shown; `caret` and `carets` (0: none) are in columns."""

    number: int
    text: str
    caret: int = 0
    carets: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The shown lines of a place and how many lines of it are not shown."""

    lines: tuple[Shown, ...]
    hidden: int = 0


def excerpt(lines: Lines, span: Span, columns: int, clean: Callable[[str], str]) -> Excerpt:
    """The lines that `span` touches, each at most `columns` wide, with an underline when there is only one.

    `clean` turns a piece of a document into what may be shown. A place over several lines shows its first lines.
    """
    first = lines.line(span.start)
    last = lines.line(max(span.end - 1, span.start))
    if first == last:
        begin = lines.start(first)
        mark = Span(start=span.start - begin, end=span.end - begin)
        text, caret, carets = _window(lines.content(first), mark, columns, clean)
        return Excerpt(lines=(Shown(number=first, text=text, caret=caret, carets=carets),))
    shown = range(first, min(last, first + _MOST_LINES - 1) + 1)
    heads = (_window(lines.content(number), Span(start=0, end=0), columns, clean)[0] for number in shown)
    return Excerpt(
        lines=tuple(Shown(number=number, text=text) for number, text in zip(shown, heads, strict=True)),
        hidden=last - shown[-1],
    )


def _window(line: str, mark: Span, columns: int, clean: Callable[[str], str]) -> tuple[str, int, int]:
    """`line` cut to `columns` around the characters in `mark`, which come first when room is short.

    Also the column and the width of the underline, counted from the start of the returned text.
    """
    start, end = mark.start, mark.end
    end = min(max(end, start + 1), max(len(line), start))
    more = clean("…")
    room = max(columns - 2 * width(more), 1)
    # No more characters than columns can be shown on either side (those of no width aside).
    low, high = max(start - columns, 0), min(max(end, start) + columns, len(line))
    high = min(high, start + 2 * columns)
    cells = [_shown(char, clean) for char in line[low:high]]
    sizes = [width(cell) for cell in cells]
    if low == 0 and high == len(line) and sum(sizes) <= columns:
        first, last = 0, len(cells)
    else:
        first, last = _fit(sizes, start - low, min(end - low, len(cells)), room)
    head = more if low + first > 0 else ""
    tail = more if low + last < len(line) else ""
    marked = sizes[max(start - low, first) : min(end - low, last)]
    text = head + "".join(cells[first:last]) + tail
    return text, width(head) + sum(sizes[first : start - low]), max(sum(marked), 1)


def _fit(sizes: list[int], start: int, end: int, room: int) -> tuple[int, int]:
    """First and last piece of the widest window of at most `room` columns that begins with the marked pieces.

    What is left of the room goes to the left up to a third, then to the right, then to the left again.
    """
    last, used = start, 0
    while last < end and used + sizes[last] <= room:
        used += sizes[last]
        last += 1
    first = start
    for share in (used + (room - used) // 3, None, room):
        if share is None:
            while last < len(sizes) and used + sizes[last] <= room:
                used += sizes[last]
                last += 1
        else:
            while first > 0 and used + sizes[first - 1] <= share:
                first -= 1
                used += sizes[first]
    return first, last


def _shown(char: str, clean: Callable[[str], str]) -> str:
    return " " * _TAB if char == "\t" else clean(char)
