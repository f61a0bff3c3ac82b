"""Things that look like Python and are none: signatures quoted from documentation, and pseudo-code."""

from __future__ import annotations

import ast
import re
import warnings

_HEAD = re.compile(r"\s*(?:class\s+|def\s+|@\w+\s+)?([A-Za-z_]\w*(?:\.\w+)+|[A-Za-z_]\w*)\s*\(")
_OPTIONAL = re.compile(
    r"\[\s*,\s*[a-z_]|,\s*\[[a-z_]+(?:=\w+)?\]|,\s*\*\s*,|,\s*/\s*[,)]|\)\s*->|[(,]\s*<[a-z_ ]+>|\(\s*\w+\s*:\s*\w+"
)
_PSEUDO = re.compile(
    r"""^\s*(?:
        (?:for|foreach|while)\s+(?:each|every|all|not\s+converged
          |\w+\s*=\s*\d+\s*(?:to|\.\.)\s*\w+|\w+\s+in\s+[^:\n]*\bdo)\b
      | (?:if|while)\b[^:\n=]*\b(?:then|do)\s*$ | (?:end|endif|endfor|endwhile|end\s+(?:if|for|while|function))\s*$
      | else\s*$
      | (?:repeat|until|begin|loop|procedure|algorithm|input|output|require|ensure|initialize|initialise
          |return\s+the|compute|update|sample|set|let|function)(?=\s|[:：]|$)[^=(\[\n]*(?:$|[:：])
      | [A-Za-z_θαβγ]\w*\s*(?:←|<-|:=)\s*\S | \d+[.:)]\s+[A-Za-z\u4e00-\u9fff]
      | (?:若|如果|否则|对于?每|循环|重复|返回|输入|输出|初始化|当)[^=(\n]*$
    )""",
    re.VERBOSE | re.IGNORECASE,
)
# A condition in words; where one stands, other lines may be sentences at the margin.
_WORDY_HEAD = re.compile(
    r"\s*(?:if|while|for|until|repeat)\s+(?:the|each|every|all|any|no|it|there|an?)\s+[a-z][^=(\[\n]*$", re.IGNORECASE
)
_PLAIN_STEP = re.compile(
    r"\s*(?!import\b|from\b|del\b|global\b|raise\b|assert\b)[A-Za-z]+(?: [A-Za-z0-9]+){2,}[.;]?\s*$"
)
# A step in the body of a block: words and nothing else.
_STEP = re.compile(
    r"[ \t]+(?!return\b|import\b|from\b|del\b|global\b|raise\b|assert\b)[A-Za-z]+(?: [A-Za-z]+){2,}[.;]?\s*$"
)
_HAN = re.compile(r"[\u3400-\u9fff]")


def is_signature(body: str) -> bool:
    """Whether the whole block is one signature: parameters where a call would have arguments."""
    text = body.strip()
    head = _HEAD.match(text)
    if not head or len(text) > 4_000 or text.endswith(":") or not _closes_last(text, head.end() - 1):
        return False
    if text.startswith("class "):
        return "." in head.group(1) or "=" in text
    call = _call(text[head.start(1) :])
    if call is None:
        return bool(_OPTIONAL.search(text))
    return _parameters(call)


def _closes_last(text: str, opening: int) -> bool:
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if not depth:
            return not text[at + 1 :].strip() or text[at + 1 :].lstrip().startswith("->")
    return False


def _call(text: str) -> ast.Call | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    node = tree.body[0].value if len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr) else None
    return node if isinstance(node, ast.Call) else None


def _parameters(call: ast.Call) -> bool:
    """Bare names, then keywords with literal defaults, `None` among them (or stars): a list of parameters."""
    if not all(isinstance(argument, (ast.Name, ast.Starred)) for argument in call.args):
        return False
    defaults = [keyword.value for keyword in call.keywords if keyword.arg]
    stars = any(isinstance(argument, ast.Starred) for argument in call.args) or any(
        not keyword.arg for keyword in call.keywords
    )
    nones = sum(isinstance(value, ast.Constant) and value.value is None for value in defaults)
    plain = all(
        isinstance(value, (ast.Constant, ast.UnaryOp, ast.Tuple, ast.Attribute, ast.Name, ast.List))
        for value in defaults
    )
    same = sum(
        isinstance(value, ast.Name) and value.id == keyword.arg
        for keyword in call.keywords
        for value in [keyword.value]
    )
    return plain and not same and (nones >= 1 or (stars and len(call.args) + len(defaults) >= 1 and len(defaults) >= 1))


def pseudo_share(body: str) -> float:
    """The share of lines that only plain-language algorithms have, 0 to 1."""
    lines = [line[:400] for line in body.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        return 0.0
    wordy = any(_WORDY_HEAD.match(line) for line in lines)
    hits = sum(
        bool(_PSEUDO.match(line))
        or _is_sentence(line)
        or (wordy and bool(_WORDY_HEAD.match(line) or _PLAIN_STEP.match(line)))
        for line in lines
    )
    return hits / len(lines)


def _is_sentence(line: str) -> bool:
    if _STEP.match(line):
        return True
    return len(_HAN.findall(line)) >= 4 and not re.search(r"[=(（#'\"“‘]", line)
