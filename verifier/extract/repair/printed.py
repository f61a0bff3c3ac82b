"""Output that stands between the statements that printed it, without a prompt or a `#`.

Hides which lines can only have been printed. They are kept as comments, and told as the outputs they are.
"""

from __future__ import annotations

import re

from verifier.extract.repair.draft import Edit
from verifier.extract.repair.scan import Kind, plain, scan
from verifier.model import RepairClass

# Lines that no one writes as a statement.
_CERTAIN = re.compile(
    r"""[ \t]*(?:
        (?:tf\.|<tf\.|<)?(?:Tensor|RaggedTensor|SparseTensor|EagerTensor)\b.*(?:shape|dtype|indices|values)\s*=
      | tf\.Tensor\(\s*$ | <(?:tf\.|tensorflow|keras|function|bound|class|module|_\w+\ |[A-Z]\w*(?:\ |:|\(|Dataset))
      | <.*\ at\ 0x | Epoch\ \d+/\d+ | \d+/\d+\ (?:\[[=>.]|━|-\ )
      | \d{4}-\d\d-\d\d\ \d\d:\d\d:\d\d | WARNING:tensorflow | Model:\ " | _{10,}\s*$ | ={10,}\s*$
      | (?:Total|Trainable)\ params:
      | (?:Collecting|Requirement\ already\ satisfied|Successfully\ installed)\b
    )""",
    re.VERBOSE,
)
_ROWS = re.compile(r"[ \t]*\[+\s*-?\d[\d.eE+-]*(?:\s+-?\d[\d.eE+-]*)+\s*\]*,?\s*$|[ \t]*\[+\s*-?\d+\.\s*\]+\s*$")
_TRACEBACK = re.compile(r"^[ \t]*Traceback \(most recent call last\):", re.MULTILINE)
_BRACKET = re.compile(r"[][(){}（）［］｛｝【】﹙﹚]")
_LINE = re.compile(r"[^\n]+")
# Lines that one printed value may take.
_MOST = 60


def is_printed(line: str) -> bool:
    """Whether a line can only have been printed."""
    return bool(_CERTAIN.match(line) or _ROWS.match(line))


def printed_ranges(text: str) -> list[tuple[int, int]]:
    """The ranges of whole lines in code that were printed, each one output; a traceback runs to the end."""
    ranges: list[tuple[int, int]] = []
    end = found.start() if (found := _TRACEBACK.search(text)) else len(text)
    lines = [(line.start(), line.end()) for line in _LINE.finditer(text, 0, end)]
    depth = at = 0
    while at < len(lines):
        line = text[lines[at][0] : lines[at][1]]
        if not depth and is_printed(line):
            stop = _value_end(text, lines, at)
            start = lines[at][0]
            if ranges and not text[ranges[-1][1] : start].strip():
                start = ranges.pop()[0]
            ranges.append((start, lines[stop - 1][1]))
            at = stop
            continue
        depth = max(depth + _brackets(line), 0)
        at += 1
    return [*ranges, (end, len(text.rstrip()))] if found else ranges


def _value_end(text: str, lines: list[tuple[int, int]], at: int) -> int:
    """Index behind the lines of a printed value: until its brackets are closed."""
    depth = 0
    for stop in range(at, min(at + _MOST, len(lines))):
        depth += _brackets(text[lines[stop][0] : lines[stop][1]])
        if depth <= 0:
            return stop + 1
    return at + 1


def _brackets(line: str) -> int:
    if not _BRACKET.search(line):
        return 0
    tokens = scan(line)
    return sum((plain(token.text) in "([{") - (plain(token.text) in ")]}") for token in tokens if token.kind is Kind.OP)


def printed_edits(text: str, ranges: list[tuple[int, int]]) -> list[Edit]:
    """Edits that turn printed lines into comments."""
    return [
        Edit(
            start=line.start(),
            end=line.start(),
            after="# ",
            rule="printed-output",
            klass=RepairClass.R1,
            reason="the line was printed by the statement above it",
        )
        for start, end in ranges
        for line in _LINE.finditer(text, start, end)
    ]
