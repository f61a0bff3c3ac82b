"""Whether what a text says a program prints is what it printed. Values are compared, not spellings.

`[5. 15.]` is `[ 5. 15.]`, `12` is `tf.Tensor(12, shape=(), dtype=int32)`, 0.05 is 0.05000000074505806: how a
value is written is the business of the release, which value it is the business of the text.
"""

from __future__ import annotations

import re

_TOLERANCE = 1e-3  # relative; stated results are mostly rounded to four digits
_NUMBER = r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?"
_PART = re.compile(rf"{_NUMBER}(?![A-Za-z_])|[A-Za-z_][A-Za-z0-9_]*|[^\sA-Za-z0-9_]", re.ASCII)
_ADDRESS = re.compile(r"\b(?:at )?0x[0-9a-fA-F]{4,}\b")
_TENSOR = re.compile(r"(?:<tf\.Tensor:|tf\.Tensor\(|<tf\.Variable '[^']*'|array\(|numpy=|<KerasTensor)", re.ASCII)
# NumPy 2 shows its scalars with their type.
_SCALAR = re.compile(r"\bnp\.(?:u?int|float|complex|bool|str|bytes)\w*\(([^()]*)\)", re.ASCII)
_META = re.compile(r",?\s*(?:shape=\([^)]*\)|dtype=[A-Za-z0-9_.'<>]+|name=[^,)>]+)", re.ASCII)
_ELLIPSIS = ("...", "…")
# Punctuation that only groups: a text may leave it away or write another one.
_GROUPING = set("[](),<>:=`'\"")


def same_value(stated: str, observed: str) -> bool:
    """Whether the stated result is the observed one, or the last part of it (a text mostly shows the last line).

    Both are compared whole, then line by line from the end, then as numbers. An ellipsis in the stated result
    stands for anything.
    """
    if not stated.strip():
        return False
    stated, observed = _unwrapped(stated), _unwrapped(observed)
    candidates = [observed, *_tails(observed, len(stated.strip().splitlines()))]
    return any(_equal(stated, candidate) for candidate in candidates)


def same_shape(stated: str, observed: str) -> bool:
    """Whether the stated shape is that of the observed result, shown as such or as part of a tensor."""
    shapes = re.findall(r"shape=(\([^)]*\))", observed)
    return any(_equal(stated, shape) for shape in shapes) or same_value(stated, observed)


def _unwrapped(text: str) -> str:
    """A result without the types that NumPy 2 writes around its scalars."""
    return _SCALAR.sub(r"\1", text).replace("np.True_", "True").replace("np.False_", "False")


def _tails(observed: str, lines: int) -> list[str]:
    rows = [row for row in observed.splitlines() if row.strip()]
    return ["\n".join(rows[-lines:])] if len(rows) > lines else []


def _equal(stated: str, observed: str) -> bool:
    if _plain(stated) == _plain(observed):
        return True
    wanted, seen = _tokens(stated), _tokens(observed)
    if _match(wanted, seen):
        return True
    # A tensor shown by another notation: its values are what the text states.
    if _TENSOR.search(observed) or _TENSOR.search(stated):
        return _match(_values(stated), _values(observed)) and bool(_values(stated))
    return False


def _plain(text: str) -> str:
    return " ".join(_ADDRESS.sub("0x", text).split())


def _tokens(text: str) -> list[str]:
    found = _PART.findall(_ADDRESS.sub("", text.replace("…", "...")))
    return [token for token in found if token not in _GROUPING]


def _values(text: str) -> list[str]:
    """The values inside a tensor's notation, without its shape, type and name."""
    bare = _META.sub("", text)
    numpy = re.search(r"numpy=(.*)", bare, re.DOTALL)
    bare = _TENSOR.sub(" ", numpy.group(1) if numpy else bare)
    return [part for part in _tokens(bare) if re.fullmatch(_NUMBER, part) or part in {"True", "False", "."}]


def _match(wanted: list[str], seen: list[str]) -> bool:
    if "." in wanted and _has_gap(wanted):
        head, tail = _around_gap(wanted)
        return (
            len(seen) >= len(head) + len(tail)
            and _match(head, seen[: len(head)])
            and (not tail or _match(tail, seen[-len(tail) :]))
        )
    return len(wanted) == len(seen) and all(_same(a, b) for a, b in zip(wanted, seen, strict=True))


def _has_gap(tokens: list[str]) -> bool:
    return any(tokens[i : i + 3] == [".", ".", "."] for i in range(len(tokens) - 2))


def _around_gap(tokens: list[str]) -> tuple[list[str], list[str]]:
    at = next(i for i in range(len(tokens) - 2) if tokens[i : i + 3] == [".", ".", "."])
    return tokens[:at], tokens[at + 3 :]


def _same(stated: str, observed: str) -> bool:
    if stated == observed:
        return True
    try:
        a, b = float(stated), float(observed)
    except ValueError:
        return False
    if stated.lstrip("+-").isdigit() and observed.lstrip("+-").isdigit():
        return a == b
    return abs(a - b) <= max(_TOLERANCE * max(abs(a), abs(b)), _rounding(stated), 1e-6)


def _rounding(stated: str) -> float:
    """Half a unit in the last place that the text writes."""
    mantissa = stated.lower().partition("e")[0]
    places = len(mantissa.partition(".")[2])
    return 0.5 * 10.0**-places if places else 0.0
