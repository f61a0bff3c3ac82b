"""Sessions and questions in a warm TensorFlow behind a wall, one fresh cell each. Knows no backend."""

from __future__ import annotations

import re
import secrets
import threading
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, field, replace
from types import TracebackType
from typing import Self

from verifier.errors import ProtocolError, SandboxUnavailable
from verifier.model import NO_RIG, Environment, Fate, Limits, Lookup, NameQuery, Outcome, SessionJob, Step
from verifier.sandbox.cgroup import ControlGroup
from verifier.sandbox.claims import Answer, Claim, Finished
from verifier.sandbox.conduct import HARD_OUTPUT, Conduct, Record, Unusable
from verifier.sandbox.fate import decide
from verifier.sandbox.output import Stream, abridge, without_native_log
from verifier.sandbox.transcript import Transcript
from verifier.sandbox.wall import Hello, Wall

_LOOKUP_LIMITS = Limits(wall_seconds=60.0)
_QUERIES = 500  # answered by one child


class WarmSandbox(ABC):
    """All of `verifier.sandbox.base.Sandbox` but the wall itself, which each backend puts up."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._wall: Wall | None = None
        self._group: ControlGroup | None = None
        self._starter: threading.Thread | None = None

    @abstractmethod
    def _open_wall(self) -> Wall:
        """A wall whose guest is ready; raises SandboxUnavailable or ProtocolError and leaves nothing behind."""

    @abstractmethod
    def _describe(self, hello: Hello) -> Environment:
        """What is inside and how it is isolated."""

    @property
    def environment(self) -> Environment:
        """What is inside and how it is isolated; waits until the guest is ready."""
        with self._lock:
            return self._describe(self._ready().hello())

    def start(self) -> None:
        """Begin to get ready in the background."""
        if self._starter is None:
            self._starter = threading.Thread(target=self._prepare, name="sandbox-start", daemon=True)
            self._starter.start()

    def run(self, job: SessionJob) -> Outcome:
        """Run a session in a fresh cell; a failure of ours is tried once more."""
        with self._lock:
            outcome = self._attempt(job)
            return self._attempt(job) if outcome.fate is Fate.SANDBOX_FAILED else outcome

    def lookup(self, queries: tuple[NameQuery, ...]) -> tuple[Lookup, ...]:
        """Ask about names; one answer per query, in order."""
        found: list[Lookup] = []
        with self._lock:
            for first in range(0, len(queries), _QUERIES):
                part = queries[first : first + _QUERIES]
                answers = self._ask(part) or self._ask(part)
                if answers is None:
                    raise ProtocolError("The sandbox did not answer questions about names; run again.")
                found += answers
        return tuple(found)

    def close(self) -> None:
        """End everything that runs inside and wait until it is gone."""
        with self._lock:
            self._discard()
            if self._group:
                self._group.remove()
                self._group = None

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def _prepare(self) -> None:
        try:
            with self._lock:
                self._ready()
        except (SandboxUnavailable, ProtocolError):
            pass  # whoever needs the sandbox asks again and is told

    def _ready(self) -> Wall:
        """The wall with a guest that waits for work; raises SandboxUnavailable."""
        if self._wall is None:
            try:
                self._wall = self._open_wall()
            except OSError as error:
                raise SandboxUnavailable(f"The sandbox cannot be started: {error}.") from error
        return self._wall

    def _discard(self) -> None:
        wall, self._wall = self._wall, None
        if wall is not None:
            wall.close()

    def _conduct(self, message: dict[str, object], limits: Limits, record: Record, token: str, word: str) -> Conduct:
        """Run one job; raises Unusable. Whatever interrupts it also ends what runs inside."""
        wall = self._ready()
        held = HARD_OUTPUT * limits.output + (1 << 20)
        streams = Stream.begin(word, held), Stream.begin(word, held)
        conduct = Conduct(wall, limits, record, token, *streams, self._group)
        try:
            conduct.run(message)
        except BaseException:
            self._discard()
            raise
        if conduct.worn or not wall.hello().nested:
            self._discard()
        return conduct

    def _attempt(self, job: SessionJob) -> Outcome:
        paths = guest_paths([program.name for program in job.programs])
        token, word = secrets.token_hex(16), secrets.token_hex(8)
        transcript = Transcript(job, dict(zip(paths, (program.name for program in job.programs), strict=True)))
        message = session_message(job, paths, token, word)
        try:
            conduct = self._conduct(message, job.limits, transcript, token, word)
        except Unusable as error:
            return Outcome(fate=Fate.SANDBOX_FAILED, detail=str(error), steps=transcript.steps(), limits=job.limits)
        return to_outcome(job, transcript, conduct)

    def _ask(self, queries: tuple[NameQuery, ...]) -> list[Lookup] | None:
        """The answers to a few queries, or None when the attempt failed."""
        token = secrets.token_hex(16)
        answers = _Answers(queries)
        message: dict[str, object] = {
            "kind": "lookup",
            "token": token,
            "limits": _limits(_LOOKUP_LIMITS),
            "queries": [_query(query) for query in queries],
        }
        try:
            self._conduct(message, _LOOKUP_LIMITS, answers, token, secrets.token_hex(8))
        except Unusable:
            return None
        return answers.found if answers.finished else None


@dataclass(slots=True)
class _Answers:
    """Collects the answers of a lookup in order."""

    queries: tuple[NameQuery, ...]
    found: list[Lookup] = field(default_factory=list)
    finished: bool = False
    noticed: int = 0

    def take(self, claim: Claim) -> None:
        """Add one answer; raises ProtocolError for one out of order."""
        if isinstance(claim, Answer):
            if claim.index != len(self.found) or claim.index >= len(self.queries):
                raise ProtocolError("The guest answered out of order.")
            self.found.append(claim.lookup(self.queries[claim.index].path))
        elif isinstance(claim, Finished):
            self.finished = len(self.found) == len(self.queries)


def guest_paths(names: list[str]) -> list[str]:
    """A file name inside the sandbox for each program, all different."""
    paths: list[str] = []
    for name in names:
        stem = re.sub(r"[^A-Za-z0-9_-]", "_", name.removesuffix(".py"))[:60] or "program"
        path, number = f"/code/{stem}.py", 1
        while path in paths:
            number += 1
            path = f"/code/{stem}-{number}.py"
        paths.append(path)
    return paths


def session_message(job: SessionJob, paths: list[str], token: str, word: str) -> dict[str, object]:
    """A session as the guest is told it."""
    programs = [
        {
            "path": path,
            "code": program.code,
            "interactive": program.interactive,
            "trace": program.trace,
            "statements": [
                {
                    "start": statement.span.start,
                    "reads": statement.reads,
                    "binds": statement.binds,
                    "later": statement.later,
                    "missing": statement.missing,
                    "show": statement.show,
                }
                for statement in program.statements
            ],
        }
        for program, path in zip(job.programs, paths, strict=True)
    ]
    return {
        "kind": "session",
        "token": token,
        "mark": word,
        "seed": job.seed,
        "limits": _limits(job.limits),
        "programs": programs,
        "rig": None if job.rig == NO_RIG else asdict(job.rig),
    }


def to_outcome(job: SessionJob, transcript: Transcript, conduct: Conduct) -> Outcome:
    """How a session went, from all that is known about it."""
    conduct.ending.ended = transcript.ended
    conduct.ending.exhausted = transcript.exhausted
    fate, detail = decide(conduct.ending)
    limit = job.limits.output
    steps, shortened = _with_output(transcript, conduct, limit)
    stdout, cut = abridge(b"".join(conduct.stdout.sections().values()), limit)
    stderr, also_cut = abridge(b"".join(conduct.stderr.sections().values()), limit)
    return Outcome(
        fate=fate,
        detail=detail,
        steps=steps,
        stdout=stdout,
        stderr=stderr,
        truncated=shortened or cut or also_cut,
        ran_lines=transcript.ran_lines(),
        seconds=conduct.seconds,
        peak_memory=conduct.peak,
        limits=job.limits,
        unattested=(*conduct.notices.areas, *(("signal handlers",) if transcript.signals else ())),
    )


def _with_output(transcript: Transcript, conduct: Conduct, limit: int) -> tuple[tuple[Step, ...], bool]:
    """The steps with what each printed, and whether any of that was cut."""
    places = {key: number for number, key in enumerate(transcript.order)}
    printed, noise = conduct.stdout.sections(), conduct.stderr.sections()
    steps, truncated = [], False
    for step in transcript.steps():
        number = places.get((step.program, step.statement), -2)
        stdout, cut = abridge(printed.get(number, b""), limit)
        stderr, also_cut = abridge(without_native_log(noise.get(number, b"")), limit)
        truncated = truncated or cut or also_cut
        steps.append(replace(step, stdout=stdout, stderr=stderr))
    return tuple(steps), truncated


def _limits(limits: Limits) -> dict[str, object]:
    return {name: getattr(limits, name) for name in Limits.__dataclass_fields__}


def _query(query: NameQuery) -> dict[str, object]:
    call = query.call
    shape = call and {"positional": call.positional, "keywords": call.keywords, "starred": call.starred}
    return {"path": query.path, "form": query.form, "argument": query.argument, "call": shape}
