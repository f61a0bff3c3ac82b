import json
from typing import Any

import nbformat
import pytest

from verifier.documents import load
from verifier.errors import InputError
from verifier.model import Document

v3, v4 = nbformat.v3, nbformat.v4


def read(notebook: Any, name: str = "a.ipynb") -> Document:
    text = notebook if isinstance(notebook, str) else json.dumps(notebook)
    return load(name, text.encode())


def cells(document: Document) -> list[tuple[str, str, str]]:
    return [(cell.kind, cell.language, cell.span.of(document.text)) for cell in document.cells]


def kernel(language: str) -> dict[str, Any]:
    return {"kernelspec": {"name": "k", "display_name": "K", "language": language}}


def test_cells_in_order_with_their_outputs() -> None:
    outputs = [
        v4.new_output("stream", name="stdout", text="hello\n"),
        v4.new_output("execute_result", data={"text/plain": "3", "image/png": "aaaa"}, execution_count=1),
        v4.new_output(
            "error", ename="ValueError", evalue="no", traceback=["\x1b[0;31mValueError\x1b[0m", "\x1b[1mno\x1b[0m"]
        ),
        v4.new_output("display_data", data={"image/png": "aaaa"}),
    ]
    notebook = v4.new_notebook(
        metadata=kernel("python"),
        cells=[
            v4.new_markdown_cell("# Title\n\nSome `tf.abs`."),
            v4.new_code_cell("print('hello')\n1 + 2", outputs=outputs),
            v4.new_code_cell(""),
            v4.new_raw_cell("raw words"),
        ],
    )
    document = read(nbformat.writes(notebook))
    assert cells(document) == [
        ("prose", "", "# Title\n\nSome `tf.abs`."),
        ("code", "python", "print('hello')\n1 + 2"),
        ("output", "", "hello"),
        ("output", "", "3"),
        ("output", "", "ValueError\nno"),
        ("prose", "", "raw words"),
    ]
    assert document.text == "\n\n".join(text for _, _, text in cells(document))


def test_sources_written_as_lists_of_lines() -> None:
    document = read({"cells": [{"cell_type": "code", "source": ["a = 1\n", "b = 2"]}], "nbformat": 4})
    assert cells(document) == [("code", "python", "a = 1\nb = 2")]


def test_format_3_is_read_like_format_4() -> None:
    sheet = v3.new_worksheet(
        cells=[
            v3.new_text_cell("markdown", source="words"),
            v3.new_heading_cell(source="Title", level=2),
            v3.new_code_cell(
                input="print(1)",
                language="python",
                outputs=[
                    v3.new_output("stream", output_text="1\n"),
                    v3.new_output("pyerr", ename="E", evalue="v", traceback=["\x1b[31mE\x1b[0m: v"]),
                ],
            ),
        ]
    )
    notebook = v3.new_notebook(worksheets=[sheet], metadata=v3.new_metadata(name="n"))
    assert cells(read(json.dumps(notebook))) == [
        ("prose", "", "words"),
        ("prose", "", "## Title"),
        ("code", "python", "print(1)"),
        ("output", "", "1"),
        ("output", "", "E: v"),
    ]


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({}, "python"),
        (kernel("python"), "python"),
        (kernel("R"), "r"),
        ({"kernelspec": {"name": "python3"}}, "python"),
        ({"language_info": {"name": "julia"}}, "julia"),
        ({"kernelspec": None}, "python"),
        (None, "python"),
    ],
)
def test_the_language_is_the_kernel_s(metadata: Any, language: str) -> None:
    document = read({"metadata": metadata, "cells": [{"cell_type": "code", "source": "x"}], "nbformat": 4})
    assert document.cells[0].language == language


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("%%bash\nls", "bash"),
        ("%%sh\nls", "bash"),
        ("%%html\n<b>", "html"),
        ("%%time\nx = 1", "python"),
        ("%matplotlib inline", "python"),
    ],
)
def test_a_cell_magic_changes_the_language(source: str, language: str) -> None:
    assert read({"cells": [{"cell_type": "code", "source": source}]}).cells[0].language == language


@pytest.mark.parametrize(
    "cell",
    [
        {}, {"cell_type": "code"}, {"cell_type": "code", "source": None}, {"cell_type": "code", "source": "x", "outputs": None},
        {"cell_type": "code", "source": "x", "outputs": [1, {}, {"output_type": "error"}, {"output_type": "stream", "text": 3}]},
        {"cell_type": "code", "source": "x", "metadata": 4}, 5, None, {"cell_type": "code", "source": "x", "outputs": [{"data": []}]},
    ],
)  # fmt: skip
def test_small_errors_against_the_schema_are_forgiven(cell: Any) -> None:
    document = read({"cells": [cell, {"cell_type": "markdown", "source": "kept"}]})
    assert document.text.endswith("kept")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{\n  broken", r"is damaged JSON: .* \(line 2, column 3\)"),
        ("{}", "is not a notebook"),
        ('{"cells": 3}', "is not a notebook"),
        ('{"worksheets": [{"cells": 3}], "nbformat": 3}', "is a damaged notebook of format 3"),
        ('{"worksheets": [], "nbformat": "x"}', "is a damaged notebook of format x"),
    ],
)
def test_damage_is_said_in_one_line(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read(text)


@pytest.mark.parametrize("name", ["-", "a.json", "a.unknown"])
def test_a_notebook_is_known_by_its_looks(name: str) -> None:
    assert cells(read({"cells": [{"cell_type": "code", "source": "x"}], "nbformat": 4}, name)) == [
        ("code", "python", "x")
    ]


def test_an_interview_kept_in_a_notebook_has_its_speakers() -> None:
    notebook = [
        ("markdown", "问题1：为何？"),
        ("markdown", "回答：看代码。"),
        ("code", "# 问题2：这是注释"),
        ("markdown", "点评：好。"),
    ]
    document = read({"cells": [{"cell_type": kind, "source": source} for kind, source in notebook]})
    assert [part.role.value for part in document.passages] == ["question", "answer", "review"]
