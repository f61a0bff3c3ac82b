"""Indentation: lost, mixed, or shifted.

Hides how the block of each line is found when nothing but the order of lines is left, and how it is known
whether there was a choice.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from verifier.extract.repair.check import compiles
from verifier.extract.repair.draft import Edit
from verifier.extract.repair.inside import DEFINING, definition_at, is_method, last_inside
from verifier.extract.repair.logical import Line, lines_of, opens_block
from verifier.extract.repair.scan import Kind
from verifier.extract.repair.statements import header_end
from verifier.model import RepairClass

_UNIT = "    "
_CLAUSES = {
    "else": frozenset({"if", "elif", "for", "while", "except"}),
    "elif": frozenset({"if", "elif"}),
    "except": frozenset({"try", "except"}),
    "finally": frozenset({"try", "except", "else"}),
}
_ENDING = frozenset({"return", "raise", "break", "continue"})
# More lines than any block in a document; beyond it nothing is guessed.
_MOST_LINES = 2_000
# CPython compiles no deeper block.
_DEEPEST = 100


@dataclass(slots=True)
class _Block:
    word: str
    level: int
    name: str = ""
    method: bool = False
    tape: bool = False
    names: set[str] = field(default_factory=set)
    until: int = -1  # the last line that has to be inside, for certain


def shift_edits(text: str) -> list[Edit]:
    """The edit for code whose indentation is whole but shifted or mixed: tabs, a first line that lost its indent."""
    for rule, changed in (
        ("tabs", text.expandtabs(8)),
        ("tabs", text.expandtabs(4)),
        ("first-line", _first_line(text)),
    ):
        if changed != text and compiles(changed):
            return _line_edits(text, changed, rule)
    return []


def _first_line(text: str) -> str:
    first, _, rest = text.partition("\n")
    lines = rest.split("\n")
    depth = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    if not depth or first.rstrip().endswith(":"):
        return text
    return "\n".join([first, *(line[depth:] for line in lines)])


def _line_edits(text: str, changed: str, rule: str) -> list[Edit]:
    edits, at = [], 0
    for before, after in zip(text.split("\n"), changed.split("\n"), strict=True):
        old, new = len(before) - len(before.lstrip(" \t")), len(after) - len(after.lstrip(" \t"))
        edits.append(
            Edit(
                start=at,
                end=at + old,
                after=after[:new],
                rule=rule,
                klass=RepairClass.R1,
                reason="unindent does not match any outer indentation level" if rule == "tabs" else "unexpected indent",
            )
        )
        at += len(before) + 1
    return edits


def indent_edits(text: str) -> tuple[list[Edit], int]:
    """Edits that give flat code the indentation its block headers ask for, and how many lines had a choice.

    Returns no edits when the text is not flat (its indentation then means something) or has no block.
    """
    lines = lines_of(text)
    flat = all(line.indent == 0 for line in lines)
    if not lines or not flat or len(lines) > _MOST_LINES or all(header_end(line.tokens, 0) < 0 for line in lines):
        return [], 0
    levels, choices = _levels(lines)
    if len(levels) < len(lines):
        return [], 0
    klass = RepairClass.R3 if choices else RepairClass.R2
    edits = []
    for line, level in zip(lines, levels, strict=True):
        if level * len(_UNIT) != line.indent:
            edits.append(
                Edit(
                    start=line.start,
                    end=line.start + line.indent,
                    after=_UNIT * level,
                    rule="lost-indentation",
                    klass=klass,
                    reason="expected an indented block: the indentation was lost",
                )
            )
    return edits, choices


def _levels(lines: list[Line]) -> tuple[list[int], int]:
    stack: list[_Block] = []
    levels: list[int] = []
    choices = 0
    opened = ended = False
    for index, line in enumerate(lines):
        decorated = index and lines[index - 1].word == "@"
        level, chosen = (levels[-1], False) if decorated else _level(lines, index, stack, opened=opened, ended=ended)
        choices += chosen
        while stack and stack[-1].level >= level:
            stack.pop()
        levels.append(level)
        if level > _DEEPEST:
            break
        binds = line.binds()
        for block in stack:
            block.names |= binds
        opened = opens_block(line)
        ended = line.word in _ENDING
        if opened:
            stack.append(_block(lines, index, level, stack))
    return levels, choices


def _block(lines: list[Line], index: int, level: int, stack: list[_Block]) -> _Block:
    line = lines[index]
    names = {token.text for token in line.tokens if token.kind is Kind.NAME}
    own = line.tokens[1].text if len(line.tokens) > 1 else ""
    return _Block(
        word=line.word,
        level=level,
        name=own if line.word in {"def", "class"} else "",
        method=line.word == "def" and bool(stack) and stack[-1].word == "class",
        tape="GradientTape" in names,
        names=(names - {own, "def", "self"}) if line.word == "def" else line.binds(),
        until=last_inside(lines, index),
    )


def _level(lines: list[Line], index: int, stack: list[_Block], *, opened: bool, ended: bool) -> tuple[int, bool]:
    """The level of one line, and whether other levels were possible too."""
    if not stack:
        return 0, False
    if opened:
        return stack[-1].level + 1, False
    line = lines[index]
    word = line.word
    if word in _CLAUSES:
        fitting = [block.level for block in stack if block.word in _CLAUSES[word]]
        return (fitting[-1], len(fitting) > 1) if fitting else (0, True)
    if (
        word == "class"
        or word in {"import", "from"}
        or (word == "if" and line.tokens[1:2] and "__name__" in line.names())
    ):
        return 0, True
    if word in DEFINING:
        return _definition(lines, index, stack)
    deepest = stack[-1].level + (0 if ended else 1)
    if word in {"return", "yield"}:
        inner = [block.level + 1 for block in stack if block.word == "def"]
        return (min(inner[-1], deepest) if inner else 0), len(stack) > 1 and not ended
    if word in {"break", "continue"}:
        loops = [block.level + 1 for block in stack if block.word in {"for", "while"}]
        return (max(loops[-1], min(_by_names(line, stack, deepest), deepest)) if loops else 0), deepest > 1
    floor = max((block.level + 1 for block in stack if block.until > index), default=0)
    return max(_by_names(line, stack, deepest), min(floor, deepest)), deepest > floor


def _definition(lines: list[Line], index: int, stack: list[_Block]) -> tuple[int, bool]:
    head = definition_at(lines, index)
    if head is None:
        return 0, True
    classes = [block.level + 1 for block in stack if block.word == "class"]
    if is_method(lines[head]) and classes:
        return classes[-1], len(classes) > 1
    return max((block.level + 1 for block in stack if block.word == "def" and block.until > head), default=0), True


def _by_names(line: Line, stack: list[_Block], deepest: int) -> int:
    """The deepest block whose names the line needs; outside blocks whose result it uses."""
    used = line.names()
    level = 0
    for block in stack:
        inner = min(block.level + 1, deepest)
        if block.name and block.name in used and block.word == "class":
            return min(level, block.level)
        if block.tape:
            inner = block.level if used & block.names else inner
        if block.word == "def" and block.name in used and not used & (block.names - {block.name}):
            return level
        if used & block.names or (block.method and "self" in used):
            level = max(level, min(inner, deepest))
        if block.word == "class" and "self" in used:
            level = max(level, min(inner, deepest))
    return level
