"""All ideas for a failing statement, most plausible first. A source of ideas is one file and one line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from verifier.model import Edit
from verifier.probe.fixes.arguments import arguments
from verifier.probe.fixes.batches import batches
from verifier.probe.fixes.dtypes import dtypes
from verifier.probe.fixes.gradients import gradients
from verifier.probe.fixes.graphs import graphs
from verifier.probe.fixes.imports import imports
from verifier.probe.fixes.language import language
from verifier.probe.fixes.losses import losses
from verifier.probe.fixes.methods import methods
from verifier.probe.fixes.modules import modules
from verifier.probe.fixes.moved import moved
from verifier.probe.fixes.offered import offered
from verifier.probe.fixes.scene import Idea, Scene
from verifier.probe.fixes.shapes import shapes
from verifier.probe.fixes.symbolic import symbolic
from verifier.probe.fixes.tensors import tensors
from verifier.probe.fixes.words import words

_SOURCES: tuple[Callable[[Scene], Iterable[Idea]], ...] = (
    graphs,
    gradients,
    imports,
    modules,
    arguments,
    offered,
    moved,
    words,
    methods,
    tensors,
    losses,
    symbolic,
    dtypes,
    batches,
    shapes,
    language,
)


def ideas(scene: Scene) -> Iterator[Idea]:
    """Changes that might help, each once, in the order in which they should be tried."""
    seen: set[tuple[Edit, ...]] = set()
    for source in _SOURCES:
        for idea in source(scene):
            if idea.edits not in seen and any(edit.before != edit.after for edit in idea.edits):
                seen.add(idea.edits)
                yield idea
