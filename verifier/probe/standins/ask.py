"""What the live namespace of a session holds, as plain facts. Hides the program that asks and its answer's form.

A model that ran knows its input and output better than any reading of the code that built it.
"""

from __future__ import annotations

import msgspec

from verifier.model import Run
from verifier.probe.standins.supplies import Facts

# Runs behind the document's code, in its namespace: it trusts nothing there and raises nothing.
CODE = """\
def _what_is_here(space):
    import json, sys
    plain = lambda sizes: [None if size is None else int(size) for size in sizes]
    def attempt(function):
        try:
            return function()
        except Exception:
            return None
    def kinds(value):
        return [base.__module__.split(".")[0] + "." + base.__name__ for base in type.mro(type(value))]
    def shapes(tensors):
        return [plain(tuple(tensor.shape)[1:]) for tensor in tensors]
    def model(value):
        layers = [layer for layer in value.layers if "InputLayer" not in type(layer).__name__]
        words = [layer.input_dim for layer in layers if type(layer).__name__ == "Embedding"]
        loss = attempt(lambda: value.loss)
        return {
            "what": "model",
            "inputs": attempt(lambda: shapes(value.inputs)) or [],
            "outputs": attempt(lambda: shapes(value.outputs)) or attempt(lambda: [[int(layers[-1].units)]]) or [],
            "input_dtype": attempt(lambda: str(getattr(value.inputs[0].dtype, "name", value.inputs[0].dtype))) or "",
            "activation": attempt(lambda: layers[-1].activation.__name__) or "",
            "loss": loss if isinstance(loss, str) else named(loss),
            "first": type(layers[0]).__name__ if layers else "",
            "vocabulary": int(words[0]) if words else 0,
        }
    def named(value):
        return getattr(value, "__name__", type(value).__name__) if callable(value) else ""
    def array(value):
        return {"what": "array", "shape": plain(value.shape)}
    def describe(value):
        bases = kinds(value)
        if isinstance(value, bool):
            return None
        if isinstance(value, int):
            return {"what": "integer", "number": value} if abs(value) < 1 << 31 else None
        if isinstance(value, float):
            return {"what": "number", "number": value} if value == value and abs(value) < 1e30 else None
        if isinstance(value, str):
            return {"what": "text", "text": str(value[:300])}
        homes = ("keras", "tf_keras", "tensorflow", "tensorflow_core")
        if any(base == home + ".Model" for base in bases for home in homes):
            return None if isinstance(value, type) else model(value)
        if any(base.endswith(".Loss") for base in bases):
            return {"what": "loss", "loss": type(value).__name__}
        if isinstance(value, type) or not hasattr(value, "dtype") or not hasattr(value, "shape"):
            return None
        return array(value)
    found = {}
    for name, value in list(space.items())[:400]:
        if isinstance(name, str) and not name.startswith("_") and "module" not in type(value).__name__:
            facts = attempt(lambda: describe(value))
            if facts:
                found[name] = facts
    sys.stdout.write(json.dumps(found))
_what_is_here(globals())
"""


def answered(run: Run | None) -> dict[str, Facts]:
    """The facts that an inquiry printed, by name; none when it did not come to speak.

    They come out of a process that ran a document's code, and are believed only in form.
    """
    printed = run.steps[-1].stdout if run is not None and run.steps else ""
    try:
        return msgspec.json.decode(printed, type=dict[str, Facts])
    except (msgspec.MsgspecError, ValueError):
        return {}
