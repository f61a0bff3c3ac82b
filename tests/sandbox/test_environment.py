"""Environments are built once, completely or not at all; nothing here needs the network."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import threading
import time
from pathlib import Path

import pytest

from verifier.errors import SandboxUnavailable
from verifier.sandbox import environment
from verifier.sandbox.building import MANIFEST, build, explain
from verifier.sandbox.definition import Definition, guest_folder, names, read_definition
from verifier.sandbox.environment import ensure, is_ready
from verifier.sandbox.interpreter import Interpreter, find_interpreter

_IMPORTS = (ast.Import, ast.ImportFrom)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERIFIER_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "environments"


class Builder:
    """Stands for uv: writes a manifest after a while, counts how often, fails as told."""

    def __init__(self, seconds: float = 0.0, error: BaseException | None = None) -> None:
        self.calls = 0
        self._seconds = seconds
        self._error = error

    def __call__(self, _definition: Definition, interpreter: Interpreter, folder: Path) -> None:
        self.calls += 1
        folder.mkdir()
        (folder / "half").write_text("x")
        time.sleep(self._seconds)
        if self._error:
            raise self._error
        manifest = {"python": interpreter.version, "prefix": interpreter.prefix, "packages": [["numpy", "2"]]}
        (folder / MANIFEST).write_text(json.dumps(manifest))


def test_the_second_call_finds_what_the_first_built(cache: Path) -> None:
    builder, said = Builder(), []
    assert not is_ready("tf-2.21")
    first = ensure("tf-2.21", said.append, builder)
    assert ensure("tf-2.21", said.append, builder) == first
    assert builder.calls == 1
    assert is_ready("tf-2.21")
    assert said == ["installing TensorFlow 2.21 for tf-2.21 (once, about 2 minutes)", "tf-2.21 is ready"]
    assert first.path.parent == cache
    assert first.describe("b", "i").packages == (("numpy", "2"),)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SandboxUnavailable("no")])
def test_a_build_that_breaks_off_leaves_nothing(cache: Path, error: BaseException) -> None:
    with pytest.raises(type(error)):
        ensure("tf-2.21", builder=Builder(error=error))
    assert [path.suffix for path in cache.iterdir()] == [".lock"]
    assert ensure("tf-2.21", builder=Builder()).path.is_dir()


def test_what_a_killed_build_left_is_cleared_up(cache: Path) -> None:
    path = ensure("tf-2.21", builder=Builder()).path
    path.rename(cache / f".{path.name}.unfinished")
    (cache / path.name).mkdir()
    assert ensure("tf-2.21", builder=Builder()).path == path
    assert sorted(item.name for item in cache.iterdir()) == sorted([path.name, f"{path.name}.lock"])


def test_two_at_once_build_once_and_the_second_says_that_it_waits() -> None:
    builder, said = Builder(seconds=0.5), []
    threads = [threading.Thread(target=ensure, args=("tf-2.21", said.append, builder)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert builder.calls == 1
    assert "waiting for another verify to build tf-2.21" in said


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("VERIFIER_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(SandboxUnavailable, match="VERIFIER_CACHE_DIR"):
        ensure("tf-2.21", builder=Builder())


def test_a_full_disk_is_told_before_anything_is_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.sandbox.building._ROOM", 1 << 60)
    definition = read_definition("tf-2.21")
    with pytest.raises(SandboxUnavailable, match="MiB are free"):
        build(definition, find_interpreter(definition), tmp_path / "env")


def test_without_network_the_real_builder_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("UV_INDEX_URL", "UV_DEFAULT_INDEX"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/simple")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    with pytest.raises(SandboxUnavailable, match="connect to the network once"):
        ensure("tf-2.21")


def test_a_damaged_environment_is_told(cache: Path) -> None:
    path = ensure("tf-2.21", builder=Builder()).path
    (path / MANIFEST).write_text("{")
    with pytest.raises(SandboxUnavailable, match="delete it"):
        ensure("tf-2.21", builder=Builder())


@pytest.mark.parametrize(
    ("complaint", "expected"),
    [
        ("error: No space left on device (os error 28)", "disk is full"),
        ("error: Failed to fetch: `x`\n  Caused by: dns error", "connect to the network once"),
        ("error: Hash mismatch for `numpy`", "its hash differs"),
        ("error: something else\n  Caused by: odd", "something else Caused by: odd"),
        ("", "no reason given"),
    ],
)
def test_what_the_installer_says_becomes_one_sentence(complaint: str, expected: str) -> None:
    sentence = explain(complaint, read_definition("tf-2.21"))
    assert expected in sentence
    assert "\n" not in sentence


def test_the_key_depends_on_all_that_is_inside() -> None:
    base = {"name": "n", "title": "t", "tensorflow": "2", "python": ">=3.10,<3.14", "lock": "a", "source": "s"}
    digests = {
        Definition(**base).digest("3.11.1"),
        Definition(**base).digest("3.11.2"),
        Definition(**{**base, "lock": "b"}).digest("3.11.1"),
        Definition(**{**base, "source": "r"}).digest("3.11.1"),
    }
    assert len(digests) == 4


@pytest.mark.parametrize(("version", "inside"), [((3, 9), False), ((3, 10), True), ((3, 13), True), ((3, 14), False)])
def test_ranges_of_interpreters(version: tuple[int, int], inside: bool) -> None:
    assert read_definition("tf-2.21").accepts(version) is inside


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(SandboxUnavailable, match=r"tf-2\.21"):
        read_definition("tf-9")


@pytest.mark.parametrize("name", names())
def test_locks_are_complete_and_name_no_host(name: str) -> None:
    lock = read_definition(name).lock
    pins = re.split(r"^(?=[a-z0-9])", lock, flags=re.MULTILINE)[1:]
    assert all("==" in pin and "--hash=sha256:" in pin for pin in pins)
    assert "://" not in lock


def test_the_guest_is_its_own_and_reads_as_python_3_7() -> None:
    for path in guest_folder().glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 7))
        roots = {
            name.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
        }
        roots |= {
            node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
        }
        assert "verifier" not in roots
        # Every file must be importable before TensorFlow is.
        assert not any("tensorflow" in ast.unparse(node) for node in tree.body if isinstance(node, _IMPORTS))
        assert all(importlib.util.find_spec(root) for root in roots - {"guest", "tensorflow"})


def test_the_cache_folder_follows_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VERIFIER_CACHE_DIR")
    assert environment.cache_folder().name == "verifier"
