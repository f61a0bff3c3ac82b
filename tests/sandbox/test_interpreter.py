"""Which Python an environment is built on, and what takes its place where there is none."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from verifier.errors import SandboxUnavailable
from verifier.model.environments import is_substituted, plain_name, release_of
from verifier.sandbox import interpreter
from verifier.sandbox.building import MANIFEST, pins
from verifier.sandbox.definition import Definition, read_definition
from verifier.sandbox.environment import ensure, is_ready, needs_substitute
from verifier.sandbox.interpreter import InterpreterMissing, find_interpreter

OLD = Definition(name="old", title="", tensorflow="1", python=">=3.7,<3.9", lock="")


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with no interpreter but the running one."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("VERIFIER_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("PYENV_ROOT", "UV_PYTHON_INSTALL_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(interpreter, "_SYSTEM", ())
    return tmp_path


def _python(path: Path, version: tuple[int, int, int], *, free_threaded: bool = False) -> None:
    """An executable that answers as a Python of this version would."""
    answer = json.dumps([str(path), version, str(path.parents[1]), free_threaded])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{answer}'\n")
    path.chmod(0o755)


def _shim(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\nexit 127\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    "place",
    [
        "bin/python3.8",
        ".pyenv/versions/3.8.18/bin/python3.8",
        ".local/share/uv/python/cpython-3.8.20-linux-x86_64-gnu/bin/python3.8",
    ],
)
def test_it_is_found_where_people_and_version_managers_put_it(bare_machine: Path, place: str) -> None:
    _shim(bare_machine / "bin" / "python3.7")
    _python(bare_machine / place, (3, 8, 18))
    found = find_interpreter(OLD)
    assert (found.executable, found.version) == (str(bare_machine / place), "3.8.18")


def test_version_managers_may_keep_it_elsewhere(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _python(bare_machine / "managed" / "versions" / "3.7.9" / "bin" / "python3.7", (3, 7, 9))
    monkeypatch.setenv("PYENV_ROOT", str(bare_machine / "managed"))
    assert find_interpreter(OLD).version == "3.7.9"


def test_a_shim_that_stands_for_nothing_hides_no_interpreter(bare_machine: Path) -> None:
    _shim(bare_machine / "bin" / "python3.8")
    _python(bare_machine / ".pyenv" / "versions" / "3.8.2" / "bin" / "python3.8", (3, 8, 2))
    assert find_interpreter(OLD).version == "3.8.2"


def test_the_running_python_comes_first(bare_machine: Path) -> None:
    _python(bare_machine / "bin" / "python3.12", (3, 12, 99))
    any_ = Definition(name="any", title="", tensorflow="2", python=">=3.10,<3.20", lock="")
    assert find_interpreter(any_).executable == sys.executable


def test_one_without_the_interpreter_lock_does_not_serve(bare_machine: Path) -> None:
    _python(bare_machine / "bin" / "python3.8", (3, 8, 1), free_threaded=True)
    with pytest.raises(InterpreterMissing):
        find_interpreter(OLD)


def test_packages_that_were_never_published_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter.platform, "machine", lambda: "riscv64")
    assert needs_substitute("tf-1.15")
    with pytest.raises(InterpreterMissing, match="never published for riscv64"):
        find_interpreter(read_definition("tf-1.15"))


def test_none_is_ever_downloaded(bare_machine: Path) -> None:
    _shim(bare_machine / "bin" / "python3.8")
    with pytest.raises(SandboxUnavailable, match=r"needs Python >=3\.7,<3\.9"):
        find_interpreter(OLD)


def _build(definition: Definition, found: interpreter.Interpreter, folder: Path) -> None:
    folder.mkdir()
    manifest = {
        "python": found.version,
        "prefix": found.prefix,
        "packages": [["tensorflow-cpu", definition.tensorflow]],
    }
    (folder / MANIFEST).write_text(json.dumps(manifest))


@pytest.fixture
def middle(bare_machine: Path) -> None:
    """The machine has a Python for tf-2.15, should the running one not do."""
    _python(bare_machine / "bin" / "python3.11", (3, 11, 9))


@pytest.mark.usefixtures("middle")
def test_release_1_is_stood_in_for_openly_where_its_python_is_missing() -> None:
    assert needs_substitute("tf-1.15")
    assert not is_ready("tf-1.15")
    folder = ensure("tf-1.15", builder=_build)
    assert folder.name == "tf-1.15 (tf.compat.v1 of 2.15)"
    assert is_substituted(folder.name)
    assert (plain_name(folder.name), release_of(folder.name)) == ("tf-1.15", "1.15")
    assert "stands in for" in folder.title
    assert dict(folder.variables)["VERIFIER_SUBSTITUTE"] == "compat.v1"
    assert folder.describe().name == folder.name
    assert is_ready("tf-1.15")
    assert ensure("tf-2.15", builder=_build).path == folder.path


@pytest.mark.usefixtures("middle")
def test_release_1_itself_is_preferred(bare_machine: Path) -> None:
    _python(bare_machine / ".pyenv" / "versions" / "3.7.16" / "bin" / "python3.7", (3, 7, 16))
    assert not needs_substitute("tf-1.15")
    folder = ensure("tf-1.15", builder=_build)
    assert (folder.name, folder.python) == ("tf-1.15", "3.7.16")
    assert "VERIFIER_SUBSTITUTE" not in dict(folder.variables)


def test_what_builds_from_source_is_locked_too() -> None:
    definition = read_definition("tf-1.15")
    builders = pins(definition.lock, ("setuptools", "wheel"))
    assert definition.from_source == ("gast",)
    assert builders.count("==") == 2
    assert builders.count("--hash=sha256:") >= 2
    assert all(f"\n{name}==" in f"\n{definition.lock}" for name in definition.from_source)
