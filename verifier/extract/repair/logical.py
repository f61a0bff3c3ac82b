"""Logical lines of code whose indentation may be lost: their words and the names they use."""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.extract.repair.scan import Kind, Token, plain, scan
from verifier.extract.repair.statements import header_end

_FILLED = re.compile(r"\{([A-Za-z_]\w*)")


@dataclass(slots=True)
class Line:
    """A logical line: its offset and indentation in the text, its tokens."""

    start: int
    indent: int
    tokens: list[Token]

    @property
    def word(self) -> str:
        """The first token of the line."""
        return self.tokens[0].text

    def names(self) -> set[str]:
        """Names that the line reads or binds; attributes and keyword arguments are no names."""
        found = set()
        for index, token in enumerate(self.tokens):
            if token.kind is Kind.STRING and token.text[:2].strip("rR")[:1] in {"f", "F"}:
                found.update(_FILLED.findall(token.text))
            if token.kind is not Kind.NAME or (index and self.tokens[index - 1].text == "."):
                continue
            if token.depth and index + 1 < len(self.tokens) and plain(self.tokens[index + 1].text) == "=":
                continue
            found.add(token.text)
        return found

    def binds(self) -> set[str]:
        """Names in front of the first `=`, and those of `for … in` and `as …`."""
        found: set[str] = set()
        for index, token in enumerate(self.tokens):
            following = self.tokens[index + 1].text if index + 1 < len(self.tokens) else ""
            if token.text == "=" and not token.depth:
                found |= {
                    before.text
                    for position, before in enumerate(self.tokens[:index])
                    if before.kind is Kind.NAME and not (position and self.tokens[position - 1].text == ".")
                }
                break
            if token.text == "as":
                found.add(following)
            if token.text == "in" and self.word == "for":
                found |= {before.text for before in self.tokens[1:index] if before.kind is Kind.NAME}
                break
        return found


def lines_of(text: str) -> list[Line]:
    """The logical lines of `text` in order, without comments."""
    lines: list[Line] = []
    current: list[Token] = []
    for token in scan(text):
        if token.kind is Kind.NEWLINE and not token.depth:
            current = _close(text, lines, current)
        elif token.kind not in {Kind.COMMENT, Kind.NEWLINE}:
            current.append(token)
    _close(text, lines, current)
    return lines


def _close(text: str, lines: list[Line], tokens: list[Token]) -> list[Token]:
    if tokens:
        start = text.rfind("\n", 0, tokens[0].start) + 1
        lines.append(Line(start, tokens[0].start - start, tokens))
    return []


def opens_block(line: Line) -> bool:
    """Whether the line is the header of a block whose body is not on it."""
    return header_end(line.tokens, 0) == len(line.tokens) - 1
