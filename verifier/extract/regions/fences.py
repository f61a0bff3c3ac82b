"""Blocks with a mark at either end: fences of every sort, mangled by typographers or not, and `<pre>` elements.

Hides what counts as an opening mark, which mark closes it, and where a block without a closing mark ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.extract.classify.evidence import python_share
from verifier.extract.classify.tags import KINDS, language_at
from verifier.extract.regions.closing import closing_mark, last_code_line
from verifier.extract.regions.found import Found, trimmed
from verifier.model import Span

# Three quotes or ticks, or what typographers make of them: two ticks become “, so ``` becomes “`.
_MARK = re.compile(
    r"""(?P<tick>`{3,}) | ^[ \t]*(?P<tilde>~{3,}) | (?P<acute>´{3,}|·{3,}|｀{3,}|ˋ{3,})
      | (?P<mangled>[“”‘’"]{1,2}`{1,2}|`[“”]|[“”]{2,3}|[‘’]{3}|'''|\"\"\"|``)
          (?=[ \t]*\{?\.?(?:python|py3?|ipython3?|tensorflow)\b|[ \t]*$)
      | (?P<lone>(?<!`)`(?!`)(?=[^`\n]*\n[^`]{1,3000}`(?!`)))
      | (?P<pre><pre\b[^>\n]{0,300}>)
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_LEADING = re.compile(r"[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:>[ \t]?)*")
_ATTRIBUTES = re.compile(
    r"[ \t]*(?:\{[^}\n]*\}|[\w:-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[\w./,-]+)|[A-Za-z]+\.\w+|\d[\d,-]*|linenos|copy)?"
    r"(?:[ \t]+[\w:-]+=(?:\"[^\"\n]*\"|[\w./-]+))*[ \t]*$"
)
_PRE_END = re.compile(r"</pre\s*>", re.IGNORECASE)
_PRE_HEAD = re.compile(r"\s*<code\b[^>\n]{0,300}>", re.IGNORECASE)
_PRE_TAIL = re.compile(r"</code\s*>\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Open:
    start: int
    mark: str
    language: str
    body: int
    at_line_start: bool
    glued: bool
    mangled: bool


def find_fences(text: str, span: Span) -> list[Found]:
    """All marked blocks in `span`, in order. A mark inside an open block never opens another one."""
    found: list[Found] = []
    at = span.start
    while match := _MARK.search(text, at, span.end):
        mark = match.group().strip()
        if match.lastgroup == "pre":
            block = _pre(text, match, span.end)
        elif match.lastgroup == "lone":
            block = _lone(text, match.start(), span.end)
        else:
            opened = _open(text, match, mark, span)
            block = _block(text, opened, span.end) if opened else None
        if block is None:
            at = match.end()
            continue
        found.append(block)
        at = max(block.span.end, match.end())
    return found


def _open(text: str, match: re.Match[str], mark: str, span: Span) -> _Open | None:
    start = match.end() - len(mark)
    line_start = max(text.rfind("\n", 0, start) + 1, span.start)
    line_end = text.find("\n", match.end(), span.end)
    line_end = span.end if line_end < 0 else line_end
    leading = _LEADING.fullmatch(text, line_start, start) is not None
    language, body = language_at(text, match.end(), line_end)
    mangled = match.lastgroup in {"mangled", "acute"}
    rest = text[body:line_end]
    if language or not rest.strip():
        glued = bool(rest.strip()) and not _ATTRIBUTES.match(rest) and rest.strip().lower() not in KINDS
        if not language and not leading and mangled:
            return None
        return _Open(start, mark, language, body if glued else line_end, leading, glued, mangled)
    if leading and _ATTRIBUTES.match(rest) and not mangled:
        return _Open(start, mark, rest.strip().lower(), line_end, leading, glued=False, mangled=False)
    if match.lastgroup == "tilde":
        return None
    return _Open(start, mark, "", match.end(), leading, glued=True, mangled=mangled)


def _block(text: str, opened: _Open, limit: int) -> Found | None:
    close = closing_mark(
        text,
        opened.body,
        limit,
        mark=opened.mark,
        strict=opened.at_line_start and not opened.glued,
        mangled=opened.mangled,
    )
    if close is None and not opened.language and opened.glued:
        return None
    shape = "mangled-fence" if opened.mangled or close is None or opened.glued else "fence"
    body_end, end = close or (last_code_line(text, opened.body, limit),) * 2
    start = opened.body
    while opened.glued and start < body_end and text[start] in " \t":
        start += 1
    body = trimmed(text, start, body_end)
    if "\n" not in text[opened.start : end] and not opened.language and not _is_statement(body.of(text)):
        # A code span written with three ticks: a mention, not a block.
        return None
    return Found(
        span=Span(start=opened.start, end=max(end, body.end)), body=body, shape=shape, language=opened.language
    )


def _is_statement(code: str) -> bool:
    return bool(re.match(r"\s*(?:import\s|from\s+\S+\s+import\s|[\w.]+\s*=[^=]|print\s*\()", code))


def _lone(text: str, start: int, limit: int) -> Found | None:
    """A code span over several lines, if all its lines read like code: a fence that lost two ticks."""
    close = text.find("`", start + 1, limit)
    line_start = text.rfind("\n", 0, start) + 1
    # Behind an odd number of ticks this one closes a code span.
    if close < 0 or text.count("`", line_start, start) % 2:
        return None
    language, at = language_at(text, start + 1, close)
    body = trimmed(text, at if language else start + 1, close)
    strong, share = python_share(body.of(text))
    if strong < 2 or share < 1 or "\n" not in body.of(text):
        return None
    return Found(span=Span(start=start, end=close + 1), body=body, shape="mangled-fence", language=language)


def _pre(text: str, match: re.Match[str], limit: int) -> Found | None:
    end = _PRE_END.search(text, match.end(), limit)
    if not end:
        return None
    head = _PRE_HEAD.match(text, match.end(), end.start())
    tail = _PRE_TAIL.search(text, max(match.end(), end.start() - 40), end.start())
    language = re.search(
        r"(?:language|lang|brush)[-:]\s*([\w+#-]+)", text[match.start() : head.end() if head else match.end()]
    )
    body = trimmed(text, head.end() if head else match.end(), tail.start() if tail else end.start())
    return Found(
        span=Span(start=match.start(), end=end.end()),
        body=body,
        shape="fence",
        language=language.group(1).lower() if language else "",
    )
