"""Mentions in whole documents: what counts as prose, whose names they are, what is said once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.extract.mentions.find import find_mentions
from verifier.extract.parts import Region, RegionKind, Snippet
from verifier.model import (
    CallForm,
    Claim,
    Confidence,
    Document,
    LeftAlone,
    Passage,
    Piece,
    Polarity,
    Role,
    SourceMap,
    Span,
)


def build(text: str, *, passages: tuple[str, ...] = ()) -> tuple[Document, tuple[Region, ...], tuple[Snippet, ...]]:
    """A document whose code stands between `<<` and `>>`, cut into passages where `passages` begin."""
    starts = sorted({0, *(text.index(head) for head in passages)})
    spans = [Span(start=a, end=b) for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    parts = tuple(Passage(span=span, role=Role.ANSWER, number=i) for i, span in enumerate(spans))
    regions, snippets, at = [], [], 0
    while (begin := text.find("<<", at)) >= 0:
        end = text.index(">>", begin)
        body = Span(start=begin + 2, end=end)
        region = Region(span=Span(start=begin, end=end + 2), body=body, kind=RegionKind.CODE, shape="fence")
        code = body.of(text)
        piece = Piece(code=Span(start=0, end=len(code)), text=body)
        regions.append(region)
        snippets.append(Snippet(region=region, code=code, source_map=SourceMap(pieces=(piece,))))
        at = end
    document = Document(path="d", sha256="", encoding="utf-8", text=text, passages=parts)
    return document, tuple(regions), tuple(snippets)


def mentions(text: str, **how: tuple[str, ...]) -> tuple[Claim, ...]:
    return find_mentions(*build(text, **how))[0]


def left(text: str) -> tuple[LeftAlone, ...]:
    return find_mentions(*build(text))[1]


def targets(text: str, **how: tuple[str, ...]) -> list[str]:
    return [claim.target for claim in mentions(text, **how)]


def test_code_is_no_prose() -> None:
    assert targets("用 tf.add 相加：\n<<x = tf.subtract(1, 2)>>\n再用 tf.abs 取绝对值。") == ["tf.add", "tf.abs"]


@pytest.mark.parametrize(
    ("code", "prose"),
    [
        ("def build_net(x):\n    return x\n", "然后调用 build_net 函数。"),
        ("my_scale = 3\n", "这里的 `my_scale` 是系数。"),
        ("class Blocks(Base):\n    def run_all(self): pass\n", "用 `Blocks` 类的 run_all 方法。"),
        ("m = Dense(1, name='score_head')\n", "取 `score_head` 的输出。"),
        ("def f(inner_size): pass\n", "参数 `inner_size` 很重要。"),
    ],
)
def test_names_of_the_documents_own_code_are_no_api(code: str, prose: str) -> None:
    assert mentions(f"代码：\n<<{code}>>\n{prose}") == ()


@pytest.mark.parametrize(
    ("code", "prose", "target"),
    [
        ("import tensorflow as T\n", "用 `T.zeros` 建张量。", "tf.zeros"),
        ("from tensorflow.keras import layers as L\n", "再叠一个 L.Dense 层。", "tf.keras.layers.Dense"),
        ("from tensorflow.keras.layers import Dense\n", "`Dense` 是全连接层。", "tf.keras.layers.Dense"),
        ("import tensorflow.compat.v1 as tf\n", "用 tf.Session 运行。", "tf.compat.v1.Session"),
        ("from tensorflow import keras\n", "用 keras.layers.Dense。", "keras.layers.Dense"),
        ("import tensorflow as tf\nimport tensorflow.compat.v1 as tf\n", "用 tf.Session。", "tf.Session"),
    ],
)
def test_import_aliases_tell_what_a_root_stands_for(code: str, prose: str, target: str) -> None:
    assert targets(f"<<{code}>>\n{prose}") == [target]


def test_a_variable_of_the_document_has_methods() -> None:
    (claim,) = mentions("<<clf = make()\n>>\n然后写 clf.get_layer('head') 取层。")
    assert claim.target == "clf.get_layer"
    assert claim.call == CallForm(positional=1)
    assert claim.reading is Confidence.SURE


def test_a_name_is_claimed_once_in_a_passage_and_again_in_the_next() -> None:
    text = "问：tf.add 是什么？tf.add 好用吗？\n答：tf.add 是加法，tf.add 很快。"
    claims = mentions(text, passages=("问", "答"))
    assert [(claim.target, claim.passage) for claim in claims] == [("tf.add", 0), ("tf.add", 1)]


def test_the_same_name_with_another_polarity_or_release_is_another_claim() -> None:
    claims = mentions("在 TF 1.x 里用 tf.Session。现在 tf.Session 已经被移除了。")
    assert [(claim.polarity, claim.release) for claim in claims] == [
        (Polarity.AFFIRMED, "1.x"),
        (Polarity.NEGATED, None),
    ]


def test_two_calls_of_one_name_are_two_claims() -> None:
    assert [c.quote for c in mentions("用 tf.zeros([2]) 或 tf.zeros([3, 4])，tf.zeros 都行。")] == [
        "tf.zeros([2])",
        "tf.zeros([3, 4])",
    ]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("tf.concat([a, b], axis=0)", CallForm(positional=1, keywords=("axis",))),
        ("tf.zeros（［2， 3］， dtype＝“int32”）", CallForm(positional=1, keywords=("dtype",))),
        ("tf.stack(*parts, **more)", CallForm(positional=0, starred=True)),
        ("tf.concat(..., axis=1)", CallForm(positional=0, keywords=("axis",), starred=True)),
        ("tf.concat(…)", None),
        ("tf.no_op()", None),
        ("tf.data（数据管道）", None),
        ("tf.nn(neural networks)", None),
    ],
)
def test_the_form_of_a_call(text: str, form: CallForm | None) -> None:
    (claim,) = mentions(f"写 {text} 就行。")
    assert claim.call == form
    assert claim.quote == (text if form else text.partition("(")[0].partition("（")[0])


def test_names_inside_the_arguments_are_said_too() -> None:
    assert targets("写 tf.cast(x, dtype=tf.float31) 转换。") == ["tf.cast", "tf.float31"]


def test_a_shifted_backtick_is_only_a_hint() -> None:
    text = "使用 get_rows 函数取行，再用 tile_all`函数和 draw 方法画图。`然后 结束"
    assert targets(text) == ["get_rows", "tile_all", "draw"]


def test_a_name_at_the_border_of_han_text_ends_there() -> None:
    assert [claim.quote for claim in mentions("tf.where和np.where，以及tf.keras.layers.Dense。还有tf.data’s")] == [
        "tf.where", "np.where", "tf.keras.layers.Dense", "tf.data",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("打开 train.py 看看。", "file"),
        ("见 tensorflow.org 的文档。", "site"),
        ("tf.keras.layers.* 都一样。", "pattern"),
        ("设置 TF_CPP_MIN_LOG_LEVEL=3。", "environment-variable"),
        ("运行 pip install tensorflow==2.10 安装。", "shell"),
        ("用 tf.Transform 预处理。", "product"),
        ("记录是 tf.Example 格式。", "proto"),
        ("e.g. this one.", "abbreviation"),
        ("Java 里是 org.tensorflow.Graph。", "other-language"),
        ("在浏览器里用 tf.loadLayersModel 读模型。", "other-language"),
    ],
)
def test_things_that_look_like_names_are_left_alone_with_a_reason(text: str, kind: str) -> None:
    (thing,) = left(text)
    assert thing.kind == kind
    assert thing.reason
    assert mentions(text) == ()


def test_markup_holds_no_calls() -> None:
    assert mentions('<b onclick="x">alert("tf")</b> [go](javascript:run_all(1))') == ()


def test_an_address_holds_no_names() -> None:
    assert mentions("见 https://example.org/tf.keras/tf.data.Dataset 和 a.b@tf.data.com 。") == ()


def test_claims_come_in_order_and_quote_their_span() -> None:
    text = "先 tf.b，再 `tf.a`，没有 tf.c，`padding='same'` 属于 tf.d。"
    claims = mentions(text)
    assert [claim.span for claim in claims] == sorted(claim.span for claim in claims)
    assert all(claim.quote == claim.span.of(text) for claim in claims)
    assert all(claim.id == "" and claim.document == "d" for claim in claims)


@pytest.mark.parametrize(
    ("text", "target", "polarity"),
    [
        ("tf.a、tf.b 和 tf.c 都不存在。", "tf.a", Polarity.NEGATED),
        ("没有 tf.a，tf.b 倒是有的。", "tf.b", Polarity.AFFIRMED),
        ("tf.a 被移除了，tf.b 还在。", "tf.b", Polarity.AFFIRMED),
        ("There is no tf.a, but tf.b works.", "tf.b", Polarity.AFFIRMED),
        ("tf.a, tf.b and tf.c were removed.", "tf.a", Polarity.NEGATED),
        ("tf.a was removed but tf.b stayed.", "tf.b", Polarity.AFFIRMED),
        ("TensorFlow has neither gone nor lost tf.a.", "tf.a", Polarity.AFFIRMED),
    ],
)
def test_negation_reaches_as_far_as_the_list(text: str, target: str, polarity: Polarity) -> None:
    assert next(claim for claim in mentions(text) if claim.target == target).polarity is polarity


@pytest.mark.parametrize(
    ("role", "confidence"),
    [(Role.QUESTION, Confidence.LIKELY), (Role.ANSWER, Confidence.GUESS), (Role.OTHER, Confidence.GUESS)],
)
def test_who_asks_in_a_question_wants_to_know(role: Role, confidence: Confidence) -> None:
    """Elsewhere a sentence that asks is no statement."""
    document, regions, snippets = build("tf.estimator.LinearClassifier 现在还存在吗？")
    (passage,) = document.passages
    asked = replace(document, passages=(replace(passage, role=role),))
    ((claim,), _) = find_mentions(asked, regions, snippets)
    assert (claim.reading, claim.doubt) == (confidence, "the text asks whether it exists")
