"""What holds for every text: nothing raises, every span quotes the document, time grows with the length only."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.extract.mentions.find import find_mentions
from verifier.extract.polarity import announces_failure
from verifier.extract.release import clause_release, releases, stated_release
from verifier.model import Document, Passage, Role, Span

PIECES = st.sampled_from(
    ["tf.", "keras.", "get_layer", "函数", "方法", "没有", "`", "``", "(", ")", "（", "）", "，", "。", ". ", ", ", " and ", "和", "axis", "=", "'a'", "“", "”",
     "1.x", "2.16", "被移除", "removed", " was ", "is gone", "\n", "\n\n", "Dense", "层", "the ", "method", "import ", "from ", "a.b", "\\_", "*", "<b>", "http://x/y",
     "[", "]", "{", "…", "...", "np.", "?", "吗", "\u200b", "．", "'s", "x_train", "类", "参数", " of ", "in ", "TF1", "没有使用"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=60).map("".join))


def document(text: str) -> Document:
    return Document(
        path="d",
        sha256="",
        encoding="utf-8",
        text=text,
        passages=(Passage(span=Span(start=0, end=len(text)), role=Role.OTHER),),
    )


@settings(deadline=None, max_examples=300)
@given(TEXTS)
def test_mentions_never_raise_and_quote_their_span(text: str) -> None:
    claims, left = find_mentions(document(text), (), ())
    for claim in claims:
        assert 0 <= claim.span.start < claim.span.end <= len(text)
        assert claim.quote == claim.span.of(text)
        assert claim.target or claim.argument
    assert all(0 <= thing.span.start < thing.span.end <= len(text) for thing in left)


@settings(deadline=None, max_examples=200)
@given(TEXTS)
def test_releases_and_announcements_never_raise(text: str) -> None:
    for span, release in releases(text):
        assert release in text or release.endswith(".x") or release.split(".")[0] in ("0", "1", "2")
        assert 0 <= span.start < span.end <= len(text)
    assert stated_release(text) is None or clause_release(text) is not None
    assert announces_failure(text) is None or isinstance(announces_failure(text), str)


@pytest.mark.parametrize(
    "piece",
    ["`", "`a` ", "(", "f(", "a.", "tf.a.", "x", "a_", "没有", "there is no ", "fit 方法和", "='", "/a", "a@", "<a ", "\n", " \n", "2.0 ", "v1.2.", "import ",
     "报错", "fails, ", "-", "—", "A", "\\_", "“", "tf.a "],
)  # fmt: skip
def test_pathological_texts_take_no_longer_than_their_length_warrants(piece: str) -> None:
    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        began = time.process_time()
        find_mentions(document(text), (), ())
        announces_failure(text)
        return time.process_time() - began

    short, long = seconds(5_000), seconds(40_000)
    # Eight times the length: quadratic work would take 64 times as long.
    assert long < max(24 * short, 0.5)


def test_a_megabyte_of_prose_is_read_quickly() -> None:
    dull = "会上大家又把指标过了一遍，最后决定保留原方案，下周再议。\n" * 40 + "\n"
    plain = "The team met again and decided to keep the plan as it was for another week.\n" * 20 + "\n"
    text = (dull + plain + "输入用 tf.data.Dataset 读取，The input is read with `tf.io.read_file`.\n\n") * 400
    text = text[:1_000_000]
    began = time.process_time()
    claims, _ = find_mentions(document(text), (), ())
    assert time.process_time() - began < 1.5
    assert {claim.target for claim in claims} == {"tf.data.Dataset", "tf.io.read_file"}
