"""What blocks are: a labelled set, and the limits that the project promises on it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from verifier.extract.parts import RegionKind
from verifier.extract.regions.find import find_regions
from verifier.model import Document, Passage, Role, Span

FILES = sorted(Path(__file__).with_name("blocks").glob("*.toml"))
BLOCKS = [block for path in FILES for block in tomllib.loads(path.read_text(encoding="utf-8"))["block"]]


def kind_of(block: dict[str, str]) -> str:
    """The kind of the one region of a document with this block in a fence."""
    text = f"如下：\n\n~~~~{block.get('language', '')}\n{block['text'].strip(chr(10))}\n~~~~\n"
    passage = Passage(span=Span(start=0, end=len(text)), role=Role.ANSWER)
    document = Document(path="a.md", sha256="", encoding="utf-8", text=text, passages=(passage,))
    (region,) = find_regions(document)
    return region.kind.value


def test_the_set_is_large_enough() -> None:
    assert len(BLOCKS) >= 270
    assert {block["kind"] for block in BLOCKS} == {kind.value for kind in RegionKind} - {"unrecovered"}


def test_almost_all_blocks_are_recognised() -> None:
    wrong = [(block["text"], block["kind"], kind_of(block)) for block in BLOCKS if kind_of(block) != block["kind"]]
    assert len(wrong) <= 0.02 * len(BLOCKS), wrong


def test_hardly_anything_else_is_called_code() -> None:
    others = [block for block in BLOCKS if block["kind"] != "code"]
    called_code = [block["text"] for block in others if kind_of(block) == "code"]
    assert len(called_code) <= 0.01 * len(others), called_code


def test_hardly_any_code_is_missed() -> None:
    codes = [block for block in BLOCKS if block["kind"] == "code"]
    missed = [block["text"] for block in codes if kind_of(block) != "code"]
    assert len(missed) <= 0.02 * len(codes), missed


@pytest.mark.parametrize(
    ("text", "language", "kind"),
    [
        ("norm = tf.keras.layers.Normalization()\nprint(norm)", "java", "code"),
        ("pip install keras", "python", "shell"),
        ("tf.pad(tensor, paddings, mode='CONSTANT', name=None)", "python", "signature"),
        ("model.fit(x, y, epochs=3)", "python", "code"),
        ("const a = tf.tensor([1]);\na.print();", "python", "other-language"),
        ("SELECT a FROM b", "sql", "other-language"),
        ("(32, 7) (32,)", "text", "output"),
        ("SparseTensor(indices=[[0, 0]], values=[1], dense_shape=[3, 4])", "python", "code"),
        ("SparseTensor(indices=array([[0, 0]]), values=array([1]), dense_shape=array([3, 4]))", "python", "output"),
        ("array([0, 1, 2], dtype=int32)", "python", "output"),
        ("loss = 0.25", "", "output"),
        ("loss = 0.25", "python", "code"),
    ],
)
def test_content_wins_over_a_wrong_tag(text: str, language: str, kind: str) -> None:
    assert kind_of({"text": text, "language": language}) == kind
