"""Labelled names and calls: how a row of the tables becomes a claim and a question. Hides the layout of the tables."""

from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from verifier.index import TargetedIndex
from verifier.judge.finding import Finding
from verifier.judge.names import judge_name
from verifier.model import CallForm, Claim, ClaimKind, NameQuery, Span
from verifier.names import expand

FOLDER = Path(__file__).parent
KNOWN, HELD_OUT = ("names", "calls"), ("heldout",)
RELEASE = "2.21"


@dataclass(frozen=True)
class Entry:
    """One row: what is written, its label, the kind of case, why, and the code that was run to prove it.

    `receivers` gives the class of a variable (`dataset.batch` is tf.data.Dataset's); `bare` rows do without it.
    """

    table: str
    written: str
    label: str
    kind: str
    why: str
    run: str
    bare: bool
    receivers: tuple[tuple[str, str], ...]

    @cached_property
    def node(self) -> ast.AST:
        """The syntax of what is written: an import statement or an expression."""
        statement = ast.parse(self.written).body[0]
        return statement.value if isinstance(statement, ast.Expr) else statement

    @property
    def form(self) -> str:
        """As in `Claim.form`."""
        return {ast.Import: "import", ast.ImportFrom: "from"}.get(type(self.node), "attribute")

    @property
    def call(self) -> CallForm | None:
        """The shape of the call, when one is written."""
        if not isinstance(self.node, ast.Call):
            return None
        keywords = tuple(word.arg for word in self.node.keywords if word.arg)
        return CallForm(positional=len(self.node.args), keywords=keywords)

    @property
    def target(self) -> str:
        """The dotted name that is spoken of, under its class when the receiver is known."""
        node = self.node
        if isinstance(node, ast.Import):
            return node.names[0].name
        if isinstance(node, ast.ImportFrom):
            return f"{node.module}.{node.names[0].name}"
        name = ast.unparse(node.func if isinstance(node, ast.Call) else node)
        receiver, dot, rest = name.partition(".")
        return name if self.bare else f"{dict(self.receivers).get(receiver, receiver)}{dot}{rest}"

    @property
    def claim(self) -> Claim:
        """The claim that a document with these words would make."""
        return Claim(
            id="1",
            kind=ClaimKind.CALL if self.call else ClaimKind.API,
            document="labels",
            span=Span(start=0, end=len(self.written)),
            quote=self.written,
            passage=0,
            target=self.target,
            form=self.form,
            call=self.call,
        )


def entries(*tables: str) -> tuple[Entry, ...]:
    """The rows of some tables, in their order."""
    found = []
    for table in tables:
        data = tomllib.loads((FOLDER / f"{table}.toml").read_text(encoding="utf-8"))
        receivers = tuple(sorted(data.get("receivers", {}).items()))
        for group in data["group"]:
            for written, why, *instead in group["cases"]:
                found.append(
                    Entry(
                        table=table,
                        written=written,
                        label=group["label"],
                        kind=group["kind"],
                        why=why,
                        run=instead[0] if instead else written,
                        bare=group.get("bare", False),
                        receivers=receivers,
                    )
                )
    return tuple(found)


def opinion(entry: Entry, index: TargetedIndex) -> Finding:
    """What the index and the judge of names make of an entry, without any environment that runs."""
    claim = entry.claim
    if entry.bare:
        receiver, _, leaf = claim.target.rpartition(".")
        lookup = index.lookup_bare(leaf, receiver=receiver)
    else:
        lookup = index.lookup(NameQuery(path=expand(claim.target), form=claim.form, call=claim.call))
    return judge_name(claim, lookup, RELEASE)
