"""The course of one session as it claims it, held against the plan. Anything out of order is a ProtocolError."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from verifier.errors import ProtocolError
from verifier.model import Figure, SessionJob, Step, StepFate
from verifier.sandbox.claims import (
    Answer,
    Begin,
    Claim,
    FigureClaim,
    Finished,
    Notice,
    Ran,
    Skip,
    Started,
    StepClaim,
    to_figure,
    to_step,
)


@dataclass(slots=True)
class Transcript:
    """Collects the claims of a session in the order of its plan.

    order numbers the statements as they began, for the marks in the output; exhausted names the limits of which
    an exception told; ended says what ended the session early; noticed and signals are those of `Finished`.
    """

    job: SessionJob
    names: dict[str, str]
    started: bool = False
    finished: bool = False
    ended: str = ""
    noticed: int = 0
    signals: bool = False
    order: list[tuple[int, int]] = field(default_factory=list)
    exhausted: set[str] = field(default_factory=set)
    _steps: dict[tuple[int, int], Step] = field(default_factory=dict)
    _figures: dict[tuple[int, int], list[Figure]] = field(default_factory=dict)
    _lines: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _at: tuple[int, int] = (0, 0)
    _open: bool = False

    def take(self, claim: Claim) -> None:
        """Add one claim; raises ProtocolError when it cannot come now."""
        self._check_frame(claim)
        match claim:
            case Started():
                self.started = True
            case Begin():
                self._begin((claim.program, claim.statement))
            case StepClaim():
                self._end((claim.program, claim.statement), claim)
            case Skip():
                self._skip(claim.program)
            case FigureClaim():
                self._figure((claim.program, claim.statement), to_figure(claim))
            case Ran():
                self._ran(claim)
            case Finished():
                self._finish(claim)
            case Notice():
                raise ProtocolError("A session's notice came among its claims.")
            case Answer():
                raise ProtocolError("A session answered a question that nobody asked.")

    def _check_frame(self, claim: Claim) -> None:
        if self.finished:
            raise ProtocolError("A session went on after its end.")
        if isinstance(claim, Started) == self.started:
            raise ProtocolError("A session began twice or never.")

    def steps(self) -> tuple[Step, ...]:
        """One step per statement of the plan; those without a claim were not reached."""
        found = []
        for program, plan in enumerate(self.job.programs):
            for statement in range(len(plan.statements)):
                key = (program, statement)
                blank = Step(program=program, statement=statement, fate=StepFate.NOT_REACHED)
                found.append(replace(self._steps.get(key, blank), figures=tuple(self._figures.get(key, ()))))
        return tuple(found)

    def ran_lines(self) -> tuple[tuple[int, ...], ...]:
        """Per program, the lines that ran."""
        return tuple(self._lines.get(index, ()) for index in range(len(self.job.programs)))

    def _settle(self) -> tuple[int, int]:
        """The next statement of the plan, past the ends of programs."""
        program, statement = self._at
        while program < len(self.job.programs) and statement >= len(self.job.programs[program].statements):
            program, statement = program + 1, 0
        return program, statement

    def _begin(self, key: tuple[int, int]) -> None:
        if self._open or key != self._settle():
            raise ProtocolError("A session ran a statement out of order.")
        self._at, self._open = key, True
        self.order.append(key)

    def _end(self, key: tuple[int, int], claim: StepClaim) -> None:
        if not self._open or key != self._at:
            raise ProtocolError("A session ended a statement that had not begun.")
        if claim.fate == "raised" and claim.fault is None:
            raise ProtocolError("A session claimed an exception without saying which.")
        if claim.blocked_by is not None and not self._is_earlier(claim.blocked_by, key):
            raise ProtocolError("A session blamed a statement that had not run.")
        self._steps[key] = to_step(claim, self.names)
        if claim.fault and claim.fault.exhausted:
            self.exhausted.add(claim.fault.exhausted)
        self._at, self._open = (key[0], key[1] + 1), False

    def _is_earlier(self, culprit: tuple[int, int], key: tuple[int, int]) -> bool:
        return culprit in self._steps and culprit < key

    def _skip(self, program: int) -> None:
        """A program that does not parse is passed over once its first statement, if it has one, has said so."""
        if self._open or not 0 <= program < len(self.job.programs):
            raise ProtocolError("A session passed over a program out of order.")
        if self.job.programs[program].statements:
            first = self._steps.get((program, 0))
            if first is None or first.fate is not StepFate.RAISED or self._at != (program, 1):
                raise ProtocolError("A session passed over a program that it had begun to run.")
        self._at = (program + 1, 0)

    def _figure(self, key: tuple[int, int], figure: Figure) -> None:
        limit = self.job.limits
        count = sum(len(figures) for figures in self._figures.values())
        if key not in self.order or count >= limit.figures or len(figure.png) > limit.figure * 2:
            raise ProtocolError("A session claimed a figure beyond its limits.")
        self._figures.setdefault(key, []).append(figure)

    def _ran(self, claim: Ran) -> None:
        if claim.program in self._lines or not 0 <= claim.program < len(self.job.programs):
            raise ProtocolError("A session claimed lines of a program that it does not have.")
        self._lines[claim.program] = claim.lines

    def _finish(self, claim: Finished) -> None:
        everything = self._settle()[0] >= len(self.job.programs)
        if self._open or not (claim.ended or everything):
            raise ProtocolError("A session claimed to be over before its last statement.")
        self.finished, self.ended = True, claim.ended
        self.noticed, self.signals = claim.noticed, claim.signals
