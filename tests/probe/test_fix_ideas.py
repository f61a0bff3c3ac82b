"""Ideas come from messages and code of any kind: never an error, and every one is an edit that can be made."""

from __future__ import annotations

import ast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifier.index import open_index
from verifier.model import Diagnosis, Edit, Fault, Lookup, Span
from verifier.probe.fixes.ideas import ideas
from verifier.probe.fixes.scene import Scene
from verifier.probe.fixes.spelling import near, respells
from verifier.probe.plan import Offsets, parse
from verifier.probe.sessions import aliases_of
from verifier.text import patched

NAMES = open_index("tf-2.21")
CODES = (
    "import tensorflow as tf\nx = tf.log(tf.constant('名'), axis=1); y = x[0] / 2\nx[0] = y\n",
    "from keras.utils import np_utils, Sequential as S\nimport keras.backend as K, os\nK.mean(np_utils.a.b(*c, **d))\n",
    "import numpy as np\nnet.fit([[1]], y=[2], nb_epoch=(3), weights=[w], input_shape=5, batch_input_shape=(None,))\n",
    "class A(tf.keras.layers.Layer):\n    def call(self, x):\n        return x @ self.w + 'a' + f'{x}.h5'\nA()(tf.ones(2, 3), 4)\n",
    "with tf.GradientTape() as t: y = x * x\ng = t.gradient(y, x)\noptimizer.apply_gradients(g)\n",
    "data.make_one_shot_iterator()[0].get_next().predict_classes(a).has_key('k')\n",
    "d = {'acc': 1}\nprint(d['val_acc'] if d else xrange(3 / 2), map(f, d)[0], 'n' + 3)\nfrom a import b\nimport c.d as e\n",
)
MESSAGES = (
    "module 'tensorflow' has no attribute '{}'", "'EagerTensor' object has no attribute '{}'", "name '{}' is not defined",
    "'{}' object has no attribute 'mean'", "No such layer: {}. Existing layers are: ['{}', 'dense']", "'{}'",
    "f() got an unexpected keyword argument '{}'", "Argument(s) not recognized: {{'{}': 1}}",
    "missing 1 required positional argument: '{}'", "`{}` must be passed as a keyword argument",
    "Could not interpret optimizer identifier: {}", "must end in `.{}`", "cannot import name '{}' from 'keras.utils' (x)",
    "No module named '{}'", "input #1(zero-based) was expected to be a {} tensor but is a int32 tensor",
    "Value for attr 'T' of {} is not in the list of allowed values: float, double", "expected min_ndim=4, found ndim=3 {}",
    "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3] {}", "'float' object cannot be interpreted as an integer {}",
    "Tensor' object does not support item assignment {}", "can only concatenate str (not \"{}\") to str",
    "A KerasTensor cannot be used as input to a TensorFlow function {}", "Unrecognized data type: x={}",
    "tf.placeholder() is not compatible with eager execution. {}", "NoneType {}", "Cannot iterate over a scalar tensor {}",
    "in user code:\n\n    AttributeError: module 'tensorflow' has no attribute '{}'\n", "must be called on a list of {}",
    "`{}` argument is deprecated in Keras 3. Please remove it", "Tensor is unhashable. Instead, use tensor.{}() as the key.",
)  # fmt: skip
TYPES = ("ValueError", "AttributeError", "KeyError", "TypeError", "NameError", "ImportError", "RuntimeError")


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    code = draw(st.sampled_from(CODES))
    tree = ast.parse(code)
    offsets = Offsets(code)
    statement = draw(st.sampled_from(tree.body))
    inner = [node for node in ast.walk(statement) if isinstance(node, ast.expr | ast.stmt)]
    words = sorted(
        {node.attr for node in inner if isinstance(node, ast.Attribute)} | {"Dense", "ref", "acc", "float", "'", ""}
    )
    word = draw(st.sampled_from(words))
    kind = draw(st.sampled_from(TYPES))
    message = draw(st.sampled_from(MESSAGES)).format(word, word)
    lookup = Lookup(
        name="tf.f", found=True, signature=draw(st.sampled_from(["", "(x, axis=None, **kwargs)", "(self, /)"]))
    )
    told = Diagnosis(
        statement=0, target="tf.f", lookup=lookup, keyword=draw(st.sampled_from(["", "axis", "nb_epoch", "weights"]))
    )
    return Scene(
        code=code,
        tree=tree,
        offsets=offsets,
        statement=offsets.span(statement),
        place=offsets.span(draw(st.sampled_from([statement, *inner]))),
        fault=draw(st.sampled_from([Fault(type=kind, message=message, mro=(kind,), name=word), None])),
        missing=draw(st.sampled_from([(), ("Dense",), ("Dense", "np", "d")])),
        diagnosis=draw(st.sampled_from([told, None])),
        bound=frozenset({"tf", "net", "x"}),
        aliases=aliases_of([parse(code)]) | {"tf": "tensorflow"},
        names=NAMES,
    )


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scenes())
def test_every_idea_is_an_edit_that_can_be_made(scene: Scene) -> None:
    seen = set()
    for idea in ideas(scene):
        ends = [0]
        for edit in sorted(idea.edits, key=lambda edit: edit.span):
            assert edit.span.of(scene.code) == edit.before
            assert edit.span.start >= ends[-1]
            ends.append(edit.span.end)
        assert patched(scene.code, idea.edits) != scene.code
        assert idea.reason
        assert idea.edits not in seen
        seen.add(idea.edits)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("'Conv2D'", "'conv2d'", True),
        ("tf.log", "tf.math.log", True),
        ("lr", "learning_rate", True),
        ("from keras.layers.core import Dense, Dropout", "from keras.layers import Dense, Dropout", True),
        ("from keras.utils import np_utils", "from keras import utils as np_utils", False),
        ("a", "tf.cast(a, tf.float32)", False),
        (", decay=0.1", "", False),
        ("", "from tensorflow.keras.layers import Dense\n", False),
        ("import tensorflow as tf", "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()", False),
    ],
)
def test_what_only_spells_is_told_from_what_means_something_else(before: str, after: str, *, same: bool) -> None:
    assert respells(Edit(span=Span(start=0, end=len(before)), before=before, after=after)) is same


@pytest.mark.parametrize(
    ("path", "home", "likely"),
    [
        ("tensorflow.keras.layers.dense", "tensorflow.keras.layers.Dense", True),
        ("keras.model.Sequential", "tensorflow.keras.Sequential", True),
        ("tensorflow.Dense", "tensorflow.keras.layers.Dense", True),
        ("tensorflow.contrib.layers.flatten", "tensorflow.nest.flatten", False),
        ("tensorflow.keras.layers.Merge", "tensorflow.compat.v1.sparse.merge", False),
        ("tensorflow.io.ReadFromText", "tensorflow.io.read_file", False),
    ],
)
def test_what_was_meant_is_near(path: str, home: str, *, likely: bool) -> None:
    assert near(path, home) is likely
