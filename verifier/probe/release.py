"""Which TensorFlow release a piece of code was written for, and how that shows.

The text may name it; else the code may: in an assertion, in the version that it is shown to print, in a comment,
or in names that only some releases have.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from verifier.model import Claim, ClaimKind, Diagnosis, Lookup, NameQuery, Run
from verifier.names import CUSTOMARY_IMPORTS, customary
from verifier.probe.diagnose import Names, full_path
from verifier.probe.plan import parse
from verifier.probe.sessions import aliases_of

_NUMBER = re.compile(r"^\D{0,3}([012])(?:\.(\d{1,2}|x)(?![\d]))?")
_SAID = re.compile(
    r"(?:tensorflow(?:[-_](?:gpu|cpu))?|tf|tensorflow_version)\s*(?:[=~>]=|[-v])?\s*v?([012])\.(\d{1,2}|x)(?![\d])",
    re.IGNORECASE,
)
_EARLIEST = 10**6
_COMPATIBLE = "tensorflow.compat.v1."
_CUSTOMARY = aliases_of([parse("\n".join(CUSTOMARY_IMPORTS.values()))])


@dataclass(frozen=True, slots=True, kw_only=True)
class Era:
    """A release, as `1.x` or `2.15`, and the reason in words."""

    release: str
    reason: str

    @property
    def first(self) -> bool:
        """Whether it is release 1."""
        return self.release.partition(".")[0] in {"0", "1"}


def era_of(claim: Claim, claims: Iterable[Claim], aliases: Mapping[str, str], names: Names) -> Era | None:
    """The release that a snippet was written for; None when nothing tells, or when it is the present one.

    `claims` are those of the document: among them may be what the snippet is shown to print.
    """
    return stated_era(claim, claims) or _by_names(_nodes(claim.code), _own_aliases(claim, aliases), names)


def stated_era(claim: Claim, claims: Iterable[Claim]) -> Era | None:
    """As `era_of`, but only what the text or the code states in so many words."""
    if claim.release and claim.release[0].isdigit():
        return Era(release=claim.release, reason=f"the text speaks of TensorFlow {claim.release}")
    nodes = _nodes(claim.code)
    return _asserted(nodes) or _printed(claim, claims, nodes) or _in_comment(claim)


def era_of_failures(run: Run) -> Era | None:
    """The earliest release that had what statements failed for want of."""
    ended = _earliest((diagnosis.lookup, diagnosis.target) for diagnosis in run.diagnoses)
    return ended or next(filter(None, (_of_old_classes(diagnosis) for diagnosis in run.diagnoses)), None)


def _of_old_classes(diagnosis: Diagnosis) -> Era | None:
    """An attribute that, of all classes, only those of release 1 have; the object's own class is nobody's business."""
    lookup, name = diagnosis.lookup, diagnosis.target.rpartition(".")[2]
    if lookup.found or not lookup.owners or not all(owner.startswith(_COMPATIBLE) for owner in lookup.owners):
        return None
    owner = customary(lookup.owners[0])
    return Era(release="1.x", reason=f"`{name}` is an attribute of `{owner}`, and of nothing in release 2")


def names_used(nodes: Iterable[ast.AST], aliases: Mapping[str, str]) -> Iterator[str]:
    """Full paths of everything that code takes from libraries: imported modules and names, dotted expressions."""
    inner: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names if alias.name != "*")
        elif isinstance(node, ast.Attribute) and id(node) not in inner:
            part = node.value
            while isinstance(part, ast.Attribute):
                inner.add(id(part))
                part = part.value
            path = full_path(node, aliases)
            if path:
                yield path


def paths_of(claim: Claim, aliases: Mapping[str, str]) -> tuple[str, ...]:
    """As `names_used`, for the code of a snippet; empty when it does not parse."""
    nodes = _nodes(claim.code)
    return tuple(dict.fromkeys(names_used(nodes, _own_aliases(claim, aliases))))


def _own_aliases(claim: Claim, aliases: Mapping[str, str]) -> dict[str, str]:
    """What names stand for in a snippet: its own imports come before those of the document."""
    return {**_CUSTOMARY, **aliases, **aliases_of([parse(claim.code)])}


def _nodes(code: str) -> tuple[ast.AST, ...]:
    try:
        return tuple(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def _written(number: re.Match[str]) -> str:
    return f"{number[1]}.{number[2] or 'x'}"


def _asserted(nodes: tuple[ast.AST, ...]) -> Era | None:
    """`assert tf.__version__ == "1.14.0"`, `assert tf.__version__.startswith("1.")` and their like."""
    for node in nodes:
        if not isinstance(node, ast.Assert):
            continue
        parts = tuple(ast.walk(node.test))
        if not any(isinstance(part, ast.Attribute) and part.attr == "__version__" for part in parts):
            continue
        for part in parts:
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and (found := _NUMBER.match(part.value)):
                return Era(release=_written(found), reason=f"the code asserts release {part.value!r}")
    return None


def _printed(claim: Claim, claims: Iterable[Claim], nodes: tuple[ast.AST, ...]) -> Era | None:
    """The text shows what `tf.__version__` printed."""
    if not any(isinstance(node, ast.Attribute) and node.attr == "__version__" for node in nodes):
        return None
    for other in claims:
        if other.kind is not ClaimKind.OUTPUT or other.about != claim.id or other.code_span is None:
            continue
        found = _NUMBER.match(other.code.strip())
        if found and found[2] and "tf.__version__" in other.code_span.of(claim.code).replace("tensorflow.", "tf."):
            return Era(release=_written(found), reason=f"the text shows that it ran on {other.code.strip()}")
    return None


def _in_comment(claim: Claim) -> Era | None:
    comments = [line[line.index("#") :] for line in claim.code.splitlines() if "#" in line]
    removed = [repair.before for repair in claim.repairs if repair.before.lstrip().startswith(("%", "!"))]
    found = [match for text in (*comments, *removed) for match in _SAID.finditer(text)]
    releases = {_written(match) for match in found}
    if len(releases) != 1:
        return None
    return Era(release=releases.pop(), reason=f"its own comment says {found[0][0].strip()}")


def _by_names(nodes: tuple[ast.AST, ...], aliases: Mapping[str, str], names: Names) -> Era | None:
    """The earliest release that a name of the code ended with; a name that only moved counts as well."""
    paths = [path for path in dict.fromkeys(names_used(nodes, aliases)) if path.partition(".")[0] == "tensorflow"]
    return _earliest((names.lookup(NameQuery(path=path)), path) for path in paths)


def _earliest(told: Iterable[tuple[Lookup, str]]) -> Era | None:
    """The release that the first of some names to go ended with."""
    ended: list[tuple[tuple[int, int], str, str]] = []
    for lookup, path in told:
        if not lookup.found and not lookup.unknown and lookup.last:
            major, _, minor = lookup.last.partition(".")
            number = (int(major), int(minor)) if major.isdigit() and minor.isdigit() else (_EARLIEST, 0)
            ended.append((number, lookup.last, f"`{customary(path)}` ended with {lookup.last}"))
    if not ended:
        return None
    _, release, reason = min(ended)
    return Era(release=release, reason=reason)
