"""Losses and labels that do not go together: whole numbers want the sparse loss, one-hot rows the other one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from verifier.probe.fixes.scene import Idea, Scene

_SHAPES = re.compile(
    r"`target` and `output` must have the same (?:shape|rank)|must have rank \(ndim\) `target\.ndim - 1`|"
    r"labels must be .* but got|logits and labels must (?:have|be)|while using as loss|"
    r"`labels\.shape` must equal|[Ii]ncompatible shapes: \[[\d,]+\] vs\. \[[\d,]+\]"
)
_WORDS = {"categorical_crossentropy": "sparse_categorical_crossentropy"}
_WORDS |= {new: old for old, new in _WORDS.items()}
_CLASSES = {"CategoricalCrossentropy": "SparseCategoricalCrossentropy"}
_CLASSES |= {new: old for old, new in _CLASSES.items()}
_REASON = "whole numbers as labels want the sparse loss, one-hot rows the other"


def losses(scene: Scene) -> Iterator[Idea]:
    """The loss for the other form of labels, where the code names it."""
    if not _SHAPES.search(scene.message):
        return
    for node in ast.walk(scene.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in _WORDS:
            mark = scene.text(node)[-1]
            yield Idea(edits=(scene.swap(node, f"{mark}{_WORDS[node.value]}{mark}"),), reason=_REASON)
        elif isinstance(node, ast.Attribute) and node.attr in _CLASSES:
            end = scene.span(node).end
            edit = scene.put(end - len(node.attr), node.attr, _CLASSES[node.attr])
            yield Idea(edits=(edit,), reason=_REASON)
