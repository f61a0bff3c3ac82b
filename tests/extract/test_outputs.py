"""Stated outputs and the statements they are tied to."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.extract.outputs import find_outputs
from verifier.extract.parts import Region, RegionKind, ShownOutput, Snippet
from verifier.extract.stated.comments import comments_of
from verifier.extract.stated.sentences import said_behind
from verifier.extract.stated.statements import statements_of
from verifier.extract.stated.values import is_log, is_shape, is_value, lasting, normal
from verifier.model import Claim, Document, Passage, Piece, Polarity, Role, SourceMap, Span

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def outputs(text: str) -> tuple[Claim, ...]:
    """The output claims of a Markdown text; a fence without `python` holds output."""
    regions, snippets = [], []
    for found in FENCE.finditer(text):
        body = Span(start=found.start(2), end=found.end(2))
        kind = RegionKind.CODE if found[1] == "python" else RegionKind.OUTPUT
        region = Region(
            span=Span(start=found.start(), end=found.end()), body=body, kind=kind, shape="fence", language=found[1]
        )
        regions.append(region)
        if kind is RegionKind.CODE:
            piece = Piece(code=Span(start=0, end=len(found[2])), text=body)
            snippets.append(Snippet(region=region, code=found[2], source_map=SourceMap(pieces=(piece,)), release="2.x"))
    claims = find_outputs(document(text), tuple(regions), tuple(snippets))
    for claim in claims:
        assert claim.quote == claim.span.of(text)
        assert claim.code_span is not None
    return claims


def document(text: str) -> Document:
    whole = Passage(span=Span(start=0, end=len(text)), role=Role.OTHER)
    return Document(path="d", sha256="", encoding="utf-8", text=text, passages=(whole,))


def stated(code: str) -> list[tuple[str, str, str]]:
    """Value, kind and statement of each comment of `code` that states something."""
    return [(c.value, c.kind, c.statement.of(code)) for c in comments_of(code, statements_of(code))]


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("print(x)  # [1 2]\n", "[1 2]"),
        ("print(x)  # 3.0\n", "3.0"),
        ("print(x)  # => 3\n", "3"),
        ("print(x)  # -> [[1. 0.]\n          #     [0. 1.]]\n", "[[1. 0.]\n    [0. 1.]]"),
        ("print(x)  # Output: (2, 3)\n", "(2, 3)"),
        ("print(x)  # 输出：[1， 2]\n", "[1, 2]"),
        ("print(x)  # 结果为 4\n", "4"),
        ("print(x)  # tf.Tensor(12, shape=(), dtype=int32)\n", "tf.Tensor(12, shape=(), dtype=int32)"),
        ("print(x)  # <tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>\n",
         "<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>"),
        ("print(x)  # // [0. 0.5 1.]\n", "[0. 0.5 1.]"),
        ("print(x)\n# 输出: [[11, 21], [12, 22]]\n", "[[11, 21], [12, 22]]"),
        ("print(x)\n# Output:\n# 1\n# 2\n", "1\n2"),
        ("print(x)  # True\n", "True"),
        ("print(x)  # 'abc'\n", "'abc'"),
        ("print(x)  # => hello\n", "hello"),
        ("x.numpy()  # array([1., 2.], dtype=float32)\n", "array([1., 2.], dtype=float32)"),
        ("y = f(x)  # => [1 2]\n", "[1 2]"),
    ],
)  # fmt: skip
def test_a_comment_that_states_a_value(code: str, value: str) -> None:
    ((found, kind, statement),) = stated(code)
    assert (found, kind) == (value, "")
    assert code.startswith(statement)


@pytest.mark.parametrize(
    ("code", "value", "kind"),
    [
        ("y = f(x)  # (2, 3)\n", "(2, 3)", "shape"),
        ("y = f(x)  # shape: (None, 8)\n", "(None, 8)", "shape"),
        ("f(x)  # 形状 (2,)\n", "(2,)", "shape"),
        ("f(x)  # ValueError\n", "ValueError", "exception"),
        ("f(x)  # 会报错：TypeError\n", "TypeError", "exception"),
        ("f(x)  # raises KeyError: no such key\n", "KeyError", "exception"),
    ],
)
def test_a_comment_that_states_a_shape_or_an_exception(code: str, value: str, kind: str) -> None:
    assert [(found, said) for found, said, _ in stated(code)] == [(value, kind)]


@pytest.mark.parametrize(
    "comment",
    ["the result", "1. load the data", "batch size 32", "用 relu 激活", "3x3 kernel", "see issue 12", "x -> y", "输出层", "epochs", "returns a list of things",
     "Epoch 1/5 loss: 0.3", "<object at 0x7f01ab23cd>", "TODO", "", "结果如何", "10% of them"],
)  # fmt: skip
def test_an_ordinary_comment_states_nothing(comment: str) -> None:
    assert stated(f"print(x)  # {comment}\n") == []


@pytest.mark.parametrize(
    "code",
    [
        "x = 5  # 10\n",
        "for i in r:\n    print(i)  # 0\n",
        "def f():\n    return 1  # 1\n",
        "import a  # 1\n",
        "print(x)\n\n# 3\n",
        "print('# [1 2]')\n",
        "x = (",
    ],
)
def test_comments_that_speak_of_no_single_run_are_left(code: str) -> None:
    assert stated(code) == []


def test_the_offsets_of_comments_behind_wide_characters() -> None:
    code = 'print("深度")  # 深度\nprint(len("深度学习"))  # 4\n'
    ((value, _, statement),) = stated(code)
    assert (value, statement) == ("4", 'print(len("深度学习"))')


def block(code: str, behind: str) -> str:
    return f"例如：\n\n```python\n{code}\n```\n\n{behind}\n"


@pytest.mark.parametrize(
    ("behind", "value"),
    [
        ("会输出 4.0。", "4.0"),
        ("打印 2。", "2"),
        ("打印结果为 [1, 2]。", "[1, 2]"),
        ("结果是 [1 0]，类型是 int64。", "[1 0]"),
        ("输出 -3 1，因为向零取整。", "-3 1"),
        ("运行后输出 ok。然后继续。", "ok"),
        ("输出：(2, 3)", "(2, 3)"),
        ("Output: `[0. 0.]`.", "[0. 0.]"),
        ("It prints 5.", "5"),
        ("which prints `(5, 2)`.", "(5, 2)"),
        ("You should see `['a', 'b']`.", "['a', 'b']"),
        ("It reports 1169 trainable parameters.", "1169"),
        ("This gives 8 steps.", "8"),
        ("The shape came out as (2, 8), as wanted.", "(2, 8)"),
        ("The result is tf.Tensor([1 2], shape=(2,), dtype=int32).", "tf.Tensor([1 2], shape=(2,), dtype=int32)"),
    ],
)
def test_a_sentence_behind_a_block(behind: str, value: str) -> None:
    (claim,) = outputs(block("y = f(1)\nprint(y.shape)", behind))
    assert claim.code == value
    assert (claim.about, claim.release, claim.polarity) == ("0", "2.x", Polarity.AFFIRMED)
    assert claim.code_span is not None
    assert claim.code_span == Span(start=9, end=23)


@pytest.mark.parametrize(
    "behind",
    ["大约输出 4.0。", "不会输出 4.0。", "如果改成 x，会输出 5。", "会打印 3 行。", "打印 5 次。", "It prints 3 lines.", "It does not print 5.", "It gives about 5.",
     "然后训练。最后我们再看一次，它会输出 4.0。", "This gives us a good start.", "The result is good.", "得到的模型很好。", "输出层有 10 个单元。", "The list has 2 entries.",
     "返回一个列表。", "This takes 3 seconds."],
)  # fmt: skip
def test_a_sentence_that_states_nothing_clear(behind: str) -> None:
    assert outputs(block("print(y)", behind)) == ()


def test_a_count_needs_a_printed_length() -> None:
    (claim,) = outputs(block("print(len(y))", "The list has 2 entries: one for each."))
    assert claim.code == "2"


def test_several_values_belong_to_several_prints() -> None:
    code = "print(a)\nprint(b)"
    (claim,) = outputs(block(code, "依次打印 12 和 4。"))
    assert (claim.code, claim.code_span) == ("12\n4", Span(start=0, end=len(code)))


def test_an_announced_exception_behind_the_block() -> None:
    (claim,) = outputs(block("x = 1\nf(x)", "最后一行会抛出 ValueError。"))
    assert (claim.code, claim.said_kind) == ("ValueError", "exception")
    assert claim.code_span == Span(start=6, end=10)


def test_an_output_block_right_behind() -> None:
    (claim,) = outputs("```python\nprint(1)\nprint(2)\n```\n\n运行结果：\n\n```\n1\n2\n```\n")
    assert (claim.code, claim.quote, claim.code_span) == ("1\n2", "1\n2", Span(start=0, end=17))


@pytest.mark.parametrize(
    ("gap", "text"),
    [
        ("A log of a longer run looks like this:", "3 4"),
        ("换成另一组数据会显示：", "3 4"),
        ("说点别的事情，这里是完全无关的一段话，讲的是别的：", "3 4"),
        ("输出：", "Epoch 1/3\n13/13 ━━━━━━━━ 1s 3ms/step - loss: 96.4"),
        ("Output:", "<Line2D object at 0x7f3a1c2b4d90>"),
    ],
)
def test_output_blocks_that_belong_to_something_else(gap: str, text: str) -> None:
    assert outputs(f"```python\nprint(1)\n```\n\n{gap}\n\n```\n{text}\n```\n") == ()


def test_code_that_shows_nothing_has_no_output() -> None:
    assert outputs(block("x = 1", "会输出 4.0。")) == ()


def test_outputs_of_a_prompt_session() -> None:
    text = ">>> t.shape\nTensorShape([2, 3])\n>>> t.T\nTraceback (most recent call last):\n  ...\nAttributeError: no T\n>>> t\n<T at 0x7f3a1c2b4d90>\n"
    code = "t.shape\nt.T\nt\n"
    region = Region(
        span=Span(start=0, end=len(text)), body=Span(start=0, end=len(text)), kind=RegionKind.CODE, shape="prompt"
    )

    def shown(at: int, end: int, head: str, tail: str, *, failure: bool = False) -> ShownOutput:
        place = Span(start=text.index(head), end=text.index(tail) + len(tail))
        return ShownOutput(code_span=Span(start=at, end=end), text_span=place, failure=failure)

    snippet = Snippet(
        region=region, code=code, source_map=SourceMap(), interactive=True,
        shown=(shown(0, 7, "TensorShape", "3])"), shown(8, 11, "Traceback", "no T", failure=True), shown(12, 13, "<T at", "90>")),
    )  # fmt: skip
    claims = find_outputs(document(text), (region,), (snippet,))
    assert [(claim.code, claim.said_kind, claim.code_span) for claim in claims] == [
        ("TensorShape([2, 3])", "", Span(start=0, end=7)),
        ("AttributeError", "exception", Span(start=8, end=11)),
    ]
    assert all(claim.interactive for claim in claims)


@pytest.mark.parametrize("text", ["3", "-1.5e-3", "[1 2]", "[[1. 2.]\n [3. 4.]]", "(2, None)", "True", "'a b'", "int32", "1 2 3", "array([1, 2])", "{'a': 1}", "tf.Tensor(1, shape=(), dtype=int32)", "<class 'int'>", "１２", "［1， 2］", "&lt;tf.Tensor: shape=(), dtype=int32, numpy=3&gt;"])  # fmt: skip
def test_renderings_of_values(text: str) -> None:
    assert is_value(text)


@pytest.mark.parametrize(
    "text",
    ["", "the", "3 apples", "[see below]", "(for example)", "x", "3x3", "10%", "f(x)", "[1 2", "<b>", "<your name>"],
)
def test_other_words_are_no_values(text: str) -> None:
    assert not is_value(text)


def test_normal_undoes_publishing() -> None:
    assert normal("  “a”， ［1］ \n") == '"a", [1]'
    assert normal("Out[2]: 1000") == "1000"
    assert is_shape("（2， None）")
    assert is_log("13/13 [==============] - 1s 2ms/step")


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet="#=>-[](){}<>1.,'\"ab \n:输出结果是打印会printsOutput`Error", max_size=120))
def test_nothing_raises(text: str) -> None:
    list(comments_of(text, statements_of(text)))
    said = said_behind(text)
    assert said is None or 0 <= said.span.start < said.span.end <= len(text)
    is_value(text)
    outputs(f"```python\nprint(1)\n```\n{text}")


@pytest.mark.parametrize(
    "piece", ["[", "(", "# [", "# 1\n", "'", "print(1)  # [1 2]\n", "输出", "prints ", "1 ", "<tf.", "1,", "=> "]
)
def test_long_texts_take_no_longer_than_their_length_warrants(piece: str) -> None:
    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        began = time.process_time()
        list(comments_of(text, statements_of(text)))
        said_behind(text)
        is_value(text)
        return time.process_time() - began

    short, long = seconds(3_000), seconds(24_000)
    assert long < max(24 * short, 0.5)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("[1 2]", "[1 2]"),
        ("1/1 [==============================] - 0s 40ms/step\n(2, 1)", "(2, 1)"),
        ("Epoch 1/2\n3/3 - 0s - loss: 0.5", ""),
        ("Epoch 1/2\n3/3 - 0s - loss: 0.5\ndone", ""),
        ("<Line2D at 0x7f3a1c2b4d90>\n[3]", "[3]"),
        ("<Figure size 640x480 with 1 Axes>", ""),
    ],
)
def test_values_among_the_lines_of_a_log_are_kept(text: str, kept: str) -> None:
    assert lasting(text) == kept


def test_a_summary_is_no_progress_bar() -> None:
    assert not is_log('Model: "m"\n' + "=" * 40 + "\nTotal params: 49\n" + "_" * 40)


def test_a_block_of_names_and_values_is_an_output_where_words_lead_to_it() -> None:
    code = "```python\nprint('size:', n)\n```\n\n"
    (claim,) = outputs(code + "Output:\n\n```\nsize: 3\n```\n")
    assert claim.code == "size: 3"


def test_an_output_block_speaks_of_all_that_may_print() -> None:
    code = "print(1)\nfor x in y:\n    show(x)"
    (claim,) = outputs(f"```python\n{code}\n```\n\nOutput:\n\n```\n1\n2\n```\n")
    assert claim.code_span is not None
    assert claim.code_span.of(code) == code


@pytest.mark.parametrize("said", ["形状是 1x24x24x6。", "The shape is 1x24x24x6."])
def test_sizes_with_a_cross_between_them_are_a_shape(said: str) -> None:
    (claim,) = outputs(block("y = f(1)\nprint(y.shape)", said))
    assert claim.code == "1x24x24x6"
