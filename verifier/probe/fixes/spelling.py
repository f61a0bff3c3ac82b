"""Which changes only spell what was meant, and which give the code another meaning; how near one name is to another."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from verifier.model import Edit
from verifier.names import expand

_WORD = re.compile(r"[\w.]+|'[^'\n]*'|\"[^\"\n]*\"")
_IMPORT = re.compile(r"from [\w.]+ import (?P<names>\w+(?:, \w+)*)")
# Likeness of two words in percent.
_ALIKE = 75
# Places whose functions share their names with others and do something else.
_ASIDE = frozenset({"nest", "raw_ops", "compat", "experimental", "backend"})


def respells(edit: Edit) -> bool:
    """Whether an edit exchanges one name or text for another, or imports the same names from another place.

    What fails behind such a change fails by itself; a cast, a new shape, an argument left out, or an import that
    nobody wrote may be what fails next.
    """
    before, after = _IMPORT.fullmatch(edit.before), _IMPORT.fullmatch(edit.after)
    if before and after:
        return before["names"].lower() == after["names"].lower()
    return bool(_WORD.fullmatch(edit.before) and _WORD.fullmatch(edit.after))


def near(path: str, home: str) -> bool:
    """Whether a name is likely to be the one that was meant: nearly the same word, at nearly the same place.

    A word like `flatten` stands in many places, and does something else in each.
    """
    *parents, leaf = expand(path).split(".")
    *others, word = home.split(".")
    if fuzz.ratio(leaf.lower(), word.lower()) < _ALIKE or _ASIDE & set(others) - set(parents):
        return False
    shared = {name.lower() for name in parents[1:]} & {name.lower() for name in others[1:]}
    return bool(shared) or parents == others or (not parents[1:] and leaf[:1].isupper())
