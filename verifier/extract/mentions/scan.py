"""Where a name may stand in prose. Candidates only: whether one is a mention is decided with its surroundings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.extract.mentions.arguments import is_call
from verifier.extract.mentions.marks import Marks
from verifier.extract.mentions.words import BORDER, END, IDENTIFIER, NOUN_EN, NOUN_ZH
from verifier.model import Span

_DOT = r"[\u200b\ufeff]?[.．][\u200b\ufeff]?"
_DOTTED = re.compile(rf"{BORDER}{IDENTIFIER}(?:{_DOT}{IDENTIFIER})+")
_CALLED = re.compile(rf"{BORDER}{IDENTIFIER}(?=[(（])")
_UNDERSCORED = re.compile(rf"{BORDER}[A-Za-z0-9]*(?:[a-z0-9]|\\)_[A-Za-z0-9_\\]*[A-Za-z0-9]{END}")
_MARK = r"[`”\"'’」]?"
_NOUN_BEHIND = re.compile(
    rf"{BORDER}(?P<name>{IDENTIFIER})(?=(?:[(（]\s*[)）])?{_MARK}\s{{0,2}}(?:(?:这[两三四几些]个?"
    rf"|这个|这一|这|该|此|等|自带的|内置的)\s*)?(?:个\s*)?"
    rf"(?:{NOUN_ZH})|(?:[(（]\s*[)）])?{_MARK}\s{NOUN_EN})"
)
_NOUN_BEFORE = re.compile(
    rf"(?:(?:{NOUN_ZH})(?:名|名字)?(?:是|为|叫做?|名为|叫作)?[：:]?\s*|{NOUN_EN} (?:called"
    rf"|named) )[`“\"']?{BORDER}(?P<name>{IDENTIFIER})"
)
_IMPORT = re.compile(
    rf"{BORDER}from\s+(?P<module>{IDENTIFIER}(?:\.{IDENTIFIER})*)\s+import\s+"
    rf"(?P<names>{IDENTIFIER}(?:\s+as\s+{IDENTIFIER})?(?:\s*,\s*{IDENTIFIER}(?:\s+as\s+{IDENTIFIER})?){{0,12}})"
    rf"|{BORDER}import\s+(?P<path>{IDENTIFIER}(?:\.{IDENTIFIER})+)(?:\s+as\s+{IDENTIFIER})?"
)
_KEYWORD = re.compile(
    rf"{BORDER}(?P<name>[A-Za-z][A-Za-z0-9_]+)(?P<value>[=＝](?![=＝])(?:\"[^\"\n]{{0,60}}\""
    rf"|'[^'\n]{{0,60}}'|[“‘][^”’\n]{{0,60}}[”’]"
    rf"|\[[^\]\n]{{0,60}}\]|\([^)\n]{{0,60}}\)|[A-Za-z0-9_.+-]*[A-Za-z0-9_]))"
)
_MARKED = re.compile(rf"[.@]?(?P<name>{IDENTIFIER})\s*(?:[(（]|$)")
# The first word of the next sentence, glued to a name by the dot that ended the last one.
_NEXT_SENTENCE = re.compile(
    r"\.(?:The|Next|This|It|We|In|You|And|But|For|If|Then|When|However|To|As|An?|I|See|That|These|There)$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A name as it stands in the document.

    name    with escapes and odd dots taken out; span: of the name alone
    whole   span with the call parentheses, if any; inside: what they hold (None: no call)
    mark    content of the trusted code marks around it; alone: they hold nothing but this name or call
    stray   an unpaired backtick touches it
    form    `attribute`, `import` or `from`
    keyword the name is a keyword with a value (`padding='same'`)
    """

    name: str
    span: Span
    whole: Span
    inside: str | None = None
    mark: Span | None = None
    alone: bool = False
    stray: bool = False
    form: str = "attribute"
    keyword: bool = False

    @property
    def dotted(self) -> bool:
        """Whether the name has a dot."""
        return "." in self.name

    @property
    def ending(self) -> int:
        """Offset behind the name and its parentheses, empty ones too."""
        if self.inside is not None and not self.inside.strip():
            return self.span.end + len(self.inside) + 2
        return self.whole.end

    @property
    def leaf(self) -> str:
        """The last component of the name."""
        return self.name.rpartition(".")[2]


def candidates(text: str, marks: Marks, closing: dict[int, int]) -> tuple[Candidate, ...]:
    """Every place of `text` that may name an API, sorted, one for each start of a name. Linear in `text`."""
    found: dict[int, Candidate] = {}
    statements = list(_imports(text, marks))
    for match in _DOTTED.finditer(text):
        _add(found, _named(text, _without_next_sentence(text, match), marks, closing))
    for match in _CALLED.finditer(text):
        candidate = _named(text, Span(start=match.start(), end=match.end()), marks, closing)
        if candidate.inside is not None:
            _add(found, candidate)
    for match in _KEYWORD.finditer(text):
        _add(found, _keyword(text, match, marks))
    for span in _bare(text, marks):
        _add(found, _named(text, span, marks, closing))
    covered = {offset for statement in statements for offset in range(statement.span.start, statement.span.end)}
    kept = [candidate for start, candidate in found.items() if start not in covered]
    return tuple(sorted((*statements, *kept), key=lambda candidate: (candidate.span.start, candidate.span.end)))


def _bare(text: str, marks: Marks) -> Iterator[Span]:
    """Names without a dot or a call: with an underscore, beside a type noun, or alone in code marks."""
    for rule in (_UNDERSCORED, _NOUN_BEHIND, _NOUN_BEFORE):
        group = "name" if rule.groups else 0
        for match in rule.finditer(text):
            yield Span(start=match.start(group), end=match.end(group))
    for mark in marks.spans:
        marked = _MARKED.match(text, mark.start, mark.end)
        if marked:
            yield Span(start=marked.start("name"), end=marked.end("name"))


def _without_next_sentence(text: str, match: re.Match[str]) -> Span:
    glued = _NEXT_SENTENCE.search(match.group())
    cut = glued is not None and text[match.end() : match.end() + 1] in (" ", "\n")
    return Span(start=match.start(), end=match.start() + glued.start() if glued and cut else match.end())


def _add(found: dict[int, Candidate], candidate: Candidate) -> None:
    found.setdefault(candidate.span.start, candidate)


def _named(text: str, span: Span, marks: Marks, closing: dict[int, int]) -> Candidate:
    whole, inside, written = span, None, span
    bracket = text[span.end : span.end + 1]
    if bracket in ("(", "（") and bracket:
        close = closing.get(span.end)
        if close is not None and is_call(text[span.end + 1 : close], full_width=bracket == "（"):
            inside = text[span.end + 1 : close]
            written = Span(start=span.start, end=close + 1)
            whole = written if inside.strip() else span
    mark = marks.around(span)
    return Candidate(
        name=plain(span.of(text)),
        span=span,
        whole=whole,
        inside=inside,
        mark=mark,
        alone=mark is not None and mark.of(text).strip().lstrip(".@") in (written.of(text), span.of(text)),
        stray=marks.beside(span) or marks.beside(written),
    )


def plain(written: str) -> str:
    """A name without Markdown escapes, zero-width characters and full-width dots."""
    return written.replace("\\_", "_").replace("．", ".").replace("\u200b", "").replace("\ufeff", "")


def _keyword(text: str, match: re.Match[str], marks: Marks) -> Candidate:
    span = Span(start=match.start(), end=match.end())
    mark = marks.around(span)
    return Candidate(
        name=match["name"],
        span=Span(start=match.start("name"), end=match.end("name")),
        whole=span,
        mark=mark,
        alone=mark is not None and mark.of(text).strip() == span.of(text),
        keyword=True,
    )


def _imports(text: str, marks: Marks) -> Iterator[Candidate]:
    for match in _IMPORT.finditer(text):
        span = Span(start=match.start(), end=match.end())
        mark = marks.around(span)
        if match["path"]:
            yield Candidate(name=match["path"], span=span, whole=span, mark=mark, form="import")
            continue
        for part in match["names"].split(","):
            name = part.split()[0]
            yield Candidate(name=f"{match['module']}.{name}", span=span, whole=span, mark=mark, form="from")
