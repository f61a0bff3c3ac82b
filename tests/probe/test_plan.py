"""Names that statements read, bind and touch."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.probe.flow import flow_of
from verifier.probe.plan import branches, parse, statements


def _flow(code: str):
    return flow_of(ast.parse(code).body[0])


@pytest.mark.parametrize(
    ("code", "reads", "binds"),
    [
        ("y = f(x)", {"f", "x"}, {"y"}),
        ("y += 1", {"y"}, {"y"}),
        ("a, (b, *c) = d", {"d"}, {"a", "b", "c"}),
        ("m.rate = 3", {"m"}, set()),
        ("m[k] = v", {"m", "k", "v"}, set()),
        ("for i in xs: print(i, z)", {"xs", "print", "z"}, {"i"}),
        ("with f() as t: t.go(w)", {"f", "w"}, {"t"}),
        ("[q for q in xs if q > low]", {"xs", "low"}, set()),
        ("{k: v for k, v in d.items()}", {"d"}, set()),
        ("g = lambda a: a + k", {"k"}, {"g"}),
        ("import numpy as np", set(), {"np"}),
        ("import a.b.c", set(), {"a"}),
        ("from m import x as y, z", set(), {"y", "z"}),
        ("del x", {"x"}, set()),
        ("if (n := f()) > 1: print(n)", {"f", "print"}, {"n"}),
        ("x: int = y", {"int", "y"}, {"x"}),
        ("print(f'{a:{w}}')", {"print", "a", "w"}, set()),
        ("try:\n  a()\nexcept E as e:\n  b(e)", {"a", "E", "b"}, {"e"}),
        ("match s:\n  case {'k': v}: print(v)\n  case [x, *rest]: pass", {"s", "print"}, {"v", "x"}),
    ],
)
def test_reads_and_binds(code: str, reads: set[str], binds: set[str]) -> None:
    flow = _flow(code)
    assert flow.reads == reads
    assert binds <= flow.binds


def test_what_a_function_needs_is_needed_later_not_now() -> None:
    flow = _flow("@deco\ndef f(a, b=start):\n    c = a + rate\n    return helper(c)")
    assert flow.reads == {"deco", "start"}
    assert flow.later == {"rate", "helper"}
    assert flow.binds == {"f"}


def test_a_class_body_runs_at_once_and_its_methods_later() -> None:
    flow = _flow("class A(Base):\n    size = unit\n    def go(self):\n        return self.size * scale")
    assert flow.reads == {"Base", "unit"}
    assert flow.later == {"scale"}


def test_methods_and_assignments_touch_their_object() -> None:
    assert _flow("model.compile(loss=f)").touches == {"model"}
    assert _flow("model.layers[0].trainable = False").touches == {"model"}
    assert _flow("f(model)").touches == set()


def test_input_as_data_is_a_name_and_as_function_the_builtin() -> None:
    assert parse("y = model(input)").needs() == {"model": 0, "input": 0}
    assert parse("y = input('?')").needs() == {}


def test_needs_are_what_comes_from_outside() -> None:
    parsed = parse("import math\nx = a + b\ny = x + math.pi\ndef f():\n    return y + later\nprint(f())")
    assert parsed.needs() == {"a": 1, "b": 1, "later": 3}


def test_statements_carry_places_names_and_what_is_missing() -> None:
    code = "变量 = '值'; b = 变量\n@tf.function\ndef f():\n    return 1\nplt.plot(b)\nnet.fit(b, gone)\n"
    plan = statements(parse(code), absent=frozenset({"gone"}), modules=frozenset({"plt"}), shown=[3])
    assert [item.span.of(code) for item in plan] == [
        "变量 = '值'",
        "b = 变量",
        "@tf.function\ndef f():\n    return 1",
        "plt.plot(b)",
        "net.fit(b, gone)",
    ]
    assert [(item.line, item.end_line) for item in plan] == [(1, 1), (1, 1), (2, 4), (5, 5), (6, 6)]
    assert plan[3].touches == () and plan[3].show
    assert plan[4].touches == ("net",) and plan[4].missing == ("gone",)
    assert "print" not in plan[1].reads


def test_branches_are_lines_that_may_stay_unexecuted() -> None:
    assert branches(parse("xs = list(map(lambda v: v, ys))"))
    assert branches(parse("if a:\n    b()"))
    assert not branches(parse("a = f(1)\nb = a.g()"))


def test_code_that_is_not_python_has_no_statements() -> None:
    assert parse("print 'hello'").nodes == ()
    assert parse("x = (").nodes == ()


@settings(deadline=None)
@given(st.text(max_size=200))
def test_never_raises(text: str) -> None:
    parsed = parse(text)
    for span in parsed.spans:
        assert 0 <= span.start <= span.end <= len(text)
