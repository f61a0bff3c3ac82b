"""Model summaries: what a layout of Keras 2 and one of Keras 3 both say, sizes and counts, without frames and names."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FRAME = re.compile(r"[│┃║|━─═┏┓┗┛┡┩┢┪├┤┼┬┴└┘┌┐╇╈╤╧╪]|_{4,}|={4,}")
_SUMMARY = re.compile(r"\b(?:Total params|Trainable params|Param #)", re.IGNORECASE)
_COUNT = re.compile(r"\b(Total|Trainable|Non-trainable|Optimizer) params\s*[:：]?\s*([\d,]+)", re.IGNORECASE)
_ROW = re.compile(r"\(((?:None|\d+)(?:\s*,\s*(?:None|\d+))*\s*,?)\)\]?\s+([\d,]+)(?![\d,]*\s*\()")


@dataclass(frozen=True, slots=True)
class _Summary:
    """Sizes and parameters of the layers in order, and the sums by name."""

    rows: tuple[tuple[str, int], ...]
    counts: dict[str, int]


def is_summary(text: str) -> bool:
    """Whether a text is the summary of a Keras model."""
    return bool(_SUMMARY.search(text)) and bool(re.search(r"\d", text))


def same_summary(stated: str, observed: str) -> bool:
    """Whether two summaries give the same parameters, and the same shapes where they list the same layers.

    Names of layers, frames and units differ between releases, and so does whether inputs and the optimizer are listed.
    """
    wanted, seen = _read(stated), _read(observed)
    shared = wanted.counts.keys() & seen.counts.keys()
    if any(wanted.counts[name] != seen.counts[name] for name in shared):
        return False
    if len(wanted.rows) == len(seen.rows):
        return wanted.rows == seen.rows
    ours, theirs = ([count for _, count in one.rows if count] for one in (wanted, seen))
    return not ours or not theirs or ours == theirs


def _read(text: str) -> _Summary:
    plain = "\n".join(_FRAME.sub(" ", line) for line in text.splitlines())
    counts = {name.lower(): _number(count) for name, count in _COUNT.findall(plain)}
    if "total" in counts:
        counts["total"] -= counts.pop("optimizer", 0)
    rows = tuple((re.sub(r"[\s,]+", " ", sizes).strip(), _number(count)) for sizes, count in _ROW.findall(plain))
    return _Summary(rows=rows, counts=counts)


def _number(text: str) -> int:
    return int(text.replace(",", "") or 0)
