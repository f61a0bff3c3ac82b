"""Calls: which of them are claims, under which name, with which form, at which place."""

from __future__ import annotations

import pytest

from verifier.extract.calls import find_calls
from verifier.extract.regions.find import find_regions
from verifier.extract.snippets import make_snippets
from verifier.model import CallForm, Claim, Document, Passage, Role, Span


def calls(*blocks: str) -> tuple[Claim, ...]:
    text = "\n".join(f"第{number}段：\n\n```python\n{block}\n```\n" for number, block in enumerate(blocks))
    passage = Passage(span=Span(start=0, end=len(text)), role=Role.ANSWER)
    document = Document(path="a.md", sha256="", encoding="utf-8", text=text, passages=(passage,))
    snippets, _ = make_snippets(document, find_regions(document))
    found = find_calls(document, snippets)
    for claim in found:
        assert claim.quote == claim.span.of(text)
        assert claim.code_span is not None
        assert claim.code == claim.code_span.of(snippets[int(claim.about)].code)
    return found


def targets(*blocks: str) -> list[str]:
    return sorted(claim.target for claim in calls(*blocks))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import tensorflow as tf\ntf.io.read_file('a')", ["tf.io.read_file"]),
        ("import tensorflow as T\nT.zeros(3)", ["tf.zeros"]),
        ("import tensorflow\ntensorflow.zeros(3)", ["tf.zeros"]),
        ("from tensorflow.keras import layers\nlayers.Dense(3)", ["tf.keras.layers.Dense"]),
        ("from tensorflow.keras.layers import Dense\nDense(3)", ["tf.keras.layers.Dense"]),
        ("from tensorflow.keras.layers import Dense as D\nD(3)", ["tf.keras.layers.Dense"]),
        ("import tensorflow.keras.layers as L\nL.Dense(3)", ["tf.keras.layers.Dense"]),
        ("from tensorflow import keras\nkeras.Input((3,))", ["tf.keras.Input"]),
        ("import keras\nkeras.Input((3,))", ["keras.Input"]),
        ("layers.Dense(3)", ["tf.keras.layers.Dense"]),
        ("Sequential([1])", ["tf.keras.Sequential"]),
        ("import numpy as N\nN.ones(3)", ["np.ones"]),
        ("import matplotlib.pyplot as p\np.plot([1])", ["plt.plot"]),
        ("import torch\ntorch.zeros(3)", ["torch.zeros"]),
        ("m = tf.keras.Sequential()\nm.get_layer('a')", ["m.get_layer", "tf.keras.Sequential"]),
        ("tf.data.Dataset.range(8).batch(2)", [".batch", "tf.data.Dataset.range"]),
        ("m.layers[0].get_weights()", [".get_weights"]),
        ("tf.keras.layers.Dense(3)(x)", ["tf.keras.layers.Dense"]),
        ("print(len(range(3)))", []),
        ("def f(x):\n    return x\nf(1)", []),
        ("rows = load_rows('a')", []),
        ("f = lambda x: x\nf(1)", []),
        ("', '.join(['a'])", []),
        ("names = []\nnames.append(1)", []),
        ("class A(tf.Module):\n    def go(self):\n        self.step()\n    def step(self):\n        self.add_weight()\na = A()\na.go()", ["self.add_weight"]),
        ("class A(tf.keras.Model):\n    def __init__(self):\n        super().__init__()\n        self.d = layers.Dense(1)\n    def call(self, x):\n        return self.d(x)", ["tf.keras.layers.Dense"]),
    ],
)  # fmt: skip
def test_targets(code: str, expected: list[str]) -> None:
    assert targets(code) == expected


def test_imports_and_definitions_hold_for_the_whole_document() -> None:
    assert targets("from tensorflow.keras import layers as L\ndef f(x):\n    return x", "L.Dense(3)\nf(2)") == [
        "tf.keras.layers.Dense"
    ]


def test_form_of_a_call() -> None:
    (claim,) = calls("tf.pad(x, 3, *z, mode='a', name=None, **more)")
    assert claim.call == CallForm(positional=2, keywords=("mode", "name"), starred=True)


def test_quote_is_the_documents_own_text() -> None:
    (claim,) = calls("tf.strings.join（［‘a’， ‘模型’］）")
    assert claim.quote == "tf.strings.join（［‘a’， ‘模型’］）"
    assert claim.code == "tf.strings.join(['a',  '模型'])".replace(",  ", ", ")


def test_python2_code_has_no_calls() -> None:
    assert calls("print tf.add(1, 2)") == ()
