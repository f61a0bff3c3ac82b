"""Reads Word documents: paragraphs and tables in order; paragraphs set like code become cells."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import docx
from docx.document import Document as WordDocument
from docx.oxml.ns import qn
from docx.oxml.text.paragraph import CT_P
from docx.oxml.text.run import CT_R
from docx.styles.style import BaseStyle, CharacterStyle
from lxml.etree import _Element

from verifier.documents.reading import Reading, Sheet
from verifier.errors import InputError

# A document within the limit of a load that unpacks to more than this is no document that anyone wrote.
UNPACKED = 128 << 20
_MONOSPACE = re.compile(
    r"mono|courier|consolas|menlo|monaco|lucida console|fira code|cascadia|source code|inconsolata|andale|等宽",
    re.IGNORECASE,
)
_CODE_STYLE = re.compile(r"\bcode\b|source|preformatted|listing|verbatim|代码|程序", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    text: str
    is_code: bool


def read(raw: bytes) -> Reading:
    """The document in `raw`. Raises InputError when it is damaged or unpacks to an absurd size."""
    document = _open(raw)
    sheet = Sheet()
    for block in _merged(_blocks(document)):
        sheet.add(block.text, "code" if block.is_code else "")
    return Reading(text=sheet.text, markup="text", cells=sheet.cells)


def _open(raw: bytes) -> WordDocument:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise InputError(f"is a damaged Word document: {error}") from None
    if sum(part.file_size for part in parts) > UNPACKED:
        raise InputError(f"unpacks to more than {UNPACKED >> 20} MiB and was not read")
    try:
        return docx.Document(io.BytesIO(raw))
    except Exception as error:  # noqa: BLE001 - a damaged package fails in any way there is
        raise InputError(f"is not a Word document that can be read: {type(error).__name__}") from None


def _merged(blocks: Iterator[_Block]) -> Iterator[_Block]:
    """Paragraphs of code that follow each other are one block; prose keeps a blank line between paragraphs."""
    code: list[str] = []
    for block in blocks:
        if block.is_code or (code and not block.text.strip()):
            code.append(block.text)
            continue
        if code:
            yield _Block(text="\n".join(code).strip("\n"), is_code=True)
            code = []
        if block.text.strip():
            yield block
    if code:
        yield _Block(text="\n".join(code).strip("\n"), is_code=True)


def _blocks(document: WordDocument) -> Iterator[_Block]:
    styles = _code_styles(document)
    for element in document.element.body.iter(qn("w:p")):
        if not _is_fallback(element):
            yield _block(cast("CT_P", element), styles)


def _code_styles(document: WordDocument) -> frozenset[str]:
    """The ids of all styles that are named like code or set in a monospace font, themselves or by inheritance."""
    found: set[str] = set()
    for style in document.styles:
        ancestor: BaseStyle | None = style
        for _ in range(8):
            if not isinstance(ancestor, CharacterStyle):
                break
            if _CODE_STYLE.search(ancestor.name or "") or _is_monospace(ancestor.font.name):
                found.add(style.style_id)
                break
            ancestor = ancestor.base_style
    return frozenset(found)


def _is_fallback(element: _Element) -> bool:
    """Whether the paragraph repeats, for old programs, the text of a box that stands before it."""
    return any(ancestor.tag.endswith("}Fallback") for ancestor in element.iterancestors())


def _block(paragraph: CT_P, styles: frozenset[str]) -> _Block:
    pieces = list(_pieces(paragraph, styles))
    written = [mono for text, mono in pieces if text.strip()]
    if paragraph.style in styles or (written and all(written)):
        return _Block(text="".join(text for text, _ in pieces), is_code=True)
    return _Block(text=_marked(pieces), is_code=False)


def _marked(pieces: list[tuple[str, bool]]) -> str:
    """The text of a paragraph of prose, with code inside it between backticks."""
    parts: list[str] = []
    for text, mono in pieces:
        bare = text.strip()
        if mono and bare and "`" not in bare and "\n" not in bare:
            at = text.index(bare)
            parts.append(f"{text[:at]}`{bare}`{text[at + len(bare) :]}")
        else:
            parts.append(text)
    return "".join(parts)


def _pieces(paragraph: CT_P, styles: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """Runs of one sort of type; Word breaks words into runs at will, so neighbours are joined."""
    kept, kept_mono = "", False
    for element in paragraph.iter(qn("w:r")):
        if next(element.iterancestors(qn("w:p"))) is not paragraph:
            continue  # the text of a box that is anchored here; its paragraphs come by themselves
        run = cast("CT_R", element)
        text, mono = (
            run.text,
            run.style in styles or _is_monospace(run.rPr.rFonts_ascii if run.rPr is not None else None),
        )
        if kept and mono != kept_mono and text.strip():
            yield kept, kept_mono
            kept = ""
        kept_mono = mono if text.strip() or not kept else kept_mono
        kept += text
    if kept:
        yield kept, kept_mono


def _is_monospace(font: str | None) -> bool:
    return bool(font and _MONOSPACE.search(font))
