"""Folders of files as stand-ins: classes of images or texts, files for a pattern, a place to write to."""

from __future__ import annotations

import ast
from pathlib import PurePosixPath

from verifier.probe.standins.reading import Content, Reading, pixels, texts_in

EACH = 8  # files of a class
IMAGE_FORMS = {".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".bmp": "BMP"}


def place_for(reading: Reading) -> Content | None:
    """The folder that something is written to."""
    folder = str(PurePosixPath(reading.path).parent)
    if folder == ".":
        return None
    code = f"import os\nos.makedirs({folder!r}, exist_ok=True)"
    return Content(kind="folder", role="an empty folder for what is written to it", code=code, name=f"{folder}/")


def images(reading: Reading) -> Content | None:
    """A folder with one folder of images for each class."""
    named = reading.keyword("classes", "class_names")
    classes = list(texts_in(named))
    if named is not None and not classes:
        return None
    mode = reading.keyword("class_mode", "label_mode")
    binary = isinstance(mode, ast.Constant) and mode.value == "binary"
    models = [facts for facts in reading.live.values() if facts.what == "model" and len(facts.outputs) == 1]
    outputs = {facts.outputs[0][-1] for facts in models if facts.outputs[0]}
    count = outputs.pop() if len(outputs) == 1 and not binary else 2
    classes = classes or [f"class{number}" for number in range(max(count or 2, 2))]
    body = (
        f"for name in {classes}:\n"
        f"    os.makedirs(os.path.join({reading.path!r}, name), exist_ok=True)\n"
        f"    for number in range({EACH}):\n"
        f"        PIL.Image.fromarray({pixels('number')}).save(os.path.join({reading.path!r}, name, '%d.jpg' % number))"
    )
    role = f"a folder with {len(classes)} classes of {EACH} images each"
    return Content(kind="images", role=role, code=f"import numpy, os, PIL.Image\n{body}")


def texts(reading: Reading) -> Content:
    """A folder with two folders of texts."""
    body = (
        "for name in ['class0', 'class1']:\n"
        f"    os.makedirs(os.path.join({reading.path!r}, name), exist_ok=True)\n"
        f"    for number in range({EACH}):\n"
        f"        with open(os.path.join({reading.path!r}, name, '%d.txt' % number), 'w') as file:\n"
        "            file.write('this is text number %d' % number)"
    )
    return Content(kind="texts", role=f"a folder with 2 classes of {EACH} texts each", code=f"import os\n{body}")


def matching(reading: Reading) -> Content | None:
    """Images whose names match a pattern with stars."""
    head, _, last = reading.path.rpartition("/")
    plain = not any(sign in reading.path for sign in ("**", "[", "?"))
    if reading.suffix not in IMAGE_FORMS or last.count("*") != 1 or not plain:
        return None
    body = (
        "for name in ['class0', 'class1']:\n"
        f"    folder = {head!r}.replace('*', name) or '.'\n"
        "    os.makedirs(folder, exist_ok=True)\n"
        f"    for number in range({EACH}):\n"
        f"        path = os.path.join(folder, {last!r}.replace('*', str(number)))\n"
        f"        PIL.Image.fromarray({pixels('number')}).save(path)"
    )
    return Content(kind="images", role=f"{EACH} images for each folder", code=f"import numpy, os, PIL.Image\n{body}")
