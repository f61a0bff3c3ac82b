"""Damage to single characters: quotes, full-width forms, dashes, entities, invisible characters."""

from __future__ import annotations

import pytest

from verifier.extract.repair.draft import Draft
from verifier.extract.repair.restore import Restored, restore
from verifier.model import RepairClass, Span

R0, R1, R2, R3 = RepairClass.R0, RepairClass.R1, RepairClass.R2, RepairClass.R3


def restored(text: str) -> Restored:
    return restore(Draft.of(text, Span(start=0, end=len(text))))


CASES = [
    # damaged, repaired, rule, class
    ("f(8, kind=‘tanh’)", "f(8, kind='tanh')", "quotes", R1),
    ("f(8, kind=“tanh”)", 'f(8, kind="tanh")', "quotes", R1),
    ("f(8, kind=’tanh’)", "f(8, kind='tanh')", "quotes", R1),
    ("f(8, kind=‘tanh')", "f(8, kind='tanh')", "quotes", R1),
    ("f(x == ′a′)", "f(x == 'a')", "quotes", R1),
    ("f(´a´)", "f('a')", "quotes", R1),
    ("f(`a´)", "f('a')", "quotes", R1),
    ("f(「a」, 『b』)", 'f("a", "b")', "quotes", R1),
    ("f(«a», „b“)", 'f("a", "b")', "quotes", R1),
    ("f(＂a＂, ＇b＇)", "f(\"a\", 'b')", "quotes", R1),
    ("f(r‘\\d’, f”{x}”)", "f(r'\\d', f\"{x}\")", "quotes", R1),
    ("print(‘it’s ok’)", 'print("it\'s ok")', "quotes", R2),
    ("print(“she said 'no'”)", "print(\"she said 'no'\")", "quotes", R1),
    ("join(sep=”)", "join(sep='')", "merged-quotes", R2),
    ("x = ”.join(y) + ”", "x = ''.join(y) + ''", "merged-quotes", R2),
    ("f(sep=”, end=”)", "f(sep='', end='')", "merged-quotes", R2),
    ("x = “””doc”””", 'x = """doc"""', "quotes", R1),
    ("x = ”’doc”’", "x = '''doc'''", "quotes", R2),
    ("f（x，y）", "f(x,y)", "full-width", R1),
    ("lr＝０．１", "lr=0.1", "full-width", R1),
    ("ｉｍｐｏｒｔ os", "import os", "full-width", R1),
    ("x = 1。", "x = 1", "full-width", R2),
    ("tf。io。read（）", "tf.io.read()", "full-width", R2),
    ("x = 1  ＃ 注释", "x = 1  # 注释", "full-width", R1),
    ("x\u00a0= 1", "x = 1", "invisible", R0),
    ("mo\u200bdel.fit()", "model.fit()", "invisible", R0),
    ("\ufeffx = f(\u20091)", "x = f( 1)", "invisible", R0),
    ("if x:\n\u3000\u3000y = 1", "if x:\n    y = 1", "invisible", R0),
    ("x = a – b", "x = a - b", "symbol", R1),
    ("lr = 1e−3", "lr = 1e-3", "symbol", R1),
    ("y = a × b", "y = a * b", "symbol", R2),
    ("y = a ÷ b", "y = a / b", "symbol", R2),
    ("if a ≤ b: f()", "if a <= b: f()", "symbol", R1),
    ("if a ≠ b: f()", "if a != b: f()", "symbol", R1),
    ("def f() → int: return 1", "def f() -> int: return 1", "symbol", R1),
    ("f(‘a…’)", "f('a...')", "typography-in-string", R2),
    ("f(‘--’, ‘–’)", "f('--', '--')", "typography-in-string", R2),
    ("f(‘3×3’)", "f('3x3')", "typography-in-string", R2),
    ("if a &lt; b: f()", "if a < b: f()", "entity", R1),
    ("x = a &amp;lt; b", "x = a < b", "entity", R1),
    ("f(&quot;a&quot;)", 'f("a")', "entity", R1),
    ("f(&#39;a&#39;)", "f('a')", "entity", R1),
    ("<code>a = f()</code>", "a = f()", "tag", R1),
    ("a = 1<br/>b = 2", "a = 1\nb = 2", "tag", R1),
    ("\\begin{lstlisting}[language=Python]\nx = 1\n\\end{lstlisting}", "\nx = 1\n", "tag", R1),
    ("learning\\_rate = 1", "learning_rate = 1", "escape", R1),
    ("f(\\*args, x\\[0\\])", "f(*args, x[0])", "escape", R1),
    ("Import os\nFrom a import b", "import os\nfrom a import b", "capital", R2),
    ("class A:\n  def **init**(self): pass", "class A:\n  def __init__(self): pass", "emphasis", R1),
]


@pytest.mark.parametrize(("damaged", "repaired", "rule", "klass"), CASES, ids=[case[0] for case in CASES])
def test_one_rule(damaged: str, repaired: str, rule: str, klass: RepairClass) -> None:
    result = restored(damaged)
    assert result.draft.text == repaired
    assert result.complaint == ""
    mine = [repair for repair in result.draft.repairs if repair.rule == rule]
    assert mine
    assert klass in {repair.klass for repair in mine}


@pytest.mark.parametrize("damaged", [case[0] for case in CASES])
def test_repairs_say_what_they_did(damaged: str) -> None:
    for repair in restored(damaged).draft.repairs:
        assert repair.before == repair.span.of(damaged)
        assert repair.before != repair.after
        assert repair.reason


INTACT = [
    "x = 1\n\n\ny = f( x )   # note\n",
    "s = '‘curly’ – … × “inside” （全角） &lt; <b>'\n",
    '"""A docstring with “quotes” and\n  build the model\n"""\nx = 1\n',
    "名字 = 1\nprint(名字)\n",
    "ｐｒｉｎｔ(1)\n",
    "x is y\n",
    "class A:\n    def run(self):\n        pass\n",
    "if x: y = 1\nelse: y = 2\n",
    "model\n",
    "x = 5  # model.add(Dense(3))\n",
    "# x = 1\nprint(2)\n",
    "def f(x):\n\treturn x\n",
    "a = b if c else d\n",
    "x = [..., 0][..., 1]\n",
    "result: int = 45\n",
    "x = a & lt\n",
]


@pytest.mark.parametrize("code", INTACT)
def test_code_that_compiles_is_untouched(code: str) -> None:
    result = restored(code)
    assert result.draft.text == code
    assert result.draft.repairs == ()


@pytest.mark.parametrize(
    ("damaged", "kept"),
    [
        ("f(‘中，文（注）’)", "中，文（注）"),
        ("x = “a\u00a0b”", "a\u00a0b"),
        ("f（'，'）", "，"),
        ("f（x）  # 注释，（说明）“引号”", "# 注释，（说明）“引号”"),
    ],
)
def test_insides_of_strings_and_comments_stay(damaged: str, kept: str) -> None:
    result = restored(damaged)
    assert result.complaint == ""
    assert kept in result.draft.text


def test_changed_inside_of_a_string_is_at_least_chosen() -> None:
    for damaged in ("f(‘a…’)", "f(‘don’t’)", "f(‘a – b’)", "x = a &lt; '&lt;'"):
        result = restored(damaged)
        inside = [repair for repair in result.draft.repairs if repair.rule in {"typography-in-string", "entity"}]
        assert any(repair.klass is R2 for repair in inside), damaged


@pytest.mark.parametrize(
    ("code", "after"),
    [
        ("glob('**init**.py')", "glob('__init__.py')"),
        ("glob('**/*.py')", "glob('**/*.py')"),
        ("'**init**' ", "'__init__' "),
        ("print('**name** and **class**')", "print('**name** and **class**')"),
        ("f('a/**init**/b')", "f('a/**init**/b')"),
    ],
)
def test_special_names_in_strings(code: str, after: str) -> None:
    result = restored(code)
    assert result.draft.text == after
    assert {repair.klass for repair in result.draft.repairs} <= {R2}


def test_reason_is_the_compilers_complaint() -> None:
    first = restored("f(‘a’)").draft.repairs[0]
    assert first.reason == "invalid character '‘' (U+2018)"
