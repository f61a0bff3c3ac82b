"""Conducts one job: sends it, reads what comes back, keeps the clock and the limits, ends it when it must end."""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import dataclass, field
from typing import Protocol

from verifier.errors import ProtocolError
from verifier.model import Fate, Limits
from verifier.sandbox.cgroup import ControlGroup
from verifier.sandbox.claims import Claim, Started, decode_claim
from verifier.sandbox.fate import Ending
from verifier.sandbox.frames import CLAIMS, MESSAGE, STDERR, STDOUT, ClaimDecoder, decode_message
from verifier.sandbox.output import Stream
from verifier.sandbox.wall import Wall, WallGone
from verifier.sandbox.watchdog import INTERVAL, Watchdog

_SETUP_SECONDS = 30.0  # making a cell takes 40 ms; what takes longer than this is our failure
_KILL_SECONDS = 15.0
HARD_OUTPUT = 16  # times the output that is kept; a session that prints more is ended
_ALL_CLAIMS = 256 << 20


class Record(Protocol):
    """Takes the claims of a job in order; raises ProtocolError for one that cannot come now."""

    finished: bool

    def take(self, claim: Claim) -> None:
        """Add one claim."""


class Unusable(Exception):
    """The wall cannot be used any more; the message says why."""


@dataclass(slots=True)
class Conduct:
    """One job on its way. `ending`, `seconds` and `peak` are filled in by `run`."""

    wall: Wall
    limits: Limits
    record: Record
    token: str
    stdout: Stream
    stderr: Stream
    group: ControlGroup | None
    ending: Ending = field(init=False)
    seconds: float = 0.0
    peak: int = 0
    _claims: ClaimDecoder = field(default_factory=ClaimDecoder)
    _claimed: int = 0
    _began: float = 0.0
    _deadline: float = 0.0
    _watchdog: Watchdog | None = None
    _done: bool = False
    _running: bool = False
    _admitted: bool = False

    def run(self, message: dict[str, object]) -> None:
        """Run the job to its end; raises Unusable when the wall broke instead."""
        self.ending = Ending(limits=self.limits)
        if self.group:
            self.group.prepare(self.limits)
        self._began = time.monotonic()
        self._deadline = self._began + _SETUP_SECONDS
        try:
            self.wall.send(message)
            while not self._done:
                self._step()
        except WallGone:
            raise Unusable(f"the sandbox ended in the middle of a session: {self.wall.complaint()[-300:]}") from None
        except ProtocolError as error:
            raise Unusable(str(error)) from error
        self.seconds = time.monotonic() - self._began
        self._sum_up()

    def _admit(self) -> None:
        """Put the cell under its limits and let it go on, once it shows itself."""
        pid = self.wall.meet()
        if pid is None:
            return
        self._admitted = True
        if self.group:
            with contextlib.suppress(OSError):
                self.group.admit(pid)
        else:
            self._watchdog = Watchdog(pid, self.wall.hello().anonymous)
        self.wall.dismiss()

    def _step(self) -> None:
        now = time.monotonic()
        if now >= self._deadline:
            self._expire(now)
        patience = self._deadline - now
        if self._watchdog and not self.ending.stopped:
            patience = min(patience, INTERVAL)
            if self._watchdog.look(self.limits.memory) > self.limits.memory:
                self.ending.oom = True
                self._stop(Fate.OUT_OF_MEMORY, f"more than {self.limits.memory >> 20} MiB used")
        if not self._admitted:
            self._admit()
        for channel, payload in self.wall.receive(patience, meeting=not self._admitted):
            self._take(channel, payload)

    def _expire(self, now: float) -> None:
        if self.ending.stopped or self.ending.violation:
            raise Unusable("a session could not be ended")
        if not self._running:
            raise Unusable("a cell could not be made in time")
        self._stop(Fate.TIMEOUT, f"still running after {self.limits.wall_seconds:g} s")
        self._deadline = now + _KILL_SECONDS

    def _take(self, channel: int, payload: bytes) -> None:
        if channel == MESSAGE:
            self._hear(decode_message(payload))
        elif channel == STDOUT:
            self.stdout.feed(payload)
        elif channel == STDERR:
            self.stderr.feed(payload)
        elif channel == CLAIMS and not self.ending.stopped and not self.ending.violation:
            self._believe(payload)
        if self.stdout.size + self.stderr.size > HARD_OUTPUT * self.limits.output and not self.ending.stopped:
            self._stop(Fate.OUTPUT_LIMIT, f"more than {HARD_OUTPUT * self.limits.output >> 10} KiB printed")

    def _believe(self, payload: bytes) -> None:
        self._claimed += len(payload)
        try:
            for text in self._claims.feed(payload):
                self._record(decode_claim(text, self.token))
        except ProtocolError as error:
            self._refuse(str(error))
        if self._claimed > _ALL_CLAIMS:
            self._refuse("A session claimed more than there can be.")

    def _record(self, claim: Claim) -> None:
        self.record.take(claim)
        if isinstance(claim, Started):
            self._running = True
            self._began = time.monotonic()
            self._deadline = self._began + self.limits.wall_seconds

    def _refuse(self, violation: str) -> None:
        self.ending.violation = violation
        self._kill()

    def _hear(self, message: dict[str, object]) -> None:
        if message["kind"] == "gone":
            return  # the cell of the session before this one
        if message["kind"] == "impure":
            raise Unusable(f"the zygote is no longer pure: {message.get('reason')}")
        if message["kind"] != "done":
            raise Unusable(f"the guest said {message['kind']!r} in the middle of a session")
        self._done = True
        self.ending.setup = str(message.get("setup", ""))
        facts = _facts(str(message.get("report", "")))
        self.ending.setup = self.ending.setup or str(facts.get("setup", ""))
        status, peak = facts.get("status"), facts.get("peak")
        self.ending.status = status if isinstance(status, int) else None
        self.peak = peak if isinstance(peak, int) else 0

    def _stop(self, fate: Fate, why: str) -> None:
        self.ending.stopped = (fate, why)
        self._kill()

    def _kill(self) -> None:
        self._deadline = time.monotonic() + _KILL_SECONDS
        self.wall.send({"kind": "kill"})

    def _sum_up(self) -> None:
        ending = self.ending
        ending.finished = self.record.finished
        ending.last_words = self.stderr.tail()
        if not ending.violation and not ending.stopped and ending.finished:
            try:
                self._claims.finish()
            except ProtocolError as error:
                ending.violation = str(error)
        if self.group:
            usage = self.group.usage()
            ending.oom = usage.kills > 0
            ending.forks_refused = usage.refused > 0
            self.peak = usage.peak or self.peak
        elif self._watchdog:
            self.peak = self._watchdog.peak or self.peak


def _facts(report: str) -> dict[str, object]:
    """What the init of the cell said last; empty when it was killed before it could."""
    try:
        facts = json.loads(report) if report else {}
    except ValueError:
        return {}
    return facts if isinstance(facts, dict) else {}
