"""How much damaged code is restored: real examples are damaged on purpose, restored, and compared as syntax trees.

Run as `python tests/benchmarks/extract_damage.py [SITE_PACKAGES]`, a folder that holds the tensorflow and keras
packages, by default that of the environment `tf-2.21`. Their sources are only read. The examples in their docstrings
(`>>>` sessions and fenced blocks) are the corpus; the damage is made by the rules below and by our own model of a
publishing pipeline. The seed is fixed. The first 1500 examples were looked at when rules were made; `--skip 1500`
measures on others.
"""

from __future__ import annotations

import argparse
import ast
import doctest
import random
import re
import sys
import textwrap
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from damages import COMBINED, LOST_INDENT, RULES, Damage

from verifier.extract.regions.find import find_regions
from verifier.extract.repair.check import compiles
from verifier.extract.snippets import make_snippets
from verifier.model import Confidence, Document, Passage, Role, Span
from verifier.sandbox import ensure

_FENCE = re.compile(r"```(?:python|py)?\n(.*?)```", re.DOTALL)
_SEED = 20240607
_LONGEST = 3_000


@dataclass(frozen=True)
class Outcome:
    """`same`, `flagged` (another tree, but said so), `silent` (another tree, unsaid), `lost` (no code came back)."""

    word: str
    restored: str


def corpus(folder: Path) -> list[str]:
    """All distinct examples in docstrings that compile and hold a call, in a stable order."""
    found: dict[str, None] = {}
    for package in ("tensorflow", "keras"):
        for path in sorted((folder / package).rglob("*.py")):
            for code in _examples(path.read_text(encoding="utf-8", errors="replace")):
                if 20 <= len(code) <= _LONGEST and "(" in code and compiles(code):
                    found.setdefault(code)
    return list(found)


def _examples(source: str) -> Iterator[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            continue
        text = ast.get_docstring(node) or ""
        try:
            session = "".join(example.source for example in doctest.DocTestParser().get_examples(text))
        except ValueError:
            session = ""
        if session:
            yield session.strip("\n")
        for block in _FENCE.findall(text):
            code = textwrap.dedent(block).strip("\n")
            if ">>>" not in code:
                yield code


def is_flat(code: str) -> bool:
    """Whether code has neither blocks nor comments behind code, so that joining its lines loses nothing forced."""
    if re.search(r"^[^#\n'\"]*\S[^#\n'\"]*#", code, re.MULTILINE) or "\\\n" in code:
        return False
    return not any(
        hasattr(node, "body") and not isinstance(node, (ast.Module, ast.Lambda, ast.IfExp))
        for node in ast.walk(ast.parse(code))
    )


def tree_of(code: str) -> str | None:
    """The syntax tree as text, without positions; None when the code does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(code))
    except (SyntaxError, ValueError):
        return None


def restored(text: str) -> tuple[str, bool] | None:
    """The code found in a document, and whether it is flagged as uncertain; None when there is none."""
    passage = Passage(span=Span(start=0, end=len(text)), role=Role.ANSWER)
    document = Document(path="bench", sha256="", encoding="utf-8", text=text, passages=(passage,))
    snippets, _ = make_snippets(document, find_regions(document))
    if not snippets:
        return None
    flagged = len(snippets) > 1 or any(
        one.reading is not Confidence.SURE or one.truncated or one.doubt for one in snippets
    )
    return "\n".join(one.code for one in snippets), flagged


def outcome(code: str, text: str) -> Outcome:
    """What became of `code` whose damaged form stands in the document `text`."""
    back = restored(text)
    if back is None:
        return Outcome("lost", "")
    if tree_of(back[0]) == tree_of(code):
        return Outcome("same", back[0])
    return Outcome("flagged" if back[1] else "silent", back[0])


def measure(codes: list[str], damage: Damage) -> tuple[Counter[str], list[tuple[str, str, str]]]:
    """Counts of outcomes, and the cases that did not come back the same."""
    counts: Counter[str] = Counter()
    worse: list[tuple[str, str, str]] = []
    for code in codes:
        text = damage(code, random.Random(f"{_SEED}{code}"))
        if text is None:
            continue
        result = outcome(code, text)
        counts[result.word] += 1
        if result.word != "same":
            worse.append((result.word, text, result.restored))
    return counts, worse


def rows(codes: list[str]) -> list[tuple[str, list[str], Damage]]:
    """Name, corpus and damage of each line of the table."""
    flat = [code for code in codes if is_flat(code)]
    compound = [code for code in codes if code not in set(flat)]
    table: list[tuple[str, list[str], Damage]] = [
        ("intact", codes, lambda code, _: f"Text:\n\n```python\n{code}\n```\n")
    ]
    table += [(name, codes, damage) for name, damage in RULES.items()]
    table += [("joined lines (flat)", flat, COMBINED["joined lines"]), ("combined (flat)", flat, COMBINED["combined"])]
    table += [("combined (compound)", compound, COMBINED["combined"]), ("lost indentation", compound, LOST_INDENT)]
    return table


def classified() -> tuple[int, int, int, int]:
    """Of the labelled blocks of the tests: all, those recognised, those that are no code, those of them called code."""
    blocks = [
        block
        for path in sorted((Path(__file__).parents[1] / "extract" / "blocks").glob("*.toml"))
        for block in tomllib.loads(path.read_text(encoding="utf-8"))["block"]
    ]
    pairs = [(block["kind"], _kind(block)) for block in blocks]
    others = [found for said, found in pairs if said != "code"]
    return len(pairs), sum(said == found for said, found in pairs), len(others), others.count("code")


def _kind(block: dict[str, str]) -> str:
    text = f"~~~~{block.get('language', '')}\n{block['text'].strip(chr(10))}\n~~~~\n"
    passage = Passage(span=Span(start=0, end=len(text)), role=Role.ANSWER)
    document = Document(path="bench", sha256="", encoding="utf-8", text=text, passages=(passage,))
    return find_regions(document)[0].kind.value


def main(arguments: list[str] | None = None, write: Callable[[str], object] = sys.stdout.write) -> int:
    """Print the table; `--show` prints damaged and restored text of that many failures a line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path, nargs="?", help="site-packages with tensorflow and keras")
    parser.add_argument("--limit", type=int, default=1500, help="examples, drawn with a fixed seed")
    parser.add_argument("--skip", type=int, default=0, help="leave out that many examples first")
    parser.add_argument("--only", default="", help="lines of the table whose name holds this")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args(arguments)
    blocks, right, others, called_code = classified()
    write(f"{blocks} labelled blocks: {right / blocks:.1%} recognised; {called_code} of {others} others called code\n")
    codes = corpus(options.folder or next((ensure("tf-2.21").path / "lib").glob("python3.*/site-packages")))
    random.Random(_SEED).shuffle(codes)
    codes = codes[options.skip : options.skip + options.limit]
    write(f"{len(codes)} examples\n{'damage':<28}{'n':>6}{'same':>9}{'flagged':>9}{'silent':>9}{'lost':>9}\n")
    for name, some, damage in rows(codes):
        if options.only not in name:
            continue
        counts, worse = measure(some, damage)
        total = max(sum(counts.values()), 1)
        shares = "".join(f"{counts[word] / total:>9.2%}" for word in ("same", "flagged", "silent", "lost"))
        write(f"{name:<28}{sum(counts.values()):>6}{shares}\n")
        for word, text, back in sorted(worse, key=lambda case: case[0], reverse=True)[: options.show]:
            write(f"--- {word}\n{text}\n--- restored\n{back}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
