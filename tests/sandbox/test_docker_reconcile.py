"""Which containers are taken away at the next start: those whose owner is gone, never another's."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from verifier.sandbox.engine import Container
from verifier.sandbox.reconcile import LABEL, is_abandoned, marks

DEADLINE = "verifier.deadline"


def test_our_own_is_never_abandoned() -> None:
    assert not is_abandoned(Container(id="c", state="running", labels=marks()))
    assert not is_abandoned(Container(id="c", state="exited", labels=marks()))


def test_one_whose_owner_has_ended_is_abandoned_even_while_it_runs() -> None:
    ours = marks()[LABEL]
    place = ours.rsplit("/", 2)[0]
    with subprocess.Popen(["sleep", "60"]) as other:
        born = Path("/proc", str(other.pid), "stat").read_text().rpartition(")")[2].split()[19]
        labels = {LABEL: f"{place}/{other.pid}/{born}", DEADLINE: str(int(time.time()) + 99)}
        assert not is_abandoned(Container(id="c", state="running", labels=labels))
        other.kill()
        assert_soon(lambda: is_abandoned(Container(id="c", state="running", labels=labels)))


def assert_soon(true, seconds: float = 10.0) -> None:
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.02)
    assert true()


def test_a_number_that_was_given_again_is_not_the_owner() -> None:
    place, pid, born = marks()[LABEL].rsplit("/", 2)
    assert is_abandoned(Container(id="c", state="running", labels={LABEL: f"{place}/{pid}/{int(born) - 1}"}))


@pytest.mark.parametrize(
    ("state", "deadline", "abandoned"),
    [
        ("running", 10, False),
        ("running", -10, False),
        ("exited", 10, False),
        ("exited", -10, True),
        ("created", -10, True),
    ],
)
def test_an_owner_who_cannot_be_seen_keeps_it_while_it_runs_and_until_its_deadline(
    state: str, deadline: int, abandoned: bool
) -> None:
    labels = {LABEL: "another-boot:pid:[1]/7/100", DEADLINE: str(int(time.time()) + deadline)}
    assert is_abandoned(Container(id="c", state=state, labels=labels)) is abandoned


@pytest.mark.parametrize("label", ["", "nonsense", "a/b/c", "///"])
def test_a_label_that_is_not_ours_to_read(label: str) -> None:
    labels = {LABEL: label, DEADLINE: str(int(time.time()) + 10)}
    assert not is_abandoned(Container(id="c", state="exited", labels=labels))
    assert not is_abandoned(Container(id="c", state="running", labels=labels))
