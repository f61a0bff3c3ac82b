"""Hides the form of one problem on a terminal: what, where, the line with its underline, why, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.model import Confidence
from verifier.reports.canvas import Canvas, Part, style_of
from verifier.reports.correction import correction
from verifier.reports.excerpt import excerpt
from verifier.reports.grouping import Entry
from verifier.reports.safe import flat, printed
from verifier.reports.view import Finding
from verifier.reports.wording import (
    SYMBOLS,
    additions,
    claimed,
    command,
    first_line,
    location,
    plural,
    repairs_note,
    title,
    who,
    word,
)
from verifier.text import width

_MOST_BLOCKED = 6
_MOST_OBSERVED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Draws entries on a canvas. `detail` 0: a problem; 1: also reasons and all blocked claims; 2: also the code."""

    canvas: Canvas
    detail: int

    def draw(self, entry: Entry) -> None:
        """One entry with everything that a reader needs to judge it."""
        finding = entry.finding
        margin = len(str(finding.position[0])) + 1
        self.canvas.blank()
        self._head(finding)
        self._source(finding, margin)
        self._facts(entry, margin)

    def brief(self, finding: Finding) -> None:
        """One line for a claim that needs no attention."""
        line, column = finding.position
        message = flat(finding.verdict.message)
        code = finding.claim.code or finding.claim.quote
        short = first_line(code, 48)
        told = message if flat(code) in message else f"{short}: {message}" if message else short
        self.canvas.paragraph(f" {line}:{column} {told}", *self._badge(finding), indent=4)

    def _badge(self, finding: Finding) -> tuple[Part, ...]:
        verdict = finding.verdict
        rule = f"[{flat(verdict.rule)}]" if verdict.rule else ""
        state = "" if verdict.state == "new" else f" ({flat(verdict.state)})"
        style = style_of(verdict.status)
        return ((f"{SYMBOLS[verdict.status]} {word(verdict.status)}{rule}{state}", style),)

    def _head(self, finding: Finding) -> None:
        message = flat(finding.verdict.message) or title(finding.verdict.rule) or claimed(finding.claim)
        self.canvas.paragraph(f" {message}", *self._badge(finding), indent=2, style="strong")

    def _source(self, finding: Finding, margin: int) -> None:
        speaker = who(finding.passage)
        said_by = f" ({speaker})" if speaker else ""
        arrow: Part = (f"{' ' * (margin - 1)}--> ", "gutter")
        self.canvas.paragraph(said_by, arrow, (location(finding), "plain"), indent=margin + 3)
        if not finding.document.text:
            return
        gutter = (f"{' ' * margin}|", "gutter")
        shown = excerpt(finding.lines, finding.place, max(self.canvas.width - margin - 2, 8), self.canvas.clean)
        self.canvas.line(gutter)
        for line in shown.lines:
            number = str(line.number).rjust(margin - 1)
            self.canvas.line((f"{number} | ", "gutter"), (line.text, "plain"))
            if line.carets:
                style = style_of(finding.verdict.status)
                self.canvas.line(gutter, (f" {' ' * line.caret}{'^' * line.carets}", style))
        if shown.hidden:
            self.canvas.line((f"{' ' * margin}| ", "gutter"), (f"… {plural(shown.hidden, 'more line')}", "dim"))

    def _facts(self, entry: Entry, margin: int) -> None:
        finding, verdict = entry.finding, entry.finding.verdict
        observed = printed(verdict.observed).strip()
        if observed and observed not in verdict.message:
            self._fact(margin, "observed", _clipped(observed))
        for note in (*verdict.notes, *additions(finding), repairs_note(finding.claim)):
            self._fact(margin, "note", note)
        if verdict.confidence is not Confidence.SURE or self.detail:
            because = f" ({flat(verdict.because)})" if verdict.because else ""
            self._fact(margin, "confidence", f"{verdict.confidence}{because}")
        self._fact(margin, "help", entry.suggestion)
        for repeat in entry.repeats:
            self._fact(margin, "also", _reference(repeat))
        self._blocked(entry, margin)
        if self.detail > 1:
            self._depth(finding, margin)
        # Never wrapped: it is there to be copied.
        self.canvas.line((f"{' ' * margin}= repro: ", "gutter"), (command(finding), "plain"))

    def _blocked(self, entry: Entry, margin: int) -> None:
        most = len(entry.blocked) if self.detail else _MOST_BLOCKED
        for finding in entry.blocked[:most]:
            self._fact(margin, "blocks", _reference(finding))
        if len(entry.blocked) > most:
            self._fact(margin, "blocks", f"{len(entry.blocked) - most} more, shown with -v")

    def _depth(self, finding: Finding, margin: int) -> None:
        self._fact(margin, "claimed", claimed(finding.claim))
        for name, status in finding.verdict.per_environment:
            self._fact(margin, "in", f"{name}: {word(status)}")
        changes = correction(finding.claim, finding.run)
        if changes:
            self._fact(margin, "tried", "\n".join(f"{line.mark} {line.text}" for line in changes))
        if finding.claim.code:
            self._fact(margin, "code", f"as it was read\n{finding.claim.code.rstrip()}")

    def _fact(self, margin: int, label: str, text: str) -> None:
        if not text.strip():
            return
        lead = f"{' ' * margin}= {label}: "
        self.canvas.paragraph(text.strip(), (lead[:margin], "plain"), (lead[margin:], "gutter"), indent=width(lead))


def _reference(finding: Finding) -> str:
    line, column = finding.position
    return f"{line}:{column} {finding.claim.kind} {first_line(finding.claim.code or finding.claim.quote, 60)}"


def _clipped(output: str) -> str:
    lines = output.split("\n")
    if len(lines) <= _MOST_OBSERVED:
        return output
    half = _MOST_OBSERVED // 2
    return "\n".join([*lines[:half], f"… {len(lines) - 2 * half} lines …", *lines[-half:]])
