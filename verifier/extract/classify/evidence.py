"""How much a block reads like Python: evidence per line, damage allowed."""

from __future__ import annotations

import re

from verifier.extract.repair.comments import HAN, is_prose

_STRONG = re.compile(
    r"""^\s*(?:>>>\s*|In\s*\[\d*\]:\s*)?(?:
        [Ii]mport\s+[A-Za-z_]\w*(?:\.\w+)*(?:\s+as\s+\w+)?
          (?:\s*[,;#].*|\s*$|\s+(?:import|from)\s|\s+[A-Za-z_][\w.]*\s*[=(])
      | import\s+[A-Za-z_][\w.]*\s+as\s+\w+ | from\s+\.*[A-Za-z_]*[\w.]*\s+import\s+[\w(*（]
      | (?:async\s+)?def\s+[A-Za-z_]\w*\s*[(（] | class\s+[A-Za-z_]\w*\s*(?:[(（][^)\n]*[)）])?\s*[:：]
      | @[A-Za-z_][\w.]*(?:\(.*\)?)?\s*(?:$|def\b)
      | (?:for\s+[\w,\s()]+\s+in\s+.+|while\s+.+|if\s+.+|with\s+.+|elif\s+.+
          |else\s*|try\s*|except.*|finally\s*)[:：]\s*(?:$|[#\w])
      | [A-Za-z_][\w.]*(?:\[[^\]\n]*\])?(?:\s*,\s*[A-Za-z_][\w.]*)*\s*(?:[-+*/|&@%]|//|\*\*)?[=＝]\s*[^=＝\s]
      | [A-Za-z_]\w*(?:\.\w+)+\s*[(（] | print\s*[(（] | [A-Za-z_]\w*[(（].*[)）]\s*(?:[#＃].*)?$
      | (?:return|yield|raise|assert|del|global|print)\s+\S | (?:pass|break|continue)\s*$ | \(.*\)\s*=\s*[A-Za-z_]
      | [\[{(].*\bfor\s+\w+.*\sin\s.*[\]})]\s*$
    )""",
    re.VERBOSE,
)
_NEUTRAL = re.compile(
    r"^\s*(?:[#＃]|[)\]}）］｝,，]|['\"‘“”’]|\.\w|%|!|\.\.\.|-?\d|\[|\(|\{|\*|[A-Za-z_]\w*\s*[=＝:]"
    r"|[A-Za-z_]\w*(?:\.\w+|\[[^\]\n]*\])+\s*(?:[#＃]|$))"
)
_LONGEST = 2_000


def python_share(body: str) -> tuple[int, float]:
    """Number of lines that read like Python statements, and their share among the lines that must be one."""
    strong = other = 0
    for line in body.split("\n"):
        head = line[:_LONGEST]
        if not head.strip():
            continue
        if _STRONG.match(head) and not _is_han_sentence(head):
            strong += 1
        elif not (_NEUTRAL.match(head) or head[0] in " \t") and not (len(head) < 60 and is_prose(head)):
            other += 1
    return strong, strong / max(strong + other, 1)


def _is_han_sentence(line: str) -> bool:
    bare = re.sub(r"[#＃].*|'[^'\n]*'|\"[^\"\n]*\"|‘[^’\n]*’|“[^”\n]*”", "", line)
    return len(HAN.findall(bare)) * 3 > len(bare)
