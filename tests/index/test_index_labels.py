"""How often the index is right about names and calls whose fate in TensorFlow 2.21 was established by running them."""

from __future__ import annotations

from collections import Counter

import pytest
from index.labels.entries import FOLDER, HELD_OUT, KNOWN, Entry, entries, opinion

from verifier.index import TargetedIndex, open_index
from verifier.judge.finding import Finding
from verifier.model import Status

FLAGGED = frozenset({Status.OUTDATED, Status.BROKEN})
ALL = entries(*KNOWN, *HELD_OUT)

Answered = list[tuple[Entry, Finding]]


@pytest.fixture(scope="module")
def index() -> TargetedIndex:
    return open_index("tf-2.21")


@pytest.fixture(scope="module")
def answered(index: TargetedIndex) -> Answered:
    return [(entry, opinion(entry, index)) for entry in ALL]


def told(wrong: Answered) -> str:
    """One readable line for each deviation."""
    lines = [
        f"{entry.label} but called {finding.status}: {entry.written}  ({entry.why}; {finding.message})"
        for entry, finding in wrong
    ]
    return "\n".join(["", *lines])


def test_what_is_called_unusable_is_unusable(answered: Answered) -> None:
    flagged = [(entry, finding) for entry, finding in answered if finding.status in FLAGGED]
    wrong = [(entry, finding) for entry, finding in flagged if entry.label not in FLAGGED]
    precision = 1 - len(wrong) / len(flagged)
    assert precision >= 0.98, f"precision {precision:.3f}{told(wrong)}"


@pytest.mark.parametrize("tables", [KNOWN, HELD_OUT], ids=["known", "held out"])
def test_what_is_unusable_is_called_so(answered: Answered, tables: tuple[str, ...]) -> None:
    unusable = [pair for pair in answered if pair[0].label in FLAGGED and pair[0].table in tables]
    missed = [(entry, finding) for entry, finding in unusable if finding.status not in FLAGGED]
    recall = 1 - len(missed) / len(unusable)
    assert recall >= 0.98, f"recall {recall:.3f}{told(missed)}"


def test_outdated_and_broken_are_told_apart(answered: Answered) -> None:
    flagged = [(e, finding) for e, finding in answered if e.label in FLAGGED and finding.status in FLAGGED]
    mixed = [(entry, finding) for entry, finding in flagged if entry.label != finding.status]
    agreement = 1 - len(mixed) / len(flagged)
    assert agreement >= 0.95, f"agreement {agreement:.3f}{told(mixed)}"


def test_names_alone_are_judged_without_a_slip(answered: Answered) -> None:
    """Calls may hide in `**kwargs`; a dotted attribute of a known root cannot."""
    names = [pair for pair in answered if pair[0].form == "attribute" and not pair[0].call and not pair[0].bare]
    wrong = [(entry, finding) for entry, finding in names if entry.label != finding.status]
    assert len(names) > 250
    assert not wrong, told(wrong)


# What follows holds the labels themselves.

RAN = {line.split("\t")[0]: line.split("\t")[1:] for line in (FOLDER / "ran.tsv").read_text("utf-8").splitlines()[1:]}


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.written)
def test_a_label_is_what_runs_have_shown(entry: Entry) -> None:
    target, *earlier = (outcome == "ok" for outcome in RAN[entry.written])
    shown = "works" if target else "outdated" if any(earlier) else "broken"
    assert entry.label == shown


def test_the_set_is_large_and_varied_and_every_run_belongs_to_an_entry() -> None:
    labels = Counter(entry.label for entry in ALL)
    assert len(entries(*KNOWN)) >= 220
    assert len(entries(*HELD_OUT)) >= 70
    assert min(labels[word] for word in ("works", "outdated", "broken")) >= 100
    assert len({entry.kind for entry in ALL}) >= 15
    assert len({entry.written for entry in ALL}) == len(ALL)
    assert set(RAN) == {entry.written for entry in ALL}


def test_the_measure_would_notice_an_index_that_says_yes_to_everything(index: TargetedIndex) -> None:
    """The entries must not be answerable by one habit: no constant answer comes near the bars."""
    shares = Counter(entry.label in FLAGGED for entry in ALL)
    assert 0.3 < shares[True] / len(ALL) < 0.7
