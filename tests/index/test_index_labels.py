"""How often the index is right about names and calls whose fate in TensorFlow 2.21 was established by running them."""

from __future__ import annotations

from collections import Counter

import pytest
from index.labels.entries import FOLDER, HELD_OUT, KNOWN, Entry, entries, opinion

from verifier.index import Index, TargetedIndex, open_index
from verifier.judge.finding import Finding
from verifier.model import NameQuery, Status
from verifier.names import expand

FLAGGED = frozenset({Status.OUTDATED, Status.BROKEN})
ALL = entries(*KNOWN, *HELD_OUT)


def _read() -> dict[str, dict[str, str]]:
    """The records of runs: what is written -> release, target first -> `ok` or the exception."""
    found: dict[str, dict[str, str]] = {}
    for table in (*KNOWN, *HELD_OUT):
        rows = [line.split("\t") for line in (FOLDER / f"ran-{table}.tsv").read_text("utf-8").splitlines()]
        found |= {row[0]: dict(zip(rows[0][1:], row[1:], strict=True)) for row in rows[1:]}
    return found


RAN = _read()
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


def test_what_is_unusable_is_called_so(answered: Answered) -> None:
    unusable = [pair for pair in answered if pair[0].label in FLAGGED]
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


def test_the_history_of_names_is_what_runs_have_shown() -> None:
    """In each release that was run, a name is found exactly where it resolved."""
    index, wrong, asked = Index.load(), [], 0
    for entry in ALL:
        if entry.form != "attribute" or entry.call or entry.bare or entry.run != entry.written:
            continue
        for release, outcome in RAN[entry.written].items():
            lookup = index.lookup(NameQuery(path=entry.target), release)
            asked += 1
            if lookup.unknown or (lookup.found and not lookup.stub) != (outcome == "ok"):
                wrong.append(f"{entry.written} in {release}: found {lookup.found}, but it ran: {outcome}")
    assert asked > 700
    assert not wrong, "\n".join(["", *wrong])


RENAMED = [entry for entry in ALL if entry.call and entry.why.startswith("now ")]
RETIRED = [entry for entry in ALL if entry.kind == "keyword of an earlier release" and ".legacy." not in entry.written]
WRONG = [entry for entry in ALL if entry.kind == "wrong keyword"]


@pytest.mark.parametrize("entry", RENAMED, ids=lambda entry: entry.written)
def test_a_renamed_keyword_has_its_new_name(entry: Entry, index: TargetedIndex) -> None:
    assert entry.call
    path, new = expand(entry.target), entry.why.removeprefix("now ")
    assert new in {index.renamed_keyword(path, word) for word in entry.call.keywords}


@pytest.mark.parametrize("entry", RETIRED, ids=lambda entry: entry.written)
def test_a_retired_keyword_has_no_new_name(entry: Entry, index: TargetedIndex) -> None:
    """A keyword that merely stood where another stands now is not its old name."""
    assert entry.call
    assert {index.renamed_keyword(expand(entry.target), word) for word in entry.call.keywords} == {""}


@pytest.mark.parametrize("entry", WRONG, ids=lambda entry: entry.written)
def test_no_release_ever_took_a_wrong_keyword(entry: Entry, index: TargetedIndex) -> None:
    assert entry.call
    path = expand(entry.target)
    taken = {word: index.accepting(path, word) for word in entry.call.keywords}
    assert "" in taken.values(), taken


# What follows holds the labels themselves.


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.written)
def test_a_label_is_what_runs_have_shown(entry: Entry) -> None:
    target, *earlier = (outcome == "ok" for outcome in RAN[entry.written].values())
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


def test_no_single_answer_comes_near_the_bars() -> None:
    flagged = sum(entry.label in FLAGGED for entry in ALL) / len(ALL)
    assert 0.3 < flagged < 0.7
