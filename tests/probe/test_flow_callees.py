"""What calls of methods mean, by the objects that were there when their statement had its turn."""

from __future__ import annotations

from samples import call, document, snippet

from verifier.index import open_index
from verifier.judge import decide
from verifier.model import CallForm, Claim, Evidence, Limits, Lookup, Status
from verifier.probe import gather
from verifier.sandbox.base import Sandbox

CODE = """import numpy as np
import pandas as pd
import tensorflow as tf
import matplotlib.pyplot as plt
net = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1, name='top')])
net.compile(optimizer=tf.keras.optimizers.RMSprop(0.1, decay=0.5), loss='mse')
top = net.get_layer('top')
table = pd.DataFrame({'a': [1]})
means = table.groupby('a').mean()
figure, axes = plt.subplots()
axes.plot([1, 2])
few = tf.data.Dataset.range(4).batch(2)
pairs = few.take(1)
number = tf.constant(3).numpy()
word = 'a'.upper()
class Own:
    def fit(self): return 1
own = Own()
own.fit()
broken = 1 / 0
net.fit(broken, epoch=3)
net.fit(broken, nb_epoch=3)
net.evaluate(broken, verbose=0)
later = few.map(broken)
"""


def _gathered(sandbox: Sandbox, *claims: Claim) -> list[Evidence]:
    names = open_index("tf-2.21")
    return gather(document(), (snippet("s", CODE), *claims), names, sandbox, Limits(), environment="tf-2.21").evidence


def _claims(texts: dict[str, str]) -> list[Claim]:
    claims = []
    for text, target in texts.items():
        keywords = tuple(word for word in ("epoch", "nb_epoch", "verbose", "optimizer", "loss") if f"{word}=" in text)
        form = CallForm(positional=1, keywords=keywords)
        claims.append(call(CODE, text, target, call=form))
    return claims


def _lookups(sandbox: Sandbox, texts: dict[str, str]) -> list[Lookup | None]:
    claims = _claims(texts)
    told = {item.claim: item.lookup for item in _gathered(sandbox, *claims) if item.environment == "tf-2.21"}
    return [told.get(claim.id) for claim in claims]


def test_methods_are_known_by_their_public_names(sandbox: Sandbox) -> None:
    texts = {
        "net.compile(optimizer=tf.keras.optimizers.RMSprop(0.1, decay=0.5), loss='mse')": "net.compile",
        "net.get_layer('top')": "net.get_layer",
        "table.groupby('a')": "table.groupby",
        "axes.plot([1, 2])": "axes.plot",
        "few.take(1)": "few.take",
    }
    found = _lookups(sandbox, texts)
    assert [lookup.canonical if lookup else None for lookup in found] == [
        "keras.Model.compile",
        "keras.Model.get_layer",
        "pandas.DataFrame.groupby",
        "matplotlib.axes.Axes.plot",
        "tensorflow.data.Dataset.take",
    ]
    assert found[1] is not None and found[1].signature == "(name=None, index=None)"
    assert all(lookup is not None and lookup.binds in {"", None} for lookup in found)


def test_what_only_running_could_tell_stays_untold(sandbox: Sandbox) -> None:
    texts = {"table.groupby('a').mean()": ".mean", "own.fit()": "own.fit", "'a'.upper()": "upper"}
    assert _lookups(sandbox, texts) == [None, None, None]


def test_a_call_that_was_never_run_is_held_against_the_signature(sandbox: Sandbox) -> None:
    texts = {
        "net.fit(broken, epoch=3)": "net.fit",
        "net.fit(broken, nb_epoch=3)": "net.fit",
        "net.evaluate(broken, verbose=0)": "net.evaluate",
    }
    wrong, old, right = _lookups(sandbox, texts)
    assert wrong is not None and wrong.binds == "got an unexpected keyword argument 'epoch'"
    assert (wrong.keyword, wrong.accepted) == ("epoch", "")
    assert old is not None and old.keyword == "nb_epoch" and old.renamed_to == "epochs"
    assert right is not None and right.binds == ""


def test_verdicts_say_what_a_call_is_and_what_it_ignored(sandbox: Sandbox) -> None:
    texts = {
        "net.get_layer('top')": "net.get_layer",
        "net.fit(broken, epoch=3)": "net.fit",
        "net.evaluate(broken, verbose=0)": "net.evaluate",
    }
    ignored = call(
        CODE,
        "tf.keras.optimizers.RMSprop(0.1, decay=0.5)",
        "tf.keras.optimizers.RMSprop",
        call=CallForm(positional=1, keywords=("decay",)),
    )
    compiled = call(CODE, CODE.splitlines()[5], "net.compile", call=CallForm(keywords=("optimizer", "loss")))
    claims = [*_claims(texts), ignored, compiled]
    evidence = _gathered(sandbox, *claims)
    _, *told = decide((snippet("s", CODE), *claims), evidence, "tf-2.21")
    assert told[0].notes == ("it is `keras.Model.get_layer(name=None, index=None)`",)
    assert (told[1].status, told[1].rule) == (Status.BROKEN, "wrong-argument")
    assert (told[2].status, told[2].rule) == (Status.UNPROVEN, "blocked")
    assert told[3].status is Status.WORKS
    assert told[3].notes[0].startswith("accepted and ignored: `decay`")
    assert not any("decay" in note for note in told[4].notes)
