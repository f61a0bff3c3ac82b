"""Runs a folder of documents through the whole tool, in one sandbox, and tells each verdict by one word."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from verifier.config import Settings
from verifier.model import Claim, ClaimKind, Status, Verdict
from verifier.pipeline import verify

FAULTS = frozenset({Status.BROKEN, Status.OUTDATED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the tool says of one document."""

    claims: tuple[tuple[Claim, Verdict], ...]
    figures: int

    def words(self, kind: ClaimKind) -> list[str]:
        """The verdicts on the claims of one kind, in the order of the text: `works`, or the rule of any other."""
        return [word(verdict) for claim, verdict in self.claims if claim.kind is kind]

    def faults(self, *kinds: ClaimKind) -> list[str]:
        """What is called broken or outdated among the claims of these kinds, of all when none is given."""
        return [
            f"{claim.kind} {claim.quote[:60]!r}: {verdict.message}"
            for claim, verdict in self.claims
            if verdict.status in FAULTS and claim.kind in (kinds or tuple(ClaimKind))
        ]


def word(verdict: Verdict) -> str:
    """`works`, or the rule that speaks against it."""
    return "works" if verdict.status is Status.WORKS else verdict.rule or str(verdict.status)


def judge(paths: list[Path]) -> dict[str, Judged]:
    """The verdicts on some documents by the name of the file without its ending. Only the target release is asked."""
    report = verify([str(path) for path in paths], Settings(also=()))
    assert not report.notices, report.notices
    verdicts = {verdict.claim: verdict for verdict in report.verdicts}
    figures = {
        item.claim: sum(len(step.figures) for step in item.run.steps)
        for item in report.evidence
        if item.run is not None
    }
    judged = {}
    for document in report.documents:
        claims = [claim for claim in report.claims if claim.document == document.path]
        judged[Path(document.path).stem] = Judged(
            claims=tuple((claim, verdicts[claim.id]) for claim in claims),
            figures=sum(figures.get(claim.id, 0) for claim in claims),
        )
    return judged


def table(path: Path) -> dict[str, list[str]]:
    """The rows of a table of expected verdicts by their first word."""
    rows = [line.split() for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    found = {name: row for name, *row in rows}
    assert len(found) == len(rows), "a document has two rows"
    return found
