"""Where code stands: fences of every sort, prompts, indents, runs without marks, statements in sentences."""

from __future__ import annotations

from itertools import pairwise

import pytest

from verifier.extract.parts import Region
from verifier.extract.regions.find import find_regions
from verifier.model import Cell, Document, Passage, Role, Span


def document(text: str, *, cuts: tuple[int, ...] = (), cells: tuple[Cell, ...] = ()) -> Document:
    borders = (0, *cuts, len(text))
    passages = tuple(Passage(span=Span(start=start, end=end), role=Role.ANSWER) for start, end in pairwise(borders))
    return Document(path="a.md", sha256="", encoding="utf-8", text=text, passages=passages, cells=cells)


def regions(text: str) -> tuple[Region, ...]:
    return find_regions(document(text))


def bodies(text: str) -> list[str]:
    return [region.body.of(text) for region in regions(text)]


CODE = "import os\nx = os.getcwd()"
FENCED = {
    "backticks": f"看：\n\n```python\n{CODE}\n```\n\n完。",
    "tag with a space": f"```  python\n{CODE}\n```",
    "capital tag": f"```Python\n{CODE}\n```",
    "py3": f"```py3\n{CODE}\n```",
    "no tag": f"```\n{CODE}\n```",
    "attributes": f'```python title="a.py" linenums="1"\n{CODE}\n```',
    "braces": f"```{{.python}}\n{CODE}\n```",
    "directive": f"```{{code-cell}} ipython3\n{CODE}\n```",
    "four ticks": f"````python\n{CODE}\n````",
    "six ticks": f"``````python\n{CODE}\n``````",
    "tildes": f"~~~python\n{CODE}\n~~~",
    "acute accents": f"´´´python\n{CODE}\n´´´",
    "middle dots": f"···python\n{CODE}\n···",
    "full-width ticks": f"｀｀｀python\n{CODE}\n｀｀｀",
    "straight quotes": f"'''python\n{CODE}\n'''",
    "mangled without a tag": f"“`\n{CODE}\n“`\n",
    "mangled": f"“`python\n{CODE}\n“`\n",
    "mangled, lone mark": f"“`python\n{CODE}\n“\n\n完。",
    "mangled, closing quote": f"“`python\n{CODE} ” 这段代码很短。",
    "single quotes": f"‘‘‘python\n{CODE}\n‘‘‘",
    "unclosed": f"```python\n{CODE}\n\n这里就是全部的代码，运行它可以看到当前的目录，然后再继续。",
    "unclosed before a heading": f"```python\n{CODE}\n\n## 下一节\n\n文字。",
    "glued to prose": f"代码如下：```python\n{CODE}\n```",
    "code on the fence line": f"```python {CODE}\n```",
    "tag glued to code": f"```python{CODE}\n```",
    "prose behind the closing mark": f"```python\n{CODE}\n``` 在这段代码里我们拿到了目录。",
    "pre": f'<pre class="x"><code class="language-python">{CODE}\n</code></pre>',
    "unclosed, another opens": f"```python\n{CODE}\n\n```python\n{CODE}\n```",
}


@pytest.mark.parametrize("name", FENCED)
def test_marked_blocks(name: str) -> None:
    found = regions(FENCED[name])
    assert [region.body.of(FENCED[name]) for region in found] == [CODE] * (2 if "another" in name else 1)
    assert all(region.kind.value == "code" for region in found)


def test_longer_fence_holds_a_shorter_one() -> None:
    text = "````markdown\n```python\nx = 1\n```\n````\n"
    assert [region.kind.value for region in regions(text)] == ["other-language"]


def test_joined_program_in_a_mangled_fence() -> None:
    text = (
        "回答： “`python import os\n\n当前目录\n\nd = f(‘a’) e = g(d) print(e) “ 这段代码先取目录，再打印。\n\n后文。"
    )
    (region,) = regions(text)
    assert region.shape == "mangled-fence"
    assert region.body.of(text).startswith("import os")
    assert region.body.of(text).endswith("print(e)")
    assert text[region.span.end - 1] == "“"


def test_quotes_inside_code_do_not_close_a_mangled_fence() -> None:
    text = "“`python x = f(“ a ”, ‘b’) print(“c”) “ 完了。"
    assert bodies(text) == ["x = f(“ a ”, ‘b’) print(“c”)"]


def test_a_region_never_crosses_a_passage() -> None:
    text = "```python\nx = f(1)\n\n问题2：然后呢？\n\n回答：没有了。\n"
    cut = text.index("问题2")
    found = find_regions(document(text, cuts=(cut,)))
    assert [region.body.of(text) for region in found] == ["x = f(1)"]
    assert found[0].span.end <= cut


UNMARKED = {
    "run": ("例如：\n\nimport os\nx = os.getcwd()\nprint(x)\n\n就这样。", ["import os\nx = os.getcwd()\nprint(x)"]),
    "blank lines and comments": ("import os\n\n# 目录\nx = os.getcwd()\n\n\n文字说明在这里。", ["import os\n\n# 目录\nx = os.getcwd()"]),
    "lost comment": ("import os\n\n取得目录\n\nx = os.getcwd()\n", ["import os\n\n取得目录\n\nx = os.getcwd()"]),
    "block": ("def f(x):\n    return x\n\ny = f(2)\n", ["def f(x):\n    return x\n\ny = f(2)"]),
    "open bracket": ("m = f([\n    1,\n    2,\n])\n文字。", ["m = f([\n    1,\n    2,\n])"]),
    "one line": ("import os d = os.getcwd() print(d)\n", ["import os d = os.getcwd() print(d)"]),
    "prompt": ("试：\n>>> x = 1\n>>> x\n1\n\n好。", [">>> x = 1\n>>> x\n1"]),
    "escaped prompt": ("&gt;&gt;&gt; x\n1\n", ["&gt;&gt;&gt; x\n1"]),
    "notebook prompt": ("In [1]: x = 1\n\nIn [2]: x\nOut[2]: 1\n\n完", ["In [1]: x = 1\n\nIn [2]: x\nOut[2]: 1"]),
    "indented": ("说明：\n\n    import os\n\n    x = os.sep\n\n后文", ["    import os\n\n    x = os.sep"]),
    "line numbers": ("1 import os\n2 x = os.getcwd()\n3 print(x)\n", ["1 import os\n2 x = os.getcwd()\n3 print(x)"]),
    "in a sentence": ("先写 x = tf.zeros([2, 3]) 然后 y = tf.cast(x, tf.int32) 就行。", ["x = tf.zeros([2, 3])", "y = tf.cast(x, tf.int32)"]),
    "in a code span": ("Use `m = tf.keras.Sequential()` first.", ["m = tf.keras.Sequential()"]),
    "import in a code span": ("Start with `import tensorflow as tf` please.", ["import tensorflow as tf"]),
    "block quote": ("> ```python\n> x = f(1)\n> ```\n", ["> x = f(1)"]),
    "list": ("1. 第一步\n\n    ```python\n    x = f(1)\n    ```\n", ["    x = f(1)"]),
    "between sentences": ("先加载：\nx = tf.data.Dataset.range(3)\n再除：\ny = x / 2\n最后：\nm.fit(y, epochs=2)\n", ["x = tf.data.Dataset.range(3)", "y = x / 2", "m.fit(y, epochs=2)"]),
    "code span over lines": ("代码如下 `m = tf.keras.Sequential()\nm.add(f(3))` 这样。", ["m = tf.keras.Sequential()\nm.add(f(3))"]),
    "quote without a fence": ("> import os\n> x = os.getcwd()\n\n好。", ["> import os\n> x = os.getcwd()"]),
    "entities": ("x = tf.where(a &amp;gt; 0, a, 0)\ny = f(x)\n", ["x = tf.where(a &amp;gt; 0, a, 0)\ny = f(x)"]),
    "echo": ("x = tf.ones(3)\nx.shape\n\n文字。", ["x = tf.ones(3)\nx.shape"]),
    "echoes of bound names": ("a = tf.ones(3)\nb = f(a)\na & b\na is not b\na.shape == b.shape\ndel a, b\n\n文字。", ["a = tf.ones(3)\nb = f(a)\na & b\na is not b\na.shape == b.shape\ndel a, b"]),
    "a name that nothing binds": ("a = tf.ones(3)\nb = f(a)\na & c\n\n文字。", ["a = tf.ones(3)\nb = f(a)"]),
    "echoes only": ("x = tf.random.normal([2])\nx.shape\nx[0]\n\n文字。", ["x = tf.random.normal([2])\nx.shape\nx[0]"]),
    "try": ("x = f.g(1)\ntry:\n  # note\n  x.run()\nexcept:\n  # never\n  pass\n\n文字。", ["x = f.g(1)\ntry:\n  # note\n  x.run()\nexcept:\n  # never\n  pass"]),
    "ellipsis in front": ("文字：\n\n...\nm = tf.keras.Sequential()\nm.fit(x)\n\n文字。", ["...\nm = tf.keras.Sequential()\nm.fit(x)"]),
    "ticks in comments": ("x = f.g(1)\n# for `x`\ny = x.run()\nz = y.run()\n# for `y`\nw = z.run()\n", ["x = f.g(1)\n# for `x`\ny = x.run()\nz = y.run()\n# for `y`\nw = z.run()"]),
}  # fmt: skip


@pytest.mark.parametrize("name", UNMARKED)
def test_unmarked_code(name: str) -> None:
    text, expected = UNMARKED[name]
    assert bodies(text) == expected
    assert all(region.kind.value == "code" for region in regions(text))


PROSE = [
    "我们可以使用 tf.data.Dataset.map(f) 来处理数据，然后再训练。",
    "tf.linspace(0.0, 1.0, num=5) 和 numpy 一样。",
    "Call model.fit(x, y) and then model.save(path) to finish.",
    "如果 x = 3，那么结果是 6。",
    "准确率 = 0.93，召回率 = 0.88。",
    "For each layer (see below) we set the rate = 0.1 and go on.",
    "使用model.fit(x)训练，然后model.save()保存。",
    "- tf.keras.layers.Dense(units)\n- tf.keras.layers.Conv2D(filters)",
    "Note: the shape is (2, 3).",
    "the loss (mse) = mean of squares",
    "import 语句要写在最前面。",
    "We import the data, class by class, for speed.",
    "    首行缩进的一段文字，没有任何代码。",
    "训练模型\n\n评估模型",
    "The text uses ```inline``` ticks and `code` spans.",
    "a, b 和 c 三个变量",
]


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_no_region(text: str) -> None:
    assert bodies(text) == []


def test_other_blocks_are_regions_too() -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: x\n\n$ pip install tf\n\nEpoch 1/2\n1/1 - loss: 0.1\n'
    assert [region.kind.value for region in regions(text)] == ["traceback", "shell", "output"]


def test_lead_is_the_paragraph_before() -> None:
    text = "第一段。\n\nTensorFlow 1.x:\n\n```python\nx = f()\n```\n\n输出：\n\n```\n[1 2]\n```\n"
    assert [region.lead.of(text) if region.lead else None for region in regions(text)] == ["TensorFlow 1.x:", "输出："]


def test_lead_never_holds_another_region() -> None:
    text = "```python\nx = f()\n```\n```\n[1 2]\n```\n"
    assert regions(text)[1].lead is None


def test_cells_of_containers_win() -> None:
    text = "# 标题\nx = 1\n[1]\nText with `y = tf.ones(2)`.\n"
    start, middle, end = text.index("x ="), text.index("[1]"), text.index("Text")
    cells = (
        Cell(span=Span(start=start, end=middle - 1), kind="code", language="python"),
        Cell(span=Span(start=middle, end=end - 1), kind="output"),
    )
    found = find_regions(document(text, cells=cells))
    assert [(region.shape, region.kind.value, region.body.of(text)) for region in found] == [
        ("cell", "code", "x = 1"),
        ("cell", "output", "[1]"),
        ("inline", "code", "y = tf.ones(2)"),
    ]
