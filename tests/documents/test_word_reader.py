import io
import zipfile
from pathlib import Path

import docx
import pytest
from docx.document import Document as WordDocument
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from verifier.documents import load, loading, word
from verifier.errors import InputError
from verifier.model import Document


def read(document: WordDocument, name: str = "a.docx") -> Document:
    buffer = io.BytesIO()
    document.save(buffer)
    return load(name, buffer.getvalue())


def code(document: Document) -> list[str]:
    return [cell.span.of(document.text) for cell in document.cells]


def mono(document: WordDocument, *lines: str, font: str = "Consolas") -> None:
    for line in lines:
        document.add_paragraph().add_run(line).font.name = font


def test_paragraphs_and_tables_in_order() -> None:
    document = docx.Document()
    document.add_heading("Notes", 1)
    document.add_paragraph("first")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "left", "right"
    document.add_paragraph("")
    document.add_paragraph("last")
    read_back = read(document)
    assert read_back.text == "Notes\n\nfirst\n\nleft\n\nright\n\nlast"
    assert read_back.markup == "text"


def test_runs_are_joined_and_soft_breaks_are_line_ends() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("tf.ke")
    paragraph.add_run("ras.lay").bold = True
    paragraph.add_run("ers.Dense").add_break()
    paragraph.add_run("second\tline")
    assert read(document).text == "tf.keras.layers.Dense\nsecond\tline"


@pytest.mark.parametrize("font", ["Consolas", "Courier New", "DejaVu Sans Mono", "Menlo", "Source Code Pro"])
def test_paragraphs_in_monospace_are_one_block_of_code(font: str) -> None:
    document = docx.Document()
    document.add_paragraph("before")
    mono(document, "def f(x):", "    return x", "", "f(1)", font=font)
    document.add_paragraph("after")
    read_back = read(document)
    assert code(read_back) == ["def f(x):\n    return x\n\nf(1)"]
    assert read_back.text == "before\n\ndef f(x):\n    return x\n\nf(1)\n\nafter"
    assert [cell.kind for cell in read_back.cells] == ["code"]


@pytest.mark.parametrize("name", ["Code", "Source Code", "HTML Preformatted", "代码块", "Code Listing"])
def test_a_style_named_like_code_makes_a_block(name: str) -> None:
    document = docx.Document()
    document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
    document.add_paragraph("x = 1", style=name)
    document.add_paragraph("y = 2", style=name)
    assert code(read(document)) == ["x = 1\ny = 2"]


def test_a_style_set_in_monospace_makes_a_block() -> None:
    document = docx.Document()
    document.styles.add_style("Terminal", WD_STYLE_TYPE.PARAGRAPH).font.name = "Courier New"
    document.add_paragraph("x = 1", style="Terminal")
    assert code(read(document)) == ["x = 1"]


def test_code_inside_prose_gets_backticks() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("call ")
    for piece in ("tf.", "abs "):
        paragraph.add_run(piece).font.name = "Consolas"
    paragraph.add_run("or ")
    paragraph.add_run("a`b").font.name = "Consolas"
    read_back = read(document)
    assert read_back.text == "call `tf.abs` or a`b"
    assert read_back.cells == ()


def test_a_code_box_made_of_a_table() -> None:
    document = docx.Document()
    cell = document.add_table(1, 1).cell(0, 0)
    cell.paragraphs[0].add_run("x = 1").font.name = "Consolas"
    cell.add_paragraph().add_run("y = 2").font.name = "Consolas"
    assert code(read(document)) == ["x = 1\ny = 2"]


def test_tracked_insertions_count_and_deletions_do_not() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("kept ")
    for kind, tag in (("ins", "t"), ("del", "delText")):
        paragraph._p.append(parse_xml(f"<w:{kind} {nsdecls('w')}><w:r><w:{tag}>{kind}</w:{tag}></w:r></w:{kind}>"))
    assert read(document).text == "kept ins"


def test_a_text_box_is_read_once() -> None:
    document = docx.Document()
    box = "<w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>"
    both = f'<mc:Choice Requires="wps">{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>'
    compatible = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    run = f"<w:r {nsdecls('w')} {compatible}><mc:AlternateContent>{both}</mc:AlternateContent></w:r>"
    document.add_paragraph("anchor")._p.append(parse_xml(run))
    assert read(document).text == "anchor\n\nboxed"


def test_speakers_in_a_word_document() -> None:
    document = docx.Document()
    for line in ("岗位：工程师", "问题1：为何？", "回答：看代码。"):
        document.add_paragraph(line)
    mono(document, "# 问题2：注释", "x = 1")
    document.add_paragraph("点评：好。")
    assert [part.role.value for part in read(document).passages] == ["header", "question", "answer", "review"]


def test_a_word_document_is_known_by_its_bytes() -> None:
    document = docx.Document()
    document.add_paragraph("words")
    assert read(document, "-").text == "words"


def archive(**parts: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return buffer.getvalue()


def test_an_archive_that_unpacks_to_an_absurd_size_is_refused() -> None:
    raw = archive(bomb=bytes(word.UNPACKED + 1))
    assert len(raw) < loading.LIMIT
    with pytest.raises(InputError, match=r"a\.docx unpacks to more than 128 MiB and was not read"):
        load("a.docx", raw)


@pytest.mark.parametrize(
    "raw", [b"PK\x03\x04", b"words", archive(), archive(x=b"1"), archive(**{"[Content_Types].xml": b"<broken"})]
)
def test_damage_is_said_in_one_line(raw: bytes) -> None:
    with pytest.raises(InputError, match=r"^a\.docx is .*Word document") as caught:
        load("a.docx", raw)
    assert "\n" not in str(caught.value)


def test_entities_are_not_expanded() -> None:
    document = docx.Document()
    document.add_paragraph("words")
    buffer = io.BytesIO()
    document.save(buffer)
    Path("secret").write_text("TOP")
    evil = io.BytesIO()
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(evil, "w") as target:
        for part in source.namelist():
            content = source.read(part)
            if part == "word/document.xml":
                head, tail = content.split(b"?>", 1)
                entity = f'<!DOCTYPE d [<!ENTITY x SYSTEM "{Path("secret").resolve().as_uri()}">]>'.encode()
                content = head + b"?>" + entity + tail.replace(b"words", b"words &x;")
            target.writestr(part, content)
    assert "TOP" not in load("a.docx", evil.getvalue()).text
