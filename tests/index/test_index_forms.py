"""The same path as an attribute, after `import` and after `from`: not every attribute is a module to the import system.

What is expected of 2.15 and 2.21 was established by importing.
"""

from __future__ import annotations

import pytest

from verifier.model import NameQuery


def ask(index, path, form, release="2.21"):
    return index.lookup(NameQuery(path=path, form=form), release)


@pytest.mark.parametrize(
    "path",
    [
        "tensorflow.losses",
        "tensorflow.optimizers",
        "tensorflow.metrics",
        "tensorflow.initializers",
        "tensorflow.compat.v1.keras",
        "tensorflow.compat.v1.keras.layers",
        "tensorflow.compat.v2.losses",
        "tensorflow.compat.v1.flags",
        "tensorflow.distribute.coordinator",
    ],
)
def test_an_attribute_that_no_import_finds(index, path):
    assert ask(index, path, "attribute").found
    answer = ask(index, path, "import")
    assert (answer.found, answer.unknown) == (False, False)
    assert "no module that can be imported" in answer.error


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("tensorflow", "import"),
        ("tensorflow.keras", "import"),
        ("tensorflow.keras", "from"),
        ("tensorflow.keras.layers", "import"),
        ("tensorflow.keras.layers.Dense", "from"),
        ("tensorflow.keras.optimizers.legacy", "import"),
        ("tensorflow.compat.v1", "import"),
        ("tensorflow.compat.v1.layers", "import"),
        ("tensorflow.nn", "import"),
        ("tensorflow.distribute", "import"),
        ("tensorflow.summary.create_file_writer", "from"),
        ("tensorflow.data.Dataset", "from"),
        ("tensorflow.python.framework.ops", "from"),
        ("tensorflow.losses", "from"),
    ],
)
def test_what_an_import_finds(index, path, form):
    answer = ask(index, path, form)
    assert (answer.found, answer.error) == (True, "")


@pytest.mark.parametrize(
    ("path", "form", "first", "last"),
    [
        # Never more than an attribute: broken, not gone.
        ("tensorflow.losses.MeanSquaredError", "from", "", ""),
        ("tensorflow.optimizers", "import", "", ""),
        ("tensorflow.metrics.Mean", "from", "", ""),
        ("tensorflow.keras.layers.Dense", "import", "", ""),
        ("tensorflow.keras.layers.Dense.call", "from", "", ""),
        ("tensorflow.data.Dataset.map", "from", "", ""),
        # Once a module of its own.
        ("tensorflow.compat.v1.keras.layers.Dense", "from", "1.13", "2.15"),
        ("tensorflow.distribute.MirroredStrategy", "from", "1.13", "1.15"),
        ("tensorflow.losses.softmax_cross_entropy", "from", "1.0", "1.15"),
        ("tensorflow.contrib.slim", "import", "1.0", "1.15"),
    ],
)
def test_the_releases_are_those_in_which_the_form_worked(index, path, form, first, last):
    answer = ask(index, path, form)
    assert (answer.found, answer.unknown, answer.first, answer.last) == (False, False, first, last)


@pytest.mark.parametrize(
    ("path", "form", "words"),
    [
        ("tensorflow.keras.layers.Dense", "import", "tensorflow.keras.layers.Dense is a class, not a module"),
        ("tensorflow.argmax.x", "from", ""),
        ("tensorflow.distribute.MirroredStrategy", "from", "reads a folder without"),
        ("tensorflow.losses.MeanSquaredError", "from", "tensorflow.losses is an attribute"),
    ],
)
def test_why_an_import_fails(index, path, form, words):
    answer = ask(index, path, form)
    assert not answer.found
    assert words in answer.error


def test_the_ordinary_place_is_offered(index):
    assert ask(index, "tensorflow.losses.MeanSquaredError", "from").suggestions == (
        "tensorflow.keras.losses.MeanSquaredError",
    )


@pytest.mark.parametrize(
    ("path", "form"), [("tensorflow.keras.saving", "import"), ("tensorflow.keras.saving.load_model", "from")]
)
def test_a_folder_that_the_lazy_package_does_not_import_by_itself(index, path, form):
    """`tf.keras.saving` is no attribute of the newest release, yet an import finds it."""
    assert not ask(index, path, "attribute").found
    answer = ask(index, path, form)
    assert (answer.found, answer.last) == (True, "2.21")
    assert not ask(index, path, form, "1.15").found


def test_what_that_folder_has_beside_the_names_of_earlier_releases_is_unknown(index):
    answer = ask(index, "tensorflow.keras.saving.zorble", "from")
    assert (answer.found, answer.unknown) == (False, True)


@pytest.mark.parametrize(
    ("path", "form", "found"),
    [
        ("tensorflow.compat.v1.keras.layers", "import", True),
        ("tensorflow.compat.v1.layers", "import", True),
        ("tensorflow.compat.v2.keras", "import", True),
        ("tensorflow.compat.v2.losses", "import", False),
        ("tensorflow.losses", "import", False),
        ("tensorflow.keras.layers.Dense", "from", True),
    ],
)
def test_keras_2_also_lies_below_the_compatible_packages(index, path, form, found):
    assert ask(index, path, form, "2.15").found is found


@pytest.mark.parametrize("path", ["tensorflow.losses", "tensorflow.keras.layers", "tensorflow.distribute"])
@pytest.mark.parametrize("release", ["1.14", "1.15", "1.x"])
def test_nothing_is_refused_in_1(index, path, release):
    assert ask(index, path, "import", release).found
