"""Hides how the claims of a document are listed when nothing is run: what would be checked, and how it was read."""

from __future__ import annotations

from collections import defaultdict

from verifier.model import Claim, ClaimKind, Polarity, Report
from verifier.reports.canvas import Canvas
from verifier.reports.safe import flat
from verifier.reports.view import DocumentView, views
from verifier.reports.wording import plural, who

_QUOTE = 90
_PLACES = 6


def render_claims(report: Report, *, width: int = 100, color: bool = False, encoding: str = "utf-8") -> str:
    """The claims of a report without their verdicts, each with its place, target and repairs, for a terminal.

    What was left alone stands behind the claims of its document, with the reason. The text is as harmless as that of
    `render_terminal`.
    """
    canvas = Canvas(width=width, color=color, encoding=encoding)
    for view in views(report):
        _document(canvas, view)
    canvas.blank()
    left = plural(len(report.left_alone), "region")
    claims, documents = plural(len(report.claims), "claim"), plural(len(report.documents), "document")
    canvas.paragraph(f"{claims} in {documents}, {left} left alone; nothing was run", indent=2, style="strong")
    return canvas.text()


def _document(canvas: Canvas, view: DocumentView) -> None:
    canvas.blank()
    canvas.paragraph(flat(view.document.path), indent=2, style="strong")
    for finding in view.findings:
        claim = finding.claim
        line, column = view.lines.position(claim.span.start)
        said = who(finding.passage)
        canvas.paragraph(
            f"{claim.kind} {_described(claim)}{f' ({said})' if said else ''}",
            (f"  {line}:{column} ", "gutter"),
            indent=6,
        )
        for text in _repairs(view, claim):
            canvas.paragraph(text, ("      ", "plain"), indent=8, style="dim")
        if claim.doubt:
            canvas.paragraph(f"doubt: {flat(claim.doubt)}", ("      ", "plain"), indent=8, style="dim")
    for region in view.left_alone:
        place = "{}:{}".format(*view.lines.position(region.span.start))
        canvas.paragraph(f"{flat(region.kind)}: {flat(region.reason)}", (f"  {place} left alone ", "dim"), indent=6)


def _repairs(view: DocumentView, claim: Claim) -> list[str]:
    """The repairs of a claim, equal ones together, each with its first places."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for repair in claim.repairs:
        change = f"{repair.rule} {repair.klass}: {_shown(repair.before)} -> {_shown(repair.after)}"
        places[change, repair.reason].append("{}:{}".format(*view.lines.position(repair.span.start)))
    return [
        f"{change}, {', '.join(found[:_PLACES])}{f' and {len(found) - _PLACES} more' if len(found) > _PLACES else ''}"
        f" ({flat(reason)})"
        for (change, reason), found in places.items()
    ]


def _shown(text: str) -> str:
    return f"“{flat(text.replace(chr(10), '⏎'))}”" if text else "nothing"


def _described(claim: Claim) -> str:
    quote = flat(claim.quote)
    shown = quote if len(quote) <= _QUOTE else f"{quote[: _QUOTE - 1]}…"
    if claim.kind is ClaimKind.SNIPPET:
        lines = claim.code.count("\n") + 1
        return f"{plural(lines, 'line')} of code: {shown}"
    facts = [shown]
    if claim.target and claim.target not in claim.quote:
        facts.append(f"meaning {claim.target}")
    if claim.said_kind:
        facts.append(f"said to be a {claim.said_kind}")
    if claim.argument:
        facts.append(f"argument {claim.argument}")
    if claim.polarity is Polarity.NEGATED:
        facts.append("denied")
    if claim.release:
        facts.append(f"of release {claim.release}")
    return ", ".join(facts)
