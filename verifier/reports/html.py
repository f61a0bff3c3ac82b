"""Hides how the page is made: one self-contained HTML file, no script, no network, everything escaped in one place.

What reaches a template is text. Jinja escapes every value that it prints, and `finalize` shows control and
bidirectional characters before that, so no template can forget either.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from verifier.model import Report
from verifier.reports.page import page_of
from verifier.reports.safe import has_han, visible

_TEMPLATES = Path(__file__).parent / "templates"


def render_html(report: Report) -> str:
    """The report as one HTML page that needs nothing else."""
    return _environment().get_template("page.html.j2").render(page=page_of(report))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["size"] = _size
    environment.filters["ticked"] = _ticked
    environment.tests["chinese"] = has_han
    return environment


def _harmless(value: object) -> object:
    """What a template prints: text made harmless; markup, which only our own templates make, stays as it is."""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _ticked(sentence: str) -> list[tuple[bool, str]]:
    """The pieces of a sentence and whether each stands between backticks, which are dropped."""
    pieces = sentence.split("`")
    if len(pieces) % 2 == 0:
        return [(False, sentence)]
    return [(bool(at % 2), piece) for at, piece in enumerate(pieces) if piece]


def _size(count: int) -> str:
    """Bytes in the largest binary unit that keeps the figure whole."""
    for power, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if count >= 1 << power:
            return f"{count / (1 << power):.4g} {unit}"
    return f"{count} bytes"
