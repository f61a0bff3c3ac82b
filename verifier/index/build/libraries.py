"""Public names of other libraries, one current version each: which paths exist, and the members of their classes.

Hides how each library is laid out. Names only: no signatures, no history. What compiled code adds at import time and
no stub file mentions is missing, and such modules and classes are marked open (`torch.ops`, the readers of `cv2` that
are made at run time); of `transformers` only the names at its top are read, and the members of its base classes.
`scipy` is read one level deep.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from verifier.index.build.classes import Classes, Record
from verifier.index.build.namespace import Import
from verifier.index.build.releases import Wheel
from verifier.index.build.resolve import Found, Resolver
from verifier.index.build.sources import Module, Sources
from verifier.index.build.wheels import fetch
from verifier.index.store import KINDS, Library

# Folders that hold no public names.
_PRIVATE = frozenset({"tests", "testing", "test", "conftest", "externals", "vendor", "scripts", "setup", "version",
                      "benchmarks", "pylab", "distutils", "f2py", "interop", "contrib"})  # fmt: skip
_PYTHON = "3.11"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How one library is read.

    home     the module whose names are the root's, when it is not the root itself
    depth    how many levels of modules below the root are read
    only     the modules directly below the root that are read; empty: all public ones
    members  the classes whose members are kept; empty: all
    """

    root: str
    wheel: Wheel
    home: str = ""
    depth: int = 2
    only: tuple[str, ...] = ()
    members: tuple[str, ...] = ()


def _wheel(name: str, version: str) -> Wheel:
    return Wheel(name=name, version=version, python=_PYTHON)


PLANS = (
    Plan(root="PIL", wheel=_wheel("pillow", "12.0.0"), depth=1),
    Plan(root="apache_beam", wheel=_wheel("apache-beam", "2.77.0"), only=("io", "transforms", "options", "pipeline")),
    Plan(root="cv2", wheel=_wheel("opencv-python-headless", "4.12.0.88"), depth=1),
    Plan(root="jax", wheel=_wheel("jax", "0.10.2"), only=("numpy", "nn", "random", "lax", "scipy", "tree_util")),
    Plan(root="matplotlib", wheel=_wheel("matplotlib", "3.10.0"), depth=1),
    Plan(root="numpy", wheel=_wheel("numpy", "2.4.6")),
    Plan(root="pandas", wheel=_wheel("pandas", "3.0.0"), only=("api", "io", "plotting", "tseries")),
    Plan(root="scipy", wheel=_wheel("scipy", "1.16.0"), depth=1),
    Plan(root="sklearn", wheel=_wheel("scikit-learn", "1.7.0")),
    Plan(root="tensorflow_addons", wheel=_wheel("tensorflow-addons", "0.23.0")),
    Plan(root="tensorflow_datasets", wheel=_wheel("tensorflow-datasets", "4.9.9"), depth=1,
         only=("features", "core", "as_dataframe", "deprecated")),
    Plan(root="tensorflow_hub", wheel=_wheel("tensorflow-hub", "0.16.1"), depth=0),
    Plan(root="tensorflow_probability", wheel=_wheel("tensorflow-probability", "0.25.0"), depth=1,
         home="tensorflow_probability.python"),
    Plan(root="torch", wheel=_wheel("torch", "2.13.0"), only=("nn", "optim", "utils", "cuda", "autograd", "distributed",
         "distributions", "fft", "linalg", "jit", "special", "random")),
    Plan(root="transformers", wheel=_wheel("transformers", "4.57.0"), depth=0,
         members=("PreTrainedModel", "TFPreTrainedModel", "PreTrainedTokenizer", "PreTrainedTokenizerFast", "AutoModel",
                  "AutoTokenizer", "AutoConfig", "Trainer", "Pipeline", "PretrainedConfig")),
)  # fmt: skip


def libraries(folder: Path) -> dict[str, Library]:
    """Every other library by import name; their wheels are fetched into `folder`."""
    return {plan.root: read(plan, Sources((fetch(plan.wheel, folder),), stubs=True)) for plan in PLANS}


def read(plan: Plan, sources: Sources) -> Library:
    """The public names of one library in these sources."""
    reader = _Reader(plan, Resolver(sources))
    reader.module(plan.home or plan.root, plan.root, 0)
    return Library(
        version=plan.wheel.version,
        names=reader.names,
        members={path: tuple(sorted(names)) for path, names in reader.members.items()},
        open=frozenset(reader.open),
    )


class _Reader:
    def __init__(self, plan: Plan, resolver: Resolver) -> None:
        self.names: dict[str, int] = {}
        self.members: dict[str, set[str]] = {}
        self.open: set[str] = set()
        self._plan = plan
        self._resolver = resolver
        self._classes = Classes(resolver)

    def module(self, name: str, path: str, level: int) -> None:
        module = self._resolver.module(name)
        if module is None or path in self.names:
            return
        self.names[path] = KINDS.index("module")
        if self._resolver.is_open(name):
            self.open.add(path)
        for public in self._public(module):
            found = self._resolver.member(module.name, public)
            if found is None or isinstance(found.node, ast.expr):
                # Declared as a name, loaded as a module when it is first used.
                lazy = self._resolver.sources.locate(f"{module.name}.{public}")
                found = Found(module=lazy) if lazy else found
            if found is not None and not found.qualname:
                self._inner(found.module, f"{path}.{public}", level)
            else:
                self._name(f"{path}.{public}", found, module, public)
        for child in self._resolver.sources.children(module.name):
            if not child.startswith("_"):
                self._inner(f"{module.name}.{child}", f"{path}.{child}", level)

    def _public(self, module: Module) -> Iterator[str]:
        names = self._resolver.names(module)
        listed = [name for name in self._resolver.public(module) if name in names]
        # A package's `__init__` often imports its names on purpose and lists only some of them, or none.
        extra = [name for name in names if not name.startswith("_")] if module.package else []
        yield from sorted({*listed, *extra})

    def _inner(self, name: str, path: str, level: int) -> None:
        word = path.rpartition(".")[2]
        outside = not name.startswith(f"{self._plan.root}.")
        if outside or level >= self._plan.depth or word in _PRIVATE or word.endswith(("_test", "_test_util", "_tests")):
            return
        if level == 0 and self._plan.only and word not in self._plan.only:
            return
        self.module(name, path, level + 1)

    def _name(self, path: str, found: Found | None, module: Module, name: str) -> None:
        if found is None:
            binding = self._resolver.names(module).get(name)
            own = isinstance(binding, Import) and binding.module.startswith(self._plan.root)
            if own or not isinstance(binding, Import):
                self.names[path] = 0
            return
        if self._plan.members and name not in self._plan.members and isinstance(found.node, ast.ClassDef):
            self.names[path] = KINDS.index("class")
            self.open.add(path)
            return
        record = self._classes.record(found)
        if record is None:
            self.names[path] = KINDS.index("function" if _is_function(found) else "")
            return
        self.names[path] = KINDS.index("class")
        self.members[path] = set(self._inherited(record))
        if record.open:
            self.open.add(path)

    def _inherited(self, record: Record) -> Iterator[str]:
        for ancestor in record.mro:
            yield from (name for name in self._classes.records[ancestor].members if not name.startswith("_"))


def _is_function(found: Found) -> bool:
    return isinstance(found.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
