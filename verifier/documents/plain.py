"""Reads what is text already: plain text, Markdown, reStructuredText, Python source."""

from __future__ import annotations

from verifier.documents.reading import Reading
from verifier.model import Cell, Span
from verifier.text import decode


def text(raw: bytes) -> Reading:
    """Plain text. Raises InputError when the bytes are not text."""
    return _read(raw, "text")


def markdown(raw: bytes) -> Reading:
    """Markdown. Raises InputError when the bytes are not text."""
    return _read(raw, "markdown")


def rst(raw: bytes) -> Reading:
    """Text in the markup of reStructuredText. Raises InputError when the bytes are not text."""
    return _read(raw, "rst")


def source(raw: bytes) -> Reading:
    """A Python file: one cell of code. Raises InputError when the bytes are not text."""
    characters, encoding = decode(raw)
    cell = Cell(span=Span(start=0, end=len(characters)), kind="code", language="python")
    return Reading(text=characters, encoding=encoding, cells=(cell,) if characters.strip() else ())


def _read(raw: bytes, markup: str) -> Reading:
    characters, encoding = decode(raw)
    return Reading(text=characters, encoding=encoding, markup=markup)
