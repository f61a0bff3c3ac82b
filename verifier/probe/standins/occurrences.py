"""What one occurrence of a name in the code is used for, read off its syntax."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from verifier.probe.diagnose import full_path
from verifier.probe.standins.names import like_loss
from verifier.probe.standins.numbers import constants
from verifier.probe.standins.supplies import Live, Use

_FITS = frozenset({
    "fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch", "fit_generator",
    "evaluate_generator", "predict_generator",
})  # fmt: skip
_MODEL_METHODS = _FITS | frozenset({
    "compile", "summary", "save", "save_weights", "trainable_variables", "trainable_weights", "get_weights",
    "set_weights", "layers", "to_json", "count_params", "trainable", "export", "non_trainable_variables",
})  # fmt: skip
_DATASET_METHODS = frozenset({
    "map", "batch", "shuffle", "prefetch", "repeat", "take", "skip", "cache", "unbatch", "element_spec",
    "as_numpy_iterator", "shard", "interleave", "padded_batch", "enumerate", "cardinality", "with_options",
})  # fmt: skip
_STRATEGY = frozenset({
    "scope", "run", "num_replicas_in_sync", "experimental_distribute_dataset", "reduce", "experimental_run_v2",
    "distribute_datasets_from_function",
})  # fmt: skip
_ARRAY = frozenset({"shape", "astype", "dtype", "ndim", "flatten", "numpy", "mean", "std", "max", "min", "size"})
_COUNTS = frozenset({
    "epochs", "batch_size", "steps_per_epoch", "validation_steps", "units", "num_classes", "input_dim",
    "output_dim", "filters", "kernel_size", "buffer_size", "maxlen", "num_words", "max_tokens", "input_length",
    "output_sequence_length", "num_heads", "key_dim", "depth", "patience", "initial_epoch", "vocab_size",
    "embedding_dim", "decay_steps", "num_units", "d_model", "hidden_size", "rnn_units", "num_layers",
})  # fmt: skip
_RATES = frozenset({
    "learning_rate", "lr", "rate", "momentum", "dropout", "recurrent_dropout", "beta_1", "beta_2", "alpha",
    "epsilon", "initial_learning_rate", "decay_rate", "validation_split", "l2", "l1", "clipnorm", "clipvalue",
})  # fmt: skip
_COUNTING_CALLS = frozenset({
    "Dense", "Embedding", "LSTM", "GRU", "SimpleRNN", "Conv1D", "Conv2D", "batch", "shuffle", "take", "range",
    "skip", "one_hot", "to_categorical", "LSTMCell", "GRUCell", "repeat", "StringLookup", "RepeatVector",
})  # fmt: skip
_RATE_CALLS = frozenset({"Dropout", "Adam", "SGD", "RMSprop", "Adagrad", "AdamW", "Nadam", "SpatialDropout1D", "l2"})
_SHAPES = frozenset({"input_shape", "shape", "batch_input_shape", "target_size", "image_size"})
_LOSSY = ("crossentropy", "cross_entropy_with_logits", "mean_squared_error", "mean_absolute_error", "update_state")
_CLASSES = frozenset({"to_categorical", "one_hot"})
_TELLS_NOTHING = frozenset({"passed", "arithmetic", "indexed", "array", "attribute"})
_PAIRS = frozenset({"train_test_split", "flow"})  # functions of features and labels
# What the first argument of a function is.
_FIRST = {
    "from_tensor_slices": "slices",
    "adapt": "adapted",
    "fit_transform": "features",
    "train_test_split": "features",
    "imshow": "image",
    "flow": "image",
    **dict.fromkeys(("from_keras_model", "clone_model", "plot_model", "save_model"), "model"),
    "expand_dims": "widened",
    **dict.fromkeys(("softmax", "sigmoid", "argmax", "ones_like", "zeros_like"), "predictions"),
    **dict.fromkeys(("array", "asarray", "convert_to_tensor", "constant", "cast", "len", "unique"), "array"),
}
_TEXTS = frozenset({"fit_on_texts", "texts_to_sequences", "texts_to_matrix"})


class Reader:
    """One statement with the way from each of its parts to what it stands in."""

    def __init__(
        self,
        node: ast.AST,
        program: int,
        aliases: Mapping[str, str],
        live: Live,
        functions: Mapping[str, ast.FunctionDef],
    ) -> None:
        self._program = program
        self._functions = functions
        self._aliases = aliases
        self._live = live
        self._parents = {child: parent for parent in ast.walk(node) for child in ast.iter_child_nodes(parent)}

    def uses(self, name: ast.Name) -> list[Use]:
        """What one occurrence of a name is used for; nothing where it is the name of something else."""
        if self._is_shadowed(name):
            return []
        if isinstance(name.ctx, ast.Store):
            inplace = self._parents.get(name)
            halved = isinstance(inplace, ast.AugAssign) and _byte_range(inplace.op, inplace.value)
            return [self._plain("scaled", detail="inplace")] if halved else []
        return [self._use(name), *([self._plain("scaled")] if self._scaled(name) else [])]

    def _is_shadowed(self, name: ast.Name) -> bool:
        """Whether a function around it has a parameter of this name."""
        node: ast.AST = name
        while (parent := self._parents.get(node)) is not None:
            node = parent
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and name.id in _parameters(node):
                return True
        return False

    def _scaled(self, node: ast.AST) -> bool:
        """Whether what is made of a name is divided by the range of a byte."""
        while parent := self._parents.get(node):
            if isinstance(parent, ast.BinOp) and parent.left is node:
                return _byte_range(parent.op, parent.right)
            method = isinstance(parent, ast.Attribute) or (isinstance(parent, ast.Call) and parent.func is node)
            cast = isinstance(parent, ast.Call) and node in parent.args[:1] and _leaf(parent) in {"cast", "array"}
            if not (method or cast or (isinstance(parent, ast.Subscript) and parent.value is node)):
                return False
            node = parent
        return False

    def _use(self, name: ast.Name) -> Use:
        node: ast.AST = name
        parent = self._parents.get(node)
        # An item or a slice of it stands for it.
        while isinstance(parent, ast.Subscript) and parent.value is node and self._passed(parent):
            node, parent = parent, self._parents.get(parent)
        if isinstance(parent, ast.Call):
            return self._argument(parent, node, "")
        if isinstance(parent, ast.keyword) and isinstance(call := self._parents.get(parent), ast.Call):
            return self._argument(call, node, parent.arg or "")
        return self._elsewhere(node, parent)

    def _elsewhere(self, node: ast.AST, parent: ast.AST | None) -> Use:
        """What a name is used for that is no argument."""
        match parent:
            case ast.Attribute():
                return self._attribute(parent)
            case ast.Tuple() | ast.List():
                return self._member(parent, node)
            case ast.For() | ast.comprehension() if parent.iter is node:
                return self._plain("iterated", arity=_arity(parent.target))
            case ast.Subscript() if parent.value is node:
                places = ast.walk(parent.slice)
                widened = any(isinstance(part, ast.Attribute) and part.attr == "newaxis" for part in places)
                return self._plain("widened" if widened else "indexed")
            case ast.BinOp():
                return self._plain("arithmetic")
        return self._plain("passed")

    def _passed(self, node: ast.AST) -> bool:
        return isinstance(self._parents.get(node), ast.Call | ast.keyword | ast.Tuple)

    def _plain(self, kind: str, *, detail: str = "", arity: int = 0, partner: str = "") -> Use:
        return Use(kind=kind, program=self._program, detail=detail, arity=arity, partner=partner)

    def _attribute(self, parent: ast.Attribute) -> Use:
        word, above = parent.attr, self._parents.get(parent)
        call = above if isinstance(above, ast.Call) and above.func is parent else None
        if word == "reshape" and call is not None:
            return Use(kind="reshaped", program=self._program, sizes=self._sizes(call.args))
        if call is not None and word in _FITS:
            return self._plain("model", detail=word, partner=_first_name(call))
        for kind, words in (("strategy", _STRATEGY), ("model", _MODEL_METHODS), ("array", _ARRAY)):
            if word in words:
                return self._plain(kind, detail=word)
        if word in _DATASET_METHODS:
            chain = tuple(self._chain(parent))
            mapped = next((call for name, call in chain if name == "map" and call.args), None)
            arity = len(mapped.args[0].args.args) if mapped and isinstance(mapped.args[0], ast.Lambda) else 0
            outer = self._parents.get(chain[-1][1]) if chain else above
            if isinstance(outer, ast.For) and word in {"take", "skip", "as_numpy_iterator", "shuffle", "prefetch"}:
                arity = arity or _arity(outer.target)
            return self._plain("dataset", detail=".".join(name for name, _ in chain) or word, arity=arity)
        if word in {"apply_gradients", "minimize"}:
            return self._plain("optimizer", detail=word)
        return self._plain("attribute", detail=word)

    def _chain(self, node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
        """The methods that are called one on the result of the other, beginning with an attribute."""
        while isinstance(node, ast.Attribute):
            call = self._parents.get(node)
            if not isinstance(call, ast.Call) or call.func is not node:
                return
            yield node.attr, call
            node = self._parents.get(call, call)

    def _sizes(self, nodes: list[ast.expr]) -> tuple[int, ...]:
        if len(nodes) == 1 and isinstance(nodes[0], ast.Tuple | ast.List):
            nodes = nodes[0].elts
        return constants(nodes, self._live)

    def _argument(self, call: ast.Call, node: ast.AST, keyword: str) -> Use:
        if call.func is node:
            return self._plain("called", arity=len(call.args))
        position = call.args.index(node) if not keyword and isinstance(node, ast.expr) and node in call.args else -1
        found = self._of_data(call, _leaf(call), position, keyword) or self._of_number(_leaf(call), position, keyword)
        found = found or self._of_parameter(call, position, keyword)
        return found or self._plain("passed", detail=_leaf(call), arity=len(call.args))

    def _of_parameter(self, call: ast.Call, position: int, keyword: str) -> Use | None:
        """What a function of the document does with a parameter that it is given."""
        function = self._functions.get(_name_of(call.func))
        if function is None:
            return None
        names = [item.arg for item in (*function.args.posonlyargs, *function.args.args)]
        parameter = keyword or (names[position] if 0 <= position < len(names) else "")
        others = {name: node for name, node in self._functions.items() if node is not function}
        body = ast.Module(body=function.body, type_ignores=[])
        inner = Reader(body, self._program, self._aliases, self._live, others)
        for part in ast.walk(body):
            if isinstance(part, ast.Name) and part.id == parameter and isinstance(part.ctx, ast.Load):
                told = next((use for use in inner.uses(part) if use.kind not in _TELLS_NOTHING), None)
                if told is not None:
                    return told
        return None

    def _of_data(self, call: ast.Call, leaf: str, position: int, keyword: str) -> Use | None:
        """What an argument is used for that stands for data or for a part of the training."""
        if leaf in _FITS and isinstance(call.func, ast.Attribute):
            return self._fitted(call, position, keyword, _root(call.func))
        if leaf in _CLASSES and (position == 0 or keyword in {"y", "indices"}):
            classes = [*call.args[1:2], *(item.value for item in call.keywords if item.arg in {"num_classes", "depth"})]
            return Use(kind="classes", program=self._program, sizes=constants(classes, self._live))
        if leaf == "enumerate" and isinstance(loop := self._parents.get(call), ast.For) and loop.iter is call:
            inner = loop.target.elts[1:2] if isinstance(loop.target, ast.Tuple) else []
            return self._plain("iterated", arity=_arity(inner[0]) if inner else 0)
        if leaf in _PAIRS and (position == 1 or keyword == "y"):
            return self._plain("labels", detail=_first_name(call))
        if like_loss(leaf) or leaf.lower().endswith(_LOSSY) or keyword == "labels":
            return self._plain("labels" if position == 0 or keyword in {"labels", "y_true"} else "predictions")
        if keyword == "optimizer":
            return self._plain("optimizer", detail="compile")
        if full_path(call.func, self._aliases).startswith("tensorflow.image."):
            return self._plain("image", detail=leaf)
        return self._of_first(call, leaf) if position == 0 else None

    def _of_first(self, call: ast.Call, leaf: str) -> Use | None:
        """What the first argument of a call is used for."""
        if isinstance(call.func, ast.Name) and self._is_model(call.func.id):
            return self._plain("features", partner=call.func.id, detail="call")
        if leaf in _TEXTS:
            return self._plain("texts", detail=leaf)
        kind = _FIRST.get(leaf)
        return self._plain(kind, detail=leaf, partner=_root(call.func) if kind == "adapted" else "") if kind else None

    def _of_number(self, leaf: str, position: int, keyword: str) -> Use | None:
        """What an argument is used for that stands for a shape or a number."""
        if keyword in _SHAPES or (leaf in {"Input", "InputLayer", "build"} and position == 0):
            return self._plain("shape", detail=leaf)
        if keyword in _RATES or (leaf in _RATE_CALLS and position == 0):
            return self._plain("rate", detail=keyword or leaf)
        if keyword in _COUNTS or (leaf in _COUNTING_CALLS and (position == 0 or leaf in {"Embedding", *_CLASSES})):
            return self._plain("count", detail=keyword or f"{leaf} {position}")
        return None

    def _is_model(self, name: str) -> bool:
        facts = self._live.get(name)
        return facts is not None and facts.what == "model"

    def _fitted(self, call: ast.Call, position: int, keyword: str, model: str) -> Use:
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        alone = len(call.args) == 1 and not any(item.arg == "y" for item in call.keywords)
        if position == 0 or keyword in {"x", "generator"}:
            whole = alone and method in {"fit", "evaluate", "fit_generator", "evaluate_generator"}
            return self._plain("whole" if whole else "features", partner=model, detail=_second_name(call))
        if (position == 1 and "predict" not in method) or keyword == "y":
            return self._plain("labels", partner=model, detail=_first_name(call))
        if keyword == "validation_data":
            return self._plain("whole", partner=model)
        if keyword in _COUNTS:
            return self._plain("count", detail=keyword)
        return self._plain("rate" if keyword in _RATES else "passed", detail=keyword)

    def _member(self, parent: ast.Tuple | ast.List, node: ast.AST) -> Use:
        above = self._parents.get(parent)
        index = list(parent.elts).index(node) if node in parent.elts else -1
        if isinstance(above, ast.keyword):
            call = self._parents.get(above)
            if above.arg == "validation_data" and isinstance(call, ast.Call):
                kind = "labels" if index == 1 else "features"
                return self._plain(
                    kind, partner=_root(call.func), detail=_name_of(parent.elts[1 - index]) if index < 2 else ""
                )
            if above.arg in _SHAPES:
                return self._plain("count", detail="size")
        if isinstance(above, ast.Call):
            leaf = _leaf(above)
            if leaf == "from_tensor_slices" and len(parent.elts) == 2:
                return self._plain("labels" if index else "features", detail=_name_of(parent.elts[1 - index]))
            if leaf in {"reshape", "Input", "zeros", "ones", "normal", "uniform", "resize", "Reshape"}:
                return self._plain("count", detail="size")
        return self._plain("passed")


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    arguments = node.args
    stars = (item for item in (arguments.vararg, arguments.kwarg) if item is not None)
    return {item.arg for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars)}


def _byte_range(op: ast.operator, value: ast.expr) -> bool:
    number = value.value if isinstance(value, ast.Constant) else None
    return isinstance(op, ast.Div) and number in {255, 256, 127.5, 128}


def _leaf(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else _name_of(call.func)


def _arity(target: ast.expr) -> int:
    return len(target.elts) if isinstance(target, ast.Tuple | ast.List) else 1


def _root(node: ast.expr) -> str:
    return next((part.id for part in _down(node) if isinstance(part, ast.Name)), "")


def _down(node: ast.expr) -> Iterator[ast.expr]:
    while True:
        yield node
        if isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _first_name(call: ast.Call) -> str:
    given = [*call.args[:1], *(item.value for item in call.keywords if item.arg == "x")]
    return _name_of(given[0]) if given else ""


def _second_name(call: ast.Call) -> str:
    given = [*call.args[1:2], *(item.value for item in call.keywords if item.arg == "y")]
    return _name_of(given[0]) if given else ""
