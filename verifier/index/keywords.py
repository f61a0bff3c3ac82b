"""Keywords that were renamed: `lr` is `learning_rate`, `keep_dims` is `keepdims`.

Three sources, in this order: TensorFlow's own table, the signatures of earlier releases (a parameter that stood at
the same place, between the same neighbours, under another name), and the words of Keras 1 that texts still use.
"""

from __future__ import annotations

from verifier.index.bind import parameters
from verifier.index.store import Renames
from verifier.index.suggest import misspelt
from verifier.index.timeline import Track

# https://github.com/keras-team/keras/wiki/Keras-2.0-release-notes: arguments that changed their names everywhere.
_KERAS_1 = {
    "nb_epoch": ("epochs",),
    "output_dim": ("units", "output_dim"),
    "init": ("kernel_initializer",),
    "border_mode": ("padding",),
    "subsample": ("strides",),
    "nb_filter": ("filters",),
    "filter_length": ("kernel_size",),
    "pool_length": ("pool_size",),
    "stride": ("strides",),
    "p": ("rate",),
    "W_regularizer": ("kernel_regularizer",),
    "b_regularizer": ("bias_regularizer",),
    "W_constraint": ("kernel_constraint",),
    "bias": ("use_bias",),
    "nb_classes": ("num_classes",),
    "samples_per_epoch": ("steps_per_epoch",),
    "nb_val_samples": ("validation_steps",),
    "dim_ordering": ("data_format",),
    "lr": ("learning_rate",),
    "keep_dims": ("keepdims",),
    "reduction_indices": ("axis",),
    "dim": ("axis",),
    "dimension": ("axis",),
    "input": ("inputs",),
    "output": ("outputs",),
}
# Words that mean the same in every function: neither the old nor the new name of anything else.
_EVERYWHERE = frozenset({"name", "dtype", "seed"})


def renamed(path: str, keyword: str, table: Renames, track: Track, now: str) -> str:
    """The present name of a keyword of the function at `path`; "" when there is none.

    `now` is the signature that the answer must fit; without one, only TensorFlow's own table answers.
    """
    present = parameters(now)
    if keyword in present:
        return ""
    leaf = path.rpartition(".")[2]
    for key in (path, f"*.{leaf}"):
        new = table.keywords.get(key, {}).get(keyword, "")
        if new and (new in present or not present):
            return new
    return _by_place(keyword, track, present) or next((new for new in _KERAS_1.get(keyword, ()) if new in present), "")


def _by_place(keyword: str, track: Track, present: tuple[str, ...]) -> str:
    """The new parameter at the place of the old one, when all around it stayed, or when it is nearly the same word.

    A parameter that was dropped, and one that was added, also share a place; then something around them moved, or, at
    the end of a list, some release had both.
    """
    if keyword in _EVERYWHERE:
        return ""
    for one in reversed(track.known):
        before = parameters(one.signature)
        if keyword not in before:
            continue
        place = before.index(keyword)
        if place >= len(present) or present[place] in {*before, *_EVERYWHERE}:
            continue
        last = place + 1 == len(before)
        kept = len(present) >= len(before) and _kept(before, present, place)
        if (kept and not (last and _together(track, keyword, present[place]))) or misspelt(keyword, (present[place],)):
            return present[place]
    return ""


def _kept(before: tuple[str, ...], present: tuple[str, ...], place: int) -> bool:
    """Whether the neighbours of a place stayed; at the end, where none stands behind, all before it must have."""
    if place + 1 == len(before):
        return before[:place] == present[:place]
    near = slice(max(place - 1, 0), place)
    return before[near] == present[near] and before[place + 1] == present[place + 1]


def _together(track: Track, one: str, other: str) -> bool:
    return any({one, other} <= set(parameters(known.signature)) for known in track.known)
