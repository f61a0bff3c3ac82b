"""What a session's audit hook wrote: what the document reached for beside its own things."""

from __future__ import annotations

from dataclasses import dataclass, field

from verifier.errors import ProtocolError
from verifier.sandbox.claims import Notice, decode_claim
from verifier.sandbox.frames import ClaimDecoder

_MOST = 1000  # a process writes one notice per area; only a document that forks without end has more
_GUEST = "guest"


@dataclass(slots=True)
class Notices:
    """Collects notices. `areas` are those that were searched, in order; `count` is the number of all notices."""

    token: str
    areas: list[str] = field(default_factory=list)
    count: int = 0
    _decoder: ClaimDecoder = field(default_factory=ClaimDecoder)

    def feed(self, data: bytes) -> None:
        """Add what was written; raises ProtocolError when it was forged, or tells of an attack on the guest."""
        for payload in self._decoder.feed(data):
            notice = decode_claim(payload, self.token)
            if not isinstance(notice, Notice):
                raise ProtocolError("A session's claim came among its notices.")
            self.count += 1
            if notice.reach == _GUEST:
                raise ProtocolError(f"The program reached for what watches it ({notice.event[:80]}).")
            if self.count > _MOST:
                raise ProtocolError("A session wrote more notices than there can be.")
            if notice.reach not in self.areas:
                self.areas.append(notice.reach)

    def finish(self, promised: int) -> None:
        """Raises ProtocolError when the stream broke off, or when fewer came than the session says it wrote."""
        self._decoder.finish()
        if self.count < promised:
            raise ProtocolError("Notices of a session were held back.")
