"""The page: complete, in order, self-contained, readable by everybody, and deaf to hostile text."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from lxml import html
from report_builders import claim, document, interview, passages_of, report, text_of, verdict

from verifier.model import (
    ClaimKind,
    Evidence,
    Role,
    Status,
    Step,
    StepFate,
)
from verifier.reports import render_html


def sample() -> Any:
    return html.fromstring(render_html(interview()).encode())


def test_the_page_asks_for_nothing_from_outside() -> None:
    page = render_html(interview())
    policy = sample().xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert policy.startswith("default-src 'none'")
    assert "script-src" not in policy
    assert not re.search(r"https?:|//\w|@import|url\(", page)


def test_fragments_golden(golden: Any) -> None:
    page = sample()
    for name, path in [
        ("headline.html", "//section[@class='headline']"),
        ("card.html", "//*[@id='claim-a1b2c3']"),
        ("transcript.html", "//section[@class='transcript']"),
    ]:
        (node,) = page.xpath(path)
        golden(name, html.tostring(node, encoding="unicode", with_tail=False) + "\n")


def test_order_of_the_page() -> None:
    headings = [node.text_content() for node in sample().xpath("//h1|//h2")]
    assert headings == [
        "wang.txt",
        "Needs your eyes",
        "Unproven",
        "Works",
        "Not the candidate's words",
        "The interview, claims marked in place",
        "What was left alone",
        "How this was made",
    ]


@pytest.mark.parametrize("count", [1, 2])
def test_headings_descend_one_level_at_a_time(count: int) -> None:
    base = interview()
    docs = (base.documents[0], document("tf.x", path="b.txt"))[:count]
    levels = [
        int(node.tag[1])
        for node in html.fromstring(render_html(replace(base, documents=docs))).xpath("//h1|//h2|//h3|//h4")
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_claim_has_one_place_and_every_link_leads_there() -> None:
    page = sample()
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert {f"claim-{about.id}" for about in interview().claims} <= set(ids)
    assert {link[1:] for link in page.xpath("//a/@href")} <= set(ids)


def test_the_transcript_is_the_document() -> None:
    words = "".join(node.text_content() for node in sample().xpath("//div[@class='words']"))
    for symbol in "✔✖!?":
        words = words.replace(symbol, "")
    original = interview().documents[0].text
    assert re.sub(r"\s", "", words) == re.sub(r"[\s!?✔✖]", "", original)


def test_status_is_symbol_word_and_colour() -> None:
    page = sample()
    badges = {re.sub(r"\s+", " ", node.text_content()) for node in page.xpath("//*[@class='badge']")}
    assert badges == {"✖ broken", "! outdated", "? unproven", "✔ works"}
    assert page.xpath("//article[contains(@class, 'card broken')]")


def test_counts_have_denominators() -> None:
    words = text_of(render_html(interview()))
    assert "3 of 8 claims in answers are broken, 1 outdated, 2 unproven" in words
    assert "2 of 8 claims work; 3 are broken: the code was run and raised an exception (×2)" in words
    assert "2 claims in questions and reviews are not counted above." in words


def test_quotes_with_han_name_their_language() -> None:
    page = sample()
    assert page.get("lang") == "en"
    assert page.xpath("//*[@id='claim-4ead']//blockquote/@lang") == ["zh"]
    assert page.xpath("//*[@id='claim-a1b2c3']//blockquote/@lang") == []


def test_claimed_and_observed_stand_together_with_what_was_run() -> None:
    (card,) = sample().xpath("//*[@id='claim-a1b2c3']")
    facts = {node.text_content(): node.getnext().text_content() for node in card.xpath(".//dt")}
    assert facts == {
        "Claimed": "this code runs",
        "Observed": "ValueError: No such layer: Conv2D. Existing layers are: ['conv2d'].",
        "Suggestion": "model.get_layer('conv2d'), which was run and works",
        "Note": "put in front: import tensorflow as tf",
        "How sure": "likely, not sure: two quotes were repaired",
        "Reading": "read through 2 repairs: quotes ×2 (none held against the author)",
    }
    words = " ".join(card.text_content().split())
    for part in (
        "UserWarning: Do not pass",
        "verify notes/wang.txt --claim a1b2c3",
        "layer.get_weights()",
        "before",
        "oops",
    ):
        assert part in words


def test_a_report_without_claims_says_so() -> None:
    words = text_of(render_html(report((document("hello"),))))
    assert "Nothing to verify: no code and no API name found in notes/wang.txt" in words
    assert "Needs your eyes" not in words


def test_what_interrupts_is_said_at_the_top() -> None:
    assert "The run was interrupted." in text_of(render_html(replace(interview(), interrupted=True)))


def test_several_documents_have_contents() -> None:
    base = interview()
    page = html.fromstring(
        render_html(replace(base, documents=(*base.documents, document("x", path="b.txt")))).encode()
    )
    assert page.xpath("//nav//a/@href") == ["#document-1", "#document-2"]
    assert page.xpath("//h1/text()") == ["2 documents"]


def test_a_long_interview_with_chatty_code_stays_small() -> None:
    base = interview()
    text = "".join(
        f"问题{number}：怎么写？\n回答：用 tf.keras.layers.Layer{number}，{'说明' * 300}\n" for number in range(60)
    )
    doc = document(text)
    claims = tuple(
        claim(doc, f"tf.keras.layers.Layer{number}，", ClaimKind.SNIPPET, ident=f"c{number}", code="x = 1\n" * 20)
        for number in range(60)
    )
    noise = "\x1b[1m1/1\x1b[0m ━━━━ 0s\r" * 20_000 + "epoch\n" * 20_000
    run = replace(base.evidence[0].run, steps=(Step(program=0, statement=0, fate=StepFate.RAISED, stdout=noise),))
    verdicts = tuple(
        verdict(about, Status.BROKEN if at < 15 else Status.WORKS, "raises" if at < 15 else "", "m")
        for at, about in enumerate(claims)
    )
    evidence = tuple(Evidence(claim=about.id, environment="tf-2.21", run=run) for about in claims[:10])
    page = render_html(report((doc,), claims, verdicts, evidence=evidence))
    assert "bytes omitted" in page
    assert len(page.encode()) < 400_000


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_text_has_contrast(scheme: int) -> None:
    page = render_html(interview())
    block = re.findall(r":root \{(.*?)\}", page, re.DOTALL)[scheme]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    pairs = [
        (tone, ground)
        for tone in ("works", "broken", "outdated", "unproven", "not-run")
        for ground in ("paper", "ground", f"{tone}-wash")
    ]
    pairs += [(ink, ground) for ink in ("ink", "soft", "works") for ground in ("paper", "ground", "wash")]
    for ink, ground in pairs:
        bright, dark = sorted((luminance(colours[ink]), luminance(colours[ground])), reverse=True)
        assert (bright + 0.05) / (dark + 0.05) >= 4.5, f"{ink} on {ground}"


def test_conversations_of_one_file_are_told_apart() -> None:
    text = "user a\nuser b\n"
    first, second = passages_of(text, ("user a", Role.QUESTION, "user", 1), ("user b", Role.QUESTION, "user", 1))
    doc = document(text, first, replace(second, conversation=1))
    labels = html.fromstring(render_html(report((doc,)))).xpath("//p[@class='label']/span[1]/text()")
    assert labels == ["conversation 1: user, question 1", "conversation 2: user, question 1"]


@pytest.mark.parametrize(
    ("message", "codes"),
    [("`a.b` is gone, see `c`", ["a.b", "c"]), ("an odd ` tick", []), ("``", []), ("`<b>`", ["<b>"])],
)
def test_backticks_in_a_message_mark_code(message: str, codes: list[str]) -> None:
    doc = document("tf.x")
    about = claim(doc, "tf.x")
    page = html.fromstring(render_html(report((doc,), (about,), (verdict(about, Status.BROKEN, "raises", message),))))
    (heading,) = page.xpath("//article[contains(@class, 'card')]//h3")
    assert [node.text for node in heading.xpath("./code")] == codes
    assert heading.text_content() == (message if message == "an odd ` tick" else message.replace("`", ""))
