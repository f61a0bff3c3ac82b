"""Compound class names that need no word beside them: TensorFlow exports a class of exactly this name.

`SeparableConv1D 参数少` names a class although nothing calls it one. Only names that exist are taken so, so that no
brand and no invention is ever charged for lack of a context.
"""

from __future__ import annotations

import re
from functools import lru_cache

from verifier.index import open_index

_TARGET = "tf-2.21"
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]|[a-z][0-9]+[A-Z]")
_SHORTEST = 8


@lru_cache(maxsize=1024)
def is_class_name(name: str) -> bool:
    """Whether a word of several capitalised parts is the name of a public class of TensorFlow."""
    if len(name) < _SHORTEST or not _INNER_CAPITAL.search(name):
        return False
    found = open_index(_TARGET).lookup_bare(name, said_kind="class")
    return found.found and found.kind == "class" and any(owner.startswith("tensorflow") for owner in found.owners)
