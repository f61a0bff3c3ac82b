"""Gives the modules of the guest builtins of their own, so that a document which changes Python's changes only its own.

To be used before any other module of the guest is imported.
"""

from __future__ import annotations

import builtins
import importlib.machinery
import sys

_BUILTINS = dict(vars(builtins))


class _Loader(importlib.machinery.SourceFileLoader):
    def exec_module(self, module):
        module.__dict__["__builtins__"] = _BUILTINS
        super().exec_module(module)


def seclude(folder):
    """Load modules of `folder` in this way from now on."""
    sys.path_importer_cache[folder] = importlib.machinery.FileFinder(folder, (_Loader, [".py"]))


def forget(folder):
    """Forget `folder` and the modules that came from it: documents can then not import them by name."""
    sys.path_importer_cache.pop(folder, None)
    for name, module in list(sys.modules.items()):
        if name != "__main__" and (getattr(module, "__file__", None) or "").startswith(folder + "/"):
            del sys.modules[name]
