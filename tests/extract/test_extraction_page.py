"""docs/extraction.md against the code: every rule has one line, and each example does what the line says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from verifier.extract.assemble import extract
from verifier.extract.parts import Region, RegionKind
from verifier.model import ClaimKind, Document, Passage, Role, Span

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "extraction.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| `(?P<rule>[a-z-]+)` \| (?P<klass>R\d) \| [^|]+ \| `(?P<before>.+)` \| `(?P<after>.+)` \|$", re.MULTILINE
)
ROWS = [found.groups() for found in ROW.finditer(PAGE)]


def plain(cell: str) -> str:
    """A cell of the table without its escapes."""
    text = cell.replace("\\n", "\n").replace("\\t", "\t")
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)


def rules_in_source() -> set[str]:
    """Every name that the modules of repair give to an edit: as an argument, a variable or a table called `rule`."""
    found: set[str] = set()
    for path in (ROOT / "verifier" / "extract" / "repair").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            values: list[ast.expr] = []
            named = [node.arg] if isinstance(node, ast.keyword) else []
            if isinstance(node, ast.Assign):
                named = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if isinstance(node, ast.keyword | ast.Assign) and "rule" in named:
                values = [node.value]
            elif isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple) and "rule" in ast.dump(node.target):
                values = [pair.elts[0] for pair in node.iter.elts if isinstance(pair, ast.Tuple)]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_edit":
                values = node.args[2:]
            for value in values:
                constants = [part.value for part in ast.walk(value) if isinstance(part, ast.Constant)]
                found |= {
                    text for text in constants if isinstance(text, str) and re.fullmatch(r"[a-z]+(?:-[a-z]+)*", text)
                }
    return found - {"pass"}


def test_every_rule_has_one_line_and_no_line_is_left_over() -> None:
    rules = [row[0] for row in ROWS]
    assert len(rules) == len(set(rules))
    assert set(rules) == rules_in_source()


@pytest.mark.parametrize(("rule", "klass", "before", "after"), ROWS, ids=[row[0] for row in ROWS])
def test_the_example_of_a_rule(rule: str, klass: str, before: str, after: str) -> None:
    text = f"```python\n{plain(before)}\n```\n"
    passage = Passage(span=Span(start=0, end=len(text)), role=Role.ANSWER)
    document = Document(path="a.md", sha256="", encoding="utf-8", text=text, passages=(passage,))
    claim = next(claim for claim in extract(document).claims if claim.kind is ClaimKind.SNIPPET)
    assert claim.code == plain(after)
    classes = {repair.klass.value for repair in claim.repairs if repair.rule == rule}
    assert max(classes) == klass


def test_every_shape_and_kind_of_region_is_explained() -> None:
    line = next(line for line in (Region.__doc__ or "").splitlines() if line.strip().startswith("shape"))
    shapes = re.findall(r"`([a-z-]+)`", line)
    assert len(shapes) >= 8
    missing = [name for name in (*shapes, *(kind.value for kind in RegionKind)) if f"`{name}`" not in PAGE]
    assert missing == []


def test_modules_named_in_the_page_exist() -> None:
    named = set(re.findall(r"`((?:verifier/)?extract/[a-z_/]+\.py|tests/[a-z_/]+\.py)`", PAGE))
    assert named
    missing = [name for name in named if not any((base / name).exists() for base in (ROOT, ROOT / "verifier"))]
    assert missing == []
