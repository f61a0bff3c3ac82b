"""Where no stand-in is honest there is none, and what a stand-in may have caused is charged to nobody."""

from __future__ import annotations

import pytest
from samples import snippet
from tried import tried

from verifier.model import Claim, ClaimKind, Polarity, Span, Status
from verifier.probe.standins.supply import supply
from verifier.sandbox.base import Sandbox

pytestmark = pytest.mark.sandbox

# Names or uses that tell nothing, or contradict one another: (what, code, names that nothing may stand in for).
GUESSES = [
    ("a function of the author's", "result = prepare(data)\nprint(result)", {"prepare", "data"}),
    ("a name without any use that tells", "z = x + 1\nprint(z)", {"x"}),
    ("a telling name, used otherwise", "labels.sort()\nprint(labels)", {"labels"}),
    ("a telling use, of a name that says nothing", "tf.keras.layers.Dense(q)", {"q"}),
    ("a model of another library", "import torch\nmodel.eval()\nmodel.parameters()", {"model"}),
    ("a model with foreign methods", "print(model.score(x_test, y_test))", {"model"}),
    ("a data set with elements of any kind", "for item in dataset:\n    print(item)", {"dataset"}),
    ("a data set and an array", "print(train_data.shape)\nfor a, b in train_data:\n    print(a)", {"train_data"}),
    ("a number nobody knows", "print(tf.range(threshold))", {"threshold"}),
    ("a scope of anything", "with session.scope():\n    print(1)", {"session"}),
    ("a use of another thing of that name", "def f(x):\n    return tf.image.flip_up_down(x)\nz = x + 1", {"x"}),
    ("several inputs", "net.fit([x_a, x_b], y_train)", {"x_a", "x_b"}),
    ("a path", "print(open(path_to_file).read())", {"path_to_file"}),
    ("a configuration", "print(cfg.units, cfg['rate'])", {"cfg"}),
]


@pytest.mark.parametrize(("code", "names"), [row[1:] for row in GUESSES], ids=[row[0] for row in GUESSES])
def test_no_stand_in_where_the_role_is_a_guess(sandbox: Sandbox, code: str, names: set[str]) -> None:
    done = tried(sandbox, code, stages=(supply,))
    assert not names & set(done.standins)
    assert done.verdict.status is Status.UNPROVEN
    assert done.verdict.rule in {"missing-context", "missing-library"}


SMALL = """
net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])
net.compile("adam", "mse")
"""

# Failures that other data might not have led to.
OURS = [
    ("a shape that only the author's data have", SMALL + "net.fit(x_train, y_train)\nprint(x_train[:, 5])"),
    ("a key of a history", SMALL + "h = net.fit(x_train, y_train)\nprint(h.history['acc'])"),
    ("a method of what stands in", SMALL + "net.fit(x_train, y_train)\nx_train.to_frame()"),
    ("through another name", SMALL + "net.fit(x_train, y_train)\nlonger = x_train * 2\nlonger.reshape(7, 9, 11)"),
    ("through a function", SMALL + "def cut():\n    return x_train[1000]\nnet.fit(x_train, y_train)\ncut()"),
    ("an architecture", "model.compile('adam', 'mse')\nmodel.fit(x_train, y_train)\nprint(model.layers[40])"),
    ("a class of ours", "model.compile('adam', 'mse')\nmodel.fit(x_train, y_train)\nmodel.freeze_encoder()"),
]


@pytest.mark.parametrize("code", [row[1] for row in OURS], ids=[row[0] for row in OURS])
def test_a_failure_that_a_stand_in_may_have_caused_is_unproven(sandbox: Sandbox, code: str) -> None:
    done = tried(sandbox, code, stages=(supply,))
    assert done.ran[-1] == "raised" and done.standins
    assert done.verdict.status is Status.UNPROVEN
    assert done.verdict.rule == "missing-context"
    assert "may have caused" in done.verdict.message


# Faults that no data could have mended: (what, code, rule).
THEIRS = [
    ("an unknown argument", SMALL + "net.fit(x_train, y_train, epoch=3)", "wrong-argument"),
    ("an unknown argument of a model of ours", "model.compile(optimiser='adam')\nmodel.fit(x, y)", "wrong-argument"),
    ("an unknown function", SMALL + "net.fit(x_train, y_train)\ntf.math.reduce_avg(x_train)", "unknown-name"),
    ("an unknown method", SMALL + "net.fit(x_train, y_train)\nnet.fit_all()", "unknown-name"),
    ("an unknown layer", SMALL + "net.fit(x_train, y_train)\nnet.get_layer('Conv2D')", "raises"),
    ("an unknown loss", SMALL + "net.fit(x, y)\nnet.compile(loss='meen_squared')\nnet.fit(x, y)", "raises"),
    ("a fault beside the data", SMALL + "net.fit(x, y)\ntf.constant([1, 2]) + tf.constant([1, 2, 3])", "raises"),
]


@pytest.mark.parametrize(("code", "rule"), [row[1:] for row in THEIRS], ids=[row[0] for row in THEIRS])
def test_an_independent_fault_counts_as_before(sandbox: Sandbox, code: str, rule: str) -> None:
    done = tried(sandbox, code, stages=(supply,))
    assert done.standins
    assert (done.verdict.status, done.verdict.rule) == (Status.BROKEN, rule), done.verdict


def test_a_fault_that_shows_without_stand_ins_is_not_lost_when_theirs_block_it(sandbox: Sandbox) -> None:
    code = SMALL + "w = net.fit(x_train, y_train)\nnet.get_layer('missing')\nx_train.nothing\n"
    done = tried(sandbox, code, stages=(supply,))
    assert done.verdict.status is Status.BROKEN and "missing" in done.verdict.message


def test_a_variable_of_the_environment_that_is_not_plain_is_nobodys_fault(sandbox: Sandbox) -> None:
    done = tried(sandbox, "import json, os\nroles = json.loads(os.environ['ROLES'])", stages=(supply,))
    assert not done.standins
    assert (done.verdict.status, done.verdict.rule) == (Status.UNPROVEN, "missing-context")


def _output(code: str, statement: str, stated: str, **more: object) -> Claim:
    start = code.index(statement)
    place = Span(start=start, end=start + len(statement))
    fields = {"id": "o", "kind": ClaimKind.OUTPUT, "document": "notes.md", "span": Span(start=0, end=1), "passage": 0}
    return Claim(**fields, quote=stated, about="s0", code=stated, code_span=place, **more)


@pytest.mark.parametrize("stated", ["(64, 4)", "(50000, 4)"])
def test_a_result_that_comes_out_of_stand_ins_is_not_compared(sandbox: Sandbox, stated: str) -> None:
    code = (SMALL + "net.fit(x_train, y_train)\nprint(x_train.shape)\nprint(1 + 1)").strip()
    told = _output(code, "print(x_train.shape)", stated)
    verdict = tried(sandbox, code, stages=(supply,), more=(told,)).verdicts["o"]
    assert verdict.status is Status.UNPROVEN and "cannot be compared" in verdict.message


def test_a_result_beside_stand_ins_is_compared(sandbox: Sandbox) -> None:
    code = (SMALL + "net.fit(x_train, y_train)\nprint(1 + 1)").strip()
    verdict = tried(sandbox, code, stages=(supply,), more=(_output(code, "print(1 + 1)", "3"),)).verdicts["o"]
    assert (verdict.status, verdict.rule) == (Status.BROKEN, "output-differs")


def test_code_that_should_fail_and_ran_with_stand_ins_refutes_nobody(sandbox: Sandbox) -> None:
    code = (SMALL + "net.fit(x_train, y_train)").strip()
    claim = snippet("n", code, polarity=Polarity.NEGATED)
    done = tried(sandbox, code, stages=(supply,), more=(claim,))
    assert done.verdicts["n"].status is Status.UNPROVEN
