"""Methods and attributes of models, layers, data sets and plain objects: of other releases, or misspelt."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.probe.fixes.member import Member, missed
from verifier.probe.fixes.scene import Idea, Scene
from verifier.probe.fixes.tensors import TENSORS

# What attributes of earlier releases, and of Python 2, are called now.
_NOW = {
    "fit_generator": "fit",
    "predict_generator": "predict",
    "evaluate_generator": "evaluate",
    "predict_proba": "predict",
    "lr": "learning_rate",
    "output_shape": "output.shape",
    "input_shape": "input.shape",
    "_layers": "layers",
    "iteritems": "items",
    "itervalues": "values",
    "iterkeys": "keys",
    "as_matrix": "to_numpy",
    "ix": "loc",
}
# Methods whose arguments said which of several uses of a layer is meant.
_OF_NODES = {"get_output_at": "output", "get_input_at": "input", "get_output_shape_at": "output.shape"}
_ITERATORS = frozenset({"make_one_shot_iterator", "make_initializable_iterator"})
_STRUCTURE = frozenset({"output_shapes", "output_types", "output_classes"})


def methods(scene: Scene) -> Iterator[Idea]:
    """What gives the same as the attribute that the object does not have, and the nearest that it has."""
    member = missed(scene)
    if member is None or member.cls in TENSORS:
        return
    if member.cls == "dict" and member.call is None:
        yield member.instead(f"{member.receiver}['{member.name}']", "a dictionary is asked with brackets")
    yield from _present(member)
    yield from _of_data(member)
    yield from _nearest(member)


def _present(member: Member) -> Iterator[Idea]:
    name, receiver, scene = member.name, member.receiver, member.scene
    if name in _NOW:
        yield member.renamed(_NOW[name], f"`{name}` is `{_NOW[name]}` now")
    if name in _OF_NODES and member.call is not None:
        yield member.instead(f"{receiver}.{_OF_NODES[name]}", f"`{name}` is `{_OF_NODES[name]}` now")
    if name == "predict_classes" and member.call is not None:
        largest = scene.spelled("numpy.argmax") or scene.spelled("tensorflow.argmax")
        if largest:
            text = f"{largest}({receiver}.predict({', '.join(member.given)}), axis=-1)"
            yield member.instead(text, "the class is where what `predict` gives is largest")
    if name == "has_key" and len(member.given) == 1:
        yield member.instead(f"{member.given[0]} in {receiver}", "`has_key` is `in` now")


def _of_data(member: Member) -> Iterator[Idea]:
    name, receiver, scene = member.name, member.receiver, member.scene
    home = scene.spelled("tensorflow.compat.v1.data")
    if name in _ITERATORS and member.call is not None and not member.given:
        yield member.instead(f"iter({receiver})", "a data set is iterated over like anything else")
        if home:
            yield member.instead(f"{home}.{name}({receiver})", "it is a function of `tf.compat.v1.data` now")
    if name in _STRUCTURE and member.cls.endswith("Dataset"):
        yield member.renamed("element_spec", f"`{name}` is part of `element_spec` now")
        if home:
            yield member.instead(f"{home}.get_{name}({receiver})", "it is a function of `tf.compat.v1.data` now")
    if name == "get_next":
        yield member.instead(f"next({receiver})", "an iterator is asked with `next`")


def _nearest(member: Member) -> Iterator[Idea]:
    seen = {member.name}
    final = member.name.removeprefix("experimental_").removesuffix("_v2")
    if final != member.name and member.scene.names.lookup_bare(final, receiver=member.cls).found:
        yield member.renamed(final, f"`{final}` is what it is called since it is final")
    if member.name.startswith("get_") and not member.given:
        bare = member.name.removeprefix("get_")
        yield member.instead(f"{member.receiver}.{bare}", f"`{bare}` is an attribute")
    receivers = [member.cls.lstrip("_"), "Dataset"] if member.cls.endswith("Dataset") else [member.cls]
    for receiver in dict.fromkeys(receivers):
        more = member.scene.names.lookup_bare(f"{member.name}s", receiver=receiver)
        plural = (f"{member.name}s",) if more.found else ()
        for path in (*plural, *member.scene.names.lookup_bare(member.name, receiver=receiver).suggestions):
            leaf = path.rpartition(".")[2]
            if leaf not in seen:
                seen.add(leaf)
                yield member.renamed(leaf, f"`{leaf}` is the nearest that a `{receiver}` has")
