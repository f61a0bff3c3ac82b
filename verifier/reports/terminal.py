"""Hides the order of the terminal report: per document problems, claims told apart, what was left; totals last."""

from __future__ import annotations

from verifier.model import Report
from verifier.reports.block import Block
from verifier.reports.canvas import Canvas
from verifier.reports.grouping import entries
from verifier.reports.safe import flat
from verifier.reports.sentences import apart_heading, headline, left_alone, nothing, totals
from verifier.reports.view import DocumentView, Finding, views
from verifier.reports.wording import plural

QUIET, NORMAL, VERBOSE = -1, 0, 1
_INDENT = 2


def render_terminal(
    report: Report, *, width: int = 100, color: bool = False, verbosity: int = NORMAL, encoding: str = "utf-8"
) -> str:
    """The report for a terminal, each line ended.

    `verbosity`: -2 nothing, -1 problems only, 0 also headlines and totals, 1 also what works and why it is so sure,
    2 also the code as it was read. `encoding` is that of the stream; what it cannot hold is shown in plainer form.
    The text holds no control characters but line ends and, with `color`, our own SGR sequences.
    """
    if verbosity < QUIET:
        return ""
    canvas = Canvas(width=width, color=color, encoding=encoding)
    documents = views(report)
    for view in documents:
        _document(canvas, view, verbosity)
    if verbosity >= NORMAL:
        canvas.blank()
        _notices(canvas, report)
        canvas.paragraph(totals(report, documents), indent=_INDENT, style="strong")
    return canvas.text()


def _document(canvas: Canvas, view: DocumentView, verbosity: int) -> None:
    canvas.blank()
    if verbosity >= NORMAL:
        _headline(canvas, view)
    _findings(canvas, view.charged, verbosity)
    apart = tuple(finding for finding in view.apart if finding.problem or verbosity >= VERBOSE)
    if apart:
        canvas.blank()
        canvas.paragraph(f"{apart_heading(apart)}:", indent=_INDENT, style="strong")
        _findings(canvas, apart, verbosity)
    if verbosity >= NORMAL:
        _margin_notes(canvas, view, verbosity)


def _headline(canvas: Canvas, view: DocumentView) -> None:
    if not view.charged:
        canvas.paragraph(f"nothing to verify: {nothing(view)}", indent=_INDENT)
        return
    path = flat(view.document.path)
    canvas.paragraph(f": {headline(view)}", (path, "strong"), indent=_INDENT)


def _findings(canvas: Canvas, findings: tuple[Finding, ...], verbosity: int) -> None:
    block = Block(canvas=canvas, detail=max(verbosity, NORMAL))
    shown = entries(findings)
    for entry in shown:
        if entry.finding.problem:
            block.draw(entry)
    working = [entry for entry in shown if not entry.finding.problem]
    if not working or verbosity < VERBOSE:
        return
    canvas.blank()
    for entry in working:
        if verbosity > VERBOSE:
            block.draw(entry)
        else:
            block.brief(entry.finding)


def _margin_notes(canvas: Canvas, view: DocumentView, verbosity: int) -> None:
    if view.left_alone or view.notices:
        canvas.blank()
    for line in left_alone(view):
        canvas.paragraph(line, indent=_INDENT, style="dim")
    if verbosity >= VERBOSE:
        for region in view.left_alone:
            line_number = view.lines.line(max(region.span.start, 0))
            place = f"{flat(view.document.path)}:{line_number}"
            canvas.paragraph(f"{place} {flat(region.kind)}: {flat(region.reason)}", indent=4, style="dim")
    for notice in view.notices:
        where = f" (line {view.lines.line(max(notice.span.start, 0))})" if notice.span else ""
        canvas.paragraph(f"{flat(notice.message)}{where}", ("notice: ", "dim"), indent=_INDENT)


def _notices(canvas: Canvas, report: Report) -> None:
    paths = {document.path for document in report.documents} | {claim.document for claim in report.claims}
    for notice in report.notices:
        if notice.document not in paths:
            canvas.paragraph(flat(notice.message), ("notice: ", "dim"), indent=_INDENT)
    if report.interrupted:
        unfinished = len(report.claims) - len({verdict.claim for verdict in report.verdicts})
        missing = f"; {plural(unfinished, 'claim')} not looked at" if unfinished > 0 else ""
        canvas.paragraph(f"the run was interrupted{missing}", ("notice: ", "dim"), indent=_INDENT)
