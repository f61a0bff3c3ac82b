"""Images: built once from what is locked, found again, and out of date as soon as anything they are made of changes."""

from __future__ import annotations

import base64
import hashlib
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from backends import need_image, needs_engine

from verifier.errors import SandboxUnavailable
from verifier.sandbox import definition
from verifier.sandbox.definition import names, read_definition
from verifier.sandbox.engine import Engine, EngineError, connect
from verifier.sandbox.gather import Target, gather
from verifier.sandbox.image import build_image, default_base, find_image, image_ready

NAME = "tiny"
DOCKERFILE = """\
ARG BASE=registry.invalid/none:1
FROM ${BASE}
COPY requirements.lock packages/ /env/packages/
RUN python3 -m venv --without-pip /env && python3 -c "import sys; sys.path.insert(0, '/env/packages'); import pebble"
"""


def wheel(folder: Path, version: str = "1.0", more: str = "") -> str:
    """Put a wheel with one module into a folder; returns its line of a lock file."""
    path = folder / f"pebble-{version}-py3-none-any.whl"
    files = {
        "pebble.py": f"version = {version!r}\n{more}",
        f"pebble-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: pebble\nVersion: {version}\n",
        f"pebble-{version}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()},{len(text)}\n"
        for name, text in files.items()
    )
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, f"pebble-{version}.dist-info/RECORD": record}.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return f"pebble=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of definitions with a tiny environment, and a cache that is empty."""
    folder = tmp_path / "sandboxes"
    (folder / NAME).mkdir(parents=True)
    shutil.copytree(definition.guest_folder(), folder / "guest", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(definition.sandboxes_folder() / "docker", folder / "docker")
    (folder / NAME / "Dockerfile").write_text(DOCKERFILE)
    (folder / NAME / "sandbox.toml").write_text(
        f"name = '{NAME}'\ntitle = 'A pebble'\ntensorflow = '0'\npython = '>=3.7,<3.20'\n"
    )
    monkeypatch.setattr(definition, "_PLACES", (folder,))
    monkeypatch.setenv("VERIFIER_CACHE_DIR", str(tmp_path / "cache"))
    return folder


@pytest.fixture
def wheels(tmp_path: Path, root: Path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    (root / NAME / "requirements.lock").write_text(wheel(folder))
    return folder


@pytest.fixture(scope="session")
def base() -> str:
    """The image that today's tf-2.21 was built on."""
    need_image()
    engine = connect()
    found = engine.images({"verifier.image": "packages", "verifier.name": "tf-2.21"})
    engine.close()
    return found[0].labels["verifier.base"]


@pytest.fixture
def engine() -> Iterator[Engine]:
    opened = connect()
    yield opened
    for made in opened.images({"verifier.name": NAME}):
        with suppress(EngineError):
            opened.remove_image(made.id)
    opened.close()


@pytest.fixture
def build(wheels: Path, base: str, engine: Engine) -> Callable[[], tuple[str, list[str]]]:
    """Build the tiny image; returns its tag and what was said meanwhile."""

    def builder() -> tuple[str, list[str]]:
        said: list[str] = []
        return build_image(NAME, base=base, wheels=wheels, progress=said.append), said

    return builder


@needs_engine
class TestBuilding:
    def test_from_a_folder_of_wheels_once(self, build, engine: Engine) -> None:
        assert not image_ready(NAME)
        tag, said = build()
        assert len(said) == 3
        assert image_ready(NAME)
        found = find_image(engine, read_definition(NAME))
        assert found.reference == tag == f"verifier/{NAME}:{found.digest}"
        assert found.packages == (("pebble", "1.0"),)
        assert (
            engine.ask(tag, "import os; print(sorted(os.listdir('/opt/guest'))[:2])")
            == "['__init__.py', '__pycache__']\n"
        )
        assert build() == (tag, [])

    def test_a_change_of_the_guest_costs_one_layer_and_no_question(self, build, engine: Engine, root: Path) -> None:
        tag, _ = build()
        (root / "guest" / "more.py").write_text("x = 1\n")
        found = find_image(engine, read_definition(NAME))
        assert found.reference != tag
        assert engine.ask(found.reference, "import os; print(os.path.exists('/opt/guest/more.py'))") == "True\n"

    @pytest.mark.parametrize("file", ["requirements.lock", "sandbox.toml", "Dockerfile"])
    def test_whatever_else_changes_makes_it_out_of_date(self, build, engine: Engine, root: Path, file: str) -> None:
        build()
        with (root / NAME / file).open("a") as text:
            text.write("# changed\n")
        with pytest.raises(SandboxUnavailable, match="verify sandbox build tiny --sandbox docker"):
            find_image(engine, read_definition(NAME))

    def test_a_wheel_that_is_not_the_locked_one_is_refused(self, build, wheels: Path) -> None:
        wheel(wheels, more="import os\n")
        with pytest.raises(SandboxUnavailable, match="hash differs"):
            build()
        assert not image_ready(NAME)

    def test_a_base_with_another_python_is_refused(self, build, root: Path) -> None:
        definition_file = root / NAME / "sandbox.toml"
        definition_file.write_text(definition_file.read_text().replace(">=3.7,<3.20", ">=3.90,<3.99"))
        with pytest.raises(SandboxUnavailable, match=r"has Python 3\..*needs >=3.90"):
            build()

    def test_a_step_that_fails_is_told_with_its_words(self, build, root: Path) -> None:
        with (root / NAME / "Dockerfile").open("a") as text:
            text.write("RUN echo the reason >&2 && exit 7\n")
        with pytest.raises(SandboxUnavailable, match="7"):
            build()

    def test_a_base_that_is_nowhere_is_said_before_and_after(self, wheels: Path) -> None:
        said: list[str] = []
        with pytest.raises(SandboxUnavailable, match="--base"):
            build_image(NAME, wheels=wheels, progress=said.append)
        assert said == ["fetching the base image registry.invalid/none:1 (once)"]


class TestDefinitions:
    @pytest.mark.parametrize("name", names())
    def test_every_environment_has_a_dockerfile_with_a_base_of_its_python(self, name: str) -> None:
        base = default_base(name)
        major, minor = base.removeprefix("python:").split("-")[0].split(".")
        assert read_definition(name).accepts((int(major), int(minor)))

    def test_markers_are_those_of_the_target_and_not_of_this_python(
        self, root: Path, wheels: Path, tmp_path: Path
    ) -> None:
        lock = root / NAME / "requirements.lock"
        old, new = (wheel(wheels, version) for version in ("1.0", "2.0"))
        lock.write_text(
            old.replace(" --hash", " ; python_full_version < '3.8' --hash")
            + new.replace(" --hash", " ; python_full_version >= '3.8' --hash")
        )
        for python, version in (("3.7.17", "1.0"), ("3.12.1", "2.0")):
            folder = tmp_path / python / "packages"
            folder.parent.mkdir()
            gather(read_definition(NAME), Target(python=python, glibc="2.36", machine="x86_64"), folder, wheels)
            assert (folder / "pebble.py").read_text() == f"version = {version!r}\n"
