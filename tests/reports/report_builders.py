"""Reports built by hand: an interview with every status, and helpers that find spans by the text they hold."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from lxml import html

from verifier.model import (
    Claim,
    ClaimKind,
    Confidence,
    Document,
    Environment,
    Evidence,
    Fate,
    Fault,
    Figure,
    LeftAlone,
    Lookup,
    Notice,
    Passage,
    Piece,
    Repair,
    RepairClass,
    Report,
    Role,
    Run,
    SourceMap,
    Span,
    Status,
    Step,
    StepFate,
    Timing,
    Verdict,
    Warned,
)

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg=="
TARGET = Environment(
    name="tf-2.21",
    backend="bubblewrap",
    isolation="own namespaces, no network, read-only root",
    python="3.12.3",
    packages=(("tensorflow-cpu", "2.21.0"), ("keras", "3.15.1"), ("numpy", "2.3.1")),
    digest="sha256:" + "5f" * 32,
)
TIMING = Timing(started="2031-05-04T09:30:00Z", seconds=3.14, sessions=(0.4, 0.9))


def span_of(text: str, part: str, nth: int = 0) -> Span:
    """The range of the `nth` occurrence of `part`."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(part, at + 1)
    return Span(start=at, end=at + len(part))


def document(text: str, *passages: Passage, path: str = "notes/wang.txt", notices: tuple[Notice, ...] = ()) -> Document:
    """A document that holds `text`; one passage of role `other` when none is given."""
    whole = (Passage(span=Span(start=0, end=len(text)), role=Role.OTHER),)
    return Document(
        path=path,
        sha256=sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        encoding="utf-8",
        text=text,
        passages=passages or whole,
        notices=notices,
    )


def claim(
    doc: Document, part: str, kind: ClaimKind = ClaimKind.API, *, ident: str = "", nth: int = 0, **more: object
) -> Claim:
    """A claim on an occurrence of `part` in `doc`, with an id made of kind and offset unless one is given."""
    span = span_of(doc.text, part, nth)
    base = Claim(
        id=ident or f"{kind}-{span.start}",
        kind=kind,
        document=doc.path,
        span=span,
        quote=part,
        passage=doc.passage_at(span.start),
    )
    return replace(base, **more)


def verdict(about: Claim, status: Status, rule: str = "", message: str = "", **more: object) -> Verdict:
    """A verdict on `about`."""
    return replace(Verdict(claim=about.id, status=status, rule=rule, message=message), **more)


def report(
    documents: tuple[Document, ...],
    claims: tuple[Claim, ...] = (),
    verdicts: tuple[Verdict, ...] = (),
    **more: object,
) -> Report:
    """A finished report on the target environment."""
    base = Report(
        schema="verifier/report/1",
        tool="verifier 0.1.0",
        environments=(TARGET,),
        documents=documents,
        claims=claims,
        left_alone=(),
        evidence=(),
        verdicts=verdicts,
        notices=(),
        interrupted=False,
        timing=TIMING,
    )
    return replace(base, **more)


INTERVIEW_TEXT = """\
推荐算法工程师面试记录

问题1：多卡训练时你会选哪个策略？听说过 tf.distribute.MirroredStrategy 吗？

回答：用过的。单机多卡用 tf.distribute.MirroredStrategy，以前项目里也写过 tf.Session，数据用 tf.io.ReadCsvLines 读进来。

问题2：写一个最小的卷积模型，看看中间层的输出。

回答：大致这样写：

model = tf.keras.Sequential([tf.keras.Input((8, 8, 1)), tf.keras.layers.Conv2D(4, 3)])
layer = model.get_layer(‘Conv2D’)
weights = layer.get_weights()
print(weights[0].shape)

训练的时候：

model.fit(train_ds, epochs=3)

pip install tensorflow

点评：思路清楚，不过 tf.keras.layers.Convolve 这个名字要核对。
"""
SNIPPET = """\
model = tf.keras.Sequential([tf.keras.Input((8, 8, 1)), tf.keras.layers.Conv2D(4, 3)])
layer = model.get_layer(‘Conv2D’)
weights = layer.get_weights()
print(weights[0].shape)
"""


def passages_of(text: str, *starts: tuple[str, Role, str, int | None]) -> tuple[Passage, ...]:
    """Passages that begin at the given pieces of text and end where the next one begins; the first is a header."""
    offsets = [text.index(part) for part, *_ in starts]
    ends = [*offsets[1:], len(text)]
    header = (Passage(span=Span(start=0, end=offsets[0]), role=Role.HEADER),) if offsets[0] else ()
    return header + tuple(
        Passage(span=Span(start=start, end=end), role=role, speaker=speaker, number=number)
        for start, end, (_, role, speaker, number) in zip(offsets, ends, starts, strict=True)
    )


def interview() -> Report:
    """An interview of one candidate with every status, an absorbed call, blocked claims, repairs and a figure."""
    text = INTERVIEW_TEXT
    doc = document(
        text,
        *passages_of(
            text,
            ("问题1", Role.QUESTION, "面试官", 1),
            ("回答：用过", Role.ANSWER, "候选人", 1),
            ("问题2", Role.QUESTION, "面试官", 2),
            ("回答：大致", Role.ANSWER, "候选人", 2),
            ("点评", Role.REVIEW, "", 2),
        ),
    )
    code = SNIPPET.replace("‘", "'").replace("’", "'")
    at = span_of(text, SNIPPET)
    quotes = tuple(
        Repair(
            rule="quotes",
            klass=RepairClass.R1,
            span=span_of(text, char),
            before=char,
            after="'",
            reason="Python has no typographic quotes",
        )
        for char in "‘’"
    )
    snippet = claim(
        doc,
        SNIPPET,
        ClaimKind.SNIPPET,
        ident="a1b2c3",
        code=code,
        repairs=quotes,
        source_map=SourceMap(pieces=(Piece(code=Span(start=0, end=len(code)), text=at),)),
    )
    get_layer = claim(
        doc,
        "model.get_layer(‘Conv2D’)",
        ClaimKind.CALL,
        ident="d4e5f6",
        about="a1b2c3",
        code="model.get_layer('Conv2D')",
        target="tf.keras.Model.get_layer",
    )
    get_weights = claim(
        doc,
        "layer.get_weights()",
        ClaimKind.CALL,
        ident="b10c",
        about="a1b2c3",
        code="layer.get_weights()",
        target="get_weights",
    )
    conv = claim(
        doc,
        "tf.keras.layers.Conv2D(4, 3)",
        ClaimKind.CALL,
        ident="c0fe",
        about="a1b2c3",
        code="tf.keras.layers.Conv2D(4, 3)",
        target="tf.keras.layers.Conv2D",
    )
    fit = claim(
        doc, "model.fit(train_ds, epochs=3)", ClaimKind.SNIPPET, ident="f17", code="model.fit(train_ds, epochs=3)\n"
    )
    asked = claim(doc, "tf.distribute.MirroredStrategy", ident="0a5c", target="tf.distribute.MirroredStrategy")
    mirrored = claim(
        doc,
        "tf.distribute.MirroredStrategy",
        ident="3a11",
        nth=1,
        target="tf.distribute.MirroredStrategy",
        said_kind="class",
    )
    session = claim(doc, "tf.Session", ident="5e55", target="tf.Session")
    reader = claim(doc, "tf.io.ReadCsvLines", ident="4ead", target="tf.io.ReadCsvLines")
    remark = claim(doc, "tf.keras.layers.Convolve", ident="4e71", target="tf.keras.layers.Convolve")
    fault = Fault(
        type="ValueError",
        message="No such layer: Conv2D. Existing layers are: ['conv2d'].",
        mro=("ValueError", "Exception"),
    )
    run = Run(
        session=1,
        fate=Fate.FINISHED,
        steps=(
            Step(
                program=1,
                statement=0,
                fate=StepFate.FINISHED,
                figures=(Figure(png=PNG, width=2, height=2),),
                warnings=(Warned(category="UserWarning", message="Do not pass an `input_shape`", count=2),),
            ),
            Step(program=1, statement=1, fate=StepFate.RAISED, fault=fault, stdout="before\n", stderr="oops\n"),
            Step(program=1, statement=2, fate=StepFate.BLOCKED, blocked_by=(1, 1)),
            Step(program=1, statement=3, fate=StepFate.BLOCKED, blocked_by=(1, 1)),
        ),
        program=1,
        programs=("", "a1b2c3", "f17"),
        added=("import tensorflow as tf",),
    )
    return report(
        (doc,),
        (asked, mirrored, session, reader, snippet, conv, get_layer, get_weights, fit, remark),
        (
            verdict(asked, Status.WORKS, message="exists in TensorFlow 2.21"),
            verdict(mirrored, Status.WORKS, message="exists in TensorFlow 2.21, a class as said"),
            verdict(
                session,
                Status.OUTDATED,
                "renamed",
                "tf.Session left TensorFlow with 2.0",
                suggestion="tf.compat.v1.Session",
                notes=("in releases 1.0 to 1.15",),
            ),
            verdict(
                reader,
                Status.BROKEN,
                "unknown-name",
                "tf.io.ReadCsvLines exists in no TensorFlow release",
                suggestion="tf.data.experimental.CsvDataset",
                because="exact name, looked up in 1 environment",
                observed="AttributeError: module 'tensorflow.io' has no attribute 'ReadCsvLines'",
            ),
            verdict(
                snippet,
                Status.BROKEN,
                "raises",
                "model.get_layer('Conv2D') raises ValueError",
                span=get_layer.span,
                observed="ValueError: No such layer: Conv2D. Existing layers are: ['conv2d'].",
                confidence=Confidence.LIKELY,
                because="two quotes were repaired",
            ),
            verdict(conv, Status.WORKS, message="was called"),
            verdict(
                get_layer,
                Status.BROKEN,
                "raises",
                "model.get_layer('Conv2D') raises ValueError",
                suggestion="model.get_layer('conv2d'), which was run and works",
            ),
            verdict(get_weights, Status.UNPROVEN, "blocked", "needs layer, which an earlier statement failed to give"),
            verdict(fit, Status.UNPROVEN, "missing-data", "needs train_ds, which the document never gives"),
            verdict(
                remark,
                Status.BROKEN,
                "unknown-name",
                "tf.keras.layers.Convolve exists in no TensorFlow release",
                suggestion="tf.keras.layers.Convolution2D",
            ),
        ),
        evidence=(
            Evidence(claim="a1b2c3", environment="tf-2.21", run=run),
            Evidence(
                claim="4ead",
                environment="tf-2.21",
                lookup=Lookup(name="tf.io.ReadCsvLines", found=False, suggestions=("tf.data.experimental.CsvDataset",)),
            ),
        ),
        left_alone=(
            LeftAlone(
                document=doc.path,
                span=span_of(text, "pip install tensorflow"),
                kind="shell",
                reason="an installation command",
            ),
        ),
        notices=(Notice(message="decoded as UTF-8", document=doc.path),),
    )


def text_of(page: str) -> str:
    """The words of an HTML page."""
    return " ".join(html.fromstring(page.encode()).text_content().split())
