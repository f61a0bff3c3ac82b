"""What a file holds, by the call that reads it: a table of readers."""

from __future__ import annotations

import re
from collections.abc import Callable

from verifier.probe.standins import folders, tables
from verifier.probe.standins.reading import Content, Reading, pixels, written
from verifier.probe.standins.records import arrays, records

_WRITES = frozenset({
    "save", "savefig", "to_csv", "save_weights", "savetxt", "savez", "imsave", "dump", "write_file", "to_json",
    "write_text", "export", "imwrite", "TFRecordWriter", "save_img", "savez_compressed", "to_pickle", "mkdir",
})  # fmt: skip
_OPENS = frozenset({"open", "GFile"})
_PLAIN_TEXT = frozenset({".txt", ".text", ".md", ".log", ""})
# Modules that take a file apart in a way of their own.
_TAKEN_APART = re.compile(r"\b(?:pickle|json|csv|yaml|joblib|zipfile|tarfile|gzip|h5py|xml)\b")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LINES_ZH = "今天天气很好\n这部电影不好看\n我喜欢学习\n服务非常差\n"
_LINES_EN = "the weather is fine today\nthis film was not good\nI like to learn\nthe service was very bad\n"


def content_of(reading: Reading) -> Content | None:
    """What the file holds that is read; None when that is not plain."""
    if reading.leaf in _WRITES or (reading.leaf in _OPENS and reading.mode()[:1] in {"w", "a", "x"}):
        return folders.place_for(reading)
    return next((found for maker in _MAKERS.get(reading.leaf, ()) if (found := maker(reading)) is not None), None)


def _table(reading: Reading) -> Content:
    columns = tables.columns_of(reading.session, reading.call)
    header, separator = tables.written_as(reading.call)
    named = f"the columns {', '.join(columns)}" if columns else "four features and a label"
    code = tables.table_code(reading.path, columns, header=header, separator=separator)
    return Content(kind="table", role=f"a table of {tables.ROWS} rows with {named}", code=code)


def _image(reading: Reading) -> Content | None:
    form = folders.IMAGE_FORMS.get(reading.suffix)
    if form is None:
        return None
    code = written(
        reading.path, f"PIL.Image.fromarray({pixels(0)}).save({reading.path!r}, {form!r})", "numpy, os, PIL.Image"
    )
    return Content(kind="image", role="an image of 64x64 in three colours", code=code)


def _text(reading: Reading) -> Content | None:
    """A file that is read as text, where nothing takes it apart in a way of its own."""
    binary = reading.leaf in _OPENS and "b" in reading.mode()
    if binary or reading.suffix not in _PLAIN_TEXT or _TAKEN_APART.search(reading.code):
        return None
    lines = _LINES_ZH if _HAN.search(reading.code) else _LINES_EN
    body = f"with open({reading.path!r}, 'w', encoding='utf-8') as file:\n    file.write({lines!r})"
    return Content(kind="text", role="a text of four short lines", code=written(reading.path, body))


_Maker = Callable[[Reading], Content | None]
_MAKERS: dict[str, tuple[_Maker, ...]] = {
    **dict.fromkeys(sorted(tables.READERS), (_table,)),
    "image_dataset_from_directory": (folders.images,),
    "flow_from_directory": (folders.images,),
    "text_dataset_from_directory": (folders.texts,),
    "list_files": (folders.matching,),
    "read_file": (_image, _text),
    "open": (_image, _text),
    "GFile": (_image, _text),
    "read_text": (_text,),
    "TextLineDataset": (_text,),
    "imread": (_image,),
    "load_img": (_image,),
    "load": (arrays,),
    "TFRecordDataset": (records,),
}
