"""Hostile words on a page: they are shown, and they change nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, given, settings
from report_builders import PNG, claim, document, interview, passages_of, report, text_of, verdict
from report_strategies import HOSTILE, reports

from verifier.model import ClaimKind, Evidence, Fate, Figure, Report, Role, Run, Status, Step, StepFate
from verifier.reports import render_html
from verifier.reports.safe import visible

TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "nav",
        "header",
        "section",
        "article",
        "h1",
        "h2",
        "h3",
        "h4",
    ),
    *(
        "p",
        "div",
        "span",
        "a",
        "ul",
        "li",
        "dl",
        "dt",
        "dd",
        "pre",
        "code",
        "strong",
        "mark",
        "blockquote",
        "br",
        "img",
    ),
    *("details", "summary", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "style", "title", "scope"),
    *("aria-label", "aria-hidden", "src", "width", "height", "alt"),
}
VOID = {"meta", "br", "img"}


class Outline(HTMLParser):
    """The tags with the names of their attributes, in order; complains when they do not nest."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.skeleton: list[tuple[str, tuple[str, ...]]] = []
        self.values: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.skeleton.append((tag, tuple(sorted(name for name, _ in attrs))))
        self.values += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def check(page: str) -> Outline:
    """Everything that must hold of any page."""
    outline = Outline(page)
    assert {tag for tag, _ in outline.skeleton} <= TAGS
    assert {name for _, names in outline.skeleton for name in names} <= ATTRIBUTES
    for tag, name, value in outline.values:
        if name == "href":
            assert value.startswith("#")
            assert re.fullmatch(r"#[\w.~-]+", value)
        if name == "src":
            assert re.fullmatch(r"data:image/png;base64,[A-Za-z0-9+/=]+", value)
        if name == "style":
            assert tag == "span"
            assert re.fullmatch(r"flex-grow: \d+", value)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]", page)
    page.encode("utf-8")
    return outline


def test_the_sample_passes_the_check() -> None:
    check(render_html(interview()))


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(reports())
def test_no_report_brings_its_own_elements(report: Report) -> None:
    check(render_html(report))


def laden(word: str) -> Report:
    """A report that holds `word` wherever words can stand."""
    text = f"问 {word} 答 {word} end"
    doc = replace(
        document(text, *passages_of(text, ("问", Role.QUESTION, word, 1), ("答", Role.ANSWER, word, 1))),
        path=f"a/{word}",
        encoding=word,
    )
    about = claim(doc, word, ClaimKind.SNIPPET, ident=f"id {word}", nth=1, code=word, target=word, said_kind=word)
    step = Step(
        program=0,
        statement=0,
        fate=StepFate.RAISED,
        stdout=word,
        stderr=word,
        figures=(Figure(png=word, width=1, height=1),),
    )
    return report(
        (doc,),
        (about,),
        (
            verdict(
                about,
                Status.BROKEN,
                word,
                word,
                observed=word,
                suggestion=word,
                notes=(word,),
                because=word,
                state=word,
                per_environment=((word, Status.WORKS),),
            ),
        ),
        evidence=(
            Evidence(
                claim=about.id,
                environment=word,
                run=Run(session=0, fate=Fate.CRASHED, detail=word, steps=(step,), added=(word,)),
            ),
        ),
        tool=word,
    )


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_words_are_shown_and_change_nothing(evil: str) -> None:
    page = render_html(laden(evil))
    assert check(page).skeleton == Outline(render_html(laden("harmless"))).skeleton
    assert " ".join(visible(evil).split()) in text_of(page)


@pytest.mark.parametrize("png", ["", "AAAA", PNG + '" onload="x', "iVBORw0KGgo" + "A" * 10**6, "javascript:1"])
def test_only_pictures_are_shown_as_pictures(png: str) -> None:
    base = laden("x")
    step = replace(
        base.evidence[0].run.steps[0], figures=(Figure(png=png, width=1, height=1), Figure(png=PNG, width=2, height=2))
    )
    evidence = replace(base.evidence[0], run=replace(base.evidence[0].run, steps=(step,)))
    page = render_html(replace(base, evidence=(evidence,)))
    check(page)
    assert page.count("<img") == 1
    assert "Figures not shown: 1" in page
