"""What a fix uncovers: later faults of the same snippet, of later snippets, and when trying ends."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

import pytest
from samples import document, snippet

from verifier.errors import SandboxUnavailable
from verifier.model import Outcome, SessionJob, StepFate
from verifier.probe.fixes.mend import MENDED, mend
from verifier.probe.fixes.search import RUNS
from verifier.probe.sessions import plan_sessions
from verifier.probe.trial import attempt

CONV = """import tensorflow as tf
import matplotlib.pyplot as plt
net = tf.keras.Sequential([tf.keras.Input((8, 8, 1)), tf.keras.layers.Conv2D(4, 3, name='edges')])
kernel = net.get_layer('Edges').get_weights()[0]
print('形状', kernel.shape)
plt.plot(kernel)
plt.title('weights')
"""


def test_behind_a_misspelt_layer_stands_a_plot_that_fails_by_itself(mended) -> None:
    (treated,) = mended(CONV)
    fix, plot = treated.fixes
    assert treated.swaps == [("'Edges'", "'edges'"), ("kernel", "kernel.ravel()")]
    assert (fix.statement, plot.statement) == (3, 5)
    assert (fix.respells, plot.respells) == (True, False)
    assert treated.fates == "fffffff"
    assert [step.fate for step in treated.run.steps[3:]] == [
        StepFate.RAISED,
        StepFate.BLOCKED,
        StepFate.BLOCKED,
        StepFate.FINISHED,
    ]
    assert [step.fate for step in fix.steps[3:]] == [
        StepFate.FINISHED,
        StepFate.FINISHED,
        StepFate.RAISED,
        StepFate.FINISHED,
    ]
    fault = fix.steps[5].fault
    assert fault is not None and "2D" in fault.message
    assert fault.expression is not None and fault.expression.of(CONV) == "plt.plot(kernel)"
    assert fix.steps[4].stdout.startswith("形状 (3, 3, 1, 4)")


def test_places_behind_longer_code_are_those_of_the_author(mended) -> None:
    code = (
        "def half(x):\n    if x > 1:\n        return tf.log(x)\n    return 图\n"
        "import tensorflow as tf\nv = half(tf.constant(2.0))\nw = half(tf.constant(0.5))\n"
    )
    (treated,) = mended(code)
    (fix,) = treated.fixes
    fault = fix.steps[3].fault
    assert treated.swaps == [("tf.log", "tf.math.log")]
    assert fault is not None and fault.name == "图"
    assert fault.expression is not None and fault.expression.of(code) == "图"
    assert fault.frames[-1][1] == 4
    assert {2, 3, 4} <= set(fix.ran_lines)


def test_lines_put_in_front_move_no_line(mended) -> None:
    code = "def top():\n    return Dense(2)\n\nnet = top()\nif net:\n    print(net.unit)\n"
    (treated,) = mended(code)
    fix = treated.fixes[0]
    assert fix.edits[0].after == "from tensorflow.keras.layers import Dense\n"
    fault = next(step.fault for step in fix.steps if step.fault)
    assert fault.expression is not None and fault.expression.of(code) == "net.unit"
    assert fault.frames[-1][1] == 6


def test_faults_are_mended_one_after_another_up_to_a_limit(mended) -> None:
    names = ["tf.randomm", "tf.mathh", "tf.imagee", "tf.stringss"]
    members = ["normal([1])", "log(1.0)", "flip_up_down(tf.ones((2, 2, 1)))", "length('a')"]
    lines = [f"v{n} = {name}.{member}" for n, (name, member) in enumerate(zip(names, members, strict=True))]
    (treated,) = mended("import tensorflow as tf\n" + "\n".join(lines))
    assert len(treated.fixes) == MENDED
    assert treated.fates == "ffffr"


def test_later_code_gains_by_the_fix_of_what_it_builds_on(mended) -> None:
    first = "import tensorflow as tf\nstep = tf.keras.optimizers.SGD(lr=0.5)"
    second = "rate = step.learning_rate\nprint(step.momentun)"
    one, other = mended(first, second)
    assert one.swaps == [("lr", "learning_rate")]
    inherited = other.fixes[0]
    assert inherited.edits == ()
    assert inherited.statement == 0
    assert inherited.respells
    assert [step.fate for step in inherited.steps] == [StepFate.FINISHED, StepFate.RAISED]


def test_code_that_fails_by_itself_is_mended_by_itself(mended) -> None:
    first = "import tensorflow as tf\nwith tf.Session() as s:\n    pass"
    second = "w = tf.get_variable('w', [2])"
    third = "print(w.shape)"
    one, other, last = mended(first, second, third)
    assert one.swaps[0][1].startswith("import tensorflow.compat.v1 as tf")
    assert other.swaps == [("", "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n")]
    assert other.fates == "f"
    assert (last.swaps, last.fates) == ([], "f")


def test_behind_another_meaning_nothing_is_the_authors(mended) -> None:
    first = "import tensorflow as tf\nboth = tf.constant([1]) * tf.constant([0.5])"
    one, other = mended(first, "print(both.nmae)")
    assert [fix.respells for fix in (*one.fixes, *other.fixes)] == [False] * (len(one.fixes) + len(other.fixes))
    assert other.fixes[0].edits == ()


@pytest.mark.parametrize("code", ["weights = [1]\nprint(wieghts)", "net = Dense(2)"])
def test_what_a_missing_name_should_be_only_the_author_knows(code: str, mended) -> None:
    (treated,) = mended(code)
    assert treated.fixes
    assert not any(fix.respells for fix in treated.fixes)


def test_a_fix_that_breaks_what_worked_is_none(mended) -> None:
    code = "import tensorflow as tf\nnow = tf.constant(1).numpy()\nx = tf.placeholder(tf.float32)"
    (treated,) = mended(code)
    assert treated.fixes == ()


def test_a_statement_is_worth_so_many_runs_and_no_more(mended) -> None:
    names = ", ".join(f"'layer_{n}'" for n in range(20))
    code = f"def pick(name):\n    raise ValueError(f\"no layer {{name}}, there are {names}\")\n\npick('layer_99')"
    (treated,) = mended(code)
    assert treated.fixes == ()
    assert treated.tries <= RUNS


def test_trying_ends_in_time_and_says_how_far_it_got(mended, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.probe.fixes.mend.SECONDS", 2.0)
    began = monotonic()
    (treated,) = mended(
        "import tensorflow as tf\nimport time\nx = tf.log(1.0)\nprint(x)\nwhile x < 1:\n    time.sleep(1)"
    )
    assert monotonic() - began < 8
    assert treated.swaps == [("tf.log", "tf.math.log")]
    assert treated.fates == "ffffn"


def test_without_a_sandbox_what_is_known_stays(bench) -> None:
    class Gone:
        def run(self, _job: SessionJob) -> Outcome:
            raise SandboxUnavailable("it went away")

    (session,) = plan_sessions(document(), [snippet("s", "import tensorflow as tf\ntf.log(1.0)")])
    trial = attempt(session, bench)
    assert mend(trial, replace(bench, sandbox=Gone())) == trial


def test_code_that_works_costs_nothing(mended) -> None:
    (treated,) = mended("x = 1\nprint(x)")
    assert (treated.fixes, treated.tries) == ((), 0)
