"""Tensors, arrays and lists taken for one another: methods of arrays on tensors, `.numpy()` on arrays, and so on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from verifier.names import CUSTOMARY_IMPORTS
from verifier.probe.fixes.member import Member, missed
from verifier.probe.fixes.scene import Idea, Scene

TENSORS = frozenset({"EagerTensor", "SymbolicTensor", "Tensor", "KerasTensor", "ResourceVariable", "RaggedTensor"})
# Methods of NumPy's arrays and of other libraries' tensors that TensorFlow has as functions.
_FUNCTIONS = {
    "reshape": "reshape", "mean": "reduce_mean", "sum": "reduce_sum", "max": "reduce_max", "min": "reduce_min",
    "prod": "reduce_prod", "std": "math.reduce_std", "var": "math.reduce_variance", "argmax": "argmax",
    "argmin": "argmin", "transpose": "transpose", "T": "transpose", "astype": "cast", "squeeze": "squeeze",
    "all": "reduce_all", "any": "reduce_any", "cumsum": "cumsum", "clip": "clip_by_value", "round": "round",
    "repeat": "repeat", "size": "size", "dot": "tensordot", "expand_dims": "expand_dims", "matmul": "matmul",
    "sort": "sort", "unsqueeze": "expand_dims", "view": "reshape", "permute": "transpose", "float": "cast",
    "flatten": "reshape", "ravel": "reshape", "abs": "abs", "sqrt": "sqrt", "exp": "exp",
}  # fmt: skip
_EXTRA = {"dot": "1", "float": "{tf}.float32", "flatten": "[-1]", "ravel": "[-1]"}
# Methods that take a shape number by number, where the function takes one shape.
_SPREAD = frozenset({"reshape", "view", "permute", "transpose"})
_PLAIN = frozenset({"ndarray", "int", "float", "list", "float32", "float64", "int64", "int32", "str", "bytes"})
_EVALUATES = frozenset({"numpy", "eval", "decode", "toarray"})
_OF_ARRAYS = frozenset(
    {"shape", "reshape", "astype", "mean", "sum", "T", "ndim", "dtype", "max", "min", "std", "flatten"}
)


def tensors(scene: Scene) -> Iterator[Idea]:
    """The function of TensorFlow for a method that a tensor lacks, or the tensor's array; an array for a list."""
    member = missed(scene)
    if member is None:
        return
    if member.cls in TENSORS and member.name.startswith("assign"):
        yield from _variable(member)
    elif member.cls in TENSORS:
        yield from _function(member)
        yield from _value(member)
    elif member.cls in _PLAIN and member.name in _EVALUATES and member.call is not None and not member.given:
        yield member.instead(member.receiver, f"it is of type {member.cls} already, which has no `{member.name}`")
    elif member.cls in {"list", "tuple"} and member.name in _OF_ARRAYS:
        make = scene.spelled("numpy.array")
        ahead = () if make else (scene.ahead(CUSTOMARY_IMPORTS["np"]),)
        edit = scene.swap(member.node.value, f"{make or 'np.array'}({member.receiver})")
        yield Idea(edits=(*ahead, edit), reason=f"a {member.cls} has no `{member.name}`, an array has")


def _variable(member: Member) -> Iterator[Idea]:
    """The constant that is to be changed made a variable, where the code makes it."""
    scene = member.scene
    make = scene.spelled("tensorflow.Variable")
    for node in ast.walk(scene.tree):
        made = node.value if isinstance(node, ast.Assign) and scene.text(node.targets[0]) == member.receiver else None
        if make and isinstance(made, ast.Call) and scene.path(made.func) == "tensorflow.constant":
            yield Idea(edits=(scene.swap(made.func, make),), reason="a constant cannot be assigned to, a variable can")


def _function(member: Member) -> Iterator[Idea]:
    tf, name = member.scene.spelled("tensorflow"), member.name
    function = _FUNCTIONS.get(name)
    if not tf or not function:
        return
    given = list(member.given)
    if name in _SPREAD and len(given) > 1 and "=" not in "".join(given):
        given = [f"[{', '.join(given)}]"]
    if name in _EXTRA:
        given.append(_EXTRA[name].format(tf=tf))
    text = f"{tf}.{function}({', '.join([member.receiver, *given])})"
    yield member.instead(text, f"a tensor has no `{name}`; `{tf}.{function}` does that")


def _value(member: Member) -> Iterator[Idea]:
    name = member.name
    if name in {"eval", "item"} and member.call is not None:
        yield member.instead(f"{member.receiver}.numpy()", "a tensor gives its value with `numpy()`")
    elif member.cls not in {"KerasTensor", "SymbolicTensor"}:
        yield member.renamed(f"numpy().{name}", f"a tensor has no `{name}`, the array with its values has")
