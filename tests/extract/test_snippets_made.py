"""Snippets: what the text around code says about it, and what is left when nothing helps."""

from __future__ import annotations

import pytest

from verifier.extract.parts import Region, Snippet
from verifier.extract.regions.find import find_regions
from verifier.extract.snippets import make_snippets
from verifier.model import Cell, Confidence, Document, Passage, Polarity, Role, Span


def made(text: str, cells: tuple[Cell, ...] = ()) -> tuple[tuple[Snippet, ...], tuple[Region, ...]]:
    passage = Passage(span=Span(start=0, end=len(text)), role=Role.ANSWER)
    document = Document(path="a.md", sha256="", encoding="utf-8", text=text, passages=(passage,), cells=cells)
    return make_snippets(document, find_regions(document))


def test_prompt_session_with_outputs() -> None:
    text = ">>> x = 2\n>>> x\n2\n>>> for i in range(2):\n...     print(i)\n...\n0\n1\n>>> x.y\nTraceback (most recent call last):\n  ...\nAttributeError: no y\n"
    ((snippet,), _) = made(text)
    assert snippet.interactive
    assert snippet.polarity is Polarity.AFFIRMED
    shown = [(one.code_span.of(snippet.code), one.text_span.of(text), one.failure) for one in snippet.shown]
    assert shown[0] == ("x", "2", False)
    assert shown[1] == ("for i in range(2):\n    print(i)", "0\n1", False)
    assert shown[2][0] == "x.y"
    assert shown[2][2]


def test_notebook_prompt_outputs() -> None:
    text = "In [1]: x = 2\n\nIn [2]: x + 1\nOut[2]: 3\n"
    ((snippet,), _) = made(text)
    assert [(one.code_span.of(snippet.code), one.text_span.of(text)) for one in snippet.shown] == [("x + 1", "3")]


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("TensorFlow 1.x:\n\n```python\nx = f()\n```", "1.x"),
        ("TensorFlow 2.x:\n\n```python\nx = f()\n```", "2.x"),
        ("## TensorFlow 1.x\n\n说明。\n\n```python\nx = f()\n```", "1.x"),
        ("代码：\n\n```python\nx = f()\n```", None),
    ],
)
def test_release_named_before_a_block(text: str, release: str | None) -> None:
    ((snippet,), _) = made(text)
    assert snippet.release == release


def test_announced_failure() -> None:
    ((snippet,), _) = made("This is wrong; it raises a ValueError:\n\n```python\nx = f()\n```\n")
    assert (snippet.polarity, snippet.announced) == (Polarity.NEGATED, "ValueError")


def test_following_traceback_announces_the_failure() -> None:
    text = '```python\nx = f()\n```\n\n结果报错：\n\n```\nTraceback (most recent call last):\n  File "a.py", line 1\nmod.TypeError: bad\n```\n'
    ((snippet,), _) = made(text)
    assert (snippet.polarity, snippet.announced) == (Polarity.NEGATED, "TypeError")


def test_stored_error_of_a_cell_announces_the_failure() -> None:
    text = "x.y\nAttributeError: no y\n"
    cells = (
        Cell(span=Span(start=0, end=3), kind="code", language="python"),
        Cell(span=Span(start=4, end=len(text) - 1), kind="output"),
    )
    ((snippet,), _) = made(text, cells)
    assert snippet.interactive
    assert (snippet.polarity, snippet.announced) == (Polarity.NEGATED, "AttributeError")


def test_traceback_far_away_announces_nothing() -> None:
    text = "```python\nx = f()\n```\n\n" + "很长的说明。" * 60 + "\n\nValueError: y\n\n```\nValueError: y\n```\n"
    ((snippet,), _) = made(text)
    assert snippet.polarity is Polarity.AFFIRMED


def test_unrecovered_code_is_said_so() -> None:
    snippets, regions = made("```python\nimport os\nx = = 1\ny = f((\nz = 3\n```\n")
    assert snippets == ()
    assert [region.kind.value for region in regions] == ["unrecovered"]
    assert "no repair makes it Python" in regions[0].reason


def test_nothing_but_comments_is_no_snippet() -> None:
    snippets, regions = made("```python\n# 只有注释\n# and more\n```\n")
    assert snippets == ()
    assert regions[0].kind.value != "code"


def test_truncated_placeholder_and_python2_are_marked() -> None:
    (snippets, _) = made(
        "```python\nx = f(1)\nm.compile(a,\n```\n\n文字\n\n```python\ny = open('<你的路径>')\n```\n\n文字\n\n```python\nprint x\n```\n"
    )
    assert [one.truncated for one in snippets] == [True, False, False]
    assert [bool(one.placeholder) for one in snippets] == [False, True, False]
    assert [one.python2 for one in snippets] == [False, False, True]


def test_guessed_indentation_lowers_the_reading() -> None:
    ((snippet,), _) = made("```python\nfor i in x:\nprint(i)\nprint(2)\n```\n")
    assert snippet.reading is Confidence.GUESS
    assert "indentation" in snippet.doubt


def test_errors_in_repaired_code_point_into_the_document() -> None:
    text = "回答： “`python import os\n\n取目录\n\nd = os.path.join(‘a’, ‘b’) print(d) “ 完。"
    ((snippet,), _) = made(text)
    start = snippet.code.index("os.path")
    call = Span(start=start, end=snippet.code.index(")", start) + 1)
    assert call.of(snippet.code) == "os.path.join('a', 'b')"
    assert snippet.source_map.locate(call).of(text) == "os.path.join(‘a’, ‘b’)"


@pytest.mark.parametrize(
    ("printed", "failure"),
    [
        ("tf.Tensor(3, shape=(), dtype=int32)", False),
        ("tf.Tensor([1 2], shape=(2,), dtype=int32)", False),
        ("tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)", False),
        ("[[1. 2.]\n [3. 4.]]", False),
        ("<tf.Tensor: shape=(), dtype=int32, numpy=3>", False),
        ('Traceback (most recent call last):\n  File "a.py", line 1\nNameError: x', True),
    ],
)
def test_output_between_statements_is_no_code(printed: str, failure: bool) -> None:
    text = f"```python\nx = f(1)\nprint(x)\n{printed}\n```\n"
    ((snippet,), _) = made(text)
    assert [line for line in snippet.code.split("\n") if not line.startswith("#")] == ["x = f(1)", "print(x)"]
    assert {repair.rule for repair in snippet.repairs} == {"printed-output"}
    (shown,) = snippet.shown
    assert (shown.text_span.of(text), shown.code_span.of(snippet.code), shown.failure) == (printed, "print(x)", failure)
    assert snippet.reading is Confidence.SURE
