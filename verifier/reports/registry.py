"""Hides which formats there are. A new one is one module and one line of this table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from verifier.model import Report
from verifier.reports.concise import render_concise
from verifier.reports.jsonform import to_json
from verifier.reports.terminal import render_terminal


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One kind of report: what a file of it holds, and the file name endings that stand for it."""

    kind: str
    suffixes: tuple[str, ...]
    render: Callable[[Report], bytes]


def render_html(report: Report) -> str:
    """The page of `verifier.reports.html`, whose template engine is loaded when a page is wanted."""
    from verifier.reports import html  # noqa: PLC0415  40 ms that a look-up of one name need not pay

    return html.render_html(report)


def _encoded(render: Callable[[Report], str]) -> Callable[[Report], bytes]:
    return lambda report: render(report).encode("utf-8")


_TABLE = (
    Format(kind="text", suffixes=(".txt", ".log"), render=_encoded(render_terminal)),
    Format(kind="concise", suffixes=(), render=_encoded(render_concise)),
    Format(kind="json", suffixes=(".json",), render=to_json),
    Format(kind="html", suffixes=(".html", ".htm"), render=_encoded(render_html)),
)
FORMATS: dict[str, Format] = {item.kind: item for item in _TABLE}


def kind_of(path: str) -> str | None:
    """The kind of report that a file name stands for, None when its ending says nothing."""
    suffix = PurePath(path).suffix.lower()
    return next((item.kind for item in _TABLE if suffix in item.suffixes), None)
