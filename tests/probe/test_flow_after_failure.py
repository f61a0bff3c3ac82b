"""What happens to the statements after one that failed: who is blocked, who runs, who is at fault himself.

One letter for each statement: f finished, r raised, b blocked by an earlier one, m needs what is given nowhere.
`boom` and `nothing` are given nowhere as functions of the document would be; `1 / 0` is a fault of the author.
"""

from __future__ import annotations

import pytest

from verifier.model import Limits, Program, SessionJob
from verifier.probe.plan import parse, statements
from verifier.sandbox.base import Sandbox

# A class with a state that must be made before it can be used.
NET = """class Net:
    def __init__(self): self.ready = False
    def build(self, size): self.ready = size > 0
    def run(self):
        if not self.ready: raise RuntimeError('build it first')
        return 1
    def get_size(self): raise ValueError('no size')
net = Net()
"""
N = "ff"  # the fates of NET's own statements

CASES = {
    # what a failed statement should have bound
    "plain": ("a = 1 / 0\nb = a + 1\nc = 2", "rbf"),
    "chain": ("a = 1 / 0\nb = a\nc = b\nd = c", "rbbb"),
    "bound again": ("a = 1 / 0\na = 2\nb = a", "rff"),
    "stale value": ("a = 1\na = 1 / 0\nb = a", "frb"),
    "stale in a function": ("a = 1\ndef f(): return a\na = 1 / 0\nb = f()", "ffrb"),
    "unpacking": ("a, (b, *c) = 1 / 0\nd = b\ne = c\nf = 1", "rbbf"),
    "chained targets": ("a = b = 1 / 0\nc = b\nd = a", "rbb"),
    "walrus": ("print(a := 1 / 0)\nb = a", "rb"),
    "walrus in a comprehension": ("b = [(last := 1 / n) for n in [0]]\nc = last", "rb"),
    "augmented": ("a = 1\na += 1 / 0\nb = a\nc = 3", "frbf"),
    "annotated": ("a: int = 1 / 0\nb = a", "rb"),
    "deletion that was not run": ("a = 1\ndel a, nothing\nb = a", "fmf"),
    "deletion of what is not there": ("a = 1 / 0\ndel a\nb = 1", "rbf"),
    "comprehension": ("a = [1 / n for n in [0]]\nb = len(a)\nc = [n for n in [1]]", "rbf"),
    "format string": ("a = 1 / 0\nb = f'{a:>{3}}'\nc = f'{1}'", "rbf"),
    "lambda": ("a = 1 / 0\nf = lambda: a\ng = lambda a: a\nb = g(1)", "rbff"),
    "loop variable": ("for i in [1, 0]: x = 1 / i\ny = x\nz = i", "rbb"),
    "for over what failed": ("xs = 1 / 0\nfor x in xs: print(x)\nprint(3)", "rbf"),
    "else of a loop": ("for i in []: pass\nelse: x = 1 / 0\ny = x", "rb"),
    "while": ("n = 1 / 0\nwhile n: n -= 1\nm = 1", "rbf"),
    "with": ("import contextlib\nwith contextlib.nullcontext(1 / 0) as c: d = c\ne = d\nf = 1", "frbf"),
    "inside with": ("import contextlib\nwith contextlib.nullcontext(1) as c:\n    d = 1 / 0\ne = c", "frb"),
    "try that fails": ("try: a = 1 / 0\nfinally: b = 1\nc = a\nd = 2", "rbf"),
    "try that copes": ("try: a = 1 / 0\nexcept ZeroDivisionError: a = 5\nb = a", "ff"),
    "handler name": ("try: 1 / 0\nexcept ValueError as error: a = error\nb = a", "rb"),
    "match": (
        "match 1 / 0:\n    case [x, *rest]: pass\n    case {'k': v, **more}: pass\nprint(rest)\nprint(more)",
        "rbb",
    ),
    "match of what failed": ("a = 1 / 0\nmatch a:\n    case 1: b = 2\nc = b", "rbb"),
    "conditional definition": ("if 1 / 0:\n    def f(): return 1\nelse:\n    def f(): return 2\na = f()", "rb"),
    "conditional branch": ("flag = 1 / 0\nif flag: a = 1\nelse: a = 2\nb = a\nc = 1", "rbbf"),
    "async": ("import asyncio\nasync def f(): return 1 / 0\na = asyncio.run(f())\nb = a\nc = 1", "ffrbf"),
    "async with": ("async def f():\n    async with g() as x: return x\na = 1", "ff"),
    # functions and classes
    "function that needs it": ("a = 1 / 0\ndef f(): return a\nb = f()\nc = 2", "rfbf"),
    "function of a function": ("a = 1 / 0\ndef f(): return a\ndef g(): return f()\nb = g()", "rffb"),
    "function that does not need it": ("a = 1 / 0\ndef f(a): return a\nb = f(2)", "rff"),
    "default": ("a = 1 / 0\ndef f(x=a): return x\nb = f()", "rbb"),
    "decorator": ("deco = 1 / 0\n@deco\ndef f(): return 1\nb = f()", "rbb"),
    "decorator that fails": ("def deco(f): raise ValueError\n@deco\ndef g(): return 1\nb = g()\nc = 1", "frbf"),
    "annotation": ("T = 1 / 0\ndef f(x: T): return x\nb = f(1)", "rbb"),
    "lazy annotation": ("from __future__ import annotations\nT = 1 / 0\ndef f(x: T): return x\nb = f(1)", "frff"),
    "nested function": ("a = 1 / 0\ndef f():\n    def g(): return a\n    return g()\nb = f()", "rfb"),
    "own counter": (
        "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n        return n\n    return g()\na = f()",
        "ff",
    ),
    "global given by a call": ("def f():\n    global a\n    a = 1\nf()\nb = a", "fff"),
    "global that a call failed to give": ("def f():\n    global a\n    a = 1 / 0\nf()\nb = a", "frb"),
    "class body": ("a = 1 / 0\nclass C:\n    size = a\nc = C()", "rbb"),
    "base class": ("Base = 1 / 0\nclass C(Base): pass\nc = C()", "rbb"),
    "method that needs it": ("a = 1 / 0\nclass C:\n    def f(self): return a\nb = C().f()\nc = 1", "rfbf"),
    "metaclass keyword": ("M = 1 / 0\nclass C(metaclass=M): pass", "rb"),
    "local of the same name": ("a = 1 / 0\ndef f():\n    a = 2\n    return a\nb = f()", "rff"),
    "a fault of the function itself": ("a = 1 / 0\ndef f(): return [][1]\nb = f()", "rfr"),
    "unbound local is no global": ("a = 1 / 0\ndef f():\n    if 0: a = 1\n    return a\nb = f()", "rfr"),
    # what imports give
    "one name of an import": ("from math import pi, nonesuch, tau\na = pi\nb = tau\nc = nonesuch", "rffb"),
    "one module of an import": ("import math, nonesuch_module\na = math.pi", "rf"),
    "import beside something else": (
        "import math\nif nothing:\n    import math\n    a = 1\nb = math.pi\nc = a",
        "fmfb",
    ),
    "import in a function": ("def f():\n    import nonesuch_module\n    return math\nf()\nmath.pi", "frb"),
    "alias of a dotted import": ("import os.nonesuch as o\na = o.f()\nimport os.path as p\nb = p.sep", "rbff"),
    "star import": ("from nonesuch_module import *\na = made()\nb = 1 / 0\nc = len([1])", "rbrf"),
    "import as attribute": ("import math\na = math.nonesuch(1)\nb = math.pi\nc = a", "frfb"),
    # objects that a failed statement should have changed
    "half built": (NET + "net.build(1 / 0)\nnet.run()\nx = 1", N + "rbf"),
    "alias of it": (NET + "same = net\nnet.build(1 / 0)\nsame.run()", N + "frb"),
    "made suspect by its alias": (NET + "same = net\nsame.build(1 / 0)\nnet.run()", N + "frb"),
    "built after all": (NET + "net.build(1 / 0)\nnet.build(1)\nnet.run()\n[][net.run()]", N + "rffr"),
    "built anew": (NET + "net.build(1 / 0)\nnet = Net()\nnet.run()", N + "rfr"),
    "not built since something is missing": (NET + "net.build(nothing)\nnet.run()", N + "mb"),
    "not built since it was blocked": (NET + "a = 1 / 0\nnet.build(a)\nnet.run()", N + "rbb"),
    "asked only": ("import types\nn = types.SimpleNamespace(a=1)\nn.get_layer(3)\n[n.a][1]", "ffrr"),
    "in a list": (NET + "nets = [net]\nnets[0].build(1 / 0)\nnet.run()", N + "frb"),
    "in a dictionary": (NET + "nets = {'n': net}\nnet.build(1 / 0)\nnets['n'].run()", N + "frb"),
    "in a loop": (NET + "for each in [net]: each.build(1 / 0)\nnet.run()", N + "rb"),
    "in a comprehension": (NET + "nets = [net]\nx = [each.build(1 / 0) for each in nets]\nnet.run()", N + "frb"),
    "in a with": (
        NET + "import contextlib\nwith contextlib.nullcontext(net) as m: m.build(1 / 0)\nnet.run()",
        N + "frb",
    ),
    "by a function": (NET + "def make(n): n.build(1 / 0)\nmake(net)\nnet.run()", N + "frb"),
    "by a function that sees it": (NET + "def make(): net.build(1 / 0)\nmake()\nnet.run()", N + "frb"),
    "used by a function that sees it": (NET + "def go(): return net.run()\nnet.build(1 / 0)\ngo()", N + "frb"),
    "model that was only asked": (
        (
            "import tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nm.get_layer('nonesuch')\n"
            "m.fit(tf.ones((2, 2)), tf.ones((2, 1)))"
        ),
        "ffrr",
    ),
    "by another object": (
        NET + "class Maker:\n    def __init__(self, n): self.n = n\n    def go(self): self.n.build(1 / 0)\n"
        "maker = Maker(net)\nmaker.go()\nnet.run()",
        N + "ffrb",
    ),
    "by a decorated function": (
        NET + "import functools\n@functools.lru_cache(None)\ndef make(): net.build(1 / 0)\nmake()\nnet.run()",
        N + "ffrb",
    ),
    "attribute": (NET + "net.extra = 1 / 0\nnet.extra + 1\nnet.nonesuch", N + "rbr"),
    "attribute set by a method": (
        "class C:\n    def fit(self):\n        x = 1 / 0\n        self.coef_ = x\nc = C()\nc.fit()\nc.coef_\nc.nonesuch",
        "ffrbr",
    ),
    "attribute set by a function": (NET + "def f(n):\n    n.extra = 1 / 0\nf(net)\nnet.extra", N + "frb"),
    "setattr": (NET + "setattr(net, 'extra', 1 / 0)\nnet.extra", N + "rb"),
    "item": ("d = {}\nd['k'] = 1 / 0\nd['k']\nd.get('k')", "frbf"),
    "append": ("xs = []\nxs.append(1 / 0)\nxs[0]\nys = [1][3]", "frbr"),
    "append to an alias": ("a = []\nb = a\nb.append(1 / 0)\na[0]", "ffrb"),
    "made of it": ("xs = []\nxs.append(1 / 0)\nn = len(xs)\nmean = 1 / n\nm = 1 / 0", "frfbr"),
    "shuffled": ("import random\nxs = [1]\nrandom.shuffle(xs, 1, 2, 3)\nxs[5]", "ffrb"),
    "array that was only asked": ("import numpy as np\na = np.ones(3)\na.reshape(2, 5)\na.dot(np.ones(4))", "ffrr"),
    "array changed in place": ("import numpy as np\na = np.ones(3)\na[0] = 1 / 0\na.dot(np.ones(4))", "ffrb"),
    "tensor": ("import tensorflow as tf\nt = tf.ones(3)\nt.nonesuch()\ntf.reshape(t, [7])", "ffrr"),
    "wrong words": (NET + "net.build(1 / 0)\nnet.run(speed=3)\nnet.nonesuch()", N + "rrr"),
    "module": ("import math\nmath.sqrt(-1)\nmath.sqrt(-2)", "frr"),
    "deleted item": ("d = {'k': 1}\ndel d[1 / 0]\nd['q']", "frb"),
    # TensorFlow
    "uncompiled model": (
        (
            "import tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nm.compile(optimizer='nonesuch')\n"
            "m.fit(tf.ones((2, 2)), tf.ones((2, 1)), verbose=0)\nm.summarise()"
        ),
        "ffrbr",
    ),
    "history of a fit that failed": (
        (
            "import tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nm.compile('sgd', 'mse')\n"
            "m.fit(tf.ones((2, 2)), tf.ones((3, 1)), verbose=0)\nm.history.history\nm.histories"
        ),
        "fffrbr",
    ),
    "layer that could not be added": (
        (
            "import tensorflow as tf\nm = tf.keras.Sequential()\nm.add(tf.keras.layers.Dense(2, activation='nonesuch', name='d'))\n"
            "m.get_layer('d')\ntf.keras.nonesuch"
        ),
        "ffrbr",
    ),
    "graph function": (
        "import tensorflow as tf\nv = 1 / 0\n@tf.function\ndef f(x): return x * v\nf(tf.ones(2))\n@tf.function\ndef g(x): return x\ng(1)",
        "frfbff",
    ),
    "gradient tape": (
        (
            "import tensorflow as tf\nx = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = x * nothing\n"
            "g = tape.gradient(y, x)\nx.assign(2.0)"
        ),
        "ffmbf",
    ),
}


def _fates(code: str, sandbox: Sandbox) -> tuple[str, list[str]]:
    parsed = parse(code)
    absent = frozenset(parsed.needs()) & {"nothing"}
    plan = statements(parsed, absent=absent, modules=frozenset())
    program = Program(name="snippet", code=code, statements=plan)
    steps = sandbox.run(SessionJob(programs=(program,), limits=Limits(wall_seconds=20))).steps
    told = [f"{step.fate}: {step.fault.type}: {step.fault.message}" if step.fault else str(step.fate) for step in steps]
    return "".join(str(step.fate)[0] for step in steps), told


@pytest.mark.parametrize("name", CASES)
def test_blame(name: str, sandbox: Sandbox) -> None:
    code, expected = CASES[name]
    fates, told = _fates(code, sandbox)
    assert fates == expected, "\n".join(told)


def test_the_table_is_wide_enough() -> None:
    assert len(CASES) >= 60
