"""Facts about names, from a process that never sees a document's code."""

from __future__ import annotations

import time

import pytest

from verifier.model import CallForm, NameQuery

pytestmark = pytest.mark.sandbox


class TestNames:
    @pytest.mark.parametrize(
        ("path", "kind"),
        [
            ("tensorflow", "module"),
            ("tensorflow.keras", "module"),
            ("tensorflow.keras.layers", "module"),
            ("tensorflow.io.read_file", "function"),
            ("tensorflow.distribute.MirroredStrategy", "class"),
            ("tensorflow.keras.Model.get_layer", "method"),
            ("tensorflow.keras.Model.layers", "property"),
            ("tensorflow.keras.layers.Dense.kernel_initializer", "property"),
            ("tensorflow.data.Dataset.from_tensor_slices", "method"),
            ("tensorflow.float32", "constant"),
            ("tensorflow.data.AUTOTUNE", "constant"),
            ("tensorflow.keras.layers.Conv2D.get_weights", "method"),
            ("tensorflow.compat.v1.Session", "class"),
            ("numpy.pi", "constant"),
            ("numpy.add", "function"),
            ("sklearn.linear_model.LogisticRegression", "class"),
            ("matplotlib.pyplot.plot", "function"),
        ],
    )
    def test_what_exists_is_found_with_its_kind(self, look, path: str, kind: str) -> None:
        found = look(path)
        assert (found.found, found.kind, found.error) == (True, kind, "")
        assert found.canonical

    @pytest.mark.parametrize(
        "path",
        ["tensorflow.io.ReadFromText", "tensorflow.Session", "tensorflow.keras.layers.Nothing", "tensorflow.contrib",
         "tensorflow.keras.Model.fit_generatorx", "numpy.nothing", "tensorflow.compat.v1.layers.nothing"],
    )  # fmt: skip
    def test_what_does_not_exist_is_told_so(self, look, path: str) -> None:
        found = look(path)
        assert (found.found, found.unknown) == (False, False)
        assert found.error

    @pytest.mark.parametrize("path", ["torch.nn.Linear", "nosuchlibrary.thing"])
    def test_a_library_that_is_absent_proves_nothing(self, look, path: str) -> None:
        found = look(path)
        assert (found.found, found.unknown) == (False, True)

    @pytest.mark.parametrize(
        ("path", "form", "expected"),
        [
            ("tensorflow.keras.Model", "import", False),
            ("tensorflow.keras.layers", "from", True),
            ("tensorflow.lite.TFLiteConverter", "attribute", True),
            ("os.path", "import", True),
            ("os.path.join", "import", False),
            ("os.path.join", "from", True),
        ],
    )
    def test_the_form_is_checked_as_written(self, look, path: str, form: str, expected: bool) -> None:
        assert look(path, form=form).found is expected


class TestDeprecation:
    def test_a_class_that_is_deprecated_by_its_init(self, look) -> None:
        note = look("tensorflow.distribute.experimental.MultiWorkerMirroredStrategy").deprecated
        assert "distribute.MultiWorkerMirroredStrategy" in note

    def test_a_deprecated_function(self, look) -> None:
        assert look("tensorflow.compat.v1.nn.softmax_cross_entropy_with_logits").deprecated

    @pytest.mark.parametrize(
        "path",
        ["tensorflow.config.list_physical_devices", "tensorflow.signal.fft", "tensorflow.distribute.MultiWorkerMirroredStrategy",
         "tensorflow.keras.layers.Dense", "tensorflow.nn.relu", "tensorflow.argmax"],
    )  # fmt: skip
    def test_a_deprecated_alias_or_argument_does_not_count(self, look, path: str) -> None:
        assert look(path).deprecated == ""


class TestCalls:
    @pytest.mark.parametrize(
        ("path", "positional", "keywords", "expected"),
        [
            ("tensorflow.io.read_file", 1, (), ""),
            ("tensorflow.io.read_file", 1, ("name",), ""),
            ("tensorflow.io.read_file", 1, ("batch",), "unexpected keyword argument 'batch'"),
            ("tensorflow.io.read_file", 0, (), "missing a required argument: 'filename'"),
            ("tensorflow.io.read_file", 5, (), "too many positional arguments"),
            ("tensorflow.keras.Model.get_layer", 1, (), ""),
            ("tensorflow.keras.Model.get_layer", 0, ("names",), "unexpected keyword argument 'names'"),
            ("tensorflow.data.Dataset.from_tensor_slices", 1, (), ""),
            ("tensorflow.data.Dataset.range", 2, (), None),
        ],
    )
    def test_a_call_is_bound_to_the_signature(
        self, look, path: str, positional: int, keywords: tuple[str, ...], expected
    ) -> None:
        binds = look(path, call=CallForm(positional=positional, keywords=keywords)).binds
        if expected:
            assert expected in binds
        elif expected == "":
            assert binds == ""

    def test_keywords_swallowed_by_kwargs_are_undecided(self, look) -> None:
        path = "tensorflow.keras.layers.Dense"
        assert look(path, call=CallForm(positional=1, keywords=("activate",))).binds is None
        assert look(path, call=CallForm(positional=1, keywords=("activation",))).binds == ""
        assert look(path, argument="activation").has_argument is True
        assert look(path, argument="activate").has_argument is None
        assert look("tensorflow.io.read_file", argument="batch_size").has_argument is False

    def test_methods_are_shown_as_their_caller_sees_them(self, look) -> None:
        assert look("tensorflow.keras.Model.get_layer").signature.startswith("(name=None, index=None)")


class TestStubs:
    def test_what_only_raises_is_a_stub(self, look) -> None:
        assert "Keras 3" in look("tensorflow.keras.optimizers.legacy.Adam").stub

    @pytest.mark.parametrize(
        "path", ["tensorflow.keras.layers.Layer.call", "tensorflow.keras.optimizers.Adam", "tensorflow.nn.relu"]
    )
    def test_working_and_abstract_things_are_not(self, look, path: str) -> None:
        assert look(path).stub == ""


def test_many_names_are_answered_in_order_and_fast(sandbox) -> None:
    paths = [
        "tensorflow.keras.layers.Dense",
        "tensorflow.io.nothing",
        "numpy.linspace",
        "tensorflow.nn.relu",
        "os.path.join",
    ] * 10
    sandbox.lookup((NameQuery(path="os"),))
    began = time.monotonic()
    found = sandbox.lookup(tuple(NameQuery(path=path) for path in paths))
    assert [item.name for item in found] == paths
    # The target is half a second on a quiet machine; this one may be busy.
    assert time.monotonic() - began < 5
