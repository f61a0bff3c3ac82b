"""Which cluster a piece of code names, who plays its tasks, and how many GPUs it speaks of. Nothing is run."""

from __future__ import annotations

import ast

import pytest

from verifier.model import NO_RIG, Companion, Fault, Limits, Rig, Step, StepFate
from verifier.probe.cluster import companions_of, rig_of, roomy, supplied_by, tainted_by
from verifier.probe.devices import asking, devices_at_once, devices_named
from verifier.probe.literals import Unknown, worth
from verifier.probe.plan import parse

TWO_WORKERS = """
import os, json
os.environ["TF_CONFIG"] = json.dumps({
    "cluster": {"worker": ["a.example:2222", "b.example:2222"]},
    "task": {"type": "worker", "index": 1}})
"""
SERVED = (
    '{"cluster": {"chief": ["c:1"], "ps": ["p:2"], "worker": ["w:3", "v:4"]}, "task": {"type": "chief", "index": 0}}'
)


def _rig(*codes: str) -> Rig:
    return rig_of(parse(code) for code in codes)


@pytest.mark.parametrize(
    "code", ["x = 1", "strategy = tf.distribute.MirroredStrategy()", TWO_WORKERS, "with tf.device('/gpu:0'): f()"]
)
def test_code_of_one_process_needs_nothing_around_it(code: str) -> None:
    assert _rig(code) == NO_RIG


def test_workers_that_train_together_run_the_same_code() -> None:
    rig = _rig(TWO_WORKERS + "strategy = tf.distribute.MultiWorkerMirroredStrategy()")
    assert rig.task == ("worker", 1)
    assert rig.companions == (Companion(tasks=(("worker", 0),)),)
    assert rig.loopback == (("a.example:2222", "127.0.0.1:2222"), ("b.example:2222", "127.0.0.1:2223"))
    assert companions_of(rig) == ("worker 0",)
    (told,) = supplied_by(rig)
    assert told.role.startswith("ran as worker 1 of 2 on this machine; beside it, each with the same code: worker 0")


WRITTEN = (
    f"os.environ['TF_CONFIG'] = '{SERVED}'",
    f"os.environ.update({{'TF_CONFIG': '{SERVED}'}})",
    f"os.environ.setdefault('TF_CONFIG', '{SERVED}')",
    f"def configure():\n    os.environ['TF_CONFIG'] = '{SERVED}'\nconfigure()",
    f"""
config = json.loads('{SERVED}')
config['task']['index'] = 0
os.environ['TF_CONFIG'] = json.dumps(config, indent=2)""",
    """
port = 1
hosts = {'chief': [f'c:{port}'], 'ps': ['p:%d' % 2], 'worker': ['w:' + str(3), 'v:4']}
task = dict(type='chief', index='0')
os.environ['TF_CONFIG'] = json.dumps({'cluster': hosts, 'task': task})""",
    """
workers = ['%s:%d' % (name, 3) for name in ['w', 'v']]
cluster = {'chief': ['c:1'], 'ps': ['p:2'], 'worker': workers}
os.environ['TF_CONFIG'] = json.dumps({'cluster': cluster, 'task': {'type': 'chief', 'index': 0}})""",
)


@pytest.mark.parametrize("setting", WRITTEN)
def test_ways_to_write_a_cluster_down(setting: str) -> None:
    rig = _rig(setting, "coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)")
    assert rig.task == ("chief", 0)
    assert sorted(companions_of(rig)) == ["ps 0", "worker 0", "worker 1"]
    assert all(companion.serves for companion in rig.companions)


def test_the_cluster_that_holds_when_the_code_connects_is_meant() -> None:
    start = "strategy = tf.distribute.MultiWorkerMirroredStrategy()\n"
    assert _rig(TWO_WORKERS + start + TWO_WORKERS.replace('"index": 1', '"index": 0')).task == ("worker", 1)
    assert _rig(TWO_WORKERS, TWO_WORKERS.replace('"index": 1', '"index": 0'), start).task == ("worker", 0)


def test_servers_that_the_document_starts_itself_are_left_to_it() -> None:
    code = (
        "cluster = tf.train.ClusterSpec({'ps': ['localhost:2222'], 'worker': ['localhost:2223', 'localhost:2224']})\n"
        "server = tf.train.Server(cluster, job_name='worker', task_index=0)\n"
        "with tf.train.MonitoredTrainingSession(master=server.target) as session: pass"
    )
    assert sorted(companions_of(_rig(code))) == ["ps 0", "worker 1"]
    assert _rig(code).task == ("worker", 0)
    assert _rig(code.replace("task_index=0", "task_index=i")).companions == ()
    assert _rig(code.rpartition("\n")[0]).companions == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"b.example:2222"]', '"b.example:2222", "c:1", "d:1", "e:1"]'),  # more processes than a cell allows
        ('"index": 1', '"index": int(sys.argv[1])'),
        ('"b.example:2222"', '"b.example"'),
        ('"b.example:2222"', "hosts[1]"),
        ('"type": "worker"', '"type": "evaluator"'),
    ],
)
def test_a_cluster_that_cannot_be_played_has_no_companions(before: str, after: str) -> None:
    code = TWO_WORKERS + "strategy = tf.distribute.MultiWorkerMirroredStrategy()"
    assert before in code
    assert _rig(code).companions
    assert _rig(code.replace(before, after)).companions == ()


def test_many_servers_share_few_processes() -> None:
    wide = SERVED.replace('["w:3", "v:4"]', '["w:3", "v:4", "u:5", "t:6"]')
    rig = _rig(f"os.environ['TF_CONFIG'] = '{wide}'\nstrategy = tf.distribute.ParameterServerStrategy(resolver)")
    assert len(rig.companions) == 3
    assert len(companions_of(rig)) == 5
    assert roomy(Limits(processes=100), rig).processes > 100
    assert roomy(Limits(processes=100), NO_RIG) == Limits(processes=100)


@pytest.mark.parametrize(
    ("code", "at_once", "named"),
    [
        ("tf.distribute.MirroredStrategy(devices=['/gpu:0', '/gpu:1'])", 2, 2),
        ("tf.distribute.MirroredStrategy(['GPU:0', 'GPU:2'])", 3, 3),
        ("tf.distribute.MirroredStrategy()", 0, 0),
        ("tf.distribute.OneDeviceStrategy('/gpu:0')", 0, 1),
        ("gpus = tf.config.list_physical_devices('GPU')\ntf.config.set_visible_devices(gpus[1], 'GPU')", 0, 2),
        ("tf.config.experimental.list_physical_devices(device_type='GPU')[0]", 0, 1),
        ("with tf.device('/job:worker/task:0/device:GPU:3'): f()", 0, 4),
        ("print('GPU training is fast')", 0, 0),
        ("print('run on gpu:0 please')", 0, 0),
        ("with tf.device('/cpu:0'): f()", 0, 0),
        ("tf.device('gpu:500')", 0, 8),
    ],
)
def test_how_many_gpus_are_named(code: str, at_once: int, named: int) -> None:
    assert devices_at_once([parse(code)]) == at_once
    assert devices_named([parse(code)]) == named


def test_what_comes_of_asking_for_gpus() -> None:
    code = "gpus = tf.config.list_physical_devices('GPU')\nx = 1\nn = len(gpus)\nn = 2\nprint(n)\ngpus.append(x)"
    names: set[str] = set()
    modules = frozenset({"tf"})
    assert asking(parse(code), names, modules) == {0, 2, 5}
    assert asking(parse("tf.config.set_visible_devices(gpus)\nprint(x)\ntf.add(x, x)"), names, modules) == {0}


def test_only_what_the_stage_could_have_caused_rests_on_it() -> None:
    def step(kind: str = "", message: str = "", **more: str) -> Step:
        fault = Fault(type=kind, message=message) if kind else None
        return Step(program=0, statement=0, fate=StepFate.RAISED if kind else StepFate.FINISHED, fault=fault, **more)

    played = _rig(TWO_WORKERS + "strategy = tf.distribute.MultiWorkerMirroredStrategy()")
    torn = step("tensorflow.python.framework.errors_impl.UnavailableError", "Connection reset by peer")
    late = step("RuntimeError", "Collective ops must be configured at program startup")
    assert tainted_by(played, [torn]) == tainted_by(played, [late]) == (0,)
    assert tainted_by(played, [step("ValueError", "no such shape")]) == ()
    assert tainted_by(NO_RIG, [torn]) == ()
    assert tainted_by(Rig(gpus=1), [step("ValueError", "anything")]) == (0,)
    assert tainted_by(Rig(gpus=1), [step(stdout="/device:CPU:1")]) == (0,)
    assert tainted_by(played, [step(value="'grpc://127.0.0.1:2222'")]) == (0,)
    assert tainted_by(played, [step(stdout="2")]) == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': [1, (2, n)]}", {"a": [1, [2, 7]]}),
        ("'%s:%d' % ('h', n)", "h:7"),
        ("f'h:{n}'", "h:7"),
        ("[str(i) for i in range(2)]", ["0", "1"]),
        ("json.loads('[1]')[0]", 1),
        ("dict(a=n)", {"a": 7}),
    ],
)
def test_what_an_expression_is_worth(text: str, value: object) -> None:
    assert worth(ast.parse(text, mode="eval").body, {"n": 7}) == value


@pytest.mark.parametrize(
    "text",
    ["m", "f(n)", "{**a}", "'%d' % 'x'", "[1][5]", "json.loads('{')", "range(10**9)", "f'{n:>{n}}'", "n ** n", "n / 0"],
)
def test_what_cannot_be_read_without_running_it(text: str) -> None:
    with pytest.raises(Unknown):
        worth(ast.parse(text, mode="eval").body, {"n": 7})
