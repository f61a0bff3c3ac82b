"""What the zygote imports, and the proof that importing was all it did.

Forking is safe while TensorFlow has run no operation: then the process has one thread. After one eager
operation the children of this process would hang, so a zygote that is not pure must not serve.
"""

from __future__ import annotations

import contextlib
import gc
import glob
import importlib
import os
import shutil
import sys

from guest import substitute

# Modules that first use would import in every session, worth their place in the zygote where they exist.
_MODULES = (
    "tensorflow",
    "numpy",
    "matplotlib.pyplot",
    "matplotlib.font_manager",
    "PIL.PngImagePlugin",
    "PIL.BmpImagePlugin",
    "PIL.GifImagePlugin",
    "PIL.JpegImagePlugin",
    "PIL.PpmImagePlugin",
    "rich._emoji_codes",
    "pandas",
    "ctypes",
    "decimal",
    "inspect",
    "pickle",
    "random",
    "tempfile",
    "uuid",
)
# Lazy attributes of TensorFlow: touching them imports what stands behind them and runs nothing.
_TOUCHED = (
    "keras.layers",
    "keras.models",
    "keras.optimizers",
    "keras.losses",
    "keras.metrics",
    "keras.datasets",
    "keras.applications",
    "keras.callbacks",
    "keras.utils",
    "compat.v1",
    "data",
    "distribute",
    "estimator",
)


def load():
    """Import everything; returns the names that could not be imported, with the reason."""
    _seed_font_cache()
    failed = {}
    for name in _MODULES:
        try:
            importlib.import_module(name)
        except Exception as error:
            failed[name] = "%s: %s" % (type(error).__name__, error)
    tensorflow = sys.modules.get("tensorflow")
    for path in _TOUCHED if tensorflow else ():
        _touch(tensorflow, path)
    substitute.install()
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.switch_backend("agg")
    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()
    return failed


def _touch(value, path):
    with contextlib.suppress(Exception):
        for part in path.split("."):
            value = getattr(value, part)
        dir(value)


def _seed_font_cache():
    """Matplotlib wants a writable folder and would spend seconds on a list of fonts that it finds there."""
    folder = os.environ.get("MPLCONFIGDIR")
    if not folder:
        return
    os.makedirs(folder, exist_ok=True)
    for path in glob.glob(os.path.join(os.environ.get("VERIFIER_BAKED", ""), "fontlist*.json")):
        shutil.copy(path, folder)


def impurity():
    """Why forking would be unsafe now; empty when it is safe."""
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        return "%d threads run in the zygote" % threads
    context = sys.modules.get("tensorflow.python.eager.context")
    current = getattr(context, "_context", None)
    if current is not None and getattr(current, "_initialized", False):
        return "the eager context of the zygote is initialised"
    return ""
