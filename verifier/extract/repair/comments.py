"""Comments: lines that lost their `#`, and comments that swallowed the statements behind them.

Hides the test of prose against code for one line. Chinese prose compiles as Python names, so compiling
decides nothing for it.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from verifier.extract.repair.check import compiles
from verifier.extract.repair.draft import Edit
from verifier.extract.repair.printed import is_printed
from verifier.extract.repair.scan import PLAIN, Kind, Token, plain, scan
from verifier.extract.repair.statements import breaks, header_end
from verifier.model import RepairClass

HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
# A line that begins like this is code whatever words it holds.
_CODE_START = re.compile(
    r"""\s*(?:
        (?:import|from)\s+[A-Za-z_]\w*(?:\.\w+)*\s*(?:$|,|;|[#＃]|as\b|import\b)
      | (?:def|class)\s+[A-Za-z_]\w*\s*[(:（：]
      | (?:if|for|while|with|elif|except|return|assert|raise|del|print|yield|lambda)\b[^。！？]*[(\[=:.（：＝]
      | (?:else|try|finally)\s*[:：] | (?:pass|break|continue|return)\s*$
      | @[A-Za-z_]
      | [A-Za-z_][\w.]*(?:\[[^\]\n]{0,80}\])?(?:\s*,\s*[A-Za-z_][\w.]*){0,8}\s*(?:[-+*/|&@%]|//|\*\*)?[=＝](?![=＝])
      | [A-Za-z_][\w.]*[(（\[［]
      | [)\]}）］｝] | [%!$][A-Za-z] | >>>
    )""",
    re.VERBOSE,
)
_WORDLIKE = re.compile(r"[^\W\d_][^\W_]+(?:['’][a-z]{1,2})?$", re.ASCII)
_SENTENCE_END = re.compile(r"[。！？：:.!?]\s*$")
_STATEMENT = re.compile(r"(?:import|from|return|del|global|nonlocal|raise|assert|print|exec|yield|await|lambda)\b")
_NUMBERED = re.compile(r"\s*(?:\d{1,2}[.、)）]|[-*•·]|第[一二三四五六七八九十\d]+[步章节]|[Ss]tep\s+\d+[.:：]?)\s*")
_ARROW = re.compile(r"[=\-–—]{1,3}>|[→⇒➜]|>{1,2} (?!\S*>)")
_CAPTION = re.compile(r"([A-Za-z][\w-]*)((?:[ ]+[A-Za-z][\w-]*){0,6})[ ]*[:：](?!=)([^\n]*)$")
# A Chinese identifier is one when something is assigned to it.
_ASSIGNED = re.compile(r"\w+\s*=(?!=)\s*\S")
_APOSTROPHE = re.compile(r"^[A-Za-z ]+[a-z]['’](?:s|t|re|ll|ve|m|d)[ ][a-z]")
_DIMENSION = re.compile(r"\d+-[A-Za-z]+ [a-z]+")
_TICKED = re.compile(r"`[^`\n]+`")
_FULL_STOP = re.compile(r"[a-z)]\.\s*$")
_LONGEST = 20_000
_LINE = re.compile(r"[^\n]*")


def is_prose(line: str) -> bool:
    """Whether one line that stands among code is prose: a comment without its `#`, a sentence, a caption."""
    bare = line.strip()
    if _ARROW.match(bare):
        return True
    if not bare or bare[0] in "#＃%!@\"'“”‘’)}" or len(bare) > _LONGEST:
        return False
    if _CODE_START.match(bare):
        return _is_sentence(bare)
    if _ASSIGNED.match(bare):
        return False
    tokens = scan(bare)
    if any(token.kind is Kind.NAME and HAN.search(token.text) for token in tokens):
        return True
    return _is_values(bare, tokens) or _is_caption(bare) or _is_plain_words(bare, tokens)


def _is_sentence(line: str) -> bool:
    """`model.fit(x) 会训练模型。` begins like code and ends like prose; so does `return states. If you need more,`."""
    if re.search(r"[\u3400-\u9fff]{2,}[。！？]\s*$", line):
        return not re.search(r"[#＃]", line)
    tokens = scan(line)
    return _pairs(tokens) >= 3 and _pairs(tokens) * 3 >= len(tokens) and not compiles(line)


def _is_values(line: str, tokens: Sequence[Token]) -> bool:
    """Whether the line is a row of a printed array: numbers side by side without commas."""
    if line[0] not in "[-0123456789" or not all(_is_value(token) for token in tokens):
        return False
    return any(before.kind is after.kind is Kind.NUMBER for before, after in pairwise(tokens)) or bool(
        re.search(r"\d[ ]+-\d", line) and not re.search(r"\d[ ]+-[ ]", line) and "," not in line
    )


def _is_value(token: Token) -> bool:
    return token.kind is Kind.NUMBER or token.text in {"[", "]", "-", "nan", "inf", ".", "..."}


def _is_caption(line: str) -> bool:
    """`Output is: [1, 2]`, `result: 45`: words and a colon in front of values, which is no annotation."""
    found = _CAPTION.match(line)
    if not found or keyword.iskeyword(found.group(1)) or (found.group(1) == "lambda"):
        return False
    values = found.group(3).strip()
    if found.group(2):
        return not compiles(line) and not keyword.iskeyword(found.group(1))
    if found.group(1)[0].isupper() and "=" in values:
        return not compiles(line)
    return bool(re.match(r"[-\[({]?[\d'\"‘“]", values)) and "=" not in values


def _is_plain_words(line: str, tokens: Sequence[Token]) -> bool:
    words = [token for token in tokens if token.kind is not Kind.NEWLINE]
    if _TICKED.search(re.sub(r"[#＃].*", "", line)) or _APOSTROPHE.search(line) or _DIMENSION.match(line):
        return not compiles(line)
    if sum(token.kind is Kind.NAME for token in words) < 2 or _STATEMENT.match(line):
        return _is_numbered_caption(line)
    marks = sum(token.kind is Kind.OP and plain(token.text) in "=[]{}@" for token in words)
    calls = sum(
        plain(after.text) == "(" and before.kind is Kind.NAME and after.start == before.end
        for before, after in pairwise(words)
    )
    pairs = _pairs(words)
    only_words = len(words) > 2 and all(token.kind is Kind.NAME for token in words)
    if (only_words or (pairs and _FULL_STOP.search(line))) and not compiles(line):
        return True
    return pairs > 0 and (marks + calls == 0 or (pairs >= 2 and marks + calls <= 2 * pairs and not compiles(line)))


def _pairs(tokens: Sequence[Token]) -> int:
    return sum(_is_word(before) and _is_word(after) for before, after in pairwise(tokens))


def _is_word(token: Token) -> bool:
    if token.kind is not Kind.NAME:
        return False
    return not keyword.iskeyword(token.text) and bool(_WORDLIKE.match(token.text) or token.text in {"a", "A", "I"})


def _is_numbered_caption(line: str) -> bool:
    found = _NUMBERED.match(line)
    return bool(
        found
        and line[found.end() :]
        and line[0].isdigit()
        and not compiles(line)
        and _WORDLIKE.match(line[found.end() :])
    )


def comment_edits(text: str) -> list[Edit]:
    """Edits that give prose lines between statements their `#` back."""
    edits: list[Edit] = []
    depth, in_triple, blank = 0, "", True
    for found in _LINE.finditer(text):
        line = found.group()
        if not line.strip():
            blank = True
            continue
        if in_triple:
            in_triple = "" if in_triple in line else in_triple
            continue
        if depth and blank and HAN.search(line) and is_prose(line):
            depth = 0
        if not depth and is_prose(line):
            edits.append(_comment(found.start() + len(line) - len(line.lstrip())))
        else:
            depth, in_triple = _state(line, depth)
        blank = False
    return edits


def _comment(at: int) -> Edit:
    return Edit(
        start=at,
        end=at,
        after="# ",
        rule="lost-comment",
        klass=RepairClass.R2,
        reason="the line is prose between statements: a comment that lost its #",
        alternatives=("a name of its own",),
    )


def _state(line: str, depth: int) -> tuple[int, str]:
    """Open brackets, and an open triple quote, behind `line`."""
    tokens = scan(line)
    for token in tokens:
        if token.kind is Kind.OP:
            depth += (plain(token.text) in "([{") - (plain(token.text) in ")]}")
    last = tokens[-1] if tokens else None
    if last and last.kind is Kind.STRING and not last.closed:
        opening = last.text.lstrip("rRbBuUfF")[:3]
        if opening in {"'''", '"""'}:
            return max(depth, 0), opening
    return max(depth, 0), ""


_QUOTED = re.compile(r"[#＃].*|['\"‘’“”][^'\"‘’“”\n]*['\"‘’“”]")
_TAIL = re.compile(
    r"\s(?=(?:[A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_]\w*)*\s*[=＝](?![=＝])|[A-Za-z_]\w*(?:\.\w+)*[(（]|[A-Za-z_]\w*\[[^\]\n]{1,40}\](?:\.\w+[(（]|\s*=(?!=))|import\s|from\s+\w+\s+import\s|for\s+\w+\s+in\s|with\s|def\s|class\s|return\s|@))"
)


def behind_code(tokens: Sequence[Token], index: int) -> bool:
    """Whether code stands in the line of a comment, in front of it."""
    return index > 0 and tokens[index - 1].kind is not Kind.NEWLINE


def tail_edits(tokens: Sequence[Token], chosen: Collection[int] | None = None) -> list[Edit]:
    """Edits that cut comments in front of the code that they swallowed: `x = 5 # batch y = f(x)`.

    chosen: offsets of the comments to look at; None for all.

    A comment that is code from its first character on is code that somebody switched off: it stays.
    """
    edits = []
    for index, token in enumerate(tokens):
        looked_at = token.kind is Kind.COMMENT and (chosen is None or token.start in chosen)
        at = swallowed(token, behind_code=behind_code(tokens, index)) if looked_at else -1
        if at >= 0:
            edits.append(
                Edit(
                    start=token.start + at,
                    end=token.start + at + 1,
                    after="\n",
                    rule="swallowed-by-comment",
                    klass=RepairClass.R2,
                    reason="the rest of the comment is code: the line break behind the comment was lost",
                    alternatives=("the whole line is a comment",),
                )
            )
    return edits


def swallowed(comment: Token, *, behind_code: bool = False) -> int:
    """Offset in the comment of the space where swallowed code begins; -1 when there is none.

    behind_code: code stands in front of the comment, so that code in it is rather swallowed than switched off.
    """
    body = comment.text[1:].lstrip()
    lead = len(comment.text) - len(body)
    if len(comment.text) > _LONGEST or is_printed(body) or not re.match(r"\w", body):
        return -1
    if _begins_with_code(body):
        return _second_statement(body) + lead if behind_code and _second_statement(body) >= 0 else -1
    for found in _TAIL.finditer(comment.text, lead):
        rest = comment.text[found.end() :]
        if not HAN.search(_QUOTED.sub("", rest)) and _statements(rest):
            return found.start()
    return -1


def _begins_with_code(body: str) -> bool:
    """Whether a comment is code from its first character on: switched off, not swallowed."""
    if not _CODE_START.match(body):
        return False
    tokens = scan(body)
    end = next((index for index, _ in breaks(tokens)), len(tokens))
    return not _pairs(tokens[:end]) and compiles(body[: tokens[end - 1].end].translate(PLAIN))


def program_behind(comment: Token, text: str, *, behind_code: bool) -> bool:
    """Whether a comment swallowed a program for certain: several statements, or one that uses a name bound before."""
    at = swallowed(comment, behind_code=behind_code)
    if at < 0 or not (behind_code or "\n" not in text.strip()):
        return False
    tail = comment.text[at + 1 :]
    if breaks(scan(tail)) or any(token.kind is Kind.COMMENT for token in scan(tail)):
        return True
    bound = re.findall(r"(?:^|[\s,(])([A-Za-z_]\w*)\s*=(?!=)", text[: comment.start])
    return "\n" not in text.strip() and any(re.search(rf"[=(,\s]{name}\b", tail) for name in bound)


def _second_statement(code: str) -> int:
    tokens = scan(code)
    found = next((index for index, _ in breaks(tokens) if _statements(code[tokens[index].start :])), 0)
    return tokens[found].start - 1 if found and not _pairs(tokens[:found]) else -1


def _statements(code: str) -> bool:
    """Whether text is one or more statements and nothing else; the last one may be cut off."""
    tokens = [token for token in scan(code) if token.kind is not Kind.COMMENT]
    if not any(token.kind is Kind.OP and plain(token.text) in "=(" for token in tokens) or _pairs(tokens):
        return False
    starts = [0, *(index for index, _ in breaks(tokens)), len(tokens)]
    pieces = [tokens[first:last] for first, last in pairwise(starts)]
    whole = [piece for piece in pieces[:-1] or pieces if header_end(piece, 0) < 0]
    return all(len(piece) > 1 and compiles(code[piece[0].start : piece[-1].end].translate(PLAIN)) for piece in whole)
