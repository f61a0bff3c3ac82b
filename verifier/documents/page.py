"""Reads HTML: the visible text in reading order, with its code blocks as cells. Nothing is ever fetched."""

from __future__ import annotations

import codecs
import re

from lxml import etree
from lxml.etree import _Element

from verifier.documents.canvas import Canvas
from verifier.documents.highlight import is_button, is_gutter, is_output, is_prompt, language, tokens
from verifier.documents.reading import Reading
from verifier.text import decode

_UNSEEN = frozenset(
    [
        "script",
        "style",
        "template",
        "noscript",
        "nav",
        "head",
        "button",
        "select",
        "option",
        "datalist",
        "svg",
        "iframe",
        "object",
        "embed",
        "audio",
        "video",
        "canvas",
        "map",
        "area",
        "input",
        "meta",
        "link",
        "title",
        "dialog",
    ]
)
_PARAGRAPHS = frozenset(
    [
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "dl",
        "table",
        "blockquote",
        "figure",
        "article",
        "section",
        "hr",
        "pre",
        "details",
    ]
)
_LINES = frozenset(
    [
        "div",
        "li",
        "tr",
        "dt",
        "dd",
        "main",
        "aside",
        "header",
        "footer",
        "address",
        "form",
        "fieldset",
        "legend",
        "figcaption",
        "caption",
        "summary",
        "tbody",
        "thead",
        "center",
        "body",
    ]
)
_ROWS = frozenset({"table", "thead", "tbody", "tfoot", "tr"})
_INLINE_CODE = frozenset({"code", "tt", "samp"})
_BLOCK_CLASSES = frozenset({"code", "codeblock", "code-block", "sourcecode", "source-code", "syntaxhighlighter"})
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_HEAD = 4096


def read(raw: bytes) -> Reading:
    """The page in `raw`. Raises InputError when the bytes are not text."""
    source, encoding = _decode(raw)
    root = _parse(source)
    if root is None:
        return Reading(text="", encoding=encoding, markup="markdown")
    canvas = Canvas()
    _Walk(canvas).through(root)
    return Reading(text=canvas.text, encoding=encoding, markup="markdown", cells=canvas.cells)


def _decode(raw: bytes) -> tuple[str, str]:
    """As verifier.text, but the page's own word about its encoding comes before guessing."""
    named = _CHARSET.search(raw[:_HEAD])
    if named and not raw.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        word = named[1].decode("ascii").lower()
        word = "gb18030" if word in {"gb2312", "gbk", "gb_2312-80", "x-gbk"} else word
        try:
            if b"\0" not in raw and codecs.lookup(word).name not in {"utf-8", "utf-7"}:
                return raw.decode(word), word
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(raw)


def _parse(source: str) -> _Element | None:
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, recover=True, remove_pis=True)
    try:
        return etree.fromstring(source.encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError):
        return None


class _Walk:
    """One pass over the elements; keeps which element opened the code block and the inline code it is in."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._block: _Element | None = None
        self._inline: _Element | None = None

    def through(self, root: _Element) -> None:
        """Write all that is visible. Iterative, for pages nest as deep as they like."""
        walker = etree.iterwalk(root, events=("start", "end", "comment"))
        skipped: _Element | None = None
        for event, element in walker:
            if event == "start":
                if skipped is None and self._is_unseen(element):
                    skipped = element
                    walker.skip_subtree()
                elif skipped is None:
                    self._start(element)
                continue
            if event == "end" and skipped is None:
                self._end(element)
            if element is skipped:
                skipped = None
            if skipped is None and element is not root and element.tail:
                self._after(element, element.tail)

    def _is_unseen(self, element: _Element) -> bool:
        if element.tag in _UNSEEN or element.get("hidden") is not None or _HIDDEN.search(element.get("style") or ""):
            return True
        return bool(element.get("class")) and (is_gutter(element) or is_button(element) or is_prompt(element))

    def _start(self, element: _Element) -> None:
        canvas, tag = self._canvas, element.tag
        if tag == "br":
            canvas.line()
        elif tag in _PARAGRAPHS:
            canvas.apart(2)
        elif tag in _LINES:
            canvas.apart(1)
        elif tag in {"td", "th"} and not canvas.in_block and self._has_neighbour(element):
            canvas.write(" | ")
        if self._block is None and _is_block(element):
            self._block = element
            canvas.begin_block(preserved=_is_preserved(element))
        elif self._block is None and tag in _INLINE_CODE:
            self._open_inline(element)
        if element.text and not (tag in _ROWS and element.text.isspace()):
            canvas.write(element.text)

    def _after(self, element: _Element, tail: str) -> None:
        parent = element.getparent()
        if not (tail.isspace() and parent is not None and parent.tag in _ROWS):
            self._canvas.write(tail)

    def _has_neighbour(self, cell: _Element) -> bool:
        previous = cell.getprevious()
        return previous is not None and not self._is_unseen(previous)

    def _open_inline(self, element: _Element) -> None:
        said = "".join(str(text) for text in element.itertext())
        if self._inline is None and said.strip() and "`" not in said:
            self._inline = element
            self._canvas.open_quote(spaced=said[0].isspace())

    def _end(self, element: _Element) -> None:
        canvas = self._canvas
        if self._inline is element:
            self._inline = None
            canvas.close_quote()
        if element is self._block:
            self._block = None
            canvas.end_block("output" if is_output(element) else "code", language(element))
        if element.tag in _PARAGRAPHS:
            canvas.apart(2)
        elif element.tag in _LINES:
            canvas.apart(1)


def _is_block(element: _Element) -> bool:
    """Whether the element is a block of code: preformatted, or code by its class and without prose in it."""
    tag = element.tag
    if tag in {"pre", "textarea"}:
        return True
    if tag in _INLINE_CODE:
        return element.find(".//br") is not None
    if tag not in {"div", "table", "figure"}:
        return False
    names = set(tokens(element))
    if "syntaxhighlighter" in names or _is_code_table(element):
        return True
    return bool(names & _BLOCK_CLASSES) and not any(
        element.find(f".//{inner}") is not None for inner in ("div", "p", "pre", "table", "ul", "h1", "h2", "h3", "h4")
    )


def _is_code_table(element: _Element) -> bool:
    """Whether each row of the table is a line of code."""
    names = set(tokens(element))
    return element.tag == "table" and bool(names & {"highlight", "hljs-ln"}) and element.find(".//pre") is None


def _is_preserved(element: _Element) -> bool:
    """Whether a browser keeps the white space of the block."""
    if element.tag in {"pre", "textarea"} or _is_code_table(element):
        return True
    return element.find(".//br") is None and element.find(".//div") is None
