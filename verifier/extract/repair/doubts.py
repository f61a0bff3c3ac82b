"""Silent corruption: code that compiles and is perhaps not what its author wrote.

Markdown and typographers leave no mark on these; they are only suspected in text that shows other damage.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from itertools import pairwise

from verifier.extract.repair.comments import behind_code, swallowed
from verifier.extract.repair.draft import Draft
from verifier.extract.repair.restore import Restored
from verifier.extract.repair.scan import Kind, Token, scan
from verifier.extract.repair.statements import inline_bodies
from verifier.extract.trees import nodes, parsed
from verifier.model import Confidence, RepairClass

_EATEN_DUNDER = re.compile(
    r"\b(?:tf|np|tensorflow|numpy|keras|pd|torch|plt|sys|self)\.(?:version|file|doc|dict|class|name|len|call)\b(?![.\w(=])(?!\s*=)"
)
_GLOB = re.compile(r"(?:glob|list_files|match|iglob)\s*\(|filenames?|pattern")
_STARS = re.compile(r"\(\s*(?:self\s*,\s*)?(?:args\s*,\s*)?kwargs\s*\)|\(\s*(?:self\s*,\s*)?args\s*,\s*kwargs\s*\)")
_INDEX_EATEN = re.compile(r"\b([A-Za-z_]{3,}s)(\d)\b(?=[.(])")
_STYLE = re.compile(r"(?:linestyle|ls|fmt)\s*=\s*['\"]-['\"]|plot\s*\([^()\n]*,\s*['\"]-['\"]")
_VALUES = (ast.Constant, ast.List, ast.Tuple, ast.Dict)
# Rules whose repairs show that a page, not a person, wrote the text as it stands.
_PUBLISHED = frozenset(
    {
        "quotes",
        "merged-quotes",
        "joined-statements",
        "typography-in-string",
        "lost-comment",
        "lost-indentation",
        "swallowed-by-comment",
        "emphasis",
    }
)


def doubt_about(restored: Restored, *, published: bool = False) -> tuple[Confidence, str]:
    """How sure the reading of repaired code is, and why it is not sure (empty when it is).

    published: the text around the code shows that it went through a typographer, even if the code does not.
    """
    if restored.choices:
        return Confidence.GUESS, f"the indentation was lost; {restored.choices} lines could stand in another block"
    if any(repair.klass is RepairClass.R3 and repair.rule == "lost-indentation" for repair in restored.draft.repairs):
        return Confidence.GUESS, "the indentation was lost and had to be guessed"
    if published and inline_bodies(restored.draft.text):
        return Confidence.GUESS, "a block stands on the line of its header: where it ends may be lost"
    reason = _first_doubt(restored.draft, published=published)
    return (Confidence.LIKELY, reason) if reason else (Confidence.SURE, "")


def _first_doubt(draft: Draft, *, published: bool) -> str:
    rules = {repair.rule for repair in draft.repairs}
    tokens = scan(draft.text)
    if rules & {"swallowed-by-comment"}:
        return "code behind a `#` was taken out of a comment"
    joined = published or bool(rules & _PUBLISHED)
    if any(
        token.kind is Kind.COMMENT and swallowed(token, behind_code=joined and behind_code(tokens, index)) >= 0
        for index, token in enumerate(tokens)
    ):
        return "a comment ends in what may be code that lost its line break"
    if any(token.kind is not Kind.COMMENT and "\ufffd" in token.text for token in tokens):
        return "a character was lost when the text was read in a wrong encoding (U+FFFD)"
    if _loose_bracket(tokens):
        return "a line break may be missing in front of a bracket"
    if not joined:
        return ""
    return _typography(draft) or _emphasis(draft.text, tokens) or _idle(draft.text)


def _loose_bracket(tokens: Sequence[Token]) -> bool:
    """Whether a call or index stands apart from what it belongs to, as in `f(x) [2, 1]`: nobody writes that."""
    return any(
        token.text in {"(", "["} and not token.depth and before.text in {")", "]"} and before.end < token.start
        for before, token in pairwise(tokens)
    )


def _idle(code: str) -> str:
    """A statement without effect, such as `x == 21` or `[1, 2]`, may have been a comment that showed a result."""
    bound = {node.id for node in nodes(code) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in parsed(code).body:
        value = node.value if isinstance(node, ast.Expr) else None
        number = isinstance(value, ast.Constant) and not isinstance(value.value, (str, type(Ellipsis)))
        told = (
            isinstance(node, ast.AnnAssign)
            and node.value is None
            and isinstance(node.annotation, (ast.Compare, *_VALUES))
        )
        stray = isinstance(value, ast.Name) and value.id not in bound
        if number or told or stray or isinstance(value, (ast.Compare, ast.Subscript, *_VALUES[1:])):
            return f"line {node.lineno} does nothing: it may have been a comment that lost its `#`"
    return ""


def _typography(draft: Draft) -> str:
    for repair in draft.repairs:
        if repair.rule == "typography-in-string" and repair.before in {"–", "—", "×"}:
            readings = " or ".join(f"`{other}`" for other in (repair.after, *repair.alternatives[1:]))
            return f"`{repair.before}` in a string may have been {readings}"
        if repair.rule == "merged-quotes":
            return "one mark was read as the two quotes of an empty string"
        if repair.rule == "joined-statements" and repair.klass is RepairClass.R2:
            return "a line break was put where the text allows another reading"
    return ""


def _emphasis(code: str, tokens: Sequence[Token]) -> str:
    bare = _blanked(code, tokens)
    if found := _EATEN_DUNDER.search(bare):
        return f"`{found.group()}` may have lost its underscores"
    if found := _STARS.search(bare):
        return f"`{found.group()}` may have lost its stars"
    if (found := _INDEX_EATEN.search(bare)) and re.search(rf"\b{found.group(1)}\b(?!\d)", bare):
        return f"`{found.group()}` may have been `{found.group(1)}[{found.group(2)}]`"
    for token in tokens:
        if token.kind is Kind.NUMBER and re.fullmatch(r"[1-9]\d{4,}", token.text) and not _is_round(int(token.text)):
            return f"`{token.text}` may have lost its `*` signs"
        if token.kind is Kind.STRING and token.text.strip("rfb'\"") in {"/", "//"} and _GLOB.search(bare):
            return "a pattern in a string may have lost its `*` signs"
    return "the line style `-` may have been `--`" if _STYLE.search(code) else ""


def _is_round(value: int) -> bool:
    return value % 1000 == 0 or value & (value - 1) == 0 or (value + 1) & value == 0


def _blanked(code: str, tokens: Sequence[Token]) -> str:
    parts: list[str] = []
    at = 0
    for token in tokens:
        if token.kind in {Kind.STRING, Kind.COMMENT}:
            parts += code[at : token.start], " " * (token.end - token.start)
            at = token.end
    return "".join([*parts, code[at:]])
