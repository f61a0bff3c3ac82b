"""Blocks without any mark: prompt sessions, tracebacks, logs, indented blocks, runs of lines that are code."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from verifier.extract.classify.evidence import python_share
from verifier.extract.classify.languages import is_shell
from verifier.extract.classify.printed import output_share
from verifier.extract.classify.templates import is_signature
from verifier.extract.regions.found import Found, trimmed
from verifier.extract.regions.lines import is_anchor, is_code, is_continuation
from verifier.extract.repair.comments import HAN, is_prose
from verifier.extract.repair.lift import IN, IN_MORE, MORE, OUT, PROMPT
from verifier.extract.repair.scan import Kind, plain, scan
from verifier.model import Span

_TRACEBACK = re.compile(r"\s*Traceback \(most recent call last\)")
_EXCEPTION = re.compile(r"\s*(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit)\b")
_INDENT = re.compile(r"(?: {4}|\t| {1,3}\t)")
_LIST = re.compile(r"\s*(?:[-*+•·]|\d{1,3}[.)、]|[a-z][.)])\s+\S")
_LOG = re.compile(r"\s*(?:Epoch \d+/\d+|\d+/\d+ \[[=>.]+\]|\d+/\d+ ━)")
_SHELL = re.compile(r"\s*(?:\$ \S|(?:sudo )?pip3? install \S|conda (?:install|create|activate) \S)")
_SENTENCE = re.compile(r"[。！？；：:]\s*$|[a-z][.!?]\s*$")
_GUTTER = re.compile(r"\s*(\d{1,4})[ \t|:.]*(?=\S|$)")
_MEMBER = r"[A-Za-z_]\w*(?:\.\w+|\[[^\]\n]{0,60}\])*"
_BETWEEN = r"\s*(?:[-+*/%&|^@<>,]|//|\*\*|[=!<>]=|\b(?:is not|is|in|and|or)\b)\s*"
_ECHO = re.compile(rf"\s*(?:(?:del\s+)?{_MEMBER}(?:{_BETWEEN}{_MEMBER}){{0,6}}|\.\.\.)\s*(?:[#＃].*)?$")
# The names of an echo: neither members nor inside an index.
_ECHOED = re.compile(r"(?<![\w.\[])[A-Za-z_]\w*(?![^\[\n]*\])")
_OPERATORS = frozenset({"is", "not", "in", "and", "or", "del"})
_ECHO_REACH = 60
# Characters of a sentence between two lines of code that belong together.
_SHORT = 60
# Lines that an open bracket may span.
_MOST_OPEN = 200


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str

    @property
    def blank(self) -> bool:
        return not self.text.strip()


def find_runs(text: str, span: Span) -> list[Found]:
    """All unmarked blocks in `span`, in order."""
    lines = _split(text, span)
    found: list[Found] = []
    weak: list[Found] = []
    at = 0
    while at < len(lines):
        block = None if lines[at].blank else _block(text, lines, at)
        if block is None:
            at += 1
            continue
        stop, candidate = block
        if candidate:
            (found if candidate.sure else weak).append(candidate)
        at = max(stop, at + 1)
    return _with_neighbours(text, found, weak)


def _with_neighbours(text: str, found: list[Found], weak: list[Found]) -> list[Found]:
    """All sure blocks, and the weak ones that stand near a block of code: one short sentence away at most."""
    every = sorted([*found, *weak], key=lambda one: one.span.start)
    kept: list[Found] = []
    for index, one in enumerate(every):
        if one.sure or any(
            other.sure and other.shape in {"run", "line"} and _near(text, *sorted((one.span, other.span)))
            for other in every[max(index - 1, 0) : index + 2]
        ):
            kept.append(one if one.sure else replace(one, sure=True))
            every[index] = kept[-1]
    return kept


def _near(text: str, before: Span, after: Span) -> bool:
    between = [line.strip() for line in text[before.end : after.start].split("\n") if line.strip()]
    return len(between) <= 1 and all(len(line) <= _SHORT and line.endswith(("：", ":")) for line in between)


def _split(text: str, span: Span) -> list[_Line]:
    lines, at = [], span.start
    while at < span.end:
        end = text.find("\n", at, span.end)
        end = span.end if end < 0 else end
        lines.append(_Line(at, end, text[at:end]))
        at = end + 1
    return lines


def _block(text: str, lines: list[_Line], at: int) -> tuple[int, Found | None] | None:
    line = lines[at].text
    if stop := _session_or_log(lines, at):
        return _made(text, lines, at, stop, "prompt" if PROMPT.match(line) or IN.match(line) else "line")
    if _INDENT.match(line) and (at == 0 or lines[at - 1].blank) and not _in_list(lines, at):
        stop = _while(lines, at, lambda other: bool(_INDENT.match(other)), blanks=True)
        return _indented(text, lines, at, stop)
    if stop := _gutter_end(lines, at):
        return _made(text, lines, at, stop, "run")
    if line.startswith(">") and not line.startswith(">>"):
        return _quote(text, lines, at)
    opens = line.strip() in {"...", "…"} and at + 1 < len(lines) and is_code(lines[at + 1].text)
    if opens or (is_code(line) and not _LIST.match(line)):
        return _run(text, lines, at)
    return None


def _session_or_log(lines: list[_Line], at: int) -> int:
    """Index behind a block whose first line tells what it is; 0 when the line at `at` tells nothing."""
    line = lines[at].text
    if PROMPT.match(line) or IN.match(line):
        return _session_end(lines, at)
    if _TRACEBACK.match(line):
        return _traceback_end(lines, at)
    if _LOG.match(line):
        return _while(lines, at, lambda other: output_share(other) > 0)
    return _while(lines, at, is_shell) if _SHELL.match(line) and is_shell(line) else 0


def _made(text: str, lines: list[_Line], at: int, stop: int, shape: str) -> tuple[int, Found]:
    body = trimmed(text, lines[at].start, lines[stop - 1].end)
    return stop, Found(span=body, body=body, shape=shape)


def _while(lines: list[_Line], at: int, test: Callable[[str], bool], *, blanks: bool = False) -> int:
    """Index behind the lines from `at` on that pass `test`; with `blanks`, blank lines between them are allowed."""
    stop = at + 1
    for index in range(at + 1, len(lines)):
        if lines[index].blank and blanks:
            continue
        if lines[index].blank or not test(lines[index].text):
            break
        stop = index + 1
    return stop


def _quote(text: str, lines: list[_Line], at: int) -> tuple[int, Found | None]:
    """Code in a block quote without a fence."""
    stop = _while(lines, at, lambda other: other.startswith(">"))
    bare = [line.text.lstrip("> ") for line in lines[at:stop]]
    code = sum(is_code(line) and is_anchor(line) for line in bare)
    if code * 2 < len(bare) or code < min(2, len(bare)):
        return stop, None
    return _made(text, lines, at, stop, "run")


def _in_list(lines: list[_Line], at: int) -> bool:
    """Whether an indented line goes on with a list item above it."""
    index = at - 1
    while index >= 0 and lines[index].blank:
        index -= 1
    return index >= 0 and bool(_LIST.match(lines[index].text)) and not is_code(lines[at].text)


def _session_end(lines: list[_Line], at: int) -> int:
    """A session goes on over outputs, and over blank lines when another prompt follows."""
    stop = index = at + 1
    while index < len(lines):
        line = lines[index].text
        prompt = PROMPT.match(line) or IN.match(line) or OUT.match(line)
        if prompt or (not lines[index].blank and index == stop and not _leaves_session(line)):
            stop = index + 1
        elif not lines[index].blank or index - stop > 1:
            break
        index += 1
    return stop


def _leaves_session(line: str) -> bool:
    if MORE.match(line) or IN_MORE.match(line):
        return False
    return bool(HAN.search(line)) and bool(_SENTENCE.search(line)) and is_prose(line)


def _traceback_end(lines: list[_Line], at: int) -> int:
    margin = len(lines[at].text) - len(lines[at].text.lstrip())
    for index in range(at + 1, min(at + 200, len(lines))):
        line = lines[index].text
        if lines[index].blank:
            return index
        if len(line) - len(line.lstrip()) <= margin and _EXCEPTION.match(line):
            return index + 1
    return min(at + 1, len(lines))


def _indented(text: str, lines: list[_Line], at: int, stop: int) -> tuple[int, Found | None]:
    made = _made(text, lines, at, stop, "indented")
    body = made[1].body.of(text)
    strong, share = python_share(body)
    if (
        (strong and share >= 0.5)
        or "Traceback (most recent" in body
        or is_shell(body)
        or output_share(body) > 0.6
        or is_signature(body)
    ):
        return made
    return stop, None


def _gutter_end(lines: list[_Line], at: int) -> int:
    """Index behind a run of lines that are numbered from 1 on and hold code; 0 when there is none."""
    first = _GUTTER.match(lines[at].text)
    if not first or first.group(1) != "1":
        return 0
    index, code = at, 0
    while index < len(lines):
        found = _GUTTER.match(lines[index].text)
        if not found or int(found.group(1)) != index - at + 1:
            break
        code += is_code(lines[index].text[found.end() :])
        index += 1
    count = index - at
    return index if count >= 3 and code * 2 >= count else 0


def _run(text: str, lines: list[_Line], at: int) -> tuple[int, Found | None]:
    stop = _run_end(lines, at)
    body = trimmed(text, lines[at].start, lines[stop - 1].end)
    code = body.of(text)
    anchors = sum(is_anchor(line.text) for line in lines[at:stop])
    if stop - at == 1 and is_signature(code):
        return stop, None
    sure = bool(anchors) and not (stop - at == 1 and _is_bare_call(code))
    return stop, Found(span=body, body=body, shape="run" if stop - at > 1 else "line", sure=sure)


def _is_bare_call(line: str) -> bool:
    """A line that is nothing but a call: in prose that is a mention."""
    tokens = scan(line)
    return not any(
        token.kind is Kind.OP and plain(token.text) == "=" and not token.depth for token in tokens
    ) and not re.match(r"\s*(?:import|from|print)\b", line)


def _run_end(lines: list[_Line], at: int) -> int:
    depth, in_block, opened = 0, False, at
    stop = index = at
    while index < len(lines):
        line = lines[index]
        if line.blank:
            index += 1
            continue
        goes_on = index == at or _goes_on(lines, index, stop, depth=depth, in_block=in_block)
        if not goes_on or (depth and index - opened > _MOST_OPEN):
            break
        was = depth
        depth = max(depth + _delta(line.text), 0)
        opened = index if depth and not was else opened
        in_block = in_block or line.text.rstrip().endswith((":", "："))
        stop = index + 1
        index += 1
    return stop


def _goes_on(lines: list[_Line], index: int, stop: int, *, depth: int, in_block: bool) -> bool:
    """Whether the line at `index` belongs to the run whose last line so far stands before `stop`."""
    line = lines[index].text
    gap = index - stop
    if depth:
        return not (is_prose(line) and _SENTENCE.search(line) and HAN.search(line))
    if gap > 2:
        return False
    if line[0] in " \t" and in_block and not is_prose(line):
        return True
    if is_code(line) or (not gap and is_continuation(line)) or _is_echo(lines, index):
        return True
    return _is_lost_comment(lines, index)


def _is_echo(lines: list[_Line], index: int) -> bool:
    """Names, members or an expression of them on its own, as in a notebook, all of which a few lines above bind."""
    text = lines[index].text
    if not _ECHO.match(text):
        return False
    names = set(_ECHOED.findall(text.partition("#")[0])) - _OPERATORS
    above = "\n".join(line.text for line in lines[max(0, index - _ECHO_REACH) : index]) if names else ""
    return all(re.search(rf"\b{name}\b[^=\n]*[=＝](?![=＝])|\bas {name}\b", above) for name in names)


def _is_lost_comment(lines: list[_Line], index: int) -> bool:
    """A short caption with code right behind it, in a run of code: a comment that lost its `#`."""
    line = lines[index].text
    if len(line) > 60 or _SENTENCE.search(line) or not is_prose(line):
        return bool(re.match(r"\s*[#＃]", line)) and index + 1 < len(lines)
    following = next((other.text for other in lines[index + 1 : index + 4] if not other.blank), "")
    return is_code(following)


def _delta(line: str) -> int:
    return sum(
        (plain(token.text) in "([{") - (plain(token.text) in ")]}") for token in scan(line) if token.kind is Kind.OP
    )
