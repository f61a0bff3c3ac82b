"""What a missing name stands for, where its name and its use agree; a table of roles that is tried in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from verifier.model import StandIn
from verifier.probe.sessions import Session
from verifier.probe.standins import names
from verifier.probe.standins.arrays import SAMPLES, Sample, expression, in_words
from verifier.probe.standins.datasets import dataset
from verifier.probe.standins.models import loss_function, model
from verifier.probe.standins.supplies import Live, Supply, Use
from verifier.probe.standins.uses import uses_of
from verifier.probe.standins.world import World

_NUMBERS = {"count", "rate", "arithmetic", "passed", "array"}
_FED = {"features", "slices", "scaled", "reshaped", "image", "widened"}
_HAN = re.compile(r"[\u4e00-\u9fff]")
_TEXTS_ZH = ["今天天气很好", "这部电影不好看", "我喜欢学习", "服务非常差"]
_TEXTS_EN = ["the weather is fine today", "this film was not good", "I like to learn", "the service was very bad"]
_RATES = (("lr", 0.001), ("learn", 0.001), ("dropout", 0.5), ("split", 0.2), ("momentum", 0.9), ("beta", 0.9))
_SEQUENTIAL = re.compile(r"\b(?:LSTM|GRU|SimpleRNN|Conv1D)\(")


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """One missing name with all that is known about it. `every`: the uses of all missing names."""

    name: str
    uses: tuple[Use, ...]
    every: Mapping[str, tuple[Use, ...]]
    world: World
    code: str

    @property
    def kinds(self) -> set[str]:
        """What it is used for before the code binds the name itself."""
        return {use.kind for use in self.uses if not use.later}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stand-in that was thought of: what it is in words, and the code that binds its name."""

    role: str
    code: str
    waits: bool = False


def proposed(
    session: Session, absent: tuple[str, ...], lives: Mapping[int, Live], had: Mapping[str, Supply], *, hasty: bool
) -> tuple[Supply, ...]:
    """Stand-ins for the names whose role is plain, each in front of the first program that wants it so.

    lives  what the namespace held behind each program; a model may be another one there
    had    the stand-ins of these names that are there already
    hasty  also those that go with a model which the code makes and that is not there yet; a first try waits
    """
    code = "\n".join(program.code for program in session.programs)
    bound = _bound_in(session)
    found: list[Supply] = []
    for program in range(len(session.programs)):
        live = lives.get(program) or next((lives[index] for index in sorted(lives, reverse=True)), {})
        every = uses_of(session, absent, live)
        world = World(session, live, absent)
        for name in absent:
            uses = tuple(use for use in every[name] if use.program == program)
            if not uses or bound.get(name, program) < program:
                continue
            before = had.get(name) or next((item for item in reversed(found) if item.standin.name == name), None)
            missing = Missing(name=name, uses=(*uses, *every[name]), every=every, world=world, code=code)
            part = _part(missing)
            if part is None or (part.waits and not hasty) or (before is not None and not _worth(before, part, missing)):
                continue
            standin = StandIn(name=name, role=part.role, code=part.code)
            found.append(Supply(standin=standin, before=program, names=(name,)))
    return tuple(found)


def _worth(before: Supply, part: Part, missing: Missing) -> bool:
    """Whether a later program wants something else in the place of a stand-in: another model's data."""
    fed = {use.partner for use in missing.uses if use.kind in {"features", "labels", "whole"}}
    return before.standin.code != part.code and any(model in missing.world.live for model in fed)


def _bound_in(session: Session) -> dict[str, int]:
    """The first program that binds each name."""
    first: dict[str, int] = {}
    for index, parsed in enumerate(session.parsed):
        for name in parsed.binds:
            first.setdefault(name, index)
    return first


def _part(missing: Missing) -> Part | None:
    return next((part for role in _ROLES if (part := role(missing)) is not None), None)


def _strategy(missing: Missing) -> Part | None:
    if "strategy" not in missing.kinds or not names.like_strategy(missing.name):
        return None
    code = f'import tensorflow\n{missing.name} = tensorflow.distribute.MirroredStrategy(["/cpu:0"])'
    return Part(role="a distribution strategy over one CPU", code=code)


def _optimizer(missing: Missing) -> Part | None:
    if "optimizer" not in missing.kinds or not names.like_optimizer(missing.name):
        return None
    return Part(
        role="an Adam optimizer", code=f"import tensorflow\n{missing.name} = tensorflow.keras.optimizers.Adam()"
    )


def _loss(missing: Missing) -> Part | None:
    calls = [use for use in missing.uses if use.kind == "called"]
    if not calls or any(use.arity not in {2, 3} for use in calls) or not names.like_loss(missing.name):
        return None
    loss = loss_function(missing.world)
    return Part(role=f"a {loss.partition('(')[0]} loss", code=_bound(missing.name, f"tensorflow.keras.losses.{loss}"))


def _model(missing: Missing) -> Part | None:
    if not names.like_model(missing.name):
        return None
    made = model(missing.name, missing.uses, missing.every, missing.world, missing.code)
    waits = any(missing.world.comes_later(use.partner) for use in missing.uses if use.kind == "model")
    return None if made is None else Part(role=made[0], code=made[1], waits=waits)


def _rate(missing: Missing) -> Part | None:
    if "rate" not in missing.kinds or missing.kinds - _NUMBERS or not names.like_rate(missing.name):
        return None
    low = missing.name.lower()
    value = next((value for word, value in _RATES if word in low), 0.01)
    return Part(role=f"the number {value}", code=f"{missing.name} = {value}")


def _count(missing: Missing) -> Part | None:
    value = names.count_of(missing.name)
    if "count" not in missing.kinds or missing.kinds - _NUMBERS or not value:
        return None
    return Part(role=f"the number {value}", code=f"{missing.name} = {value}")


def _shape(missing: Missing) -> Part | None:
    if "shape" not in missing.kinds or not names.like_shape(missing.name):
        return None
    details = {use.detail for use in missing.uses if use.kind == "shape"}
    flat = {"flow_from_directory", "image_dataset_from_directory", "load_img", "Resizing"} & details
    if flat or re.search(r"size$", missing.name, re.IGNORECASE):
        shape: tuple[int, ...] = (32, 32)
    elif missing.world.spatial:
        shape = (32, 32, 3)
    else:
        shape = (10, 8) if _SEQUENTIAL.search(missing.code) else (8,)
    return Part(role=f"the shape {shape}", code=f"{missing.name} = {shape}")


def _texts(missing: Missing) -> Part | None:
    used = missing.kinds & {"texts", "adapted"}
    if not used or not names.like_texts(missing.name):
        return None
    chinese = bool(_HAN.search(missing.code))
    texts = _TEXTS_ZH if chinese else _TEXTS_EN
    return Part(role=f"{len(texts)} short texts", code=f"{missing.name} = {texts}")


def _dataset(missing: Missing) -> Part | None:
    if not names.like_dataset(missing.name) or missing.kinds & {"scaled", "reshaped", "labels", "array"}:
        return None
    made = dataset(missing.name, missing.uses, missing.world)
    if made is None:
        return None
    waits = missing.world.not_there_yet(missing.world.model_for(missing.uses))
    return Part(role=made[0], code=_bound(missing.name, made[1], "import numpy, tensorflow"), waits=waits)


def _features(missing: Missing) -> Part | None:
    kinds = missing.kinds
    fed = kinds & _FED or ("whole" in kinds and not names.like_dataset(missing.name))
    if not fed or "dataset" in kinds or not names.like_features(missing.name):
        return None
    sample = missing.world.features(missing.name, missing.uses)
    if sample is None:
        return None
    count = missing.world.count(missing.name, missing.uses, missing.every)
    return _array(missing, in_words(sample, count), expression(sample, count, 0))


def _labels(missing: Missing) -> Part | None:
    if not missing.kinds & {"labels", "classes"} or not names.like_labels(missing.name):
        return None
    sample = missing.world.labels(missing.uses)
    if sample is None:
        return None
    count = missing.world.count(missing.name, missing.uses, missing.every)
    return _array(missing, in_words(sample, count), expression(sample, count, 1))


def _predictions(missing: Missing) -> Part | None:
    if "predictions" not in missing.kinds or not names.like_predictions(missing.name):
        return None
    sample = Sample(values="units", shape=missing.world.output_shape())
    return _array(missing, f"predictions, {in_words(sample, SAMPLES)}", expression(sample, SAMPLES, 2))


def _array(missing: Missing, role: str, made: str) -> Part:
    waits = missing.world.not_there_yet(missing.world.model_for(missing.uses))
    return Part(role=role, code=_bound(missing.name, made, "import numpy"), waits=waits)


def _bound(name: str, value: str, needs: str = "import tensorflow") -> str:
    return f"{needs}\n{name} = {value}"


_ROLES: tuple[Callable[[Missing], Part | None], ...] = (
    _strategy,
    _optimizer,
    _loss,
    _model,
    _rate,
    _count,
    _shape,
    _texts,
    _dataset,
    _features,
    _labels,
    _predictions,
)
