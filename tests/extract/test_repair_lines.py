"""Damage to lines: lost breaks, comments, indentation, prefixes, ends; and what is never repaired."""

from __future__ import annotations

import ast

import pytest

from verifier.extract.repair.doubts import doubt_about
from verifier.extract.repair.draft import Draft
from verifier.extract.repair.lift import lift
from verifier.extract.repair.placeholders import placeholder_in
from verifier.extract.repair.restore import Restored, restore
from verifier.model import Confidence, RepairClass, Span


def restored(text: str) -> Restored:
    return restore(lift(Draft.of(text, Span(start=0, end=len(text)))).draft)


def rules(result: Restored) -> set[str]:
    return {repair.rule for repair in result.draft.repairs}


JOINED = [
    ("a = f(1) b = a.g()", "a = f(1)\nb = a.g()"),
    ("import os import sys", "import os\nimport sys"),
    ("import numpy as np import tensorflow as tf", "import numpy as np\nimport tensorflow as tf"),
    ("from a import b from c import d x = 1", "from a import b\nfrom c import d\nx = 1"),
    ("x = 1 y = 2", "x = 1\ny = 2"),
    ("x = [1, 2] print(x[0]) y = {}", "x = [1, 2]\nprint(x[0])\ny = {}"),
    ("a = x if y else z b = 2", "a = x if y else z\nb = 2"),
    ("x = not a y = a not in b", "x = not a\ny = a not in b"),
    ("f(x)print(y)", "f(x)\nprint(y)"),
    ("x = ‘a’ y = ‘b’", "x = 'a'\ny = 'b'"),
    ("x = 1 @tf.function def f(): return 2", "x = 1\n@tf.function\ndef f(): return 2"),
    ("raise A from b", None),
    ("x = f(2) assert x == 2 del x", "x = f(2)\nassert x == 2\ndel x"),
    ("x = ... y = 3", "x = ...\ny = 3"),
    ("(a, b), c = f() d = (1, 2)", "(a, b), c = f()\nd = (1, 2)"),
]


@pytest.mark.parametrize(("damaged", "repaired"), JOINED)
def test_joined_statements(damaged: str, repaired: str | None) -> None:
    result = restored(damaged)
    assert result.complaint == ""
    assert result.draft.text == (repaired or damaged)
    assert all(repair.klass is RepairClass.R1 for repair in result.draft.repairs if repair.rule == "joined-statements")


@pytest.mark.parametrize(
    "line",
    [
        "准备数据",
        "获取Dense层的参数",
        "Build the model",
        "Compile it and train for 3 epochs.",
        "Let’s train",
        "1-D tensor `b`",
        "2-D example",
        "=> [[0 0]]",
        "==> True",
        "[5 6 7 8]",
        "Output is: [1, 2]",
        "return states. If you need the whole sequence set the flag",
    ],
)
def test_prose_between_statements_is_a_comment_again(line: str) -> None:
    result = restored(f"x = f(‘a’) y = 2\n\n{line}\n\nz = g(x)")
    assert result.complaint == ""
    assert f"# {line}" in result.draft.text
    assert len(ast.parse(result.draft.text).body) == 3
    assert {repair.klass for repair in result.draft.repairs if repair.rule == "lost-comment"} == {RepairClass.R2}


def test_chinese_prose_is_a_comment_although_it_compiles() -> None:
    result = restored("x = f(1)\n训练模型\ny = g(x)\n")
    assert result.draft.text == "x = f(1)\n# 训练模型\ny = g(x)\n"


@pytest.mark.parametrize(
    ("damaged", "statements"),
    [
        ("x = 5 # batch size y = x + 1 print(y)", 3),
        ("# build it import os m = os.getcwd() print(m)", 3),
        ("import os # load a = f(1) # then run b = g(a)", 3),
    ],
)
def test_comment_that_swallowed_code(damaged: str, statements: int) -> None:
    result = restored(damaged)
    assert len(ast.parse(result.draft.text).body) == statements
    assert doubt_about(result)[0] is Confidence.LIKELY


def test_doubtful_comment_is_flagged_and_left() -> None:
    result = restored("x = f(2)  # was y = f(x)\nz = 3")
    assert result.draft.repairs == ()
    assert doubt_about(result)[0] is Confidence.LIKELY


INDENTED = [
    (
        "class A(Base):\ndef build(self, n):\nself.n = n\ndef call(self, x):\nreturn x * self.n\na = A()\nprint(a(2))",
        "class A(Base):\n    def build(self, n):\n        self.n = n\n    def call(self, x):\n        return x * self.n\na = A()\nprint(a(2))",
    ),
    (
        "w = v(2.0) for i in range(3): with GradientTape() as tape: l = w * w g = tape.gradient(l, w) w.sub(g)",
        "w = v(2.0)\nfor i in range(3):\n    with GradientTape() as tape:\n        l = w * w\n    g = tape.gradient(l, w)\n    w.sub(g)",
    ),
    ("def f(x):\nreturn x + 1", "def f(x):\n    return x + 1"),
    (
        "def f(x):\nif x > 0:\nreturn x\nelse:\nreturn -x\nprint(f(2))",
        "def f(x):\n    if x > 0:\n        return x\n    else:\n        return -x\nprint(f(2))",
    ),
    (
        "try:\nx = f()\nexcept ValueError as e:\nprint(e)",
        "try:\n    x = f()\nexcept ValueError as e:\n    print(e)",
    ),
    (
        "@g\ndef f(x):\ny = x + 1\ndef grad(up):\nz = up * y\nreturn z\nw = y * 2\nreturn w, grad\nprint(f(1))",
        "@g\ndef f(x):\n    y = x + 1\n    def grad(up):\n        z = up * y\n        return z\n    w = y * 2\n    return w, grad\nprint(f(1))",
    ),
    (
        "def a():\nf(1)\ndef b():\nreturn m\ndef c():\nreturn b()",
        "def a():\n    f(1)\ndef b():\n    return m\ndef c():\n    return b()",
    ),
    (
        "try:\nf(1)\ng(2)\nassert h\nexcept OSError:\npass",
        "try:\n    f(1)\n    g(2)\n    assert h\nexcept OSError:\n    pass",
    ),
    (
        "for x in y:\nf(x)\ng()\nbreak\nh()",
        "for x in y:\n    f(x)\n    g()\n    break\nh()",
    ),
    (
        "if a:\nf(1)\ng(2)\nelse:\nh(3)",
        "if a:\n    f(1)\n    g(2)\nelse:\n    h(3)",
    ),
    (
        "with s.scope():\n@g\ndef f(x):\nreturn x",
        "with s.scope():\n    @g\n    def f(x):\n        return x",
    ),
]


@pytest.mark.parametrize(("flat", "wanted"), INDENTED)
def test_lost_indentation(flat: str, wanted: str) -> None:
    result = restored(flat)
    assert result.draft.text == wanted


def test_indentation_with_a_choice_is_a_guess() -> None:
    result = restored("for i in range(3):\nprint(i)\nprint(0)")
    assert result.complaint == ""
    assert result.choices
    assert doubt_about(result)[0] is Confidence.GUESS
    assert {repair.klass for repair in result.draft.repairs} == {RepairClass.R3}


def test_indentation_without_a_choice_is_chosen_only() -> None:
    result = restored("def f(x):\nreturn x + 1")
    assert result.choices == 0
    assert {repair.klass for repair in result.draft.repairs} == {RepairClass.R2}


@pytest.mark.parametrize(
    ("damaged", "repaired"),
    [
        ("x = 1\n    y = 2\n    z = 3", "x = 1\ny = 2\nz = 3"),
        ("if a:\n\tx = 1\n        y = 2", "if a:\n        x = 1\n        y = 2"),
        ("x = (a +\nb)", "x = (a +\nb)"),
        ("x = a +\nb", "x = a + b"),
        ("x = ‘long\nstring’", None),
    ],
)
def test_shifted_and_wrapped_lines(damaged: str, repaired: str | None) -> None:
    result = restored(damaged)
    if repaired is not None:
        assert result.draft.text == repaired
        assert result.complaint == ""


PREFIXED = [
    ("    x = 1\n    y = 2", "x = 1\ny = 2"),
    ("> x = 1\n>\n> y = 2", "x = 1\n\ny = 2"),
    ("1 import os\n2 for x in y:\n3     f(x)\n4 g()", "import os\nfor x in y:\n    f(x)\ng()"),
    ("8  if x:\n9      f()\n10     g()", "if x:\n    f()\n    g()"),
    ("+ x = 1\n+ y = 2", "x = 1\ny = 2"),
    ("@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n y = 3", "x = 2\ny = 3"),
    ("python\n复制代码\nx = 1", "x = 1"),
    ("Copy code\nx = 1", "x = 1"),
    (">>> x = 1\n>>> for i in y:\n...     f(i)\n...\n2", "x = 1\nfor i in y:\n    f(i)\n\n"),
    ("&gt;&gt;&gt; x = f(a &lt; b)\n3", "x = f(a < b)\n"),
    ("In [1]: x = 1\n\nIn [2]: x\nOut[2]: 1", "x = 1\n\nx\n"),
    ("In [3]: for i in y:\n   ...:     f(i)", "for i in y:\n    f(i)"),
]


@pytest.mark.parametrize(("damaged", "repaired"), PREFIXED)
def test_prefixes(damaged: str, repaired: str) -> None:
    assert restored(damaged).draft.text == repaired


def test_numbers_that_are_data_are_no_gutter() -> None:
    assert restored("1, 2\n2, 3\n3, 4").draft.text == "1, 2\n2, 3\n3, 4"


@pytest.mark.parametrize(
    ("damaged", "repaired", "rule"),
    [
        ("%matplotlib inline\nx = 1", "\nx = 1", "magic"),
        ("%time model.fit(x)", "model.fit(x)", "magic"),
        ("!pip install tf\nimport tf", "\nimport tf", "shell-line"),
        ("$ pip install tf\nimport tf", "\nimport tf", "shell-line"),
        ("pip install tf\nimport tf", "\nimport tf", "shell-line"),
        ("for x in y:\n    !ls", "for x in y:\n    pass", "shell-line"),
    ],
)
def test_magics_and_shell_lines(damaged: str, repaired: str, rule: str) -> None:
    result = restored(damaged)
    assert (result.draft.text, rules(result)) == (repaired, {rule})


@pytest.mark.parametrize("word", ["cd", "ls", "git", "python"])
def test_names_like_commands_are_no_commands(word: str) -> None:
    assert f"{word} = 3" in restored(f"{word} = 3\nf(‘a’)").draft.text


def test_truncated_code_keeps_its_longest_whole_prefix() -> None:
    result = restored("import tf\nx = f(1)\nmodel.compile(optimizer=a,\n   loss=")
    assert (result.draft.text, result.truncated) == ("import tf\nx = f(1)", True)
    last = result.draft.repairs[-1]
    assert (last.rule, last.after, last.klass) == ("truncated", "", RepairClass.R2)


def test_bracket_missing_in_the_middle_is_no_truncation() -> None:
    result = restored("x = f((1, 2)\ny = 2\nz = 3")
    assert result.complaint
    assert not result.truncated


@pytest.mark.parametrize(
    "code",
    [
        "print x",
        "print 'a', b",
        "try:\n    f()\nexcept E, e:\n    print e",
        "x = 0777\nprint x",
        "if a <> b:\n    exec c",
    ],
)
def test_python2_is_kept_as_it_is(code: str) -> None:
    result = restored(code)
    assert (result.draft.text, result.python2, result.complaint) == (code, True, "")


@pytest.mark.parametrize(
    ("damaged", "repaired"),
    [
        ("rows = load(<your path>)", "rows = load(...)"),
        ("x = f(a, ......)", "x = f(a, ...)"),
        ("data = <数据集>\nf(data)", "data = ...\nf(data)"),
    ],
)
def test_placeholders_are_never_filled(damaged: str, repaired: str) -> None:
    result = restored(damaged)
    assert result.draft.text == repaired
    assert placeholder_in(repaired, invented=True)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f():\n    ...", True),
        ("x = f(...)", True),
        ("x = y[..., 0]", False),
        ("def f(x: Tuple[int, ...]): return x", False),
        ("key = 'YOUR_API_KEY'", True),
        ("x = open('/path/to/file')", True),
        ("path_to_file = get()", False),
        ("# 此处省略\nx = 1", True),
        ("# ...\nx = 1", True),
        ("x = 1  # your code here", True),
        ("x = 1", False),
    ],
)
def test_placeholders_are_seen(code: str, expected: bool) -> None:
    assert bool(placeholder_in(code, invented=False)) is expected


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("print(tf.version) x = f(‘a’)", "underscores"),
        ("x = 246060 f(‘a’)", "`*`"),
        ("files = glob.glob(‘/’) f(1)", "`*`"),
        ("def f(args, kwargs): return g(‘a’)", "stars"),
        ("plt.plot(x, y, ‘-’) plt.show()", "line style"),
        ("plt.plot(x, y, ‘–’)", "may have been"),
        ("x = f(‘a’)\n\nx == 21", "does nothing"),
        ("layers = f(‘a’) layers0.g()", "[0]"),
        ("x = f(1) y = g(x) [2, 1]", "in front of a bracket"),
    ],
)
def test_silent_corruption_is_suspected_in_damaged_text(code: str, word: str) -> None:
    reading, doubt = doubt_about(restored(code))
    assert reading is not Confidence.SURE
    assert word in doubt


@pytest.mark.parametrize("code", ["print(tf.version)", "x = 246060", "plt.plot(x, y, '-')", "x == 21"])
def test_intact_code_is_not_suspected(code: str) -> None:
    assert doubt_about(restored(code)) == (Confidence.SURE, "")


@pytest.mark.parametrize(
    ("damaged", "repaired"),
    [
        (
            "class A(B):\n    def init(self, n):\n        super().init()\n",
            "class A(B):\n    def __init__(self, n):\n        super().__init__()\n",
        ),
        ("if name == 'main':\n    f()\n", "if __name__ == '__main__':\n    f()\n"),
    ],
)
def test_eaten_dunders(damaged: str, repaired: str) -> None:
    result = restored(damaged)
    assert result.draft.text == repaired
    assert {repair.klass for repair in result.draft.repairs} == {RepairClass.R2}


def test_a_method_named_init_stays_without_proof() -> None:
    code = "class A:\n    def init(self):\n        return 1\n"
    assert restored(code).draft.text == code


@pytest.mark.parametrize("code", ["x = = 1\ny = 2", "def f(:\n  pass", "))))((((", "今天天气很好，我们去公园吧！"])
def test_what_cannot_be_repaired_keeps_its_complaint(code: str) -> None:
    result = restored(code)
    assert result.complaint or not result.draft.text.strip("# ") or result.draft.text.startswith("#")
