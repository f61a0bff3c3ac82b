"""Conducts one job: sends it, reads what comes back, keeps the clock and the limits, ends it when it must end."""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import dataclass, field
from typing import Protocol

from verifier.errors import ProtocolError
from verifier.model import Fate, Limits
from verifier.sandbox.cgroup import ControlGroup
from verifier.sandbox.claims import Claim, Started, decode_claim
from verifier.sandbox.fate import Ending
from verifier.sandbox.frames import MESSAGE, NOTICES, STDERR, STDOUT, ClaimDecoder, decode_message
from verifier.sandbox.notices import Notices
from verifier.sandbox.output import Stream
from verifier.sandbox.wall import Wall, WallGone
from verifier.sandbox.watchdog import INTERVAL, Watchdog

_SETUP_SECONDS = 30.0  # making a cell takes 40 ms; what takes longer than this is our failure
_KILL_SECONDS = 15.0
_CELL = 2  # processes that a cell begins with: its init and the session's own
HARD_OUTPUT = 16  # times the output that is kept; a session that prints more is ended
_ALL_CLAIMS = 128 << 20  # 16 figures of 2 MiB in base64 are a third of that


class Record(Protocol):
    """Takes the claims of a job in order; raises ProtocolError for one that cannot come now."""

    finished: bool
    noticed: int

    def take(self, claim: Claim) -> None:
        """Add one claim."""


class Unusable(Exception):
    """The wall cannot be used any more; the message says why."""


@dataclass(slots=True)
class Conduct:
    """One job on its way. `ending`, `notices`, `seconds` and `peak` are filled in by `run`."""

    wall: Wall
    limits: Limits
    record: Record
    token: str
    stdout: Stream
    stderr: Stream
    group: ControlGroup | None
    ending: Ending = field(init=False)
    notices: Notices = field(init=False)
    worn: bool = False
    seconds: float = 0.0
    peak: int = 0
    _claims: ClaimDecoder = field(default_factory=ClaimDecoder)
    _claimed: int = 0
    _ticket: bytes = field(default_factory=lambda: secrets.token_hex(8).encode())
    _began: float = 0.0
    _deadline: float = 0.0
    _watchdog: Watchdog | None = None
    _done: bool = False
    _running: bool = False
    _admitted: bool = False
    _met: list[int] = field(default_factory=list)

    def run(self, message: dict[str, object]) -> None:
        """Run the job to its end; raises Unusable when the wall broke instead."""
        self.ending = Ending(limits=self.limits)
        self.notices = Notices(self.token)
        if self.group:
            self.group.prepare(self.limits)
        self._began = time.monotonic()
        self._deadline = self._began + _SETUP_SECONDS
        try:
            self.wall.restrict(self.limits)
            self.wall.send({**message, "ticket": self._ticket.decode(), "counted": self.group is not None})
            while not self._done:
                self._step()
        except WallGone:
            raise Unusable(f"the sandbox ended in the middle of a session: {self.wall.complaint()[-300:]}") from None
        except ProtocolError as error:
            raise Unusable(str(error)) from error
        self.seconds = time.monotonic() - self._began
        self._sum_up()

    def _admit(self) -> None:
        """Put the two processes of the cell under its limits as they show themselves, then let it begin."""
        pid = self.wall.meet(self._ticket)
        if pid is None:
            return
        self._met.append(pid)
        if self.group:
            try:
                self.group.admit(pid)
            except ProcessLookupError:
                pass  # it has died already, and says why elsewhere
            except OSError as error:
                raise Unusable(f"a cell could not be put under its limits: {error}") from error
        if len(self._met) == _CELL:
            self._admitted = True
            self._watchdog = None if self.group else Watchdog(self._met[0], self.wall.hello().anonymous)
            self.wall.dismiss(self._ticket)

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
            if self._watchdog.crowd >= self.limits.processes:
                self.ending.forks_refused = True
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
        elif not self.ending.stopped and not self.ending.violation:
            self._believe(channel, payload)
        if self.stdout.size + self.stderr.size > HARD_OUTPUT * self.limits.output and not self.ending.stopped:
            self._stop(Fate.OUTPUT_LIMIT, f"more than {HARD_OUTPUT * self.limits.output >> 10} KiB printed")

    def _believe(self, channel: int, payload: bytes) -> None:
        self._claimed += len(payload)
        try:
            if channel == NOTICES:
                self.notices.feed(payload)
                return
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
        if message["kind"] == "gone":  # the cell of the session before this one
            self.worn = bool(message.get("worn"))
            return
        if message["kind"] == "impure":
            raise Unusable(f"the zygote is no longer pure: {message.get('reason')}")
        if message["kind"] != "done":
            raise Unusable(f"the guest said {message['kind']!r} in the middle of a session")
        self._done = True
        self.ending.oom = self.ending.oom or _count(message, "kills") > 0
        self.ending.forks_refused = self.ending.forks_refused or _count(message, "refused") > 0
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
        ending.started, ending.finished = self._running, self.record.finished
        ending.last_words = self.stderr.tail()
        if not ending.violation and not ending.stopped and ending.finished:
            try:
                self._claims.finish()
                self.notices.finish(self.record.noticed)
            except ProtocolError as error:
                ending.violation = str(error)
        if self.group:
            usage = self.group.usage()
            ending.oom = ending.oom or usage.kills > 0
            ending.forks_refused = ending.forks_refused or usage.refused > 0
            self.peak = usage.peak or self.peak
        elif self._watchdog:
            self.peak = self._watchdog.peak or self.peak


def _count(message: dict[str, object], name: str) -> int:
    """What the guest read from the kernel's counters, where it is the guest that can see them."""
    count = message.get(name, 0)
    return count if isinstance(count, int) else 0


def _facts(report: str) -> dict[str, object]:
    """What the processes of the cell reported of it, one line each; empty when they were killed before they could."""
    facts: dict[str, object] = {}
    for line in report.splitlines():
        try:
            told = json.loads(line)
        except ValueError:
            continue
        facts.update(told if isinstance(told, dict) else {})
    return facts
