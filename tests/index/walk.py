"""Walks what TensorFlow exports and prints it as JSON. Runs in the interpreter of an environment, Python 3.7 or newer.

Hides what counts as public at run time, judged by the modules alone: a name without underscore in a module that
TensorFlow generated for its public tree, or that it hooks into that tree by hand.
"""

import __future__

import enum
import inspect
import json
import sys
import types
import warnings

# Generated trees: of TensorFlow, of Estimator and Keras 2, of Keras 3 as TensorFlow sees it.
GENERATED = ("tensorflow._api.", "tensorflow_core._api.", "tensorflow.experimental", ".api._v", "_api.v", "._tf_keras.")
# Written by hand and put into the tree on purpose, by the real name of the module.
HOOKED = (
    "tensorflow.compat",
    "tensorflow.contrib",
    "tensorflow_core.contrib",
    "tensorboard.summary._tf.summary",
    "tensorflow.python.platform.flags",
    "tensorflow.python.pywrap_tensorflow",
    "tensorflow_core.python.pywrap_tensorflow",
)


def main():
    """Print path -> what it is."""
    warnings.simplefilter("ignore")
    import tensorflow as tf

    walker = Walker()
    walker.walk(tf, "tensorflow", {id(tf)})
    json.dump(walker.found, sys.stdout)


class Walker:
    """Collects `found`: path -> kind, and for objects the signature, the members and whether it is deprecated.

    A module that is not public itself is `private`: its name exists, and nothing below it is walked.
    """

    def __init__(self):
        self.found = {}
        # The objects are kept: an identity is only worth something as long as its object lives.
        self._rows = {}

    def walk(self, module, path, above):
        """Add what a module exports; one that holds itself is not entered again."""
        try:
            names = dir(module)
        except Exception:  # noqa: BLE001 lazy modules fail in every way when their package is not installed
            return
        for name in names:
            if name.startswith("_"):
                continue
            try:
                value = getattr(module, name)
            except Exception:  # noqa: BLE001 as above
                continue
            # The language's, not TensorFlow's; in every module that asks for it.
            if isinstance(value, __future__._Feature):
                continue
            where = f"{path}.{name}"
            if isinstance(value, types.ModuleType):
                self._module(value, where, above, module)
                continue
            if id(value) not in self._rows:
                self._rows[id(value)] = (value, describe(value))
            self.found[where] = self._rows[id(value)][1]

    def _module(self, module, path, above, holder):
        public = (is_public(module) or ".contrib." in path) and not is_borrowed(module, path, holder)
        self.found[path] = {"kind": "module", "private": not public}
        if public and id(module) not in above and path.count(".compat.") < 2:
            self.walk(module, path, above | {id(module)})


def is_public(module):
    """Whether TensorFlow means users to see a module."""
    try:
        name = module.__name__
    except Exception:  # noqa: BLE001 a lazy module whose package is not installed
        return False
    # The wrapper around a lazy module has the name that the module goes by, not the one it has.
    real = str(getattr(sys.modules.get(name, module), "__name__", name))
    if real.startswith("keras."):
        return ".src" not in real
    return any(part in real for part in GENERATED) or any((real + ".").startswith(one + ".") for one in HOOKED)


def is_borrowed(module, path, holder):
    """Whether a module of `contrib`, all of them written by hand, only stands where another one imported it."""
    if ".contrib." not in path:
        return False
    # What `remove_undocumented` leaves is meant; it takes even what `from __future__` brought.
    if not hasattr(holder, "absolute_import"):
        return False
    inner, outer = (one.__name__.replace("tensorflow_core.", "tensorflow.") for one in (module, holder))
    return path.endswith(".python") or not inner.startswith(outer + ".")


def describe(value):
    """The row of one object."""
    row = {"kind": "constant", "deprecated": is_deprecated(value), "renamed": is_renamed(value)}
    if inspect.isclass(value):
        row["kind"] = "class"
        row["members"] = members(value)
    elif callable(value) and type(value).__name__ not in ("DType", "FlagValues", "_FlagValuesWrapper"):
        row["kind"] = "function"
    if row["kind"] == "constant":
        return row
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return row
    row["signature"] = [[one.name, int(one.kind), one.default is not one.empty] for one in parameters]
    return row


def members(holder):
    """What a class and its objects have; protocol messages and enumerations show some of it only on objects."""
    names = set(dir(holder))
    if issubclass(holder, enum.Enum):
        names.update(holder.__members__, *(dir(one) for one in list(holder)[:1]))
    descriptor = getattr(holder, "DESCRIPTOR", None)
    for table in ("fields_by_name", "enum_types_by_name", "enum_values_by_name"):
        names.update(getattr(descriptor, table, ()))
    return sorted(name for name in names if not name.startswith("_"))


def is_deprecated(value):
    """Whether the object itself is: not one of its arguments, not one of its older names."""
    makers = [vars(value).get("__init__"), value.__new__] if inspect.isclass(value) else []
    return any(_marked(one) for one in [value, *makers] if one is not None)


def is_renamed(value):
    """Whether older names of the object are deprecated."""
    return bool(getattr(value, "__dict__", {}).get("_tf_deprecated_api_names"))


def _marked(value):
    doc = getattr(value, "__doc__", None) or ""
    if "THIS FUNCTION IS DEPRECATED" in doc or "THIS CLASS IS DEPRECATED" in doc:
        return True
    # TensorFlow sometimes replaces the text afterwards; the decorators stay.
    mark = getattr(value, "__dict__", {}).get("_tf_decorator")
    while mark is not None:
        if "THIS FUNCTION IS DEPRECATED" in (mark.decorator_doc or ""):
            return True
        mark = getattr(mark.decorated_target, "__dict__", {}).get("_tf_decorator")
    return False


if __name__ == "__main__":
    main()
