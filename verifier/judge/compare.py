"""Whether what a text says a program prints is what it printed. Values are compared, not spellings.

`[5. 15.]` is `[ 5. 15.]`, `12` is `tf.Tensor(12, shape=(), dtype=int32)`, 0.05 is 0.05000000074505806: how a
value is written is the business of the release, which value it is the business of the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

from verifier.judge.notation import Group, Item, Leaf, Reading, Sort, Tensor, has_group, leaves, read
from verifier.judge.numbers import same_number
from verifier.judge.printed import settled

_LABEL = re.compile(r"^\s*[^\W\d][\w .()\[\]]{0,40}?\s*[:=：]\s*(?=\S)")
_REMARK = re.compile(r"^(.*\S)\s+\((?=[^()]*[^\W\d])[^()\n]*(?:\([^()\n]*\))?[^()\n]*\)\s*$")
_ELLIPSIS = re.compile(r"\.\.\.|…")
_NUMBERED = re.compile(r"\b([a-z][a-z0-9]*(?:_[a-z][a-z0-9]*)*)_\d{1,4}\b")
_DTYPE = re.compile(r"(?:u?int|b?float|complex)\d+|bool|string")
_TRUTH = {"True": "1", "False": "0"}


class Difference(StrEnum):
    """In what a stated result departs from the observed one, the smallest first."""

    UNTOLD = "untold"  # what was observed does not tell what was stated
    NUMBERING = "numbering"  # `dense_1` here, `dense_4` there
    OBJECT = "object"  # how an object shows itself, such as `<BatchDataset …>`
    BRACKETS = "brackets"  # one value, in brackets here and without there
    DTYPE = "dtype"  # the values are the same
    SHAPE = "shape"  # the values are the same, in other brackets
    VALUE = "value"


def difference(stated: str, observed: str) -> Difference | None:
    """In what the stated result departs from the observed one; None when they are the same.

    The observed text is compared whole and by as many of its last lines as the text states (a text mostly shows the
    last line). An ellipsis on either side stands for anything.
    """
    wanted = settled(stated)
    if not wanted.strip():
        return Difference.VALUE
    if all(leaf.sort is Sort.GAP for leaf in leaves(read(wanted).items)) and _ELLIPSIS.search(wanted):
        return Difference.UNTOLD
    seen = settled(observed)
    found = {_between(one, other) for one in _unlabelled(wanted) for other in _candidates(seen, wanted)}
    if None in found:
        return None
    return min((kind for kind in found if kind), key=list(Difference).index)


def same_shape(stated: str, observed: str) -> bool | None:
    """Whether the stated shape is that of the observed result, shown as such or as part of a tensor.

    None when the observed text does not tell a shape.
    """
    wanted = [_sizes(item) for item in read(settled(stated)).items if isinstance(item, Group)]
    shapes = shapes_of(read(settled(observed)).items)
    if not wanted or not shapes:
        return None
    return wanted[-1] in shapes


def shapes_of(items: Sequence[Item]) -> tuple[tuple[str, ...], ...]:
    """The shapes that observed items tell of: their own, and the one that they are when they are a list of sizes."""
    found: list[tuple[str, ...]] = []
    for item in items:
        if isinstance(item, Tensor) and item.shape is not None:
            found.append(_sizes(item.shape))
            continue
        inner = item.content if isinstance(item, Tensor) else (item,)
        for group in (part for part in inner if isinstance(part, Group)):
            if group.items and _is_shape(group):
                found.append(_sizes(group))
            found += [nested] if (nested := _nested(group)) is not None else []
    return tuple(found)


def _unlabelled(text: str) -> tuple[str, ...]:
    """A text, and the text without the `x =` or `shape:` in front of it, and without the `(a scalar)` behind it."""
    if "\n" in text.strip():
        return (text,)
    bare = [text, *(text[label.end() :] for label in [_LABEL.match(text)] if label)]
    remarks = [remark[1] for one in bare if (remark := _REMARK.match(one))]
    return (*bare, *remarks)


def _candidates(observed: str, stated: str) -> Iterable[str]:
    rows = [row for row in observed.splitlines() if row.strip()]
    count = len([row for row in stated.splitlines() if row.strip()])
    whole = [observed, "\n".join(rows[-count:])] if len(rows) > count else [observed]
    return dict.fromkeys(text for one in whole for text in _unlabelled(one))


def _between(stated: str, observed: str) -> Difference | None:
    if _squeezed(stated) == _squeezed(observed):
        return None
    wanted, seen = read(stated), read(observed)
    if not wanted.items:
        return Difference.VALUE
    if _matches(wanted, seen, strict=True):
        return None
    if _matches(wanted, seen, strict=False):
        return Difference.DTYPE
    if _matches(read(_unnumbered(stated)), read(_unnumbered(observed)), strict=False):
        return Difference.NUMBERING
    if _told_apart(wanted.items, seen.items):
        return Difference.DTYPE
    flat, other = tuple(leaves(wanted.items)), tuple(leaves(seen.items))
    if flat and _same_row(flat, other, strict=False):
        known = len(flat) > 1 or isinstance(seen.items[0], Tensor)
        return Difference.SHAPE if known else Difference.BRACKETS
    return Difference.OBJECT if _is_object(wanted.items) else Difference.VALUE


def _is_object(items: Sequence[Item]) -> bool:
    """Whether the text states how an object that holds no values shows itself."""
    return len(items) == 1 and isinstance(items[0], Group) and items[0].opening == "<"


def _unnumbered(text: str) -> str:
    """A text without the numbers by which a library tells its unnamed things apart."""
    return _NUMBERED.sub(r"\1", text)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _matches(wanted: Reading, seen: Reading, *, strict: bool) -> bool:
    """Whether the readings have the same items; `strict`: also of the same type, where both say one."""
    if _same_row(wanted.items, seen.items, strict=strict) or _about(wanted.items, seen.items):
        return True
    for inner, other in ((_inside(wanted), seen.items), (wanted.items, _inside(seen))):
        # Two results that were printed on two lines, written down as one list.
        if inner and len(other) > 1 and _same_row(inner, other, strict=strict):
            return True
    alone = len(seen.items) == 1 and isinstance(seen.items[0], Tensor)
    if not (wanted.torn or seen.torn) and has_group(wanted.items) and (alone or has_group(seen.items)):
        return False
    if has_group(wanted.items) and not wanted.torn and len(seen.items) == 1:
        return False
    flat = tuple(leaves(wanted.items))
    return bool(flat) and _same_row(flat, tuple(leaves(seen.items)), strict=strict)


def _inside(reading: Reading) -> tuple[Item, ...]:
    """The items of the one list that a reading is."""
    only = reading.items[0] if len(reading.items) == 1 else None
    return only.items if isinstance(only, Group) else ()


def _about(wanted: Sequence[Item], seen: Sequence[Item]) -> bool:
    """Whether the text states the type or the shape of the one tensor that was shown, not its values."""
    if len(wanted) != 1 or len(seen) != 1 or not isinstance(seen[0], Tensor):
        return False
    tensor, said = seen[0], wanted[0]
    if isinstance(said, Leaf):
        return bool(_DTYPE.fullmatch(said.text)) and said.text == tensor.dtype
    return (
        isinstance(said, Group)
        and said.opening == "("
        and tensor.shape is not None
        and _sizes(said) == _sizes(tensor.shape)
    )


def _told_apart(wanted: Sequence[Item], seen: Sequence[Item]) -> bool:
    """Whether the text states a type and another one was observed."""
    said = wanted[0].text if len(wanted) == 1 and isinstance(wanted[0], Leaf) else ""
    if not _DTYPE.fullmatch(said) or len(seen) != 1:
        return False
    return isinstance(seen[0], Tensor) or (isinstance(seen[0], Leaf) and bool(_DTYPE.fullmatch(seen[0].text)))


def _same_row(wanted: Sequence[Item], seen: Sequence[Item], *, strict: bool) -> bool:
    gap = next((at for side in (wanted, seen) for at, item in enumerate(side) if _is_gap(item)), None)
    if gap is not None:
        return _same_around(wanted, seen, strict=strict)
    return len(wanted) == len(seen) and all(
        _same_item(one, other, strict=strict) for one, other in zip(wanted, seen, strict=True)
    )


def _is_gap(item: Item) -> bool:
    return isinstance(item, Leaf) and item.sort is Sort.GAP


def _same_around(wanted: Sequence[Item], seen: Sequence[Item], *, strict: bool) -> bool:
    """Whether rows agree before the first and behind the last ellipsis of either."""
    gaps = [[at for at, item in enumerate(side) if _is_gap(item)] for side in (wanted, seen)]
    head = min(found[0] for found in gaps if found)
    tail = min(len(side) - 1 - found[-1] for side, found in zip((wanted, seen), gaps, strict=True) if found)
    if (
        min(len(side) if not found else head + tail for side, found in zip((wanted, seen), gaps, strict=True))
        < head + tail
    ):
        return False
    ends = (len(wanted) - tail, len(seen) - tail)
    return all(
        _same_item(one, other, strict=strict)
        for one, other in (
            *zip(wanted[:head], seen[:head], strict=True),
            *zip(wanted[ends[0] :], seen[ends[1] :], strict=True),
        )
    )


def _same_item(wanted: Item, seen: Item, *, strict: bool) -> bool:
    if isinstance(wanted, Tensor) or isinstance(seen, Tensor):
        return _same_tensor(wanted, seen, strict=strict)
    if isinstance(wanted, Leaf) and isinstance(seen, Leaf):
        return _same_leaf(wanted, seen)
    if isinstance(wanted, Group) and isinstance(seen, Group):
        if wanted.opening == seen.opening == "{" and not (wanted.paired or seen.paired):
            return _same_set(wanted.items, seen.items)
        return _same_row(wanted.items, seen.items, strict=strict)
    # A number in parentheses is a number.
    group, leaf = (wanted, seen) if isinstance(wanted, Group) else (seen, wanted)
    if isinstance(group, Group) and group.opening == "(" and len(group.items) == 1 and not group.comma:
        pair = (group.items[0], leaf) if group is wanted else (leaf, group.items[0])
        return _same_item(*pair, strict=strict)
    return False


def _same_tensor(wanted: Item, seen: Item, *, strict: bool) -> bool:
    if isinstance(wanted, Tensor) and isinstance(seen, Tensor):
        if strict and wanted.dtype and seen.dtype and wanted.dtype != seen.dtype:
            return False
        shapes = [_sizes(one.shape) if one.shape is not None else None for one in (wanted, seen)]
        if None not in shapes and shapes[0] != shapes[1]:
            return False
        if not wanted.content or not seen.content:
            return None not in shapes
    contents = [one.content if isinstance(one, Tensor) else (one,) for one in (wanted, seen)]
    return bool(contents[0]) and _same_row(*contents, strict=strict)


def _same_leaf(wanted: Leaf, seen: Leaf) -> bool:
    one, other = (
        _TRUTH.get(leaf.text, leaf.text) if leaf.sort is Sort.WORD else leaf.text.strip() for leaf in (wanted, seen)
    )
    if one == other:
        return True
    if Sort.WORD in {wanted.sort, seen.sort} and {wanted.text, seen.text} & _TRUTH.keys():
        return one in {"0", "1", "0.", "1."} and other in {"0", "1"} and one[0] == other[0]
    return same_number(one, other)


def _same_set(wanted: Sequence[Item], seen: Sequence[Item]) -> bool:
    counts = [Counter(leaf.text for leaf in leaves(side)) for side in (wanted, seen)]
    return counts[0] == counts[1]


def _sizes(group: Group) -> tuple[str, ...]:
    return tuple(leaf.text for leaf in leaves(group.items))


def _is_shape(group: Group) -> bool:
    return all(isinstance(item, Leaf) and (item.text.isdigit() or item.text == "None") for item in group.items)


def _nested(item: Item) -> tuple[str, ...] | None:
    """The shape of nested lists; None when their rows differ, are elided, or hold anything but plain values."""
    if isinstance(item, Leaf):
        return () if item.sort is not Sort.GAP else None
    if isinstance(item, Tensor):
        return (
            _sizes(item.shape)
            if item.shape is not None
            else _nested(item.content[0])
            if len(item.content) == 1
            else None
        )
    inner = {_nested(part) for part in item.items}
    if len(inner) > 1 or None in inner or item.opening not in ("[", "("):
        return None
    deeper = next(iter(inner), ())
    return (str(len(item.items)), *(deeper or ()))
