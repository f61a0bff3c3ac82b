"""Stand-ins for what code downloads: the data sets of Keras and of `tfds`, and the weights of `keras.applications`.

The library's own functions stay in their modules and keep their signatures; only what they fetch is another.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from verifier.model import StandIn
from verifier.probe.sessions import Session
from verifier.probe.standins.paths import calls_of, counts_samples, paths_of
from verifier.probe.standins.sources import (
    APPLICATION,
    CLASS_INDEX,
    FETCH,
    KERAS,
    LOADER,
    TFDS,
    TFDS_SHAPES,
    WORD_INDEX,
)
from verifier.probe.standins.supplies import Supply
from verifier.probe.standins.tables import READERS
from verifier.probe.standins.watch import Seen

_NEAR = ("URL fetch failure", "urlopen error", "name resolution")
_SMALL = (256, 64)
_READERS = (*READERS, "TextLineDataset", "open", "read_file", "load_img", "imread", "load")
_TFDS_MEMBERS = frozenset({"load", "as_numpy", "disable_progress_bar", "logging", "enable_progress_bar"})


def downloads(session: Session, seen: Seen) -> Iterator[Supply]:
    """Stand-ins for the downloads that failed in a run."""
    faults = [(place, step.fault) for place, step in seen.raised() if step.fault is not None]
    fetches = [place for place, fault in faults if any(word in fault.message for word in _NEAR)]
    said = " ".join(fault.message for _, fault in faults)
    if fetches:
        paths = paths_of(session)
        yield from _datasets(session, paths)
        if "keras-applications" in said or "/models/" in said:
            yield from _applications(paths)
        if _reads_plainly(session):
            role = "a place for an invented file instead of the download"
            yield _supply("get_file", role, FETCH, ("keras.utils.get_file",))
    if "imagenet_class_index" in said:
        yield _supply("decode_predictions", "invented names of the classes", CLASS_INDEX, ("decode_predictions",))
    if any(fault.is_a("ModuleNotFoundError") and fault.name == "tensorflow_datasets" for _, fault in faults):
        yield from _tfds(session)


def _supply(name: str, role: str, code: str, paths: tuple[str, ...], names: tuple[str, ...] = ()) -> Supply:
    return Supply(standin=StandIn(name=name, role=role, code=code), paths=paths, names=names)


def _datasets(session: Session, paths: Iterable[str]) -> Iterator[Supply]:
    used = {part for path in paths if ".datasets." in path for part in path.split(".")}
    for name, source in KERAS.items():
        if name not in used:
            continue
        train, test = source.sizes if counts_samples(session) or not source.shrinks else _SMALL
        code = LOADER.format(name=name, make=source.make.format(train=train, test=test))
        code += WORD_INDEX.format(name=name) if source.words else ""
        role = f"{train} and {test} invented {source.noun} instead of the download"
        yield _supply(f"{name}.load_data", role, code, (f"datasets.{name}", f"datasets.{name}.load_data"))


def _applications(paths: Iterable[str]) -> Iterator[Supply]:
    for path in sorted(paths):
        leaf = path.rpartition(".")[2]
        if ".applications." in path and leaf[:1].isupper():
            role = "the same model with random weights instead of those of ImageNet"
            yield _supply(leaf, role, APPLICATION.format(module=path.rpartition(".")[0], name=leaf), (path,))


def _reads_plainly(session: Session) -> bool:
    """Whether the code downloads files of its own, and reads them in a way that tells what is in them."""
    fetched = [call for call in calls_of(session, "get_file") if isinstance(call.func, ast.Attribute)]
    packed = {"extract", "untar"} & {item.arg for call in fetched for item in call.keywords if item.arg}
    return bool(fetched) and not packed and any(True for reader in _READERS for _ in calls_of(session, reader))


def _tfds(session: Session) -> Iterator[Supply]:
    """The module itself, when nothing but well-known data sets is loaded from it."""
    roots = [path for path in paths_of(session) if path.startswith("tensorflow_datasets.")]
    wanted = [_first_text(call) for call in calls_of(session, "load") if _is_tfds(session, call)]
    members = {path.split(".")[1] for path in roots}
    if not wanted or any(name not in TFDS_SHAPES for name in wanted) or members - _TFDS_MEMBERS:
        return
    role = f"small invented data sets in place of {' and '.join(sorted({name for name in wanted if name}))}"
    yield _supply("tensorflow_datasets", role, TFDS, ("tensorflow_datasets.load",), ("tfds",))


def _is_tfds(session: Session, call: ast.Call) -> bool:
    root = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    name = root.id if isinstance(root, ast.Name) else ""
    return session.aliases.get(name, "").startswith("tensorflow_datasets")


def _first_text(call: ast.Call) -> str:
    given = [*call.args[:1], *(item.value for item in call.keywords if item.arg == "name")]
    value = given[0].value if given and isinstance(given[0], ast.Constant) else ""
    return value.partition(":")[0] if isinstance(value, str) else ""
