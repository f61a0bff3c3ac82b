"""Reads Jupyter notebooks of every format: visible text in the order of the page, one cell per part.

Format 4 is read as it stands, so that a notebook with small errors against the schema is read all the same; older
formats are first brought to format 4 by nbformat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import nbformat

from verifier.documents.reading import Reading, Sheet
from verifier.documents.structure import Json, looks_like_notebook, parse, text_of
from verifier.errors import InputError
from verifier.text import decode

_ANSI = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.")
_MAGIC = re.compile(r"\s*%%(?P<name>bash|sh|script|html|javascript|js|latex|svg|perl|ruby|markdown|writefile|cmd)\b")
_MAGIC_LANGUAGES = {"sh": "bash", "script": "bash", "js": "javascript", "writefile": "text", "cmd": "shell"}


def read(raw: bytes) -> Reading:
    """The notebook in `raw`. Raises InputError when it is damaged or not a notebook."""
    characters, encoding = decode(raw)
    notebook = parse(characters)
    if not isinstance(notebook, dict) or not looks_like_notebook(notebook):
        raise InputError("is not a notebook: it has no list of cells")
    notebook = _as_format_4(notebook)
    language = _language(notebook)
    sheet = Sheet()
    for cell in _mappings(notebook.get("cells")):
        source = text_of(cell.get("source"))
        if cell.get("cell_type") != "code":
            if source.strip():
                sheet.add(source, "prose")
            continue
        if source.strip():
            sheet.add(source, "code", _cell_language(cell, source) or language)
        for output in _outputs(cell):
            sheet.add(output, "output")
    return Reading(text=sheet.text, encoding=encoding, markup="markdown", cells=sheet.cells)


def _as_format_4(notebook: dict[str, Json]) -> dict[str, Json]:
    if isinstance(notebook.get("cells"), list):
        return notebook
    major = notebook.get("nbformat")
    try:
        node = nbformat.from_dict({"metadata": {}, "nbformat_minor": 0, **notebook, "nbformat": major or 3})  # type: ignore[no-untyped-call]
        upgraded = nbformat.convert(node, 4)  # type: ignore[no-untyped-call]
    except Exception as error:  # noqa: BLE001 - converting a damaged notebook fails in any way there is
        raise InputError(
            f"is a damaged notebook of format {major}: {type(error).__name__} while converting it"
        ) from None
    return dict(upgraded)


def _mappings(value: object) -> Iterator[Mapping[str, Json]]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, Mapping))


def _within(mapping: Mapping[str, Json], *keys: str) -> Json:
    value: Json = None
    for key in keys:
        value = mapping.get(key)
        mapping = value if isinstance(value, dict) else {}
    return value


def _language(notebook: Mapping[str, Json]) -> str:
    for keys in (("kernelspec", "language"), ("language_info", "name"), ("kernelspec", "name")):
        word = _within(notebook, "metadata", *keys)
        if isinstance(word, str) and word:
            return re.sub(r"(?i)^python[0-9.]*$", "python", word).lower()
    return "python"


def _cell_language(cell: Mapping[str, Json], source: str) -> str:
    magic = _MAGIC.match(source)
    if magic:
        return _MAGIC_LANGUAGES.get(magic["name"], magic["name"])
    for keys in (("metadata", "vscode", "languageId"), ("metadata", "language")):
        word = _within(cell, *keys)
        if isinstance(word, str) and word:
            return word.lower()
    return ""


def _outputs(cell: Mapping[str, Json]) -> Iterator[str]:
    for output in _mappings(cell.get("outputs")):
        shown = _ANSI.sub("", _visible(output)).rstrip("\n")
        if shown.strip():
            yield shown


def _visible(output: Mapping[str, Json]) -> str:
    """The text of one output: printed, the value of the last expression, or a traceback."""
    if output.get("output_type") in {"error", "pyerr"}:
        trace = output.get("traceback")
        lines = [line for line in trace if isinstance(line, str)] if isinstance(trace, list) else []
        return "\n".join(lines) or f"{text_of(output.get('ename'))}: {text_of(output.get('evalue'))}"
    data = output.get("data")
    return text_of(output.get("text")) or (text_of(data.get("text/plain")) if isinstance(data, Mapping) else "")
