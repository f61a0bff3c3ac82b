"""Hides the one-line form: `path:line:column: rule: message`, as editors and grep know it."""

from __future__ import annotations

from verifier.model import Report
from verifier.reports.grouping import entries
from verifier.reports.safe import flat
from verifier.reports.view import views
from verifier.reports.wording import location, title


def render_concise(report: Report) -> str:
    """One line for each problem, by document and gravity; claims of interviewers and reviewers say so."""
    lines = []
    for view in views(report):
        for findings, mark in ((view.charged, ""), (view.apart, " (not the candidate's)")):
            for entry in entries(findings):
                verdict = entry.finding.verdict
                if entry.finding.problem:
                    rule = flat(verdict.rule) or str(verdict.status)
                    tried = any(note.startswith("tried: ") for note in verdict.notes)
                    advice = f"; {flat(entry.suggestion)} (tried)" if tried and entry.suggestion else ""
                    said = flat(verdict.message) or title(rule)
                    lines.append(f"{location(entry.finding)}: {rule}: {said}{advice}{mark}\n")
    return "".join(lines)
