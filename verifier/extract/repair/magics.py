"""Lines inside Python that belong to the notebook or the shell: `%matplotlib inline`, `!pip install`, `$ ls`.

Hides which of them are known to change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.extract.repair.draft import Edit
from verifier.extract.repair.scan import Kind, Token, token_at
from verifier.model import RepairClass

_MAGIC = re.compile(
    r"^([ \t]*)(%%?[A-Za-z_]\w*[^\n]*|![^\n=]*[^\n]*|\?{1,2}[A-Za-z_][\w.]*|[A-Za-z_][\w.]*\?{1,2})[ \t]*$",
    re.MULTILINE,
)
_TIMED = re.compile(r"%%?(?:timeit|time|prun|memit)\b(?:[ \t]+-\w+(?:[ \t]+\d+)?)*[ \t]*")
_NO_OPS = re.compile(
    r"%%?(?:matplotlib|load_ext|reload_ext|autoreload|config|tensorflow_version|time|timeit|capture|pylab|tensorboard"
    r"|notebook|precision|pinfo|who|whos|html|warnings|cache)\b"
)
_SHELL = re.compile(
    r"""^([ \t]*)(
        (?:\$[ \t]+|[A-Za-z]:\\[^\n>]*>[ \t]*)?(?:sudo[ \t]+)?
        (?:pip3?|conda|apt(?:-get)?|brew|git|docker|npm|wget|curl|mkdir|cd|python3?[ \t]+-m|python3?[ \t]+[\w./-]+\.py)
        [ \t]+(?![=.(\[])[^\n]+
      | \$[ \t]+[^\n]+)$""",
    re.MULTILINE | re.VERBOSE,
)


def magic_edits(text: str, tokens: Sequence[Token]) -> list[Edit]:
    """Edits that take such lines out. In a block of its own a line leaves `pass` behind."""
    edits = [_magic(match) for match in _MAGIC.finditer(text) if _is_free(tokens, match.start(2))]
    for match in _SHELL.finditer(text):
        if _is_free(tokens, match.start(2)):
            after = "pass" if match.group(1) else ""
            edits.append(_edit(match.start(2), match.end(2), after, "a shell line: it was not run", known=False))
    return edits


def _is_free(tokens: Sequence[Token], offset: int) -> bool:
    """Whether a statement can begin at `offset`: no string, no comment, no open bracket."""
    token = token_at(tokens, offset)
    return token is None or (token.kind not in {Kind.STRING, Kind.COMMENT} and not token.depth)


def _magic(match: re.Match[str]) -> Edit:
    line = match.group(2)
    timed = _TIMED.match(line)
    if timed and line[timed.end() :].strip() and not line.startswith("%%"):
        reason = "a notebook's timing; the statement stays"
        return _edit(match.start(2), match.start(2) + timed.end(), "", reason)
    known = bool(_NO_OPS.match(line))
    reason = "a notebook magic that changes nothing" if known else "a notebook or shell line: it was not run"
    return _edit(match.start(2), match.end(2), "pass" if match.group(1) else "", reason, known=known)


def _edit(start: int, end: int, after: str, reason: str, *, known: bool = True) -> Edit:
    rule = "magic" if known else "shell-line"
    return Edit(start=start, end=end, after=after, rule=rule, klass=RepairClass.R1, reason=reason)
