"""What holds for every text: no exception, exact maps, idempotence, time in proportion to length."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.extract.regions.find import find_regions
from verifier.extract.repair.check import compiles
from verifier.extract.repair.draft import Draft, Edit
from verifier.extract.repair.lift import lift
from verifier.extract.repair.restore import restore
from verifier.extract.repair.scan import Kind, scan
from verifier.extract.snippets import make_snippets
from verifier.model import Document, Passage, RepairClass, Role, SourceMap, Span

# Pieces of which damaged code is made; drawn in any order they hit the corners of every rule.
PIECES = [
    "x = f(1)", "import os", "‘a’", "“b”", "”", "’", "`", "```", "```python\n", "“`python ", " “ ", "\n", "\n\n", " ", "    ",
    "# 注释 ", "编译模型", "for i in y:", "def f(self):", "return x", "(", ")", "[", "]", "{", "}", "，", "：", "＝", "…", "–", "×",
    "&lt;", "&amp;gt;", "<br>", "<pre>", "</pre>", "\\_", "**init**", ">>> ", "... ", "In [1]: ", "1 ", "2 ", "$ ls", "%time ",
    "!pip", "\u00a0", "\u200b", "\u3000", "'", '"', "'''", '"""', "\\", "print x", "<your path>", "......", "@tf.function ", "=", ";",
    "Build the model", "Traceback (most recent call last):\n", "class A:", "if x else", "lambda", "Epoch 1/2", "\t", "\r", "\0", "\ud800",
]  # fmt: skip
texts = st.one_of(st.lists(st.sampled_from(PIECES), max_size=24).map("".join), st.text(max_size=80))


def document(text: str) -> Document:
    passage = Passage(span=Span(start=0, end=len(text)), role=Role.ANSWER)
    return Document(path="a.txt", sha256="", encoding="utf-8", text=text, passages=(passage,))


def assert_map(source_map: SourceMap, code: str, text: str) -> None:
    """Pieces are sorted, cover the code without gaps, stay in the text, and never go backwards."""
    at = low = 0
    for piece in source_map.pieces:
        assert piece.code.start == at < piece.code.end
        assert low <= piece.text.start <= piece.text.end <= len(text)
        if piece.verbatim:
            assert piece.code.of(code) == piece.text.of(text)
        at, low = piece.code.end, piece.text.start
    assert at == len(code)


@settings(deadline=None, max_examples=400)
@given(texts)
def test_restoring_never_raises_and_maps_exactly(text: str) -> None:
    result = restore(lift(Draft.of(text, Span(start=0, end=len(text)))).draft)
    assert_map(result.draft.source_map(), result.draft.text, text)
    for repair in result.draft.repairs:
        assert 0 <= repair.span.start <= repair.span.end <= len(text)
        assert repair.before == repair.span.of(text)
    if not result.complaint and not result.python2:
        assert compiles(result.draft.text)


@settings(deadline=None, max_examples=300)
@given(texts)
def test_restoring_twice_changes_nothing(text: str) -> None:
    once = restore(Draft.of(text, Span(start=0, end=len(text))))
    if once.complaint or once.python2:
        return
    again = restore(Draft.of(once.draft.text, Span(start=0, end=len(once.draft.text))))
    assert again.draft.text == once.draft.text


@settings(deadline=None, max_examples=300)
@given(texts)
def test_regions_are_sorted_and_apart(text: str) -> None:
    regions = find_regions(document(text))
    at = 0
    for region in regions:
        assert at <= region.span.start <= region.body.start <= region.body.end <= region.span.end <= len(text)
        assert region.reason
        assert region.lead is None or region.lead.end <= region.span.start
        at = region.span.end


@settings(deadline=None, max_examples=200)
@given(texts)
def test_snippets_compile_and_lie_in_their_region(text: str) -> None:
    snippets, regions = make_snippets(document(text), find_regions(document(text)))
    for snippet in snippets:
        assert snippet.python2 or compiles(snippet.code)
        assert snippet.region in regions
        assert_map(snippet.source_map, snippet.code, text)
        whole = snippet.source_map.locate(Span(start=0, end=len(snippet.code)))
        assert snippet.region.body.covers(whole)
        for shown in snippet.shown:
            assert snippet.region.body.covers(shown.text_span)
            assert shown.code_span.end <= len(snippet.code)


@settings(deadline=None, max_examples=200)
@given(texts)
def test_tokens_are_sorted_and_cover_all_but_blanks(text: str) -> None:
    at = 0
    for token in scan(text):
        assert at <= token.start < token.end <= len(text)
        assert token.text == text[token.start : token.end]
        assert token.depth >= 0
        if token.kind is Kind.STRING:
            assert token.start <= token.inner_start <= token.inner_end <= token.end
        at = token.end


@settings(deadline=None, max_examples=200)
@given(
    st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.text(max_size=4)), max_size=6)
)
def test_edits_keep_the_map(text: str, wishes: list[tuple[int, int, str]]) -> None:
    draft = Draft.of(text, Span(start=0, end=len(text)))
    for at, size, after in wishes:
        start = min(at, len(draft.text))
        end = min(start + size, len(draft.text))
        draft = draft.apply([Edit(start=start, end=end, after=after, rule="r", klass=RepairClass.R2)])
    assert_map(draft.source_map(), draft.text, text)


@pytest.mark.parametrize(
    "text",
    [
        "`" * 100_000,
        "` " * 100_000,
        "```\n" * 40_000,
        "(" * 100_000,
        "x = f(" * 30_000,
        "“ " * 100_000,
        "“`python " * 10_000,
        "```python\n" + "x = f(1) " * 20_000 + "\n```",
        "a " * 100_000,
        "模型" * 100_000,
        "'" * 100_000,
        "\\" * 100_000,
        "```python\n" + "if " * 40_000,
        "```python\n" + "x = 1 # note y = f(2) " * 4_000,
        "= " * 100_000,
        "<pre>" * 20_000,
        "a, " * 60_000,
        "\n" * 100_000,
        ">>> x\n1\n" * 5_000,
        "```python\nx = f(1)\n" * 20_000,
        "```python\n" + "def f():\n" * 1_900 + "```",
        "```python\n" + "try:\nif x:\n" * 900 + "```",
        "缂栬瘧妯″瀷銆?\n" * 10_000,
        "Ã©" * 100_000,
        "\ufffd缂" * 50_000,
        "x = f(1)\n" + "x & x\n" * 20_000,
    ],
    ids=lambda text: text[:14].strip() or "blank",
)
def test_no_input_takes_long(text: str) -> None:
    began = time.perf_counter()
    make_snippets(document(text), find_regions(document(text)))
    # A generous bound on a busy machine: quadratic work on these takes minutes.
    assert time.perf_counter() - began < 20
