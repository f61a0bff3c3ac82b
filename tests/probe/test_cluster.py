"""Documents about several devices and machines, from their text to the verdict, in a real sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.documents import load
from verifier.extract import extract
from verifier.index import open_index
from verifier.judge import decide
from verifier.model import ClaimKind, Limits, Run, Status, StepFate, Verdict
from verifier.probe import gather
from verifier.sandbox.base import Sandbox

MIRRORED = """面试官：单机多卡怎么训练？

答：用 MirroredStrategy，把两块显卡都列出来：

```python
import numpy as np
import tensorflow as tf
strategy = tf.distribute.MirroredStrategy(devices=["/gpu:0", "/gpu:1"])
print(strategy.num_replicas_in_sync)
with strategy.scope():
    net = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
    net.compile(optimizer="sgd", loss="mse")
net.fit(np.ones((8, 3)), np.ones((8, 1)), batch_size=4, verbose=0)
```
"""
MEMORY = """面试官：怎么让显存按需增长？

答：先拿到显卡列表，再逐个设置：

```python
import tensorflow as tf
gpus = tf.config.list_physical_devices('GPU')
tf.config.experimental.set_memory_growth(gpus[0], True)
tf.config.set_visible_devices(gpus[1:], 'GPU')
total = tf.reduce_sum(tf.ones((2, 3)))
```
"""
WORKERS = """Q: How do two machines train together?

A: Each gets its own TF_CONFIG:

```python
import os, json
import tensorflow as tf
os.environ["TF_CONFIG"] = json.dumps({
    "cluster": {"worker": ["alpha.example:2222", "beta.example:2222"]},
    "task": {"type": "worker", "index": 0},
})
strategy = tf.distribute.MultiWorkerMirroredStrategy()

@tf.function
def total():
    def replica():
        context = tf.distribute.get_replica_context()
        mine = tf.cast(context.replica_id_in_sync_group, tf.float32) + 1.0
        return context.all_reduce(tf.distribute.ReduceOp.SUM, mine)
    return strategy.run(replica)

print(strategy.num_replicas_in_sync, float(total()))
```
"""
SERVERS = """面试官：参数服务器怎么用？

答：协调者创建策略，工作机只启动服务器：

```python
import os, json
import tensorflow as tf
os.environ["TF_CONFIG"] = json.dumps({
    "cluster": {"chief": ["10.0.0.1:4000"], "ps": ["10.0.0.2:4000"], "worker": ["10.0.0.3:4000", "10.0.0.4:4000"]},
    "task": {"type": "chief", "index": 0},
})
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ("worker", "ps"):
    server = tf.distribute.Server(resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id)
    server.join()
strategy = tf.distribute.ParameterServerStrategy(resolver)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
with strategy.scope():
    count = tf.Variable(0.0)

@tf.function
def work():
    count.assign_add(1.0)

for _ in range(6):
    coordinator.schedule(work)
coordinator.join()
print(count.numpy())
```
"""
CENTRAL = """Q: What does central storage do?

```python
import tensorflow as tf
strategy = tf.distribute.experimental.CentralStorageStrategy()
with strategy.scope():
    v = tf.Variable(3.0)
print(strategy.run(lambda: v * 2.0))
```
"""
LOOP = """Q: How do I write my own distributed loop?

```python
import tensorflow as tf
strategy = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1"])
data = tf.data.Dataset.from_tensor_slices(tf.range(8.0)).batch(4)
shared = strategy.experimental_distribute_dataset(data)

@tf.function
def step(batch):
    part = strategy.run(lambda x: tf.reduce_sum(x), args=(batch,))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, part, axis=None)

for batch in shared:
    print(float(step(batch)))
```
"""
TPU = """面试官：怎么用 TPU？

```python
import tensorflow as tf
resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu='')
tf.config.experimental_connect_to_cluster(resolver)
tf.tpu.experimental.initialize_tpu_system(resolver)
strategy = tf.distribute.TPUStrategy(resolver)
```
"""
ONE_SERVER = """Q: Show me a cluster of one server.

```python
import tensorflow as tf
cluster = tf.train.ClusterSpec({"local": ["localhost:4444"]})
server = tf.distribute.Server(cluster, job_name="local", task_index=0)
with tf.compat.v1.Session(server.target, graph=tf.Graph()) as session:
    print(session.run(tf.constant(5)))
```
"""
FAULTY = """Q: How do I name the devices?

```python
import tensorflow as tf
strategy = tf.distribute.MirroredStrategy(devices=["/gpu:0", "/gpu:1"])
print(strategy.number_of_replicas)
```
"""
TOO_MANY = """Q: What about eight machines?

```python
import os, json
import tensorflow as tf
os.environ["TF_CONFIG"] = json.dumps({
    "cluster": {"worker": ["host%d:2222" % n for n in range(8)]},
    "task": {"type": "worker", "index": 0},
})
strategy = tf.distribute.MultiWorkerMirroredStrategy()
```
"""


def _check(text: str, sandbox: Sandbox, folder: Path, seconds: float = 20.0) -> tuple[Verdict, Run]:
    """The verdict on the one snippet of a document, and its run."""
    path = folder / "notes.md"
    path.write_text(text, encoding="utf-8")
    document = load(path, None)
    claims = extract(document).claims
    (snippet,) = (claim for claim in claims if claim.kind is ClaimKind.SNIPPET)
    limits = Limits(wall_seconds=seconds)
    found = gather(document, claims, open_index("tf-2.21"), sandbox, limits, environment="tf-2.21").evidence
    (run,) = (item.run for item in found if item.claim == snippet.id and item.run is not None)
    verdicts = decide(claims, found, "tf-2.21")
    return next(verdict for verdict in verdicts if verdict.claim == snippet.id), run


def _printed(run: Run) -> str:
    return "".join(step.stdout for step in run.steps)


@pytest.mark.parametrize(
    ("text", "companions", "printed"),
    [
        pytest.param(MIRRORED, (), "2\n", id="two-gpus"),
        pytest.param(LOOP, (), "6.0\n22.0\n", id="own-loop"),
        pytest.param(WORKERS, ("worker 1",), "2 3.0\n", id="two-workers"),
        pytest.param(SERVERS, ("ps 0", "worker 0", "worker 1"), "6.0\n", id="parameter-server"),
    ],
)
def test_it_works_with_what_stands_in(
    text: str, companions: tuple[str, ...], printed: str, sandbox: Sandbox, tmp_path: Path
) -> None:
    verdict, run = _check(text, sandbox, tmp_path)
    assert (verdict.status, verdict.confidence) == (Status.WORKS, "likely"), verdict.message
    assert tuple(sorted(run.companions)) == companions
    assert _printed(run) == printed
    assert run.standins


@pytest.mark.parametrize(
    ("text", "printed"),
    [pytest.param(CENTRAL, "6.0", id="central-storage"), pytest.param(ONE_SERVER, "5", id="one-server")],
)
def test_what_works_on_one_machine_is_sure(text: str, printed: str, sandbox: Sandbox, tmp_path: Path) -> None:
    verdict, run = _check(text, sandbox, tmp_path)
    assert (verdict.status, verdict.confidence) == (Status.WORKS, "sure"), verdict.message
    assert printed in _printed(run)
    assert not run.standins
    assert not run.companions


def test_a_missing_gpu_is_lent_after_an_honest_failure(sandbox: Sandbox, tmp_path: Path) -> None:
    verdict, run = _check(MEMORY, sandbox, tmp_path)
    assert (verdict.status, verdict.confidence) == (Status.WORKS, "likely"), verdict.message
    assert [item.name for item in run.standins] == ["GPU"]
    assert {1, 2, 3} <= set(run.tainted)
    assert 4 not in run.tainted


def test_a_missing_tpu_is_nobodys_fault(sandbox: Sandbox, tmp_path: Path) -> None:
    verdict, _ = _check(TPU, sandbox, tmp_path)
    assert (verdict.status, verdict.rule) == (Status.UNPROVEN, "needs-accelerator")


def test_a_name_that_does_not_exist_is_found_among_devices_that_stand_in(sandbox: Sandbox, tmp_path: Path) -> None:
    verdict, run = _check(FAULTY, sandbox, tmp_path)
    assert verdict.status is Status.BROKEN
    assert [step.fate for step in run.steps] == [StepFate.FINISHED, StepFate.FINISHED, StepFate.RAISED]


def test_a_cluster_that_is_too_large_accuses_nobody(sandbox: Sandbox, tmp_path: Path) -> None:
    verdict, run = _check(TOO_MANY, sandbox, tmp_path, seconds=2.0)
    assert (verdict.status, verdict.rule) == (Status.UNPROVEN, "timeout")
    assert run.companions == ()
