"""Plain inputs: what a function or class that nobody calls could be called with, as far as its text tells.

Only plain calls are made: a parameter whose name and annotation say nothing has no plain value.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.probe.standins.names import count_of, like_features, like_labels, like_rate, like_shape, like_texts

# Small tensors by what a body does with its input, tried in this order.
_IMAGE, _SEQUENCE, _SQUARE, _WORDS = (
    "tf.random.uniform((2, 32, 32, 3))",
    "tf.random.uniform((2, 10, 16))",
    "tf.random.uniform((4, 4))",
    "tf.ones((2, 10), tf.int32)",
)
_SPATIAL = re.compile(
    r"Conv2D|Pooling2D|tf\.image|UpSampling2D|BatchNorm.{0,40}Conv|image|\bimg\b|filters|ResNet|VGG|MobileNet"
)
_SEQUENTIAL = re.compile(
    r"LSTM|GRU|SimpleRNN|Attention|Conv1D|Pooling1D|Transformer|d_model|axis=-2|Bidirectional|seq_len"
)
_LOOKUP = re.compile(r"Embedding\(")
_TENSORS = re.compile(
    r"^(?:x\d?|y|z|a|b|c|v|w|inputs?|features?|tensor\w*|data|batch|images?|imgs?|hidden(?:_state)?|state|q|k|query|key|"
    r"value|values|query|logits?|preds?|predictions?|y_true|y_pred|labels?|targets?|outputs?|weights?|matrix|vector|"
    r"embeddings?|residual|shortcut|skip|encoder_output|enc_output|x_\w+|\w+_tensor|inp|arr|array|sample|samples)$"
)
_NUMBER_ARGUMENTS = {
    "epoch": "0",
    "step": "1",
    "index": "0",
    "i": "0",
    "n": "3",
    "k": "2",
    "axis": "-1",
    "num": "3",
    "seed": "0",
}
_WORD_ARGUMENTS = {
    "name": "'plain'",
    "activation": "'relu'",
    "padding": "'same'",
    "training": "False",
    "mask": "None",
    "optimizer": "'adam'",
}
_ANNOTATIONS = {"int": "2", "float": "0.5", "str": "'text'", "bool": "True", "list": "[1.0, 2.0]", "tuple": "(2, 2)"}
_TENSOR_TYPES = re.compile(r"Tensor|ndarray|Array")
_CONSTRUCT_ONLY = re.compile(
    r"Callback|Schedule|Optimizer|Sequence|Generator|Strategy|Exception|Error|Enum|NamedTuple|Protocol"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """One call of something that a snippet defines: its name and the call as code."""

    name: str
    code: str


def tries(node: ast.stmt, source: str) -> tuple[Try, ...]:
    """Plain calls of a definition, the likeliest first; none when it has parameters that tell nothing."""
    if isinstance(node, ast.FunctionDef):
        return tuple(Try(name=node.name, code=code) for code in _of_function(node, source))
    if isinstance(node, ast.ClassDef):
        return tuple(Try(name=node.name, code=code) for code in _of_class(node, source))
    return ()


def _of_function(node: ast.FunctionDef, source: str) -> Iterator[str]:
    generator = any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node))
    for tensor in _tensors(source):
        arguments = _arguments(node.args, tensor, source)
        if arguments is None:
            return
        call = f"{node.name}({arguments})"
        yield f"next(iter({call}))" if generator else call
        if tensor not in arguments:
            return


def _of_class(node: ast.ClassDef, source: str) -> Iterator[str]:
    methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
    bases = " ".join(ast.unparse(base) for base in node.bases)
    if _CONSTRUCT_ONLY.search(bases):
        made = _made(node, methods, _SQUARE, source)
        if made is not None:
            yield made
        return
    for tensor in _tensors(source):
        made = _made(node, methods, tensor, source)
        if made is None:
            return
        used = _used(made, bases, methods, tensor, source)
        yield used or made
        if tensor not in (used or made):
            return


def _made(node: ast.ClassDef, methods: dict[str, ast.FunctionDef], tensor: str, source: str) -> str | None:
    init = methods.get("__init__")
    if init is None:
        return f"{node.name}()"
    arguments = _arguments(init.args, tensor, source, bound=True)
    return None if arguments is None else f"{node.name}({arguments})"


def _used(made: str, bases: str, methods: dict[str, ast.FunctionDef], tensor: str, source: str) -> str:
    """The call of an instance, by what its class is; empty when there is nothing to call."""
    call = methods.get("call") or methods.get("__call__")
    if "Loss" in bases and call is not None:
        return f"{made}({tensor}, {tensor})"
    if "Metric" in bases and "update_state" in methods:
        return f"{made}.update_state({tensor}, {tensor})"
    if call is None:
        return ""
    if "Initializer" in bases:
        return f"{made}((4, 4))"
    arguments = _arguments(call.args, tensor, source, bound=True)
    return "" if arguments is None else f"{made}({arguments})"


def _tensors(source: str) -> tuple[str, ...]:
    """Inputs that the body may want, the likeliest first; two at most are tried."""
    if _LOOKUP.search(source):
        return (_WORDS, _SEQUENCE)
    if _SPATIAL.search(source):
        return (_IMAGE, _SQUARE)
    if _SEQUENTIAL.search(source):
        return (_SEQUENCE, _SQUARE)
    return (_SQUARE, _SEQUENCE)


def _arguments(arguments: ast.arguments, tensor: str, source: str, *, bound: bool = False) -> str | None:
    """Values for the parameters that need one, as code; None when one of them tells nothing."""
    positional = [*arguments.posonlyargs, *arguments.args][int(bound) :]
    needed = positional[: len(positional) - min(len(arguments.defaults), len(positional))]
    named = [item for item, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None]
    values = []
    for parameter in (*needed, *named):
        value = _value(parameter, tensor, source)
        if value is None:
            return None
        values.append(f"{parameter.arg}={value}" if parameter in named else value)
    return ", ".join(values)


def _value(parameter: ast.arg, tensor: str, source: str) -> str | None:
    name = parameter.arg
    if parameter.annotation is not None:
        return _of_type(ast.unparse(parameter.annotation), name, tensor)
    if name == "k" and re.search(r"\b(?:q|query|v)\b", source):
        return tensor
    if word := _WORD_ARGUMENTS.get(name) or _NUMBER_ARGUMENTS.get(name):
        return word
    if like_shape(name):
        return "(32, 32, 3)" if _SPATIAL.search(source) else "(10, 16)" if _SEQUENTIAL.search(source) else "(8,)"
    if like_texts(name):
        return "['a short text', 'another text']"
    if _TENSORS.match(name) or like_features(name) or like_labels(name):
        return tensor
    return "0.1" if like_rate(name) else _small(name)


def _of_type(annotation: str, name: str, tensor: str) -> str | None:
    """A value of an annotated type."""
    if _TENSOR_TYPES.search(annotation):
        return tensor
    if annotation == "int" and (small := _small(name)):
        return small
    return _ANNOTATIONS.get(annotation.partition("[")[0].lower())


def _small(name: str) -> str | None:
    """A small number for a count; sizes that must divide one another are powers of two."""
    value = count_of(name)
    return str(min(value, 32)) if value else None
