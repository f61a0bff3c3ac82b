"""Keywords that an editor began with a capital letter: `Import tensorflow as tf`, `Print(x)`."""

from __future__ import annotations

import re

from verifier.extract.repair.draft import Edit
from verifier.model import RepairClass

_IMPORT = re.compile(r"^[ \t]*(Import)(?=[ \t]+[A-Za-z_][\w.]*(?:[ \t]+as[ \t]+\w+)?[ \t]*(?:$|[#,;]))", re.MULTILINE)
_FROM = re.compile(r"^[ \t]*(From)[ \t]+[A-Za-z_][\w.]*[ \t]+[Ii]mport[ \t]+\w", re.MULTILINE)
_STATEMENT = re.compile(r"^[ \t]*(For|While|If|Def|Class|With|Return|Else|Elif)\b(?=[^\n]*:[ \t]*$)", re.MULTILINE)


def capital_edits(text: str) -> list[Edit]:
    """Edits that write such keywords small, where the line is a statement but for the capital."""
    return [
        Edit(
            start=found.start(1),
            end=found.end(1),
            after=found.group(1).lower(),
            rule="capital",
            klass=RepairClass.R2,
            reason="invalid syntax: keywords are written small",
            alternatives=(found.group(1),),
        )
        for pattern in (_IMPORT, _FROM, _STATEMENT)
        for found in pattern.finditer(text)
    ]
