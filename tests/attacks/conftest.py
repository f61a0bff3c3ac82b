"""Hostile programs: one warm sandbox per place serves all of them, each followed by a look at host and sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from attacks.case import Case, attack
from attacks.household import Household
from attacks.ordinary import OrdinaryUser, is_there
from attacks.witness import Witness
from backends import BACKENDS, prepare

from verifier.model import Outcome
from verifier.sandbox.base import Sandbox
from verifier.sandbox.choose import open_sandbox

ORDINARY = "ordinary user"
PLACES = (*BACKENDS, *((ORDINARY,) if is_there() else ()))

# (place, name of a case) -> why the right outcome is out of reach there.
KNOWN_FAILURES: dict[tuple[str, str], str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A warm sandbox with everything that is watched around it."""

    sandbox: Sandbox
    witness: Witness
    household: Household


@dataclass(slots=True)
class Places:
    """The places of a run, each opened when it is first wanted."""

    folder: Callable[[str], Path]
    stack: ExitStack = field(default_factory=ExitStack)
    opened: dict[str, Place] = field(default_factory=dict)

    def open(self, name: str) -> Place:
        if name not in self.opened:
            prepare(BACKENDS[0] if name == ORDINARY else name)
            sandbox = OrdinaryUser() if name == ORDINARY else open_sandbox("tf-2.21", name)
            household = Household(sandbox)
            witness = Witness(self.folder("secrets"), household)
            # The servants first, so that the sandbox is started beside the secrets.
            self.stack.enter_context(witness.servants())
            self.stack.enter_context(sandbox)
            household.find()
            self.opened[name] = Place(sandbox=sandbox, witness=witness, household=household)
        return self.opened[name]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every case of the module's table in every place that it is for."""
    if "case" in metafunc.fixturenames:
        pairs = [(name, case) for name in PLACES for case in metafunc.module.CASES if name != ORDINARY or case.ordinary]
        marked = [pytest.param(name, case, id=f"{name}-{case}", marks=_marks(name, case)) for name, case in pairs]
        metafunc.parametrize(("place_name", "case"), marked)
    elif "place" in metafunc.fixturenames or "attack" in metafunc.fixturenames:
        metafunc.parametrize("place_name", BACKENDS)


def _marks(name: str, case: Case) -> list[pytest.MarkDecorator]:
    reason = KNOWN_FAILURES.get((name, case.name))
    return [pytest.mark.xfail(reason=reason)] if reason else []


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    opened = Places(tmp_path_factory.mktemp)
    with opened.stack:
        yield opened


@pytest.fixture
def place(places: Places, place_name: str) -> Place:
    return places.open(place_name)


@pytest.fixture(name="attack")
def _attack(place: Place) -> Callable[[Case], Outcome]:
    """Run a case here; fails unless verdict, host and the next session are as they must be."""
    return lambda case: attack(case, place.sandbox, place.witness)
