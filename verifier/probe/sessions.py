"""Which snippets share a namespace, in which order, and what is put in front of them.

A session is one answer of an interview, or a whole document where there are no answers. A name that an answer
does not give is taken from the document's own imports, from an earlier answer, or from the customary imports,
in this order; what is left over is missing, and that is nobody's fault. Calls that stand whole in a sentence are
run behind the code of their passage, when it gives all that they need.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from verifier.model import NO_RIG, Claim, ClaimKind, Document, Program, Rig, Role, Span
from verifier.names import CUSTOMARY_IMPORTS
from verifier.probe.asides import aside_code
from verifier.probe.cluster import rig_of
from verifier.probe.flow import Flow
from verifier.probe.plan import Parsed, branches, parse, statements

_PRELUDE = "added_imports"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Programs to be run in one cell.

    claims     per program the id of its snippet, "" for added imports
    own        indices of the programs that this session is about; the others only prepare them
    added      import statements that stand in front
    borrowed   ids of snippets of earlier answers
    aliases    what the names bound by imports stand for, as full paths
    parsed     per program its syntax
    outputs    the stated outputs of each snippet, by its id
    rig        the processes and devices that it is given
    """

    number: int
    programs: tuple[Program, ...]
    claims: tuple[str, ...]
    own: tuple[int, ...]
    added: tuple[str, ...] = ()
    borrowed: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    parsed: tuple[Parsed, ...] = ()
    outputs: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    rig: Rig = NO_RIG


@dataclass(frozen=True, slots=True)
class _Group:
    """Snippets that share a namespace, before names are looked for elsewhere.

    `kin`: conversation and major release; groups of one kin may lend each other names.
    """

    kin: tuple[int, bool]
    snippets: tuple[tuple[Claim, Parsed], ...]
    asides: tuple[tuple[Claim, Parsed], ...] = ()

    def binds(self) -> frozenset[str]:
        return frozenset().union(*(parsed.binds for _, parsed in self.snippets))

    def needs(self) -> dict[str, int]:
        given: set[str] = set()
        wanted: dict[str, int] = {}
        for index, (_, parsed) in enumerate((*self.snippets, *self.asides)):
            for name in parsed.needs():
                if name not in given:
                    wanted.setdefault(name, index)
            given |= parsed.binds
        return wanted


def plan_sessions(document: Document, claims: Iterable[Claim]) -> tuple[Session, ...]:
    """The sessions that test the snippets among the claims of one document, in the order of the text."""
    everything = tuple(claims)
    groups = _groups(document, everything)
    imports = _imports(parsed for group in groups for _, parsed in group.snippets)
    shown = _shown(everything)
    return tuple(_session(number, groups, imports, shown) for number in range(len(groups)))


def aliases_of(parsed: Iterable[Parsed]) -> dict[str, str]:
    """What each name bound by an import stands for: `np` -> `numpy`, `layers` -> `tensorflow.keras.layers`."""
    found: dict[str, str] = {}
    for program in parsed:
        for top in program.nodes:
            for node in ast.walk(top):
                if isinstance(node, ast.Import):
                    for alias in node.names:
                        root = alias.name.partition(".")[0]
                        found[alias.asname or root] = alias.name if alias.asname else root
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    for alias in node.names:
                        found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def _groups(document: Document, claims: tuple[Claim, ...]) -> tuple[_Group, ...]:
    snippets: dict[tuple[int, bool, str], list[tuple[Claim, Parsed]]] = {}
    asides: dict[tuple[int, bool, str], list[tuple[Claim, Parsed]]] = {}
    for claim in claims:
        key = _key(document, claim)
        if claim.kind is ClaimKind.SNIPPET:
            snippets.setdefault(key, []).append((claim, parse(claim.code)))
        elif code := aside_code(claim):
            asides.setdefault(key, []).append((replace(claim, code=code), parse(code)))
    # A passage without code has a session only if its sentences speak of objects that other code made.
    made = frozenset().union(*(parsed.binds for items in snippets.values() for _, parsed in items))
    for key, items in asides.items():
        if key not in snippets and any(made & parsed.needs().keys() for _, parsed in items):
            snippets[key] = []
    order = sorted(snippets, key=lambda key: min(claim.span.start for claim, _ in snippets[key] or asides[key]))
    return tuple(_Group(kin=key[:2], snippets=tuple(snippets[key]), asides=tuple(asides.get(key, ()))) for key in order)


def _key(document: Document, claim: Claim) -> tuple[int, bool, str]:
    passage = document.passages[claim.passage]
    # Code of release 1 runs in another TensorFlow: it must not leave names to the code of release 2 beside it.
    first_major = (claim.release or "").startswith("1")
    if passage.role is Role.OTHER:
        return passage.conversation, first_major, ""
    if passage.role is Role.ANSWER and passage.number is not None:
        return passage.conversation, first_major, f"answer {passage.number}"
    return passage.conversation, first_major, f"passage {claim.passage}"


def _imports(parsed: Iterable[Parsed]) -> dict[str, str]:
    """The document's own import statements by the name that they bind."""
    found: dict[str, str] = {}
    for program in parsed:
        for node, flow in zip(program.nodes, program.flows, strict=True):
            if isinstance(node, ast.Import | ast.ImportFrom):
                for name in flow.binds:
                    found.setdefault(name, ast.unparse(node))
    return found


def _shown(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    shown: dict[str, list[Claim]] = {}
    for claim in claims:
        if claim.kind is ClaimKind.OUTPUT and claim.about:
            shown.setdefault(claim.about, []).append(claim)
    return shown


def _session(
    number: int, groups: tuple[_Group, ...], imports: Mapping[str, str], shown: Mapping[str, list[Claim]]
) -> Session:
    lenders = _lenders(number, groups, imports)
    chosen = [*lenders, number]
    snippets = [item for index in chosen for item in groups[index].snippets]
    added = _added([*snippets, *groups[number].asides], imports)
    prelude = parse("\n".join(added))
    modules = frozenset().union(prelude.binds, *(flow.modules for _, item in snippets for flow in item.flows))
    known = set(prelude.binds)
    star = any(item.star for _, item in snippets)
    lines: list[tuple[Program, Parsed, str]] = []
    if added:
        lines.append((_program(_PRELUDE, "\n".join(added), prelude, frozenset(), frozenset(), ()), prelude, ""))
    for claim, item in snippets:
        absent = frozenset() if star else frozenset(name for name in item.needs() if name not in known)
        name = f"snippet{len(lines)}"
        lines.append((_program(name, claim, item, absent, modules, shown.get(claim.id, ())), item, claim.id))
        known |= item.binds
    borrowed = len(lines) - len(groups[number].snippets)
    for claim, item in groups[number].asides:
        if item.needs().keys() <= known:
            lines.append((_program(f"aside{len(lines)}", claim, item, frozenset(), modules, ()), item, claim.id))
    return Session(
        number=number,
        programs=tuple(program for program, _, _ in lines),
        claims=tuple(claim for _, _, claim in lines),
        own=tuple(range(borrowed, len(lines))),
        added=tuple(added),
        borrowed=tuple(claim.id for index in lenders for claim, _ in groups[index].snippets),
        aliases=aliases_of(parsed for _, parsed, _ in lines),
        parsed=tuple(parsed for _, parsed, _ in lines),
        outputs={claim: tuple(shown[claim]) for _, _, claim in lines if claim in shown},
        rig=rig_of(parsed for _, parsed, _ in lines),
    )


def _lenders(number: int, groups: tuple[_Group, ...], imports: Mapping[str, str]) -> list[int]:
    """Earlier groups of the same conversation that give names which this one needs, and what those need."""
    wanted = [name for name in groups[number].needs() if name not in imports]
    lenders: set[int] = set()
    while wanted:
        name = wanted.pop()
        for index in range(number - 1, -1, -1):
            if groups[index].kin == groups[number].kin and name in groups[index].binds():
                if index not in lenders:
                    lenders.add(index)
                    wanted += [more for more in groups[index].needs() if more not in imports]
                break
    return sorted(lenders)


def _added(snippets: list[tuple[Claim, Parsed]], imports: Mapping[str, str]) -> list[str]:
    """Import statements for names that the snippets need and do not give before they need them."""
    needed = _Group((0, False), tuple(snippets)).needs()
    order = list(CUSTOMARY_IMPORTS)
    ranked = sorted(needed, key=lambda name: (order.index(name) if name in CUSTOMARY_IMPORTS else len(order), name))
    lines = [imports.get(name) or CUSTOMARY_IMPORTS.get(name) for name in ranked]
    return list(dict.fromkeys(line for line in lines if line))


def _is_wanted(place: Span, flow: Flow, output: Span) -> bool:
    """Whether an output speaks of what a statement gives; of what it assigns, only when it speaks of nothing else."""
    return place.covers(output) if flow.binds else place.overlaps(output)


def _program(
    name: str,
    source: Claim | str,
    parsed: Parsed,
    absent: frozenset[str],
    modules: frozenset[str],
    outputs: Iterable[Claim],
) -> Program:
    """A program of a claim's code, or of plain code that no claim stands behind."""
    spans = [output.code_span for output in outputs if output.code_span is not None]
    shown = [i for i, span in enumerate(parsed.spans) if any(_is_wanted(span, parsed.flows[i], one) for one in spans)]
    claim = source if isinstance(source, Claim) else None
    return Program(
        name=name,
        code=(source.code if isinstance(source, Claim) else source) if parsed.nodes else "",
        statements=statements(parsed, absent=absent, modules=modules, shown=shown),
        claim=claim.id if claim else "",
        interactive=bool(claim and claim.interactive),
        trace=branches(parsed),
    )
