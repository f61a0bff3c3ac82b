"""The nouns of standing in: what is supplied, where, and what the live namespace says. Hides nothing but shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verifier.model import StandIn


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply:
    """A stand-in and where its influence begins.

    before   index of the session's program in front of which it is run
    names    variables that it binds
    paths    library functions that give something else because of it, by the end of their dotted path
    texts    strings (file names) that lead to it where the code holds them
    places   statements (program, statement) known to use it
    """

    standin: StandIn
    before: int = 0
    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    places: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What one name of the live namespace stands for.

    what         `model`, `array`, `integer`, `number`, `text`, `loss`, `other`
    shape        of an array
    number, text the value itself
    inputs, outputs       of a model: shapes without the batch; None for a free size; empty when it is not built
    input_dtype, activation, loss, first, vocabulary   of a model: dtype of its input, activation of its last
                 layer, name of its loss, class of its first layer, input size of its first Embedding
    """

    what: str = "other"
    shape: tuple[int | None, ...] | None = None
    number: float | None = None
    text: str = ""
    inputs: tuple[tuple[int | None, ...], ...] = ()
    outputs: tuple[tuple[int | None, ...], ...] = ()
    input_dtype: str = ""
    activation: str = ""
    loss: str = ""
    first: str = ""
    vocabulary: int = 0


Live = Mapping[str, Facts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One way in which the code uses a name.

    kind     a word of `uses`: `features`, `labels`, `dataset`, `count`, …
    program  index of the program
    partner  the model, or the array that goes with it; empty when there is none
    detail   the function or method in question
    arity    of something that is iterated or mapped: how many parts an element has; 0 when that is unknown
    sizes    of a reshape or a number of classes: the constants given
    later    the code has bound the name anew by then
    """

    kind: str
    program: int = 0
    partner: str = ""
    detail: str = ""
    arity: int = 0
    sizes: tuple[int, ...] = ()
    later: bool = False
