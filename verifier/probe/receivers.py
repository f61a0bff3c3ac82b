"""What the variables of a document hold, as far as its code says: `net = keras.Sequential()` makes `net` one."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from verifier.probe.diagnose import full_path
from verifier.probe.sessions import Session


def receivers(sessions: Iterable[Session]) -> dict[str, str]:
    """The class, by its last word, of each variable that is only ever given an object of that one library class."""
    found: dict[str, set[str]] = {}
    for session in sessions:
        for program in session.parsed:
            for top in program.nodes:
                for node in ast.walk(top):
                    if isinstance(node, ast.Assign):
                        made = _class(node.value, session)
                        for name in (part.id for part in node.targets if isinstance(part, ast.Name)):
                            found.setdefault(name, set()).add(made)
    return {name: made for name, (made, *others) in found.items() if made and not others}


def _class(value: ast.expr, session: Session) -> str:
    """The last word of the class that an expression constructs, or an empty string."""
    if not isinstance(value, ast.Call):
        return ""
    leaf = full_path(value.func, session.aliases).rpartition(".")[2]
    return leaf if leaf[:1].isupper() and not leaf.isupper() else ""
