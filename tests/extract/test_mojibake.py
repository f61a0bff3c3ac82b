"""Text in a wrong encoding: undone in code, noticed in a document, and right text never touched."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.extract.assemble import extract
from verifier.extract.repair.doubts import doubt_about
from verifier.extract.repair.draft import Draft
from verifier.extract.repair.mojibake import misread, mojibake_edits
from verifier.extract.repair.restore import Restored, restore
from verifier.model import Confidence, Document, Passage, RepairClass, Role, Span

WORDS = "编译模型，训练数据。获取权重：使用函数绘制图表、保存结果（一起来看看）。第一步先加载测试集，再计算准确率和损失；我们的你是在有"
LEVEL_1 = "".join(bytes([lead, trail]).decode("gb2312") for lead in range(0xB0, 0xD7) for trail in range(0xA1, 0xFF))


def as_gbk(text: str) -> str:
    """UTF-8 read by a decoder of GB18030 that marks what it cannot read."""
    return text.encode().decode("gb18030", "replace")


def as_windows(text: str) -> str:
    """UTF-8 read as Windows-1252, as browsers do: bytes without a character become controls."""
    return "".join(
        chr(byte) if byte in b"\x81\x8d\x8f\x90\x9d" else bytes([byte]).decode("cp1252") for byte in text.encode()
    )


def as_latin(text: str) -> str:
    return text.encode().decode("latin-1")


def undone(text: str) -> str:
    return Draft.of(text, Span(start=0, end=len(text))).apply(mojibake_edits(text)).text


def restored(text: str) -> Restored:
    return restore(Draft.of(text, Span(start=0, end=len(text))))


def document(text: str) -> Document:
    passage = Passage(span=Span(start=0, end=len(text)), role=Role.ANSWER)
    return Document(path="a.md", sha256="", encoding="utf-8", text=text, passages=(passage,))


@pytest.mark.parametrize("misreading", [as_windows, as_latin], ids=["windows", "latin"])
@pytest.mark.parametrize(
    "text",
    [
        "# 编译模型\nmodel.compile()",
        "print('准确率', x)  # 第一步：打印（必须）",
        "name = 'café'  # naïve résumé, 3×3 → ≤",
        "“it’s” – a … b — c",
    ],
)
def test_a_western_reading_is_undone(text: str, misreading: object) -> None:
    assert callable(misreading)
    assert undone(misreading(text)) == text
    assert undone(misreading(misreading(text))) == text


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("# 编译模型\nmodel.compile()", "# 编译模型\nmodel.compile()"),
        ("x = f('获取权重')  # 用model训练", "x = f('获取权重')  # 用model训练"),
        ("# 编译模型。\nx = 1", "# 编译模型\ufffd\nx = 1"),
        ("# 一起来看看\nx = 1", "# \ufffd起来看看\nx = 1"),
    ],
)
def test_a_reading_as_gbk_is_undone(text: str, back: str) -> None:
    assert undone(as_gbk(text)) == back


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("# 缂栬瘧妯″瀷", "# 编译模型"),
        ("# 缂栬瘧妯″瀷銆?", "# 编译模型\ufffd"),
        ("# 涓€璧锋潵鐪嬬湅", "# 一起来看看"),
        ("# 缂栬瘧妯″瀷?", "# 编译模型?"),
        ("f(â€œaâ€)", "f(“a”)"),
        ("f(â€œaâ€\ufffd)", "f(“a”)"),
        ("x =Â\u00a01", "x =\u00a01"),
    ],
)
def test_known_shapes(text: str, back: str) -> None:
    assert undone(text) == back


def test_the_repair_says_what_it_did() -> None:
    (repair,) = restored("# 缂栬瘧妯″瀷\nmodel.compile()").draft.repairs
    assert (repair.rule, repair.klass) == ("mojibake", RepairClass.R2)
    assert (repair.before, repair.after) == ("缂栬瘧妯″瀷", "编译模型")
    assert "GB18030" in repair.reason
    assert repair.alternatives == ("缂栬瘧妯″瀷",)


def test_quotes_that_come_out_are_repaired_in_turn() -> None:
    result = restored("print(â€œhelloâ€\x9d)")
    assert result.draft.text == 'print("hello")'
    assert not result.complaint


@pytest.mark.parametrize(
    "text",
    [
        "联通模型",
        "# 编译模型。“你好”……\nmodel.compile()",
        "# café, Ünïcödé, naïve, ÀÉÎ, Ãé, â",
        "# λ → ∑, x̄ ≤ ½, 30 °C, «ça va», ─────, 日本語のテスト, 한국어",
        "# 乱码 \ufffd\ufffd",
        "x = 'cafÃ©'.encode('latin-1').decode('utf-8')",
        "open('a.txt', encoding='gbk').read()  # 缂栬瘧妯″瀷",
        "# caf茅",
        "# ë––",
    ],
)
def test_right_text_and_text_about_encodings_is_left_alone(text: str) -> None:
    assert undone(text) == text


@given(st.text(alphabet=LEVEL_1 + "，。：；？！“”（）、…? abc\n", max_size=60))
@settings(deadline=None, max_examples=300)
def test_ordinary_chinese_is_left_alone(text: str) -> None:
    assert list(misread(text)) == []


# Without `â`: before two marks it is what curly quotes and dashes become.
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzàäçéèêëîïôöùûüßñáíóúÀÉÖÜ’“”–—… ,.?!\n", max_size=60))
@settings(deadline=None, max_examples=300)
def test_ordinary_western_text_is_left_alone(text: str) -> None:
    assert list(misread(text)) == []


@given(st.text(alphabet=WORDS, min_size=4, max_size=40))
@settings(deadline=None, max_examples=300)
def test_chinese_read_as_western_comes_back(text: str) -> None:
    assert undone(as_windows(text)) == text
    assert undone(as_latin(text)) == text


@given(st.text(max_size=80))
@settings(deadline=None, max_examples=300)
def test_never_raises_and_spans_are_apart(text: str) -> None:
    found = list(misread(text))
    assert all(before.end <= after.start for before, after in pairwise(found))
    assert all(one.start < one.end <= len(text) and one.was for one in found)


def test_a_document_in_a_wrong_reading_is_noticed() -> None:
    prose = "首先我们编译模型，然后训练数据，最后绘制图表。"
    text = f"{prose}\n\n```python\n# 编译模型\nmodel.compile(loss='mse')\n```\n"
    (notice,) = extract(document(as_windows(text))).notices
    assert "Windows-1252" in notice.message
    assert "首先我们" in notice.message
    (notice,) = extract(document(as_gbk(text))).notices
    assert "GB18030" in notice.message
    assert extract(document(text)).notices == ()


def test_a_comment_in_a_wrong_reading_does_not_make_the_document_one() -> None:
    text = "首先我们编译模型，然后训练数据。\n\n```python\n# 缂栬瘧妯″瀷\nmodel.compile(loss='mse')\n```\n"
    extraction = extract(document(text))
    assert extraction.notices == ()
    assert extraction.claims[0].code == "# 编译模型\nmodel.compile(loss='mse')"


@pytest.mark.parametrize(
    ("code", "doubted"),
    [("print('准确\ufffd')", True), ("print('准确')  # 准\ufffd", False), ("print('准确')", False)],
)
def test_a_character_lost_in_code_is_a_doubt(code: str, doubted: bool) -> None:
    confidence, reason = doubt_about(restored(code))
    assert (confidence is Confidence.LIKELY) == doubted
    assert ("U+FFFD" in reason) == doubted
