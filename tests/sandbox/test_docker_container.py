"""What a container adds to the behaviours that every backend shows."""

from __future__ import annotations

import pytest
from backends import needs_engine

from verifier.errors import SandboxUnavailable
from verifier.model import Fate, Limits
from verifier.sandbox import choose
from verifier.sandbox.bubblewrap import BubblewrapSandbox
from verifier.sandbox.docker import DockerSandbox
from verifier.sandbox.engine import addresses

pytestmark = pytest.mark.sandbox

HOG = "hog = []\nwhile True: hog.append(bytearray(10_000_000))"


@needs_engine
class TestWarm:
    def test_it_says_how_it_isolates(self, contained) -> None:
        told = contained.environment
        assert (told.name, told.backend) == ("tf-2.21", "docker")
        assert "a fresh cell per session" in told.isolation
        assert told.python.startswith("3.")
        assert any(name.startswith("tensorflow") and version.startswith("2.21") for name, version in told.packages)
        assert len(told.digest) == 16

    def test_limits_change_between_sessions_of_one_container(self, contained, line_job) -> None:
        contained.environment  # noqa: B018 - waits until it is ready
        before = contained._wall._container
        eat = "hog = bytearray(500 << 20); print(len(hog))"
        assert contained.run(line_job(eat, limits=Limits(memory=300 << 20))).fate is Fate.OUT_OF_MEMORY
        assert contained.run(line_job(eat, limits=Limits(memory=900 << 20))).fate is Fate.FINISHED
        assert contained.run(line_job(eat, limits=Limits(memory=300 << 20))).fate is Fate.OUT_OF_MEMORY
        assert contained._wall._container == before

    def test_the_session_dies_for_its_memory_and_not_the_zygote(self, contained, line_job) -> None:
        contained.environment  # noqa: B018 - waits until it is ready
        before = contained._wall._container
        for _ in range(3):
            assert contained.run(line_job(HOG, limits=Limits(memory=200 << 20))).fate is Fate.OUT_OF_MEMORY
        assert contained.run(line_job("x = 1")).fate is Fate.FINISHED
        assert contained._wall._container == before

    def test_the_containers_own_files_are_out_of_sight(self, contained, line_job) -> None:
        code = "import os; print(sorted(os.listdir('/')), os.listdir('/etc'), os.path.exists('/.dockerenv'))"
        said = contained.run(line_job(code)).stdout
        assert "sys" not in said and "hostname" not in said and "True" not in said

    def test_what_a_library_prints_does_not_disturb_the_link(self, contained, line_job) -> None:
        code = "import sys, os; os.write(1, b'\\x00' * 100); os.write(2, b'\\xff' * 100); print('on')"
        assert contained.run(line_job(code)).stdout.endswith("on\n")


@needs_engine
def test_one_container_per_session_where_cells_cannot_be_made(image, line_job) -> None:
    with DockerSandbox("tf-2.21") as sandbox:
        sandbox._nests = False  # as where an engine forbids it: no call and no file that cells are made with
        assert "one container per session" in sandbox.environment.isolation
        code = "open('/tmp/left', 'w').write('x'); open('left', 'w').write('x'); open('/dev/shm/left', 'w').write('x')"
        assert sandbox.run(line_job(code)).fate is Fate.FINISHED
        fresh = sandbox.run(
            line_job("import os; print(os.path.exists('/tmp/left'), os.listdir('.'), os.listdir('/dev/shm'))")
        )
        assert fresh.stdout == "False [] []\n"
        assert sandbox.run(line_job("while True: pass", limits=Limits(wall_seconds=1))).fate is Fate.TIMEOUT
        assert sandbox.run(line_job(HOG, limits=Limits(memory=300 << 20))).fate is Fate.OUT_OF_MEMORY


@needs_engine
def test_an_unknown_runtime_is_refused_with_those_that_there_are(image) -> None:
    with DockerSandbox("tf-2.21", runtime="nosuchruntime") as sandbox, pytest.raises(SandboxUnavailable, match="runc"):
        sandbox.environment  # noqa: B018 - asks for the container


class TestChoice:
    def test_bubblewrap_where_it_works(self) -> None:
        assert isinstance(choose.open_sandbox(), BubblewrapSandbox)

    @needs_engine
    def test_a_container_where_it_does_not(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(choose, "refusal", lambda _: "user namespaces are forbidden here.")
        assert isinstance(choose.open_sandbox(), DockerSandbox)

    def test_a_container_when_its_runtime_is_named(self) -> None:
        assert isinstance(choose.open_sandbox(runtime="runsc"), DockerSandbox)

    def test_where_there_is_neither_it_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
        monkeypatch.setattr(choose, "refusal", lambda _: "user namespaces are forbidden here.")
        with pytest.raises(SandboxUnavailable, match=r"(?s)namespaces.*install Docker"):
            choose.open_sandbox()

    def test_usual_sockets_are_tried_in_order_unless_one_is_named(self) -> None:
        usual = addresses({"HOME": "/home/me", "XDG_RUNTIME_DIR": "/run/user/7"})
        assert usual[0] == "unix:///var/run/docker.sock"
        assert "unix:///run/user/7/podman/podman.sock" in usual
        assert addresses({"DOCKER_HOST": "tcp://engine:2376"}) == ("tcp://engine:2376",)
