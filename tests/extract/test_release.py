"""Which release a heading, a lead or a clause names."""

from __future__ import annotations

import pytest

from verifier.extract.release import EARLIER, clause_release, releases, stated_release


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("TensorFlow 1.x:", "1.x"),
        ("## TF2", "2.x"),
        ("TensorFlow 2 写法：", "2.x"),
        ("TF1 时代的代码：", "1.x"),
        ("2.16 以后要这样写：", "2.16"),
        ("从 2.16 开始", "2.16"),
        ("v1.15 的写法", "1.15"),
        ("tensorflow==1.15.0", "1.15"),
        ("In TensorFlow 2.3.1 this works:", "2.3"),
        ("TensorFlow 2.16 or later", "2.16"),
        ("2.16 及以前", "2.16"),
        ("release 2.15 and earlier", "2.15"),
        ("2.0 之前", "1.x"),
        ("before 2.16", "2.15"),
        ("prior to TF 2.0:", "1.x"),
        ("从 1.x 迁移到 2.x 之后：", "2.x"),
        ("已于 2.6 移除", "2.6"),
        ("removed in 2.0", "2.0"),
        ("Unlike 1.x, TF 2.x runs eagerly:", "2.x"),
    ],
)
def test_a_named_release(text: str, release: str) -> None:
    assert stated_release(text) == release


@pytest.mark.parametrize(
    "text",
    ["Python 3.8", "numpy 1.24 版本", "Keras 2.4 版本", "准确率 1.5", "学习率 1.0", "第 2.3 节", "loss 从 2.3 降到 1.2", "1.x 和 2.x 都能用：", "unlike TF 1.x",
     "tf2up.ml", "in 2.1 seconds", "大于 1.5", "shape (2.0, 1.5)", "x = 2.0", "CUDA 11.2 and cuDNN v8", "", "vTF2x", "10.1 版本"],
)  # fmt: skip
def test_other_numbers_are_no_release(text: str) -> None:
    assert stated_release(text) is None


@pytest.mark.parametrize(
    ("clause", "release"),
    [
        ("以前用 tf.foo", EARLIER),
        ("以前叫 tf.foo", EARLIER),
        ("老接口 tf.foo", EARLIER),
        ("tf.foo used to do this", EARLIER),
        ("in older versions tf.foo did", EARLIER),
        ("以前在 1.x 里用 tf.foo", "1.x"),
        ("以前不同，现在用 tf.foo", None),
        ("我用过 tf.foo", None),
        ("it was once more tf.foo", None),
    ],
)
def test_the_past_of_a_clause(clause: str, release: str | None) -> None:
    assert clause_release(clause) == release


def test_every_release_has_its_place() -> None:
    text = "从 TF 1.15 升级到 2.4"
    assert [(span.of(text), release) for span, release in releases(text)] == [("TF 1.15", "1.15"), ("2.4", "2.4")]


def test_a_bare_number_counts_where_the_text_is_known_to_speak_of_releases() -> None:
    assert list(releases("it left with 2.0")) == []
    assert [release for _, release in releases("it left with 2.0", bare=True)] == ["2.0"]
