"""The catalogue of rules and its users agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from verifier.model import Status
from verifier.rules import RULES

JUDGE = Path(__file__).parents[1] / "verifier" / "judge"
USED = sorted(
    set(
        re.findall(
            r'"([a-z]+(?:-[a-z]+)+|removed|renamed|deprecated|raises|flaky|blocked|refuted|placeholder|ambiguous|timeout|crashed|tampered|python2)"',
            "".join(p.read_text("utf-8") for p in JUDGE.glob("*.py")),
        )
    )
)


@pytest.mark.parametrize("rule", USED)
def test_every_word_that_judging_uses_is_in_the_catalogue(rule: str) -> None:
    assert rule in RULES


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_every_rule_says_what_it_means(rule) -> None:
    assert rule.title
    assert rule.explanation.endswith(".")
    assert rule.statuses
    assert set(rule.statuses) <= set(Status)
    assert not rule.title.endswith(".")


def test_every_rule_is_used() -> None:
    assert set(RULES) <= set(USED)
