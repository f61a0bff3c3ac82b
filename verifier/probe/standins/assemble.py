"""A session with stand-ins: openly added programs in front of the author's own, which stay as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from verifier.model import Program, Run, Statement
from verifier.probe.plan import Parsed, parse, statements
from verifier.probe.sessions import Session
from verifier.probe.standins.supplies import Supply

_NAME = "standins"
_INQUIRY = "inquiry"
# Keys of runs that belong to no claim; no claim id contains a blank.
_OURS = "our own program "


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """A session with programs of ours among the author's.

    authors    where each program of the author's session stands now
    givers     programs of stand-ins: where each stands, and what it supplies in order
    inquiries  where the inquiry behind each program of the author's stands; empty when nothing is asked
    """

    session: Session
    authors: tuple[int, ...]
    givers: tuple[tuple[int, tuple[Supply, ...]], ...]
    inquiries: tuple[int, ...]

    def key(self, index: int) -> str:
        """The key of the run of a program in this session, when every program is watched."""
        return self.session.claims[index] if index in self.session.own else f"{_OURS}{index}"

    def watched(self) -> Session:
        """The session with every program counted among those that it is about."""
        everything = tuple(range(len(self.session.programs)))
        return replace(self.session, claims=tuple(map(self.key, everything)), own=everything)

    def home(self, run: Run) -> Run:
        """A run of the watched session with its programs counted as in the author's."""
        return moved(run, {place: index for index, place in enumerate(self.authors)})


def moved(run: Run, places: Mapping[int, int]) -> Run:
    """A run whose programs stand elsewhere."""
    steps = tuple(
        replace(
            step,
            program=places.get(step.program, step.program),
            blocked_by=step.blocked_by and (places.get(step.blocked_by[0], step.blocked_by[0]), step.blocked_by[1]),
        )
        for step in run.steps
    )
    return replace(run, program=places.get(run.program, run.program), steps=steps)


def assemble(session: Session, supplies: Iterable[Supply], inquiry: str = "") -> Assembly:
    """The author's session with the stand-ins in place, and with an inquiry behind every program if there is one."""
    given = tuple(supplies)
    names = {name for supply in given for name in supply.names}
    stack = _Stack()
    authors, givers, inquiries, own = [], [], [], []
    for index, program in enumerate(session.programs):
        if group := tuple(supply for supply in given if supply.before == index):
            codes = [supply.standin.code for supply in group]
            givers.append((stack.push(*_program(f"{_NAME}{index}", codes)), group))
        plan = tuple(_relieved(item, names) for item in program.statements)
        authors.append(stack.push(replace(program, statements=plan), session.parsed[index], session.claims[index]))
        if index in session.own:
            own.append(authors[-1])
        if inquiry:
            inquiries.append(stack.push(*_program(f"{_INQUIRY}{index}", [inquiry])))
    whole = replace(
        session,
        programs=tuple(stack.programs),
        claims=tuple(stack.claims),
        own=tuple(own),
        parsed=tuple(stack.parsed),
    )
    return Assembly(session=whole, authors=tuple(authors), givers=tuple(givers), inquiries=tuple(inquiries))


class _Stack:
    """The programs of a session as they are put together."""

    def __init__(self) -> None:
        self.programs: list[Program] = []
        self.parsed: list[Parsed] = []
        self.claims: list[str] = []

    def push(self, program: Program, parsed: Parsed, claim: str = "") -> int:
        """Add a program; returns its index."""
        self.programs.append(program)
        self.parsed.append(parsed)
        self.claims.append(claim)
        return len(self.programs) - 1


def _relieved(statement: Statement, given: set[str]) -> Statement:
    return replace(statement, missing=tuple(name for name in statement.missing if name not in given))


def _program(name: str, codes: list[str]) -> tuple[Program, Parsed]:
    """A program of ours. A stand-in that fails must leave its name missing, not blocked: it binds nothing."""
    code = "\n".join(codes)
    tree = parse(code)
    plan = statements(tree, absent=frozenset(), modules=frozenset())
    bare = tuple(replace(item, reads=(), binds=(), touches=()) for item in plan)
    return Program(name=name, code=code, statements=bare), tree
