"""How long things take: the command, a warm session, a lookup, extraction. Figures only; nothing here is a verdict."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from verifier.documents import load
from verifier.extract import extract
from verifier.index import open_index
from verifier.model import NameQuery, Program, SessionJob
from verifier.probe.plan import parse, statements
from verifier.sandbox import Sandbox, open_sandbox

VERIFY = str(Path(sys.executable).with_name("verify"))
CLAIMS = Path(__file__).parents[2] / "claims" / "transcripts"
MODEL = """
import tensorflow as tf
net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])
net.compile(optimizer="adam", loss="mse")
print(net.count_params())
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox() as opened:
        opened.run(_job("1 + 1"))
        yield opened


def _job(code: str) -> SessionJob:
    plan = statements(parse(code), absent=frozenset(), modules=frozenset())
    return SessionJob(programs=(Program(name="bench", code=code, statements=plan),))


def _verify(*arguments: str) -> None:
    subprocess.run([VERIFY, *arguments], capture_output=True, check=False)


def bench_help(benchmark) -> None:
    benchmark.pedantic(_verify, args=("--help",), rounds=10)


def bench_document_with_names_only(benchmark) -> None:
    benchmark.pedantic(_verify, args=(str(CLAIMS / "zh-platform-talk.txt"),), rounds=5)


def bench_document_with_code(benchmark) -> None:
    benchmark.pedantic(_verify, args=(str(CLAIMS / "zh-speech-webdamage.txt"),), rounds=3)


def bench_two_documents_with_code(benchmark) -> None:
    names = ("zh-speech-webdamage.txt", "en-webdamage-genomics.txt")
    benchmark.pedantic(_verify, args=tuple(str(CLAIMS / name) for name in names), rounds=3)


def bench_trivial_session(benchmark, sandbox: Sandbox) -> None:
    benchmark.pedantic(sandbox.run, args=(_job("x = 1"),), rounds=50)


def bench_keras_session(benchmark, sandbox: Sandbox) -> None:
    benchmark.pedantic(sandbox.run, args=(_job(MODEL),), rounds=20)


def bench_lookup_of_fifty_names(benchmark, sandbox: Sandbox) -> None:
    queries = tuple(NameQuery(path=f"tensorflow.math.{name}") for name in ("add", "sub", "sin", "cos", "nope") * 10)
    benchmark.pedantic(sandbox.lookup, args=(queries,), rounds=10)


def bench_extraction_of_a_megabyte(benchmark, tmp_path: Path) -> None:
    text = (CLAIMS / "zh-manager-smalltalk.txt").read_text("utf-8")
    path = tmp_path / "long.txt"
    path.write_text(text * (1_000_000 // len(text.encode())), "utf-8")
    benchmark.pedantic(extract, args=(load(str(path)),), rounds=3)


def bench_index_lookup(benchmark) -> None:
    index = open_index("tf-2.21")
    query = NameQuery(path="tensorflow.keras.layers.Conv2D.get_weights")
    benchmark(index.lookup, query)
