"""The intermediate noun of judging: one opinion on one fact, before it is weighed against others."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.model import Confidence, Span, Status

# Which of several findings about one claim speaks for it. What we failed to do is worse than any doubt, and a
# fault that was seen is worth more than one that was not looked for.
_WEIGHT = {Status.WORKS: 0, Status.UNPROVEN: 1, Status.NOT_RUN: 2, Status.OUTDATED: 3, Status.BROKEN: 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """An opinion with its reason; `span` is a range of the snippet's code, not of the document."""

    status: Status
    rule: str = ""
    message: str = ""
    suggestion: str = ""
    confidence: Confidence = Confidence.SURE
    because: str = ""
    observed: str = ""
    notes: tuple[str, ...] = ()
    span: Span | None = None


def worst(findings: tuple[Finding, ...]) -> Finding:
    """The finding that speaks for all; the first among equals."""
    return max(findings, key=lambda finding: _WEIGHT[finding.status])


def first_line(text: str, limit: int = 300) -> str:
    """The first line of a message that says something, cut at `limit` characters."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= limit else line[: limit - 1] + "…"


def listed(names: tuple[str, ...]) -> str:
    """Names as a reader wants them: "`a`", "`a` and `b`", "`a`, `b` and `c`"."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"
