import hashlib
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.documents import load
from verifier.errors import InputError, VerifierError
from verifier.model import Document, Passage, Role, Span

SUFFIXES = ("", ".txt", ".md", ".rst", ".py", ".ipynb", ".html", ".json", ".jsonl", ".docx", ".xyz")
NOTES = "问题1：为何？\n回答：用 tf.abs。\n点评：好。\n"


def test_a_document_knows_its_path_bytes_and_encoding() -> None:
    raw = NOTES.encode("gb18030")
    Path("notes.txt").write_bytes(raw)
    document = load("./notes.txt")
    assert (document.path, document.text, document.encoding) == ("notes.txt", NOTES, "gb18030")
    assert document.sha256 == hashlib.sha256(raw).hexdigest()
    assert [notice.message for notice in document.notices] == ["read as GB18030"]
    assert [part.role for part in document.passages] == [Role.QUESTION, Role.ANSWER, Role.REVIEW]


def test_standard_input_is_handed_over_as_bytes() -> None:
    document = load("-", NOTES.encode())
    assert (document.path, document.text, document.notices) == ("<stdin>", NOTES, ())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_empty_file_is_an_empty_document(suffix: str) -> None:
    document = load(f"empty{suffix}", b"")
    assert document.text == ""
    assert document.passages == (Passage(span=Span(start=0, end=0), role=Role.OTHER),)


@pytest.mark.parametrize(
    ("name", "raw", "markup"),
    [
        ("a.txt", b"words", "text"),
        ("a.md", b"words", "markdown"),
        ("a.markdown", b"words", "markdown"),
        ("a.rst", b"words", "rst"),
        ("a.html", b"<p>words</p>", "markdown"),
        ("-", b"words", "text"),
        ("-", b"# Title\n\nwords", "markdown"),
        ("-", b"see\n```\nx\n```\n", "markdown"),
        ("-", b"<!DOCTYPE html><p>words</p>", "markdown"),
        ("noext", b"  <html><body>words</body></html>", "markdown"),
    ],
)
def test_markup_follows_the_name_or_the_looks(name: str, raw: bytes, markup: str) -> None:
    document = load(name, raw)
    assert document.markup == markup
    assert "words" in document.text or "see" in document.text


def test_a_python_file_is_one_cell() -> None:
    document = load("job.py", b"import os\nprint(1)\n")
    assert [(cell.kind, cell.language, cell.span.of(document.text)) for cell in document.cells] == [
        ("code", "python", "import os\nprint(1)\n")
    ]


@pytest.mark.parametrize(
    ("name", "raw", "sentence"),
    [
        ("a.txt", b"\0\1\2\3", "a.txt is not a text file (it holds binary data)"),
        ("a.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a.pdf is a PDF file; convert it to text first"),
        (
            "a.doc",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0",
            "a.doc is an old Office file; save it as .docx or text first",
        ),
        ("a.ipynb", b"{", "a.ipynb is damaged JSON: "),
        ("a.ipynb", b"[]", "a.ipynb is not a notebook: it has no list of cells"),
        ("a.ipynb", b"[" * 100_000, "a.ipynb is nested too deeply to be read"),
        ("a.docx", b"PK\x03\x04 broken", "a.docx is a damaged Word document: "),
        ("-", b"\0\0\0", "<stdin> is not a text file"),
        ("a\x1b[31m.txt", b"\0", r"a\x1b[31m.txt is not a text file"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(name: str, raw: bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        load(name, raw)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_missing_folder_and_forbidden() -> None:
    Path("folder").mkdir()
    with pytest.raises(InputError, match=r"cannot read gone\.txt: there is no such file"):
        load("gone.txt")
    with pytest.raises(InputError, match="cannot read folder: it is a folder"):
        load("folder")
    with pytest.raises(InputError, match="cannot read"):
        load("zero\0.txt")
    with pytest.raises(InputError, match="<stdin>"):
        load("-")


def test_no_permission(request: pytest.FixtureRequest) -> None:
    Path("secret.txt").write_text("x")
    Path("secret.txt").chmod(0)
    request.getfixturevalue("unprivileged")
    with pytest.raises(InputError, match=r"cannot read secret\.txt: permission denied"):
        load("secret.txt")


def test_too_large() -> None:
    Path("big.txt").write_bytes(b"x" * 2_000_001)
    with pytest.raises(InputError, match=r"big\.txt is larger than 2 MB, the most that is read"):
        load("big.txt", limit=2_000_000)
    assert len(load("big.txt", limit=2_000_001).text) == 2_000_001


def test_a_device_is_read_no_further_than_the_limit() -> None:
    with pytest.raises(InputError, match="is larger than"):
        load("/dev/zero", limit=1000)


def test_damaged_characters_are_noticed() -> None:
    document = load("a.txt", "变量是张量，张量是数组。".encode()[:-1])
    assert document.text.endswith("\ufffd")
    assert [notice.message for notice in document.notices] == ["some characters could not be read and stand as \ufffd"]


def test_a_text_that_always_held_the_replacement_character_is_not_noticed() -> None:
    assert load("a.txt", "was \ufffd before".encode()).notices == ()


def sound(document: Document) -> None:
    at = 0
    for part in document.passages:
        assert part.span.start == at
        assert part.span.end >= at
        at = part.span.end
    assert at == len(document.text)
    at = 0
    for cell in document.cells:
        assert at <= cell.span.start < cell.span.end <= len(document.text)
        at = cell.span.end
    document.text.encode("utf-8")
    assert "\0" not in document.text


LABELS = "问题1： 问题2： 回答： 答： 考察目标： 点评： 岗位： 面试官： 候选人： 王五： Q1: Q2. A: A1: **Q3** Answer: [00:01:02]"
MARKS = "## ``` ~~~ > - 1. 【 】 ？ 。 x=1"
PIECES = st.sampled_from(
    [*LABELS.split(), *MARKS.split(), "\n", "\n\n", " ", "\u3000", "words of prose", "def f():\n    return 1"]
)


@settings(deadline=None, max_examples=300)
@given(st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=300)), st.sampled_from(SUFFIXES))
def test_passages_cover_any_text(text: str, suffix: str) -> None:
    try:
        document = load(f"a{suffix}", text.encode("utf-8", "replace"))
    except VerifierError:
        return
    sound(document)


@settings(deadline=None, max_examples=300)
@given(
    st.binary(max_size=400),
    st.sampled_from(SUFFIXES),
    st.sampled_from([b"", b"PK\x03\x04", b"<html>", b"{", b'{"cells":[', b"\xff\xfe"]),
)
def test_any_bytes_give_a_document_or_an_error_of_ours(raw: bytes, suffix: str, head: bytes) -> None:
    try:
        document = load(f"a{suffix}", head + raw)
    except VerifierError as error:
        assert str(error).isprintable()  # noqa: PT017 - most bytes raise nothing
        return
    sound(document)


@pytest.mark.parametrize(
    "unit",
    [
        "`",
        "#",
        "*",
        "【",
        " ",
        "\n",
        "1.",
        "A: ",
        "A: x\n",
        "Q1: x\n",
        "回答：",
        "。问题1：x 回答：y",
        "面试官：好\n王五：好\n",
        "```python\n",
        "岗位：x\n",
        "<pre>",
        "<b>",
        "? \n",
    ],
)
@pytest.mark.parametrize("suffix", [".md", ".html"])
def test_a_long_run_of_anything_is_read_in_seconds(unit: str, suffix: str) -> None:
    raw = (unit * (300_000 // len(unit.encode()))).encode()
    begin = time.perf_counter()
    sound(load(f"a{suffix}", raw))
    assert time.perf_counter() - begin < 10
