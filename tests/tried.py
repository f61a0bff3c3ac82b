"""Runs small documents through stages of the probe in a real sandbox, and judges them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from samples import document, snippet

from verifier.index import open_index
from verifier.judge import decide
from verifier.model import Claim, Evidence, Limits, Run, StandIn, StepFate, Verdict
from verifier.probe.sessions import plan_sessions
from verifier.probe.trial import Bench, Stage, Trial, attempt
from verifier.sandbox.base import Sandbox

TARGET = "tf-2.21"


@dataclass(frozen=True)
class Tried:
    """What came of the snippets of a document, in their order, and the verdict on every claim by its id."""

    runs: tuple[Run, ...]
    verdicts: dict[str, Verdict]
    trial: Trial

    @property
    def verdict(self) -> Verdict:
        """The verdict on the only snippet, or on the last."""
        return self.verdicts[f"s{len(self.runs) - 1}"]

    @property
    def standins(self) -> dict[str, StandIn]:
        """Everything that was supplied, by name."""
        return {item.name: item for run in self.runs for item in run.standins}

    @property
    def ran(self) -> list[str]:
        """The fate of every statement of the last snippet, in a word."""
        return [str(step.fate) for step in self.runs[-1].steps]

    def finished(self) -> bool:
        """Whether every statement ran."""
        return all(step.fate is StepFate.FINISHED for run in self.runs for step in run.steps)


@cache
def _names():
    return open_index(TARGET)


def tried(sandbox: Sandbox, *codes: str, stages: tuple[Stage, ...], more: tuple[Claim, ...] = (), **limits) -> Tried:
    """A document of these snippets, one session, through the stages; `more` are claims beside the snippets."""
    claims = [snippet(f"s{number}", code.strip("\n")) for number, code in enumerate(codes)]
    bench = Bench(sandbox=sandbox, limits=Limits(**limits), names=_names())
    (session,) = plan_sessions(document(), [*claims, *more])
    trial = attempt(session, bench)
    for stage in stages:
        trial = stage(trial, bench)
    evidence = [Evidence(claim=claim, environment=TARGET, run=run) for claim, run in trial.runs.items()]
    everything = [*claims, *more]
    verdicts = dict(zip((claim.id for claim in everything), decide(everything, evidence, TARGET), strict=True))
    return Tried(runs=tuple(trial.runs[claim.id] for claim in claims), verdicts=verdicts, trial=trial)
