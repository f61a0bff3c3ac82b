"""Leads that announce that the code below them fails, and leads that only sound so."""

from __future__ import annotations

import pytest

from verifier.extract.polarity import announces_failure


@pytest.mark.parametrize(
    ("lead", "name"),
    [
        ("This raises a ValueError:", "ValueError"),
        ("The next call throws `tf.errors.InvalidArgumentError`:", "InvalidArgumentError"),
        ("This one is wrong; making it twice raises a KeyError:", "KeyError"),
        ("The following fails:", ""),
        ("The next cell fails on purpose:", ""),
        ("This does not work:", ""),
        ("This won't run:", ""),
        ("Wrong:", ""),
        ("A bad example:", ""),
        ("Why does this fail?", ""),
        ("I get an error with this code:", ""),
        ("It blows up when I build it. CPU only.", ""),
        ("下面的代码会报错：", ""),
        ("这样写会抛出 TypeError：", "TypeError"),
        ("错误示例：", ""),
        ("下面这种写法是错误的：", ""),
        ("这段代码不能运行：", ""),
        ("反例如下：", ""),
        ("为什么下面的代码会报错？", ""),
        ("With other widths, the next lines fail with a ShapeError. That is on purpose:", "ShapeError"),
        ("下面的代码会报 ValueError，请注意。原因见后文：", "ValueError"),
        ("先看新写法。旧代码则会触发 AttributeError：", "AttributeError"),
    ],
)
def test_announced(lead: str, name: str) -> None:
    assert announces_failure(lead) == name


@pytest.mark.parametrize(
    "lead",
    [
        "", "   \n", "For example:", "代码如下：", "This no longer fails:", "This never raises:", "This won't raise:", "To avoid the error, write:",
        "It fails without it. Use this instead:", "The old call raised a ValueError; the new spelling is:", "This fixes the ValueError:",
        "If you forget it, it fails. Instead:", "What breaks first?", "这样就不会报错：", "为了避免 ValueError，先检查：", "旧代码会报错，新写法如下：",
        "如果不加会报错，所以要加上：", "没有报错，结果正确：", "怎样处理失败的请求：", "The error rate went down:", "损失函数如下：",
        "Mostly small things. The keyword is one of them:",
    ],
)  # fmt: skip
def test_not_announced(lead: str) -> None:
    assert announces_failure(lead) is None


def test_only_the_end_of_a_long_lead_counts() -> None:
    assert announces_failure("这样会报错。" + "然后我们继续往下看。" * 100 + "代码如下：") is None


def test_to_break_something_else_is_no_failure_of_the_code() -> None:
    assert announces_failure("Going through NumPy breaks the record:") is None
    assert announces_failure("This breaks:") == ""
