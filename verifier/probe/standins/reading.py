"""One place where code reads a file that is not there, and what the file would hold."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from verifier.probe.sessions import Session
from verifier.probe.standins.paths import last_word
from verifier.probe.standins.supplies import Live


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What is in a file: its kind, the same in words, the code that writes it, and its name if that is not its path."""

    kind: str
    role: str
    code: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A call that reads the file at `path`, with all that is known around it."""

    session: Session
    live: Live
    call: ast.Call
    path: str

    @property
    def leaf(self) -> str:
        """The last word of the function that reads."""
        return last_word(self.call.func)

    @property
    def suffix(self) -> str:
        """The end of the file's name, in lower case and with its dot."""
        return PurePosixPath(self.path).suffix.lower()

    @property
    def code(self) -> str:
        """All code of the session."""
        return "\n".join(program.code for program in self.session.programs)

    def keyword(self, *words: str) -> ast.expr | None:
        """The first keyword argument with one of these names."""
        return next((item.value for item in self.call.keywords if item.arg in words), None)

    def mode(self) -> str:
        """How `open` opens."""
        given = self.call.args[1] if len(self.call.args) > 1 else self.keyword("mode")
        return str(given.value) if isinstance(given, ast.Constant) else "r"


def written(path: str, body: str, needs: str = "os") -> str:
    """Code that makes the folder of a file and then runs `body`, which needs these modules."""
    return f"import {needs}\nos.makedirs(os.path.dirname({path!r}) or '.', exist_ok=True)\n{body}"


def pixels(seed: int | str) -> str:
    """An expression for the pixels of an image of 64x64 in three colours."""
    return f'numpy.random.default_rng({seed}).integers(0, 256, (64, 64, 3)).astype("uint8")'


def texts_in(node: ast.expr | None) -> Iterator[str]:
    """The literal strings of an expression: of a list, or of one string."""
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else [node] if node is not None else []
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
