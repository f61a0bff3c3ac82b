"""Evidence from claims: the index answers for names, a sandbox for code, and failures become evidence."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from samples import document, name, snippet

from verifier.errors import SandboxUnavailable
from verifier.index import open_index
from verifier.model import CallForm, Fate, Limits, Lookup, NameQuery, Outcome, SessionJob, Step, StepFate
from verifier.probe import gather, needs_sandbox
from verifier.probe.trial import Bench, Trial


class Broken:
    """A sandbox that cannot be had."""

    def run(self, _job: SessionJob) -> Outcome:
        raise SandboxUnavailable("no bubblewrap")

    def lookup(self, _queries: tuple[NameQuery, ...]) -> tuple[Lookup, ...]:
        raise SandboxUnavailable("no bubblewrap")


def _evidence(*claims, sandbox=None, failure=""):
    names = open_index("tf-2.21")
    found = gather(document(), claims, names, sandbox, Limits(), environment="tf-2.21", failure=failure)
    return found.evidence


def test_names_alone_need_no_sandbox() -> None:
    assert not needs_sandbox([name("tf.add")])
    assert needs_sandbox([name("tf.add"), snippet("s", "x = 1")])
    (found,) = _evidence(name("tf.add"))
    assert found.environment == "index"
    assert found.lookup is not None
    assert found.lookup.found


def test_a_name_without_a_library_has_owners() -> None:
    (found,) = _evidence(name("get_weights"))
    assert found.lookup is not None
    assert any("keras" in owner for owner in found.lookup.owners)


def test_an_argument_of_a_method_is_looked_for_at_its_owners() -> None:
    asked = [
        replace(name("batch"), argument=word, said_kind="argument") for word in ("drop_remainder", "drop_everything")
    ]
    taken, refused = (_evidence(claim)[0].lookup for claim in asked)
    assert taken is not None and taken.has_argument is True
    assert refused is not None and refused.has_argument is not True


def test_a_sandbox_that_fails_is_evidence_not_an_error() -> None:
    found = _evidence(snippet("s", "x = 1"), name("tf.add", call=CallForm(positional=2)), sandbox=Broken())
    assert {(item.claim, item.failure) for item in found if item.failure} == {
        ("s", "no bubblewrap"),
        ("n", "no bubblewrap"),
    }
    assert any(item.lookup is not None and item.lookup.found for item in found)


def test_code_that_could_not_be_run_says_why() -> None:
    (found,) = _evidence(snippet("s", "x = 1"), failure="no space left")
    assert (found.claim, found.failure, found.run) == ("s", "no space left", None)


class Obliging:
    """A sandbox in which every statement finishes, as far as this asks."""

    def run(self, job: SessionJob) -> Outcome:
        steps = tuple(
            Step(program=index, statement=number, fate=StepFate.FINISHED)
            for index, program in enumerate(job.programs)
            for number in range(len(program.statements))
        )
        return Outcome(fate=Fate.FINISHED, steps=steps)

    def lookup(self, queries: tuple[NameQuery, ...]) -> tuple[Lookup, ...]:
        return tuple(Lookup(name=query.path, found=True) for query in queries)


def test_an_error_in_a_stage_costs_only_what_it_would_have_added(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumbles(_trial: Trial, _bench: Bench) -> Trial:
        raise IndexError("seven")

    # The package's function of the same name hides the module.
    monkeypatch.setattr(sys.modules["verifier.probe.gather"], "_STAGES", (stumbles,))
    names = open_index("tf-2.21")
    found = gather(document(), (snippet("s", "x = 1"),), names, Obliging(), Limits(), environment="tf-2.21")
    (seen,) = found.evidence
    assert seen.run is not None and seen.run.steps[0].fate is StepFate.FINISHED
    (told,) = found.notices
    assert told.document == "notes.md"
    assert "IndexError: seven" in told.message
