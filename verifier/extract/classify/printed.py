"""Text that a program printed: logs, arrays, tables, tracebacks."""

from __future__ import annotations

import ast
import re
import warnings
from itertools import pairwise

from verifier.extract.repair.scan import Kind, scan

_TRACEBACK = re.compile(
    r"^\s*(?:Traceback \(most recent call last\)|File \"[^\"\n]+\", line \d+|Cell In ?\[\d+\], line \d+"
    r"|-{20,}\n\w+(?:Error|Exception)\b)",
    re.MULTILINE,
)
_EXCEPTION = re.compile(
    r"^\s*(?:E\s+)?(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit)\b(?:: \S| *$)", re.MULTILINE
)
_LINES = re.compile(
    r"""^[ \t]*(?:
        Epoch\s*[\[(]?\d+ | \d+/\d+\s*(?:\[|━|-|\s*=|$) | .*\d+(?:s|ms)(?:/step|/epoch|/sample)\b
      | \[?\d{4}-\d\d-\d\d[ T] | [IWEF]\d{4}\ \d\d: | \d{2}:\d{2}:\d{2}
      | (?:WARNING|INFO|ERROR|DEBUG)\b\s*[:\[] | I\ tensorflow/ | W\ tensorflow/ | E\ tensorflow/
      | .*[─━│┃┌└├╭╰═║╔╚▁▂▃▄▅▆▇█].* | [=_\-+*]{8,}\s*$ | \|.*\|\s*$ | \+[-=+]{3,}
      | (?:Total|Trainable|Non-trainable)\ params\b | Model:\ " | Layer\ \(type\) | Downloading\ data | .*\bETA:
      | <.*object\ at\ 0x
      | <[a-z_.]*(?:tf\.|tensorflow|keras|function|bound|class|module|_?[A-Z]\w+(?:\ |:|\()).*>?\s*,?$
      | tf\.Tensor\( | TensorShape\( | array\( | tf\.RaggedTensor
      | SparseTensor\(
      | .*\b(?:shape|dtype)=.*\bdtype=\w+\)?>?\)?\s*$
      | \[*\[?\s*-?\d[\d.\seE+\-,\[\]]*\]*,?\s*$ | \[.*\.\.\..*\]
      | (?:(?:val_)?(?:loss|acc|accuracy|mae|mse)
          |(?:train|test|step|iter|iteration|batch|epoch)[\w ]*(?=:|\s*=[^,|;\n]+[,|;]))
          \s*[:=]\s*-?\d[\d.e+-]*\s*(?:$|[,|;\s]\s*[A-Za-z_]+\s*[:=]?\s*-?\d)
      | [^=(（\n]*[\u4e00-\u9fff][^=(（\n]*\d\.\d+[^=(（\n]*$
      | [\w ]{1,40}[:=]\s*-?\d[\d.e+-]*%?(?:\s*[,;|]\s*[\w ]{1,40}[:=]\s*-?\d[\d.e+-]*%?)+\s*$
      | .*(?<![A-Za-z])(?:val_)?(?:loss|acc|accuracy)\s*[:=]\s*-?\d+\.\d+.*
      | (?:Collecting|Requirement\ already|Successfully\ installed|Installing\ collected|Using\ cached
          |Found\ existing)\b
      | [\w .]{1,40}[:=]\s*(?:<(?:tf\.|tensorflow|keras|function|bound|class|module|_?[A-Z]\w+(?:\ |:|\())|tf\.Tensor\()
      | [\w .]{1,40}[:=]\s*\[+\s*-?\d[\d.eE+-]*(?:\s+-?\d[\d.eE+-]*)+\s*\]*\s*$
      | [\w ]{1,40}:\s*\((?:\d+|None|,|\s)*\)\s*$ | \[*\s*-?\d[\d.,\seE+-]*\]+,\s*dtype=\w+\)>?\s*$
      | \((?:[\d.eE+-]+|None|,|\s)*\)\s*(?:\((?:[\d.eE+-]+|None|,|\s)*\)\s*)*$
      | (?:True|False|None|nan|inf|\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*$
    )""",
    re.VERBOSE,
)
_REPRS = frozenset(
    {
        "dict_keys",
        "dict_values",
        "dict_items",
        "PhysicalDevice",
        "LogicalDevice",
        "TensorSpec",
        "Counter",
        "set",
        "frozenset",
        "DType",
        "array",
        "TensorShape",
        "Tensor",
        "dtype",
        "OrderedDict",
        "Dimension",
        "RaggedTensor",
        "SparseTensor",
        "defaultdict",
        "deque",
        "Timestamp",
        "SparseTensorValue",
    }
)
_RESULT = re.compile(
    r"\s*(?:(?:final|test|train|val|total|max|min|mean)_)?(?:result|res|ans|answer|output|loss|acc|accuracy|score|sum|total"
    r"|mean|average|error|mse|mae|rmse|auc|f1)\s*=\s*-?\d[\d.eE+-]*%?\s*$",
    re.IGNORECASE,
)
_PRINTED_KEYWORDS = frozenset({"shape", "dtype", "numpy", "name", "device_type", "device", "value", "values"})
_LONGEST = 400


def is_traceback(body: str) -> bool:
    """Whether the block is an error message of Python: a traceback, or a bare exception line."""
    if _TRACEBACK.search(body):
        return "Traceback (most recent" in body or bool(_EXCEPTION.search(body)) or body.count(", line ") > 1
    first = body.lstrip().partition("\n")[0]
    return bool(_EXCEPTION.match(first)) and " = " not in first


def exception_in(body: str) -> str:
    """The name of the exception that a traceback ends with, without its module; empty when none is named."""
    named = [found.group().strip().partition(":")[0] for found in _EXCEPTION.finditer(body)]
    return named[-1].split()[-1].rpartition(".")[2] if named else ""


def output_share(body: str) -> float:
    """The share of lines that look printed, 0 to 1."""
    lines = [line[:_LONGEST] for line in body.split("\n") if line.strip()]
    if not lines:
        return 0.0
    return sum(bool(_LINES.match(line)) for line in lines) / len(lines)


def is_values_only(body: str) -> bool:
    """Whether the block is Python, but nothing else than values: `(2, 3)`, `[1, 2]`, `TensorShape([2])`, `ok`."""
    tree = _parse(body)
    if tree is None or not tree.body:
        return False
    return all(isinstance(statement, ast.Expr) and _is_value(statement.value) for statement in tree.body)


def is_result(body: str) -> bool:
    """Whether the block is one line that names a result and its number: `result = 12`."""
    return bool(_RESULT.fullmatch(body.strip("\n")))


def is_construction(body: str) -> bool:
    """Whether the block is one call with keywords that no printed value has, of literals: `SparseTensor(indices=…)`.

    Only a tag tells it from the printed form, which holds values as they are printed (`array(…)`, `tf.Tensor(…)`).
    """
    tokens = [token for token in scan(body) if token.kind is not Kind.NEWLINE]
    called = next((index for index, token in enumerate(tokens) if token.text == "("), 0)
    if not called or tokens[-1].text != ")" or tokens[-1].depth:
        return False
    pairs = list(pairwise(tokens))
    keywords = {name.text for name, mark in pairs if name.kind is Kind.NAME and mark.text == "=" and name.depth == 1}
    values = any(name.kind is Kind.NAME and mark.text == "(" for name, mark in pairs[called:])
    return bool(keywords - _PRINTED_KEYWORDS) and not values


def _parse(body: str) -> ast.Module | None:
    if len(body) > 20_000:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(body.strip())
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _is_value(node: ast.expr) -> bool:
    stack: list[ast.expr] = [node]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name not in _REPRS:
                return False
            stack += [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg not in {"dtype", "name"})]
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            stack += node.elts
        elif isinstance(node, ast.Dict):
            stack += [key for key in node.keys if key] + node.values
        elif isinstance(node, ast.UnaryOp):
            stack.append(node.operand)
        elif isinstance(node, ast.BinOp):
            stack += [node.left, node.right]
            if not all(isinstance(side, (ast.Constant, ast.UnaryOp)) for side in (node.left, node.right)):
                return False
        elif not isinstance(node, (ast.Constant, ast.Name)):
            return False
    return True
