"""Reads one document: bytes in, text with passages out; every failure is one sentence with the name in it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from verifier.documents.interview import passages
from verifier.documents.names import STDIN, shown
from verifier.documents.reading import Reading
from verifier.documents.registry import reader_for
from verifier.errors import InputError
from verifier.model import Document, Notice, Passage, Role, Span

LIMIT = 16 << 20

_UNPRINTED = re.compile("[\0\ud800-\udfff]")
# First bytes of files that people hand in by mistake -> what to say.
_FOREIGN = {
    b"%PDF-": "is a PDF file; convert it to text first",
    b"\xd0\xcf\x11\xe0": "is an old Office file; save it as .docx or text first",
    b"{\\rtf": "is an RTF file; save it as .docx or text first",
}
_REPLACEMENT = "\ufffd"


def load(path: str, raw: bytes | None = None, *, limit: int = LIMIT) -> Document:
    """The document at `path`, or in `raw` when its bytes are at hand (`-` is standard input and needs them).

    An empty file gives an empty document. Raises InputError, always one sentence, when it is missing, not to be
    read, a folder, larger than `limit` bytes, damaged, or not text.
    """
    name = shown(path)
    content = _bytes(path, name, limit) if raw is None else raw
    if len(content) > limit:
        raise InputError(f"{name} is larger than {_size(limit)}, the most that is read; split it")
    for magic, sentence in _FOREIGN.items():
        if content.startswith(magic):
            raise InputError(f"{name} {sentence}")
    try:
        reading = reader_for(path)(content) if content else Reading(text="")
    except InputError as error:
        raise InputError(f"{name} {error}") from None
    text = _UNPRINTED.sub(_REPLACEMENT, reading.text)
    return Document(
        path=name,
        sha256=hashlib.sha256(content).hexdigest(),
        encoding=reading.encoding,
        text=text,
        passages=reading.passages or _passages(text, reading),
        markup=reading.markup,
        cells=reading.cells,
        notices=tuple(Notice(message=message, document=name) for message in _remarks(reading, text, content)),
    )


def _bytes(path: str, name: str, limit: int) -> bytes:
    if path == "-":
        raise InputError(f"{STDIN} holds nothing to read: its bytes have to be handed over")
    try:
        with Path(path).open("rb") as file:
            return file.read(limit + 1)
    except FileNotFoundError:
        raise InputError(f"cannot read {name}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"cannot read {name}: it is a folder; name the files in it or search it first") from None
    except PermissionError:
        raise InputError(f"cannot read {name}: permission denied; check who may read it") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"cannot read {name}: {reason}") from None


def _size(limit: int) -> str:
    return f"{limit >> 20} MiB" if limit % (1 << 20) == 0 else f"{limit / 1e6:.3g} MB"


def _passages(text: str, reading: Reading) -> tuple[Passage, ...]:
    code = [cell.span for cell in reading.cells if cell.kind != "prose"]
    return passages(text, code) or (Passage(span=Span(start=0, end=len(text)), role=Role.OTHER),)


def _remarks(reading: Reading, text: str, content: bytes) -> list[str]:
    remarks = list(reading.notices)
    if reading.encoding != "utf-8":
        remarks.append(f"read as {reading.encoding.upper()}")
    if _REPLACEMENT in text and _REPLACEMENT.encode() not in content:
        remarks.append(f"some characters could not be read and stand as {_REPLACEMENT}")
    return remarks
