"""Labelled sentences: how much is found, and how much of what is found is right.

Key of a label: `quote | neg | 2.16 | likely | kind=method | arg=axis | lib=numpy | target=tf.x`. `neg`, the release and
the library must be exactly as labelled; kind, argument, target and the certainty are compared where the label gives them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from verifier.extract.mentions.find import find_mentions
from verifier.model import Claim, Document, Passage, Role, Span

SENTENCES = Path(__file__).with_name("sentences")
FIELDS = {"kind": "said_kind", "arg": "argument", "lib": "elsewhere", "target": "target"}


def document(text: str) -> Document:
    whole = Passage(span=Span(start=0, end=len(text)), role=Role.OTHER)
    return Document(path="notes.md", sha256="", encoding="utf-8", text=text, passages=(whole,))


def wanted(label: str) -> dict[str, object]:
    quote, *rest = label.split(" | ")
    fields: dict[str, object] = {"quote": quote, "polarity": "affirmed", "release": None, "elsewhere": ""}
    for part in rest:
        name, equals, value = part.partition("=")
        if equals:
            fields[FIELDS[name]] = value
        elif part == "neg":
            fields["polarity"] = "negated"
        elif part in ("likely", "guess"):
            fields["reading"] = part
        else:
            fields["release"] = part
    return fields


def deviations(text: str, labels: list[str]) -> tuple[list[str], list[Claim]]:
    """Labels that no claim answers, and claims that answer no label."""
    claims = list(find_mentions(document(text), (), ())[0])
    missing = []
    for label in labels:
        fields = wanted(label)
        hit = next((c for c in claims if all(getattr(c, name) == value for name, value in fields.items())), None)
        if hit is None:
            missing.append(label)
        else:
            claims.remove(hit)
    return missing, claims


def load(name: str) -> dict[str, list[str]]:
    return tomllib.loads((SENTENCES / f"{name}.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["zh", "en", "traps", "heldout"])
def test_each_set_is_read_with_enough_recall_and_precision(name: str) -> None:
    expected = missed = extra = 0
    details = []
    for text, labels in load(name).items():
        missing, surplus = deviations(text, labels)
        expected += len(labels)
        missed += len(missing)
        extra += len(surplus)
        details += [f"missing {label!r} in {text!r}" for label in missing]
        details += [f"extra {claim.quote!r} ({claim.polarity}, {claim.release}) in {text!r}" for claim in surplus]
    found = expected - missed
    report = "\n".join(details)
    assert found >= 0.95 * expected, report
    assert found >= 0.97 * (found + extra), report


def test_the_sets_are_large_enough_to_mean_something() -> None:
    sizes = {name: len(load(name)) for name in ("zh", "en", "traps", "heldout")}
    assert sum(sizes.values()) >= 300
    assert sizes["heldout"] >= 80


def test_no_sentence_stands_in_two_sets() -> None:
    every = [text for name in ("zh", "en", "traps", "heldout") for text in load(name)]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("label", ["tf.no_such | neg", "tf.Session | 2.0", "tf.Session | neg", "get_layer"])
def test_a_wrong_label_is_noticed(label: str) -> None:
    missing, surplus = deviations("我用 tf.Session 运行。", [label])
    assert missing == [label]
    assert len(surplus) == 1
