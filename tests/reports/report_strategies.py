"""Random reports: wild ones, made from the types alone, and coherent ones, whose parts refer to each other."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from verifier import model
from verifier.model import Claim, ClaimKind, Passage, Report, Role, Span, Status, Verdict

# Each would do harm in one of the places that a report is read in.
HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "javascript:alert(1)",
    "</style><img src=x onerror=alert(1)>",
    "<!-- --> <![CDATA[ ]]> &lt;b&gt; &#60;i&#62;",
    "{{ 7 * 7 }}{% for x in y %}{# #}",
    "\u202egnp.exe\u2066 \u200b\u200f\ufeff",
    "\x00\x07\x08\x0b\x0c\x1b[31mred\x1b[0m\x7f\x85\x9b31m",
    "\x1b]8;;http://example.org\x07link\x1b]8;;\x07",
    "\x1b]52;c;ZXZpbA==\x07",
    "\ud800 half a character \udfff",
    "a\r\nb\rc\u2028d\u2029e",
    "\U000e0041\U000e0042 tags",
    "[bold red]markup[/bold red] :smile:",
)
TEXT = st.one_of(
    st.text(max_size=20), st.sampled_from(HOSTILE), st.sampled_from(["", "模型 tf.Session 会话", "a\nb\n"])
)
_NUMBERS = st.integers(min_value=-3, max_value=10**6)

_LEAVES: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    bool: st.booleans(),
    int: _NUMBERS,
    float: st.floats(allow_nan=False, allow_infinity=False),
    NoneType: st.none(),
}


@cache
def of_type(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a type of the model, down to the leaves; figures are finite."""
    if kind in _LEAVES:
        return _LEAVES[kind]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return st.builds(kind, **{field.name: of_type(hints[field.name]) for field in fields(kind)})
    arguments = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return st.one_of(*(of_type(argument) for argument in arguments))
    assert get_origin(kind) is tuple, f"no strategy for {kind}"
    if arguments[1:] == (...,):
        return st.lists(of_type(arguments[0]), max_size=2).map(tuple)
    return st.tuples(*(of_type(argument) for argument in arguments))


def wild_reports() -> st.SearchStrategy[Report]:
    """Reports whose references dangle and whose spans point anywhere."""
    return of_type(Report).map(lambda report: replace(report, schema="verifier/report/1"))


@st.composite
def coherent_reports(draw: st.DrawFn) -> Report:
    """One document with passages, claims inside it (some about snippets), and a verdict for most claims."""
    text = draw(st.text(min_size=1, max_size=120)) + draw(TEXT)
    cuts = sorted({0, *draw(st.lists(st.integers(0, len(text)), max_size=4))})
    passages = tuple(
        Passage(span=Span(start=start, end=end), role=draw(st.sampled_from(Role)), speaker=draw(TEXT), number=1)
        for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True)
    )
    document = replace(draw(of_type(model.Document)), text=text, passages=passages)
    claims: list[Claim] = []
    for number in range(draw(st.integers(0, 6))):
        start, end = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
        kind = draw(st.sampled_from(ClaimKind))
        snippets = [claim.id for claim in claims if claim.kind is ClaimKind.SNIPPET]
        claims.append(
            replace(
                draw(of_type(Claim)),
                id=f"claim{number}",
                kind=kind,
                document=document.path,
                span=Span(start=start, end=end),
                quote=text[start:end],
                passage=document.passage_at(start),
                about=draw(st.sampled_from(["", *snippets])) if kind is not ClaimKind.SNIPPET else "",
            )
        )
    verdicts = tuple(
        replace(
            draw(of_type(Verdict)),
            claim=claim.id,
            rule=draw(st.sampled_from(["raises", "blocked", "unknown-name", ""])),
            status=draw(st.sampled_from(Status)),
        )
        for claim in claims
        if draw(st.integers(0, 9))
    )
    return replace(
        draw(of_type(Report)),
        schema="verifier/report/1",
        documents=(document,),
        claims=tuple(claims),
        verdicts=verdicts,
    )


def reports() -> st.SearchStrategy[Report]:
    """Reports of both kinds."""
    return st.one_of(coherent_reports(), wild_reports())
