"""Code of TensorFlow 1: its names and its way of working, both in `tf.compat.v1`.

Hides how code that builds a graph and runs it in a session is told from code that only uses an old name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from verifier.model import NameQuery, Span
from verifier.probe.fixes.scene import Idea, Scene

_SESSION = frozenset({
    "Session", "InteractiveSession", "placeholder", "placeholder_with_default", "get_variable", "variable_scope",
    "global_variables_initializer", "initialize_all_variables", "get_default_graph", "get_collection",
})  # fmt: skip
_EAGER = re.compile(
    r"not compatible with eager execution|when eager execution is enabled|session graph is empty|"
    r"when eager execution is not enabled|graph is undefined when eager|not supported when eager|"
    r"attempting to (?:capture|fetch) an eagertensor|eager execution enabled|argument .* has invalid type.*eagertensor",
    re.IGNORECASE,
)
_V1 = "tensorflow.compat.v1"
_WHY = "code that builds a graph and runs it in a session is TensorFlow 1, which lives on in `tf.compat.v1`"


def graphs(scene: Scene) -> Iterator[Idea]:
    """The whole of TensorFlow 1 in the place of TensorFlow, or its way of working switched on in front."""
    if scene.fault is None or not _old(scene):
        return
    name = next((word for word, path in scene.aliases.items() if path == "tensorflow" and word in scene.bound), "")
    if name:
        yield from _imported_as_v1(scene, name)
    dotted = name or next((word for word, path in scene.aliases.items() if path == _V1), "")
    if dotted and _EAGER.search(scene.message):
        prefix = dotted if not name else f"{name}.compat.v1"
        first = _after_imports(scene)
        if first is not None:
            yield Idea(edits=(scene.ahead(f"{prefix}.disable_v2_behavior()", first),), reason=_WHY)


def _old(scene: Scene) -> bool:
    """Whether what failed is the old way of working, or an old name in code that works that way."""
    if _EAGER.search(scene.message):
        return True
    if not scene.raised("AttributeError") or not _session_style(scene):
        return False
    node = scene.chain()
    path = scene.path(node) if node is not None else ""
    rest = path.removeprefix("tensorflow.")
    return rest != path and scene.names.lookup(NameQuery(path=f"{_V1}.{rest}")).found


def _session_style(scene: Scene) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr in _SESSION for node in ast.walk(scene.tree))


def _imported_as_v1(scene: Scene, name: str) -> Iterator[Idea]:
    switch = f"import tensorflow.compat.v1 as {name}\n{name}.disable_v2_behavior()"
    for node in scene.tree.body:
        if isinstance(node, ast.Import) and [(one.name, one.asname) for one in node.names] == [("tensorflow", name)]:
            span = scene.span(node)
            if span.start and scene.code[span.start - 1] != "\n":
                switch = switch.replace("\n", "; ")
            yield Idea(edits=(scene.swap(node, switch),), reason=_WHY)
            return
    first = scene.span(scene.tree.body[0])
    if name != "tensorflow":
        yield Idea(edits=(scene.ahead(switch, first),), reason=_WHY)


def _after_imports(scene: Scene) -> Span | None:
    """The first statement that is no import."""
    return next(
        (scene.span(node) for node in scene.tree.body if not isinstance(node, ast.Import | ast.ImportFrom)), None
    )
