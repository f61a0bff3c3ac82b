"""The tools of repair one by one: the lexer, the map, the compiler's complaint, positions in trees, fence tags."""

from __future__ import annotations

import ast

import pytest

from verifier.extract.classify.tags import language_at, plain_tag
from verifier.extract.regions.found import gaps, trimmed
from verifier.extract.repair.check import LONGEST, compiles, complaint
from verifier.extract.repair.comments import is_prose
from verifier.extract.repair.draft import Draft, Edit
from verifier.extract.repair.printed import is_printed
from verifier.extract.repair.scan import Kind, scan, token_at
from verifier.extract.repair.statements import breaks
from verifier.extract.trees import Tree
from verifier.model import RepairClass, Span


def strings(text: str) -> list[str]:
    return [text[token.inner_start : token.inner_end] for token in scan(text) if token.kind is Kind.STRING]


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("f('a', \"b\")", ["a", "b"]),
        ("f(‘a’, “b”)", ["a", "b"]),
        ("f(’a’, ”b”)", ["a", "b"]),
        ("f(‘it’s’)", ["it’s"]),
        ("f('it\\'s', 'x')", ["it\\'s", "x"]),
        ("f(“he said 'no'”)", ["he said 'no'"]),
        ("f(sep=”, end=”)", ["", ""]),
        ("”, ”.join(x)", [", "]),
        ('"""a\nb""" + x', ["a\nb"]),
        ("“””a\nb”””", ["a\nb"]),
        ("”’a’ b”’", ["a’ b"]),
        ("rb'\\x' + f‘{x}’", ["\\x", "{x}"]),
        ("Let’s go", []),
        ("x = 'open", ["open"]),
        ("# ‘not’ a string", []),
        ("「a」 + 『b』", ["a", "b"]),
    ],
)
def test_strings_are_found(text: str, contents: list[str]) -> None:
    assert strings(text) == contents


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("x = 1", "name op number"),
        ("1e-3 + 0x1F", "number op number"),
        ("x[..., 0]", "name op op op number op"),
        ("f（x）", "name op name op"),
        ("a\n\nb", "name newline newline name"),
        ("a # b\n", "name comment newline"),
        ("模型 = 1", "name op number"),
        ("a \\\n b", "name name"),
    ],
)
def test_kinds_of_tokens(text: str, kinds: str) -> None:
    assert " ".join(token.kind.value for token in scan(text)) == kinds


def test_depth_counts_brackets_of_both_widths() -> None:
    assert [token.depth for token in scan("f（[x]）y")] == [0, 0, 1, 2, 1, 0, 0]


def test_a_closing_bracket_too_many_is_no_negative_depth() -> None:
    assert [token.depth for token in scan("))x")] == [0, 0, 0]


def test_token_at() -> None:
    tokens = scan("ab  'c d'")
    assert [token.text if (token := token_at(tokens, offset)) else None for offset in (0, 1, 2, 6)] == [
        "ab",
        "ab",
        None,
        "'c d'",
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("x = 1", 0),
        ("return x", 0),
        ("return not x", 0),
        ("from a import b", 0),
        ("raise A from b", 0),
        ("x = yield y", 0),
        ("async with a as b: pass", 0),
        ("a if b else c", 0),
        ("a not in b", 0),
        ("a is not b", 0),
        ("'a' 'b'", 0),
        ("lambda x: x", 0),
        ("print x", 0),
        ("f(a b)", 0),
        ("x: int = 3", 0),
        ("match x:\n  case 1: pass", 0),
        ("if x: y = 1", 0),
        ("a b", 1),
        ("a() b() c()", 2),
        ("x = 1 if y: z()", 1),
        ("pass pass", 1),
        ("for i in x: f(i) g(i)", 2),
        ("with a: with b: c()", 1),
    ],
)
def test_breaks(text: str, count: int) -> None:
    assert len(breaks(scan(text))) == count


def test_complaint_points_at_the_offset() -> None:
    wrong = complaint("x = 1\ny = ‘a’\n")
    assert wrong is not None
    assert (wrong.line, wrong.offset, wrong.message) == (2, 10, "invalid character '‘' (U+2018)")


@pytest.mark.parametrize("code", ["return 1", "x = = 1", "\0", "\ud800", "(" * 1000, "x" * (LONGEST + 1)])
def test_what_does_not_compile(code: str) -> None:
    assert not compiles(code)


def test_compiling_warns_nobody() -> None:
    assert compiles("x = '\\d'\ny = 1 is 1\n")


def test_edits_that_overlap_or_change_nothing_are_dropped() -> None:
    draft = Draft.of("abcdef", Span(start=1, end=6))
    edits = [
        Edit(start=0, end=2, after="X", rule="one", klass=RepairClass.R1),
        Edit(start=1, end=3, after="Y", rule="two", klass=RepairClass.R1),
        Edit(start=3, end=4, after="e", rule="three", klass=RepairClass.R1),
        Edit(start=5, end=5, after="!", rule="four", klass=RepairClass.R1),
    ]
    changed = draft.apply(edits)
    assert changed.text == "Xdef!"
    assert [(repair.rule, repair.before, repair.span.start) for repair in changed.repairs] == [
        ("one", "bc", 1),
        ("four", "", 6),
    ]
    assert changed.source_map().locate(Span(start=1, end=4)) == Span(start=3, end=6)
    assert changed.apply([]) is changed


def test_silent_edits_leave_no_repair() -> None:
    draft = Draft.of("  x", Span(start=0, end=3)).apply([Edit(start=0, end=2, after="")])
    assert (draft.text, draft.repairs) == ("x", ())


@pytest.mark.parametrize("code", ["f('模型', x)\n名 = g(y)", "x = 1\n\n\ny = '😀'; z = h(x)", "a = [\n  '字', b]"])
def test_positions_in_trees_are_characters(code: str) -> None:
    tree = Tree(code)
    names = [node for node in ast.walk(tree.module) if isinstance(node, ast.Name)]
    assert names
    assert [tree.span(node).of(code) for node in names] == [node.id for node in names]


def test_a_tree_of_nonsense_is_empty() -> None:
    assert Tree("x = = 1").module.body == []


@pytest.mark.parametrize(
    ("info", "language", "rest"),
    [
        ("python", "python", ""),
        (" Python", "python", ""),
        ("pythonimport os", "python", "import os"),
        ("python import os", "python", " import os"),
        ("{.python .numberLines}", "python", ""),
        ("{code-cell} ipython3", "code-cell", " ipython3"),
        ("c++", "c++", ""),
        ("import os", "", "import os"),
        ("model.fit(x)", "", "model.fit(x)"),
        ("", "", ""),
    ],
)
def test_language_at_a_fence(info: str, language: str, rest: str) -> None:
    found, at = language_at(info, 0, len(info))
    assert (found, info[at:]) == (language, rest)


@pytest.mark.parametrize(
    ("said", "tag"),
    [("language-py", "py"), ("highlight-python", "python"), ("brush: java", "java"), ("", ""), ("weird", "weird")],
)
def test_words_of_containers(said: str, tag: str) -> None:
    assert plain_tag(said) == tag


def test_gaps_and_trimming() -> None:
    whole = Span(start=0, end=10)
    taken = [Span(start=2, end=4), Span(start=8, end=10)]
    assert gaps(whole, taken) == [Span(start=0, end=2), Span(start=4, end=8)]
    text = "\n \n  x = 1\n\n "
    assert trimmed(text, 0, len(text)).of(text) == "  x = 1"


@pytest.mark.parametrize(
    "line",
    ["x = 1", "f(x)", "import os", "for i in x:", "else:", "return", "@f", "model", "x.y", "x is y", "# 注释", ")", "'text'", "%time", "数据 = f()",
     "a, b = f()", "x[0].g()", "print x", "if a and b:", "with a as b:"],
)  # fmt: skip
def test_code_is_no_prose(line: str) -> None:
    assert not is_prose(line)


@pytest.mark.parametrize(
    "line", ["tf.Tensor(1, shape=(), dtype=int32)", "Epoch 1/3", "[1. 2.]", "<tf.Variable 'x:0'>", "_" * 20]
)
def test_printed_lines(line: str) -> None:
    assert is_printed(line)


@pytest.mark.parametrize("line", ["x = tf.Tensor(a, shape=b, dtype=c)", "[1, 2]", "print(x)", "a[1]", "epoch = 1 / 3"])
def test_lines_that_are_not_printed(line: str) -> None:
    assert not is_printed(line)
