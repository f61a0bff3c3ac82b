"""Wheels, releases, rename tables and other libraries, read from small files of our own."""

from __future__ import annotations

from zipfile import ZipFile

import pytest

from verifier.errors import InputError
from verifier.index.build import wheels
from verifier.index.build.libraries import PLANS, Plan, read
from verifier.index.build.releases import FLAVOUR, Wheel, hooks, releases
from verifier.index.build.renames import renames
from verifier.index.build.sources import Sources
from verifier.index.store import KINDS

WHEEL = Wheel(name="lib", version="1.0", python="3.11")


def test_only_sources_are_kept_of_a_wheel(make_wheel, tmp_path):
    wheel = make_wheel(
        {"lib/__init__.py": "x = 1", "lib/native.so": "binary", "lib/types.pyi": "y: int", "lib/logo.png": ""}
    )
    kept = tmp_path / "kept.zip"
    wheels._keep_sources(wheel, kept)
    assert sorted(ZipFile(kept).namelist()) == ["lib/__init__.py", "lib/types.pyi"]
    assert not kept.with_suffix(".part").exists()


def test_what_is_there_is_not_fetched_again(tmp_path, monkeypatch):
    there = tmp_path / "lib-1.0.zip"
    there.write_bytes(b"already")
    monkeypatch.setenv("PATH", "")
    assert wheels.fetch(WHEEL, tmp_path) == there


def test_without_an_installer_the_error_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match="install pip"):
        wheels.fetch(WHEEL, tmp_path)


def test_every_minor_release_has_one_tensorflow_and_the_flavour_its_own_keras():
    found = {one.name: one for one in releases()}
    assert list(found)[:2] == ["1.0", "1.1"]
    assert list(found)[-2:] == ["2.21", FLAVOUR]
    assert len(found) == 39
    for one in found.values():
        assert one.wheels[0].name in ("tensorflow", "tensorflow-cpu")
    assert [wheel.name for wheel in found[FLAVOUR].wheels if "keras" in wheel.name] == ["tf-keras"]
    assert {wheel.name for wheel in found["2.15"].wheels} >= {"tensorflow-estimator", "keras", "tensorboard"}


@pytest.mark.parametrize(
    ("name", "contrib", "refuses"), [("1.15", True, False), ("2.10", False, False), ("2.21", False, True)]
)
def test_hooks_follow_the_release(name, contrib, refuses):
    release = next(one for one in releases() if one.name == name)
    table = {hook.path: hook for hook in hooks(release)}
    assert bool(table["tensorflow.contrib"].modules) is contrib
    assert table["tensorflow.compat.v1.layers"].refuses is refuses


def test_rename_tables_are_read_from_literals(make_wheel):
    files = {
        "tensorflow/tools/compatibility/renames_v2.py": "renames = {'tf.old': 'tf.new', 'tf.both': 'tf.first'}",
        "tensorflow/tools/compatibility/all_renames_v2.py": """
            manual_symbol_renames = {"tf.both": "tf.second"}
            addons_symbol_mappings = {"tf.contrib.x": "tfa.x"}
        """,
        "tensorflow/tools/compatibility/tf_upgrade_v2.py": """
            class Spec:
                def __init__(self):
                    self.function_keyword_renames = {"tf.f": {"dim": "axis", "seed2": None}, "*.minimize": {"a": "b"}}
        """,
    }
    tables = renames(Sources((make_wheel(files),)))
    assert tables.symbols == {
        "tensorflow.old": "tensorflow.new",
        "tensorflow.both": "tensorflow.second",
        "tensorflow.contrib.x": "tensorflow_addons.x",
    }
    assert tables.keywords == {"tensorflow.f": {"dim": "axis", "seed2": ""}, "*.minimize": {"a": "b"}}


LIBRARY = {
    "lib/__init__.py": "from lib._impl import run, Model\nfrom lib import deep\nimport os\n_private = 1",
    "lib/_impl.py": "def run(): pass\nclass Base:\n    def shared(self): pass\nclass Model(Base):\n    def fit(self): pass\n    def _own(self): pass",
    "lib/deep/__init__.py": "def inner(): pass",
    "lib/deep/deeper/__init__.py": "def innermost(): pass",
    "lib/free.py": "import lib\ndef loose(): pass",
    "lib/free_test.py": "def test_loose(): pass",
    "lib/tests/__init__.py": "def helper(): pass",
}


def library(make_wheel, **how):
    return read(Plan(root="lib", wheel=WHEEL, **how), Sources((make_wheel(LIBRARY),), stubs=True))


def test_a_library_is_read_to_its_depth_without_tests_and_private_names(make_wheel):
    found = library(make_wheel, depth=1)
    kinds = {path: KINDS[kind] for path, kind in found.names.items()}
    assert kinds == {
        "lib": "module",
        "lib.run": "function",
        "lib.Model": "class",
        "lib.deep": "module",
        "lib.deep.inner": "function",
        "lib.free": "module",
        "lib.free.loose": "function",
    }
    assert found.members == {"lib.Model": ("fit", "shared")}


def test_a_plan_narrows_modules_and_members(make_wheel):
    found = library(make_wheel, depth=2, only=("deep",), members=("Other",))
    assert "lib.deep.deeper.innermost" in found.names
    assert "lib.free" not in found.names
    assert found.members == {}
    assert "lib.Model" in found.open


def test_stub_files_stand_in_for_compiled_modules(make_wheel):
    files = {
        "lib/__init__.py": "from lib._native import *",
        "lib/_native.pyi": "def fast(x: int) -> int: ...\nSIZE: int",
    }
    found = read(Plan(root="lib", wheel=WHEEL), Sources((make_wheel(files),)))
    assert {"lib.fast", "lib.SIZE"} <= set(found.names)


def test_every_plan_names_its_library_once():
    assert len({plan.root for plan in PLANS}) == len(PLANS)
