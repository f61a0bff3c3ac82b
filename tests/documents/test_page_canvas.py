import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.documents.canvas import Canvas
from verifier.documents.names import shown
from verifier.documents.reading import Sheet
from verifier.documents.structure import parse, text_of
from verifier.errors import InputError
from verifier.model import Span


def test_white_space_collapses_and_breaks_do_not_pile_up() -> None:
    canvas = Canvas()
    canvas.apart(2)
    canvas.write("  one \n two")
    canvas.write(" ")
    canvas.write("three")
    canvas.apart(1)
    canvas.write(" four ")
    canvas.apart(2)
    canvas.apart(1)
    canvas.write("five")
    for _ in range(5):
        canvas.line()
    canvas.write("six")
    canvas.apart(2)
    assert canvas.text == "one two three\nfour\n\nfive\n\nsix"


def test_quotes_stand_close_to_what_they_quote() -> None:
    canvas = Canvas()
    canvas.write("a")
    canvas.open_quote(spaced=True)
    canvas.write(" b\n")
    canvas.close_quote()
    canvas.write("c")
    assert canvas.text == "a `b` c"


@pytest.mark.parametrize(("preserved", "text"), [(True, "x  =  1\n  y"), (False, "x = 1 y")])
def test_a_block_keeps_its_white_space_if_a_browser_does(preserved: bool, text: str) -> None:
    canvas = Canvas()
    canvas.begin_block(preserved=preserved)
    assert canvas.in_block
    canvas.write("\n" if preserved else "")
    canvas.write("x  =  1\n  y")
    canvas.apart(1)
    canvas.end_block("code", "python")
    assert not canvas.in_block
    assert [(cell.kind, cell.language, cell.span.of(canvas.text)) for cell in canvas.cells] == [
        ("code", "python", text)
    ]


def test_a_blank_block_leaves_nothing_behind() -> None:
    canvas = Canvas()
    canvas.write("a")
    canvas.begin_block(preserved=True)
    canvas.write(" \n\n ")
    canvas.end_block("code", "")
    canvas.write("b")
    assert (canvas.text, canvas.cells) == ("ab", ())


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["write", "line", "apart", "block", "quote"]), st.text(" \na`b", max_size=6)),
        max_size=20,
    )
)
def test_cells_always_point_at_their_own_text(steps: list[tuple[str, str]]) -> None:
    canvas, blocks = Canvas(), []
    for step, text in steps:
        if step == "write":
            canvas.write(text)
        elif step == "line":
            canvas.line()
        elif step == "apart":
            canvas.apart(2)
        elif step == "quote":
            canvas.open_quote(spaced=False)
            canvas.write(text)
            canvas.close_quote()
        else:
            canvas.begin_block(preserved=True)
            canvas.write(text)
            canvas.end_block("code", "")
            blocks += [text.rstrip()] if text.strip() else []
    assert [cell.span.of(canvas.text).strip() for cell in canvas.cells] == [block.strip() for block in blocks]


def test_a_sheet_knows_where_its_blocks_stand() -> None:
    sheet = Sheet()
    assert sheet.add("one") == Span(start=0, end=3)
    assert sheet.add("two", "code", "python") == Span(start=5, end=8)
    assert sheet.text == "one\n\ntwo"
    assert [cell.span.of(sheet.text) for cell in sheet.cells] == ["two"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("-", "<stdin>"), ("./a/b.md", "a/b.md"), ("a//b.md", "a/b.md"), ("../a.md", "../a.md"), ("笔记 1.md", "笔记 1.md"), ("a\u3000b.md", "a\u3000b.md"),
        ("a\nb", r"a\nb"), ("a\x1b]8;;x", r"a\x1b]8;;x"), ("a\u202eb", r"a\u202eb"), ("a\udcffb", r"a\udcffb"), ("", ""),
    ],
)  # fmt: skip
def test_names_are_shown_on_one_safe_line(path: str, name: str) -> None:
    assert shown(path) == name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "damaged JSON"),
        ("{", r"line 1, column 2"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 5000, "damaged JSON"),
        ("\ufeff{}", "damaged JSON"),
    ],
)
def test_json_that_cannot_be_parsed_says_why(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse(text)


@pytest.mark.parametrize(
    ("value", "text"), [("a", "a"), (["a\n", "b"], "a\nb"), (["a", 1, "b"], "ab"), (None, ""), (3, ""), ({}, "")]
)
def test_text_may_be_a_list_of_lines(value: object, text: str) -> None:
    assert text_of(value) == text
