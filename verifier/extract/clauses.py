"""Where sentences and clauses of mixed Chinese and English prose end.

Dots inside names, commas inside brackets and line breaks of wrapped text end nothing.
"""

from __future__ import annotations

import re

from verifier.model import Span

_BREAK = re.compile(
    r"(?P<open>[(\[{（【])|(?P<close>[)\]}）】])"
    r"|(?P<hard>[。！？!?]+|…{2,}|\n[ \t]*\n\s*|\n(?=\s*(?:[-*#>|•]|\d+[.)、]))|\n(?=[^a-z\u4e00-\u9fff`]))"
    r"|(?P<dot>\.(?=[\s\"'”’)*_]|$|[\u4e00-\u9fff]))"
    r"|(?P<soft>[，；;：]|[,:](?=[\s\"“”'‘’`]|$|[\u4e00-\u9fff])|—+|–| - |\t)"
)
# Abbreviations whose dot ends no sentence.
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|resp|incl|approx|fig|eq|no|vol|ver|al|w\.r\.t))$", re.IGNORECASE
)
# A bracket that is not closed within this many characters is damage, not structure.
_BRACKET_REACH = 300


def split(text: str) -> tuple[tuple[Span, ...], ...]:
    """The sentences of `text`, each as its clauses; together they cover every character that is not a break.

    Breaks themselves (`。`, `, `) belong to the clause that they end. Linear in the length of `text`.
    """
    sentences: list[tuple[Span, ...]] = []
    clauses: list[Span] = []
    start = depth = opened = 0
    for found in _BREAK.finditer(text):
        kind, at = found.lastgroup, found.end()
        if kind == "open":
            opened = at if not depth else opened
            depth += 1
        elif kind == "close":
            depth = max(depth - 1, 0)
        elif kind == "dot" and _ABBREVIATED.search(text, max(start, found.start() - 7), found.start()):
            continue
        elif kind == "soft":
            if depth and at - opened < _BRACKET_REACH:
                continue
            clauses.append(Span(start=start, end=at))
            start, depth = at, 0
        elif kind == "hard" or (kind == "dot" and not (depth and at - opened < _BRACKET_REACH)):
            clauses.append(Span(start=start, end=at))
            sentences.append(tuple(clauses))
            clauses, start, depth = [], at, 0
    if start < len(text):
        clauses.append(Span(start=start, end=len(text)))
    if clauses:
        sentences.append(tuple(clauses))
    return tuple(sentences)
