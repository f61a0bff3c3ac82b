"""Corrections that were tried, as reports show them: in the help line, as a difference, on one line."""

from __future__ import annotations

from lxml import html
from report_builders import claim, document, report, verdict

from verifier.model import (
    ClaimKind,
    Edit,
    Evidence,
    Fate,
    Fix,
    Report,
    Run,
    Span,
    Statement,
    Status,
    Step,
    StepFate,
)
from verifier.reports import render_concise, render_html, render_terminal

CODE = "import tensorflow as tf\nx = 1\nopt = Adam(lr=x)\n--opt\n<b>'\x1b[31m'</b>\n"


def sample(before: str = "lr", after: str = "learning_rate") -> Report:
    doc = document(CODE)
    snippet = claim(doc, CODE, ClaimKind.SNIPPET, ident="s", code=CODE)
    start = CODE.index(before)
    edit = Edit(span=Span(start=start, end=start + len(before)), before=before, after=after)
    steps = tuple(Step(program=0, statement=n, fate=StepFate.FINISHED) for n in range(3))
    run = Run(
        session=0,
        fate=Fate.FINISHED,
        steps=steps,
        statements=tuple(Statement(span=Span(start=0, end=1), line=1, end_line=1) for _ in range(3)),
        fixes=(Fix(statement=2, edits=(edit,), reason="it is so called now", steps=steps),),
    )
    told = verdict(
        snippet,
        Status.BROKEN,
        rule="raises",
        message="it raises",
        suggestion="use `learning_rate` instead of `lr`",
        notes=("tried: it is so called now; with it all 3 statements ran",),
    )
    return report((doc,), (snippet,), (told,), evidence=(Evidence(claim="s", environment="tf-2.21", run=run),))


def test_the_terminal_tells_what_to_write_and_what_was_tried() -> None:
    text = render_terminal(sample())
    assert "= help: use `learning_rate` instead of `lr`" in text
    assert "= note: tried: it is so called now; with it all 3 statements ran" in text
    assert "+ opt" not in text


def test_the_terminal_shows_the_changed_lines_when_asked() -> None:
    text = render_terminal(sample(), verbosity=2)
    assert "- opt = Adam(lr=x)" in text
    assert "+ opt = Adam(learning_rate=x)" in text
    assert "\x1b" not in text


def test_one_line_tells_the_correction_too() -> None:
    assert render_concise(sample()).endswith("it raises; use `learning_rate` instead of `lr` (tried)\n")


def test_the_page_shows_the_lines_that_went_and_came() -> None:
    page = html.fromstring(render_html(sample()).encode())
    (gone,) = page.xpath("//pre/span[@class='gone']")
    (come,) = page.xpath("//pre/span[@class='come']")
    assert (gone.text_content(), come.text_content()) == ("- opt = Adam(lr=x)", "+ opt = Adam(learning_rate=x)")
    kept = [node.text_content() for node in page.xpath("//pre/span[@class='kept']")]
    assert kept[:2] == ["  import tensorflow as tf", "  x = 1"]
    assert kept[2] == "  --opt"
    assert not page.xpath("//pre/span/b")


def test_a_correction_that_looks_like_a_head_of_a_difference_is_shown() -> None:
    page = html.fromstring(render_html(sample("--opt", "++opt")).encode())
    assert [node.text_content() for node in page.xpath("//pre/span[@class='gone' or @class='come']")] == [
        "- --opt",
        "+ ++opt",
    ]
