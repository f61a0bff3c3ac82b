"""The list of what would be checked."""

from __future__ import annotations

from dataclasses import replace

from report_builders import interview

from verifier.reports import render_claims


def test_every_claim_has_its_place_and_every_repair_its_change() -> None:
    report = interview()
    text = render_claims(replace(report, verdicts=()), width=120)
    for claim in report.claims:
        assert f"{claim.kind} " in text
        if claim.target and claim.kind == "api":
            assert claim.target in text
    repaired = next(claim for claim in report.claims if claim.repairs)
    assert all(repair.rule in text for repair in repaired.repairs)
    assert "nothing was run" in text.splitlines()[-1]


def test_hostile_text_is_harmless() -> None:
    report = interview()
    claim = replace(report.claims[0], quote="x\x1b[31m\u202egnp", doubt="a\x07b")
    text = render_claims(replace(report, claims=(claim,), verdicts=()), width=80)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\x07" not in text
