"""Code under repair: its characters, where each one came from, and the edits made so far.

Hides how the map from code to document survives any number of edits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from verifier.model import Piece, Repair, RepairClass, SourceMap, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A wish to replace `start:end` of a draft's text by `after`. An empty `rule` leaves no repair behind."""

    start: int
    end: int
    after: str
    rule: str = ""
    klass: RepairClass = RepairClass.R0
    reason: str = ""
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Text made of a document's characters; `lows[i]:highs[i]` is the document range behind character `i`."""

    source: str
    text: str
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    repairs: tuple[Repair, ...] = ()

    @classmethod
    def of(cls, source: str, span: Span) -> Draft:
        """The untouched characters of a range of a document."""
        return cls(
            source=source,
            text=span.of(source),
            lows=tuple(range(span.start, span.end)),
            highs=tuple(range(span.start + 1, span.end + 1)),
        )

    def apply(self, edits: Iterable[Edit]) -> Draft:
        """The draft after `edits`, in any order; one that overlaps an earlier one or changes nothing is dropped."""
        text: list[str] = []
        lows: list[int] = []
        highs: list[int] = []
        repairs = list(self.repairs)
        at = 0
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            if edit.start < at or self.text[edit.start : edit.end] == edit.after:
                continue
            low, high = self.place(edit.start, edit.end)
            text += self.text[at : edit.start], edit.after
            lows += self.lows[at : edit.start]
            lows += [low] * len(edit.after)
            highs += self.highs[at : edit.start]
            highs += [high] * len(edit.after)
            at = edit.end
            if edit.rule:
                repairs.append(self._repair(edit, low, high))
        if not text:
            return self
        text.append(self.text[at:])
        lows += self.lows[at:]
        highs += self.highs[at:]
        return Draft(
            source=self.source, text="".join(text), lows=tuple(lows), highs=tuple(highs), repairs=tuple(repairs)
        )

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The document range behind `start:end` of the text; empty ranges stand behind the character before them."""
        if end > start:
            return self.lows[start], self.highs[end - 1]
        if not start:
            at = self.lows[0] if self.lows else 0
        else:
            at = self.highs[start - 1]
            # Inside a replacement both neighbours share one range: stay in front of the next one.
            at = min(at, self.lows[start]) if start < len(self.lows) else at
        return at, at

    def source_map(self) -> SourceMap:
        """Sorted pieces that cover the text: runs of untouched characters, and single replacements."""
        pieces: list[Piece] = []
        start = 0
        size = len(self.text)
        while start < size:
            end = start + 1
            verbatim = self._verbatim(start)
            if verbatim:
                while end < size and self.lows[end] == self.highs[end - 1] and self._verbatim(end):
                    end += 1
            else:
                while end < size and self.lows[end] == self.lows[start] and self.highs[end] == self.highs[start]:
                    end += 1
            place = Span(start=self.lows[start], end=self.highs[end - 1])
            pieces.append(Piece(code=Span(start=start, end=end), text=place, verbatim=verbatim))
            start = end
        return SourceMap(pieces=tuple(pieces))

    def _verbatim(self, at: int) -> bool:
        low = self.lows[at]
        return self.highs[at] == low + 1 and self.source[low] == self.text[at]

    def _repair(self, edit: Edit, low: int, high: int) -> Repair:
        return Repair(
            rule=edit.rule,
            klass=edit.klass,
            span=Span(start=low, end=high),
            before=self.source[low:high],
            after=edit.after,
            reason=edit.reason,
            alternatives=edit.alternatives,
        )
