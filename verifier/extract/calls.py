"""Calls inside snippets: which library function each one means, under its customary name."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field

from verifier.extract.parts import Snippet
from verifier.extract.trees import Tree, nodes
from verifier.model import CallForm, Claim, ClaimKind, Document
from verifier.names import CUSTOMARY_IMPORTS, expand

_BUILTINS = frozenset(dir(builtins))
# Full module path -> how a document would write it.
_CUSTOMARY_ROOTS = {"tensorflow": "tf", "numpy": "np", "pandas": "pd", "matplotlib.pyplot": "plt"}
_LITERALS = (
    ast.List,
    ast.Dict,
    ast.Set,
    ast.Constant,
    ast.JoinedStr,
    ast.ListComp,
    ast.DictComp,
    ast.SetComp,
    ast.Tuple,
)


@dataclass(slots=True)
class _Names:
    """What the document's own code binds.

    imports: name -> full path · defined: functions, classes and members of its own · values: names of plain
    literals · instances: names of objects of its own classes · bound: every other name that is assigned.
    """

    imports: dict[str, str] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    instances: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)


def find_calls(document: Document, snippets: tuple[Snippet, ...]) -> tuple[Claim, ...]:
    """One claim for each call of a library function; `about` is the index of the snippet, ids are empty.

    Builtins, the document's own functions, and calls of what a call returned are no claims.
    """
    trees = [Tree(snippet.code) for snippet in snippets]
    names = _names([node for snippet in snippets for node in nodes(snippet.code)])
    claims = []
    for index, (snippet, tree) in enumerate(zip(snippets, trees, strict=True)):
        for node in nodes(snippet.code):
            target = _target(node.func, names) if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and target:
                claims.append(_claim(document, snippet, tree, node, target, index))
    return tuple(claims)


def _claim(document: Document, snippet: Snippet, tree: Tree, node: ast.Call, target: str, index: int) -> Claim:
    code_span = tree.span(node)
    span = snippet.source_map.locate(code_span)
    return Claim(
        id="",
        kind=ClaimKind.CALL,
        document=document.path,
        span=span,
        quote=span.of(document.text),
        passage=document.passage_at(span.start),
        target=target,
        code=code_span.of(snippet.code),
        about=str(index),
        code_span=code_span,
        call=form_of(node),
        release=snippet.release,
        reading=snippet.reading,
        doubt=snippet.doubt,
    )


def form_of(node: ast.Call) -> CallForm:
    """The shape of a call as written."""
    starred = any(isinstance(argument, ast.Starred) for argument in node.args) or any(
        not word.arg for word in node.keywords
    )
    return CallForm(
        positional=sum(not isinstance(argument, ast.Starred) for argument in node.args),
        keywords=tuple(word.arg for word in node.keywords if word.arg),
        starred=starred,
    )


def _names(every: list[ast.AST]) -> _Names:
    names = _Names()
    for node in every:
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.partition(".")[0]
                names.imports[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.imports |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.defined.add(node.name)
        elif isinstance(node, ast.arg) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)):
            names.bound.add(node.arg if isinstance(node, ast.arg) else node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.defined.add(node.attr)
    for node in every:
        if isinstance(node, ast.Assign):
            _assigned(node, names)
    names.bound -= set(names.imports)
    return names


def _assigned(node: ast.Assign, names: _Names) -> None:
    targets = {target.id for target in node.targets if isinstance(target, ast.Name)}
    if isinstance(node.value, _LITERALS):
        names.values |= targets
        return
    names.values -= targets
    if (
        isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id in names.defined
    ):
        names.instances |= targets


def _target(callee: ast.expr, names: _Names) -> str:
    """The name that a callee means, or an empty string when it is no library function."""
    if isinstance(callee, ast.Name):
        return _bare(callee.id, names)
    if not isinstance(callee, ast.Attribute):
        return ""
    path = _dotted(callee)
    if not path:
        return "" if _is_own_value(callee, names) else f".{callee.attr}"
    root, _, rest = path.partition(".")
    if root in names.imports:
        return customary(f"{names.imports[root]}.{rest}")
    if root in {"self", "cls"} or root in names.instances or root in names.defined:
        return "" if callee.attr in names.defined or root in names.defined else path
    if root in names.values:
        return ""
    if root in names.bound:
        return path
    return customary(expand(path)) if root in CUSTOMARY_IMPORTS or root in {"tf", "np"} else path


def _bare(name: str, names: _Names) -> str:
    if name in names.defined or name in names.bound:
        return ""
    if name in names.imports:
        return customary(names.imports[name])
    if name in CUSTOMARY_IMPORTS and name[0].isupper():
        return f"tf.keras.{name}"
    return ""


def _is_own_value(callee: ast.Attribute, names: _Names) -> bool:
    """Whether the receiver is a literal (`"".join`), `super()`, or an object of the document's own class."""
    receiver = callee.value
    if isinstance(receiver, _LITERALS):
        return True
    if isinstance(receiver, ast.Call) and isinstance(receiver.func, ast.Name):
        return receiver.func.id in names.defined or receiver.func.id in _BUILTINS
    return False


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def customary(path: str) -> str:
    """A full import path as documents write it: `tensorflow.io` -> `tf.io`."""
    for full, short in _CUSTOMARY_ROOTS.items():
        if path == full or path.startswith(full + "."):
            return short + path[len(full) :]
    return path
