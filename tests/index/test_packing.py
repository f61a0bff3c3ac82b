"""From exports of several releases to a file and back."""

from __future__ import annotations

import pytest

from verifier.errors import InputError
from verifier.index import Index
from verifier.index.build.pack import Packer
from verifier.index.store import KINDS, Library, Renames, Store
from verifier.model import NameQuery

OLD = {
    "tensorflow/__init__.py": """
        from tensorflow import nn
        def spin(x, dim=None): pass
        def gone(): pass
        class Model:
            def fit(self, x, nb=1): pass
            def old_way(self): pass
    """,
    "tensorflow/nn.py": "def relu(x): pass\n__all__ = ['relu']",
}
NEW = {
    "tensorflow/__init__.py": """
        def spin(x, axis=None): pass
        class Model:
            def fit(self, x, epochs=1): pass
        class Open(native.Base): pass
        LEVEL = 3
    """,
}
RENAMES = Renames(symbols={"tensorflow.gone": "tensorflow.spin"}, keywords={"tensorflow.spin": {"dim": "axis"}})


@pytest.fixture
def raw(read_package) -> bytes:
    return _pack(read_package)


def _pack(read_package) -> bytes:
    packer = Packer()
    packer.add(0, read_package(OLD, root="tensorflow"), ["tensorflow", "tensorflow.nn"])
    packer.add(1, read_package(NEW, root="tensorflow"), ["tensorflow"])
    names = {"numpy": KINDS.index("module"), "numpy.arange": KINDS.index("function")}
    numpy = Library(version="2.0", names=names, members={}, open=frozenset())
    return packer.file(("1.0", "2.0"), (), ("a",), {"numpy": numpy}, RENAMES)


@pytest.fixture
def small(raw) -> Index:
    return Index(Store(raw))


def ask(index: Index, path: str, release: str = "2.0"):
    return index.lookup(NameQuery(path=path), release)


def test_equal_input_gives_equal_bytes(read_package, raw):
    assert _pack(read_package) == raw


@pytest.mark.parametrize(
    ("path", "first", "last", "found"),
    [
        ("tf.spin", "1.0", "2.0", True),
        ("tf.gone", "1.0", "1.0", False),
        ("tf.nn.relu", "1.0", "1.0", False),
        ("tf.LEVEL", "2.0", "2.0", True),
        ("tf.Model.fit", "1.0", "2.0", True),
        ("tf.Model.old_way", "1.0", "1.0", False),
        ("tf.never", "", "", False),
    ],
)
def test_histories_survive_the_file(small, path, first, last, found):
    answer = ask(small, path)
    assert (answer.found, answer.first, answer.last, answer.unknown) == (found, first, last, False)


def test_signatures_are_kept_per_release(small):
    assert ask(small, "tf.spin", "1.0").signature == "(x, dim=None)"
    assert ask(small, "tf.spin").signature == "(x, axis=None)"
    assert small.history("tf.spin") == (("1.0", "function", "(x, dim=None)"), ("2.0", "function", "(x, axis=None)"))
    assert small.renamed_keyword("tf.spin", "dim", "2.0") == "axis"
    assert small.renamed_keyword("tf.Model.fit", "nb", "2.0") == "epochs"


def test_an_unreadable_base_answers_unknown_never_absent(small):
    assert ask(small, "tf.Open.anything").unknown
    assert not ask(small, "tf.Model.anything").unknown
    assert ask(small, "tf.LEVEL.bit_length").unknown


def test_renames_and_other_libraries(small):
    assert ask(small, "tf.gone").replacement == "tensorflow.spin"
    assert ask(small, "tf.arange").elsewhere == ("numpy.arange",)
    assert ask(small, "np.arange").found
    assert not ask(small, "np.aragne").found
    assert ask(small, "unheard.of").unknown


def test_another_file_is_refused_in_plain_words():
    with pytest.raises(InputError, match="reinstall"):
        Store(b"PK\x03\x04 something else")
