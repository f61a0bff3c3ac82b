"""Whole documents through `extract`: ids, order, and what a reader would find."""

from __future__ import annotations

from itertools import pairwise

import pytest

from verifier.extract import extract
from verifier.model import Claim, ClaimKind, Document, Extraction, Passage, Role, Span

NOTES = """推荐算法工程师面试笔记

问题1：怎样搭一个双塔模型？

回答： “`python import tensorflow as tf

用户塔

user = tf.keras.Input(shape=(8,), name=‘user’) u = tf.keras.layers.Dense(4, activation=‘relu’)(user)

物品塔

item = tf.keras.Input(shape=(6,), name=‘item’) v = tf.keras.layers.Dense(4)(item)

score = tf.keras.layers.Dot(axes=1)([u, v]) tower = tf.keras.Model([user, item], score) tower.get_layer(‘Dot’) “ 这里先建两个塔，再做点积。

问题2：日志怎么看？

回答：

```
Epoch 1/2
10/10 - 0s - loss: 0.5
```

点评： 还可以。
"""


def document(text: str, path: str = "notes.txt") -> Document:
    cuts = sorted({0, len(text), *(at for mark in ("问题1", "问题2", "点评") if (at := text.find(mark)) > 0)})
    passages = tuple(Passage(span=Span(start=a, end=b), role=Role.ANSWER) for a, b in pairwise(cuts))
    return Document(path=path, sha256="", encoding="utf-8", text=text, passages=passages)


def of_kind(extraction: Extraction, kind: ClaimKind) -> list[Claim]:
    return [claim for claim in extraction.claims if claim.kind is kind]


def test_damaged_notes() -> None:
    extraction = extract(document(NOTES))
    (snippet,) = of_kind(extraction, ClaimKind.SNIPPET)
    lines = [line for line in snippet.code.split("\n") if line]
    assert [line for line in lines if line.startswith("#")] == ["# 用户塔", "# 物品塔"]
    assert len(lines) == 10
    calls = {claim.target: claim for claim in of_kind(extraction, ClaimKind.CALL)}
    assert calls["tower.get_layer"].quote == "tower.get_layer(‘Dot’)"
    assert calls["tower.get_layer"].about == snippet.id
    assert {left.kind for left in extraction.left_alone} >= {"output"}


def test_order_ids_and_spans() -> None:
    extraction = extract(document(NOTES))
    assert list(extraction.claims) == sorted(extraction.claims, key=lambda claim: claim.span.start)
    ids = [claim.id for claim in extraction.claims]
    assert len(set(ids)) == len(ids)
    assert all(len(one) == 12 and int(one, 16) >= 0 for one in ids)
    for claim in extraction.claims:
        assert claim.quote == claim.span.of(NOTES)


def test_ids_survive_lines_put_in_front() -> None:
    moved = NOTES.replace("推荐算法", "一句话。\n\n又一句。\n\n推荐算法")
    before = [claim.id for claim in extract(document(NOTES)).claims]
    assert [claim.id for claim in extract(document(moved)).claims] == before


def test_ids_differ_between_documents_and_repetitions() -> None:
    text = "```python\nx = tf.ones(3)\n```\n\n再来一次：\n\n```python\nx = tf.ones(3)\n```\n"
    first, second = extract(document(text)), extract(document(text, path="other.txt"))
    ids = [claim.id for claim in (*first.claims, *second.claims)]
    assert len(set(ids)) == len(ids)


def test_every_region_is_accounted_for() -> None:
    text = "```python\nx = = 1\nimport os\n```\n\n文字\n\n```python\nimport os\n```\n"
    extraction = extract(document(text))
    assert [left.kind for left in extraction.left_alone if left.kind == "unrecovered"] == ["unrecovered"]
    assert [notice.message for notice in extraction.notices] == ["2 code-like regions, 1 recovered, 1 not"]


def test_a_call_that_looks_like_its_result_is_code() -> None:
    code = "SparseTensor(indices=[[0, 0]], values=[1], dense_shape=[3, 4])"
    extraction = extract(document(f"```python\n{code}\n```\n"))
    assert [claim.code for claim in of_kind(extraction, ClaimKind.SNIPPET)] == [code]


@pytest.mark.parametrize("text", ["", "\n", "没有代码的文字。", "Just words, (some) of them = odd."])
def test_prose_has_no_snippets(text: str) -> None:
    extraction = extract(document(text))
    assert of_kind(extraction, ClaimKind.SNIPPET) == []
    assert extraction.notices == ()
