"""Comments in code that state what a statement shows: `# [1 2]`, `# => 3`, `# Output: …`, `# // 0.5`."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifier.extract.stated.statements import Shown, Shows
from verifier.extract.stated.values import balanced, is_log, is_shape, is_value, normal
from verifier.model import Span
from verifier.text import Lines

_ARROW = re.compile(r"^(?:=+>|-+>|>>+|→|➜|⇒|➔|//)\s*")
_WORD = re.compile(
    r"^(?:[（(]?(?:输出|打印|结果|显示|返回|得到|输出结果|打印结果|运行结果|返回结果|输出内容"
    r"|控制台输出|值|输出值|返回值|outputs?|prints?|out|results?|returns?|gives?|displays?|shows?"
    r"|expected"
    r"|expected output|stdout|value|will print|will output|should print|this prints|evaluates to"
    r"|yields)[)）]?)\s*(?P<mark>[:：]|(?:为|是|is|->|=>|=)(?=\s|[^A-Za-z]))?\s*",
    re.IGNORECASE,
)
_SHAPE_WORD = re.compile(
    r"^(?:(?:output |the )?(?:shape|形状|维度|输出形状|输出维度|结果形状))\s*(?:[:：=]|为|是|is"
    r"|->)?\s*",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"^(?:会|将|这里|这行|此处|这一行|error|raises?|throws?|->|=>|报错|抛出|抛|触发|!|❌|✗|:|："
    r"|will raise|fails with|\s)*[:：]?\s*(?P<name>[A-Z][A-Za-z]*(?:Error|Exception)"
    r"|StopIteration)\b",
    re.IGNORECASE,
)
_LONGEST_BLOCK = 24  # lines; longer comments are prose
_ONE_WORD = re.compile(r"[^\s，。；：]{1,40}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A stated value in a comment: the comment's place in the code, the value, the statement it speaks of.

    `kind` is `shape`, `exception` or "" for the value itself.
    """

    span: Span
    value: str
    statement: Span
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    span: Span
    line: int
    text: str
    own: bool
    indented: bool


def comments_of(code: str, statements: Sequence[Shown]) -> Iterator[Comment]:
    """The comments of `code` that state a value, each with its statement."""
    lines = _comments(code)
    index = 0
    while index < len(lines):
        count = _extent(lines, index)
        group = lines[index : index + count]
        found = _stated(group, statements)
        if found is None and count > 1:
            count = 1
            found = _stated(group[:1], statements)
        if found is not None:
            yield found
        index += count


def _comments(code: str) -> list[_Line]:
    lines = Lines(code)
    found: list[_Line] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                start = lines.start(row) + column
                own = not token.line[:column].strip()
                found.append(
                    _Line(
                        span=Span(start=start, end=start + len(token.string)),
                        line=row,
                        text=token.string.lstrip("#"),
                        own=own,
                        indented=column > 0,
                    )
                )
    except (tokenize.TokenError, SyntaxError, ValueError):
        return found
    return found


def _extent(lines: list[_Line], index: int) -> int:
    """How many comment lines belong together: a block of its own, or a trailing one with its continuation."""
    count = 1
    text = lines[index].text
    follows = lines[index].own or not balanced(text)
    while follows and count < _LONGEST_BLOCK and index + count < len(lines):
        following = lines[index + count]
        if not following.own or following.line != lines[index].line + count:
            break
        if not lines[index].own and balanced(text):
            break
        text += following.text
        count += 1
    return count


def _stated(group: list[_Line], statements: Sequence[Shown]) -> Comment | None:
    statement = _statement(group[0], statements)
    if statement is None:
        return None
    text = "\n".join(line.text.removeprefix(" ") for line in group).strip()
    read = _read(text, statement, own=group[0].own)
    if read is None:
        return None
    value, kind = read
    return Comment(
        span=Span(start=group[0].span.start, end=group[-1].span.end), value=value, statement=statement.span, kind=kind
    )


def _statement(comment: _Line, statements: Sequence[Shown]) -> Shown | None:
    """The statement on whose line a comment stands, or that ends on the line before a comment of its own line."""
    wanted = comment.line - 1 if comment.own else comment.line
    best = None
    for statement in statements:
        inside = statement.loop and (not comment.own or comment.indented)
        if statement.last_line == wanted and statement.span.end <= comment.span.start and not inside:
            best = statement
    return best


def _read(text: str, statement: Shown, *, own: bool) -> tuple[str, str] | None:
    if statement.shows is Shows.NOTHING or is_log(text):
        return None
    error = _ERROR.match(text)
    if error:
        return error["name"], "exception"
    shape = _SHAPE_WORD.match(text)
    if shape and is_shape(text[shape.end() :]):
        return normal(text[shape.end() :]), "shape"
    rest = _introduced(text)
    if rest:
        return normal(rest), "shape" if is_shape(rest) and statement.shows is Shows.ASSIGNMENT else ""
    return _plain(text, statement, own=own) if is_value(text) else None


def _plain(text: str, statement: Shown, *, own: bool) -> tuple[str, str] | None:
    """The reading of a comment that is nothing but a value. Behind an assignment a lone number may count anything."""
    if statement.shows is not Shows.ASSIGNMENT:
        return None if own and not re.search(r"[\[(<.]", text) else (normal(text), "")
    if is_shape(text) and text.startswith(("(", "TensorShape")):
        return normal(text), "shape"
    return (normal(text), "") if text.startswith(("[", "tf.Tensor", "<tf.", "array(")) else None


def _introduced(text: str) -> str:
    """What stands behind an arrow or a word such as `Output:`; "" when that is no value and no single word."""
    arrow = _ARROW.match(text)
    if arrow:
        rest = text[arrow.end() :]
        return rest if is_value(rest) or _ONE_WORD.fullmatch(rest) else ""
    word = _WORD.match(text)
    rest = text[word.end() :] if word else ""
    return rest if word and (is_value(rest) or (word["mark"] and _ONE_WORD.fullmatch(rest))) else ""
