"""Hides how the history of one API name is shown: a time line of releases, then what it is and what to use instead."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.model import Lookup
from verifier.names import customary
from verifier.reports.canvas import Canvas
from verifier.reports.safe import flat

_MAJORS = ("1", "2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Biography:
    """What is known about one name: as asked, in the target, and over all releases (oldest first)."""

    name: str
    release: str
    lookup: Lookup
    history: tuple[tuple[str, str, str], ...] = ()
    present: tuple[str, ...] = ()


def render_biographies(
    lives: tuple[Biography, ...],
    releases: tuple[str, ...],
    *,
    width: int = 100,
    color: bool = False,
    encoding: str = "utf-8",
) -> str:
    """The histories for a terminal. `releases`: all minor releases that are known, oldest first."""
    canvas = Canvas(width=width, color=color, encoding=encoding)
    for number, life in enumerate(lives):
        if number:
            canvas.blank()
        _life(canvas, life, releases)
    return canvas.text()


def _life(canvas: Canvas, life: Biography, releases: tuple[str, ...]) -> None:
    found = life.lookup
    style = "works" if found.found and not found.stub else "unproven" if found.unknown else "broken"
    canvas.paragraph(f": {_standing(life)}", (flat(life.name), style), indent=2)
    if life.present:
        for line in _time_line(life.present, releases):
            canvas.line(("  ", "plain"), (line, "dim"))
    facts = (
        ("signature", f"{life.name.rpartition('.')[2]}{found.signature}" if found.signature else ""),
        ("defined as", found.canonical if found.canonical and found.canonical != life.name else ""),
        ("deprecated", found.deprecated),
        ("only raises", found.stub),
        ("now", customary(found.replacement)),
        ("has it", ", ".join(map(customary, found.owners))),
        ("nearest", ", ".join(map(customary, found.suggestions))),
        ("elsewhere", ", ".join(found.elsewhere[:4])),
    )
    for label, text in facts:
        if text:
            canvas.paragraph(flat(text), (f"  {label}: ", "gutter"), indent=4)
    changed = [(when, text) for when, _, text in life.history if text and text != found.signature]
    for when, text in changed[-4:]:
        canvas.paragraph(f"{flat(text)}", (f"  in {when}: ", "dim"), indent=4, style="dim")


def _standing(life: Biography) -> str:
    found = life.lookup
    kind = f"a {found.kind} " if found.kind else ""
    since = f", releases {found.first} to {found.last}" if found.first else ""
    if found.found:
        return f"{kind}in {life.release}{since}"
    if found.unknown:
        return "cannot be told"
    if found.last:
        return f"not in {life.release}; was there in {found.first} to {found.last}"
    return (
        f"not in {life.release}, and in no other TensorFlow that we know"
        if "." in life.name
        else "nothing has this name"
    )


def _time_line(present: tuple[str, ...], releases: tuple[str, ...]) -> list[str]:
    """One line a major version: a block for each minor release that has the name, a dot for each that has not."""
    lines = []
    for major in _MAJORS:
        of_major = [release for release in releases if release.partition(".")[0] == major]
        if of_major:
            marks = "".join("#" if release in present else "." for release in of_major)
            lines.append(f"{of_major[0]:>5} {marks} {of_major[-1]}")
    return lines
