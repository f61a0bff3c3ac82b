"""Which reader takes which document: by the suffix of its name, else by what its bytes look like."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import PurePath

from verifier.documents import chat, plain
from verifier.documents.reading import Reader, Reading
from verifier.documents.structure import looks_like_notebook, parse
from verifier.errors import InputError
from verifier.text import decode

_HEAD = 1 << 16
_HTML = re.compile(
    rb"^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_MARKDOWN = re.compile(r"^(?: {0,3}#{1,6} \S| {0,3}(?:```|~~~)|\[[^\]\n]{1,200}\]: )", re.MULTILINE)


def _late(module: str) -> Reader:
    """The reader of a container whose library takes longer to load than a text takes to verify."""

    def read(raw: bytes) -> Reading:
        reading: Reading = import_module(f"verifier.documents.{module}").read(raw)
        return reading

    return read


_notebook, _page, _word = _late("notebook"), _late("page"), _late("word")


def _json(raw: bytes) -> Reading:
    """JSON: a notebook, a conversation, or else text."""
    try:
        value = parse(decode(raw)[0])
    except InputError:
        return chat.read(raw)
    return _notebook(raw) if looks_like_notebook(value) else chat.read(raw)


def _is_json(text: str) -> bool:
    """Whether the text, or its first line, is a JSON object or list."""
    start = text.lstrip()
    if start[:1] not in {"{", "["}:
        return False
    for candidate in (start.split("\n", 1)[0], text):
        try:
            parse(candidate)
        except InputError:
            continue
        return True
    return False


def _unknown(raw: bytes) -> Reading:
    """Text whose name says nothing: JSON, HTML, Markdown or plain text by its looks."""
    if raw.startswith(b"PK\x03\x04"):
        return _word(raw)
    if _HTML.match(raw[:_HEAD]):
        return _page(raw)
    characters, _ = decode(raw)
    if _is_json(characters):
        return _json(raw)
    return plain.markdown(raw) if _MARKDOWN.search(characters) else plain.text(raw)


# One line per format: what a folder is searched for, and who reads it.
READERS: dict[str, Reader] = {
    ".txt": plain.text,
    ".md": plain.markdown,
    ".markdown": plain.markdown,
    ".rst": plain.rst,
    ".ipynb": _notebook,
    ".html": _page,
    ".htm": _page,
    ".json": _json,
    ".jsonl": chat.read,
    ".docx": _word,
}
SUFFIXES = tuple(READERS)
# Read when named, but not looked for in folders.
_NAMED: dict[str, Reader] = {
    ".py": plain.source,
    ".mdx": plain.markdown,
    ".qmd": plain.markdown,
    ".rmd": plain.markdown,
    ".text": plain.text,
    ".log": plain.text,
    ".xhtml": _page,
    ".ndjson": chat.read,
}


def reader_for(path: str) -> Reader:
    """The reader for a document of this name; its bytes decide when the name says nothing."""
    suffix = PurePath(path).suffix.lower()
    return READERS.get(suffix) or _NAMED.get(suffix) or _unknown
