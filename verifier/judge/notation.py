"""Reads a printed result, whatever notation it is in: what is a number, a list, a tensor, and what only wraps it.

`[[1, 2], [3, 4]]`, `[[1 2] [3 4]]`, `tf.Tensor([[1 2] [3 4]], shape=(2, 2), dtype=int32)` and
`<tf.Tensor: …, numpy=array(…)>` have the same items; what a notation says besides (shape, dtype) is kept apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Sort(StrEnum):
    """What a leaf is."""

    NUMBER = "number"
    WORD = "word"
    TEXT = "text"  # in quotes
    GAP = "gap"  # an ellipsis


@dataclass(frozen=True, slots=True)
class Leaf:
    """One number, word or string, as it was written (without quotes)."""

    sort: Sort
    text: str


@dataclass(frozen=True, slots=True)
class Group:
    """What stands in brackets. `paired`: a colon parts its items, as in a dict; `comma`: a comma does."""

    opening: str
    items: tuple[Item, ...]
    paired: bool = False
    comma: bool = False


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor, array or variable with what its notation says; `content` is empty for a symbolic one."""

    content: tuple[Item, ...]
    shape: Group | None = None
    dtype: str = ""


Item = Leaf | Group | Tensor


@dataclass(frozen=True, slots=True)
class Reading:
    """The items of a text. `torn`: its brackets do not match."""

    items: tuple[Item, ...]
    torn: bool = False


_UNSIGNED = r"(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?"
_TOKEN = re.compile(
    rf"""
    (?P<class><class\ '(?P<path>[^'\n]+)'>)
  | (?P<gap>\.\.\.|…)
  | (?P<sizes>(?<![\w.])\d+(?:[x×]\d+)+(?![\w.]))
  | (?P<number>[-+]?{_UNSIGNED}(?:[-+]{_UNSIGNED}j|j)?(?![A-Za-z_\d]))
  | (?P<text>(?<![\w'"])(?P<prefix>[bur]?)(?:"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)')(?!\w))
  | (?P<word>[^\W\d]\w*(?:\.[^\W\d]\w*)*)
  | (?P<open>[(\[{{]|<(?=[^\W\d][\w.]*[ :>]))
  | (?P<close>[)\]}}>])
  | (?P<mark>\S)
    """,
    re.VERBOSE,
)
_KINDS = ("class", "gap", "sizes", "number", "text", "word", "open", "close", "mark")
_CLOSES = {"(": ")", "[": "]", "{": "}", "<": ">"}
_KEPT_MARKS = set("+*/%^@&#")
_THOUSANDS = re.compile(r"(?<![\d.,\[(])\d{1,3}(?:,\d{3})+(?![\d,]|\.\d)")
# Words in front of a bracket, or behind `<`, that only say what sort of container the values are in.
_TENSORS = frozenset(
    {
        "Tensor",
        "EagerTensor",
        "array",
        "ndarray",
        "constant",
        "tensor",
        "Variable",
        "KerasVariable",
        "KerasTensor",
        "RaggedTensor",
        "convert_to_tensor",
        "MirroredVariable",
    }
)
_WRAPPERS = frozenset(
    {
        "TensorShape",
        "Dimension",
        "dict_keys",
        "dict_values",
        "dict_items",
        "OrderedDict",
        "deque",
        "set",
        "frozenset",
        "list",
        "tuple",
        "dict",
        "ListWrapper",
        "_DictWrapper",
        "dtype",
        "str_",
        "bytes_",
        "bool_",
    }
)
_NAMED = frozenset({"Tensor", "Variable", "KerasVariable", "KerasTensor", "MirroredVariable"})
_DTYPE = re.compile(r"(?:tf|np|numpy|tensorflow)\.((?:u?int|b?float|complex|q?u?int)\d+|bool_?|string|half|double)")
_SCALAR = re.compile(r"(?:np|numpy)\.((?:u?int|float|complex|bool|str|bytes)\w*)")
_TRUTH = {"np.True_": "True", "np.False_": "False", "true": "True", "false": "False"}
_CONTENT = ("numpy", "value", "values")
_DEEPEST = 40


def read(text: str) -> Reading:
    """The items of a printed text, in order. Separators and quotes are gone, brackets are groups. Never raises."""
    parser = _Parser(_THOUSANDS.sub(lambda found: found.group().replace(",", ""), text))
    items = parser.items("", 0)
    return Reading(items=tuple(items.items), torn=parser.torn)


def leaves(items: Sequence[Item]) -> Iterator[Leaf]:
    """Every leaf of the items in order, without any grouping; strings fall apart into their words and numbers."""
    for item in items:
        match item:
            case Leaf(sort=Sort.TEXT):
                yield from (part for part in read(item.text).items if isinstance(part, Leaf))
            case Leaf():
                yield item
            case Group():
                yield from leaves(item.items)
            case Tensor():
                yield from leaves(item.content)


def has_group(items: Sequence[Item]) -> bool:
    """Whether any of the items is in brackets, or a tensor that holds such a thing."""
    return any(isinstance(item, Group) or (isinstance(item, Tensor) and has_group(item.content)) for item in items)


@dataclass(slots=True)
class _Open:
    """A bracket that is being read: its items, and the `name=` that the next one belongs to."""

    opening: str
    items: list[Item]
    named: dict[str, Item]
    paired: bool = False
    comma: bool = False
    name: str = ""

    def add(self, item: Item) -> None:
        if self.name:
            self.named.setdefault(self.name, item)
            self.name = ""
        else:
            self.items.append(item)

    def group(self) -> Group:
        items = [*self.items, *(part for name, item in self.named.items() for part in (Leaf(Sort.WORD, name), item))]
        return Group(self.opening, tuple(items), self.paired, self.comma)


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_TOKEN.finditer(text))
        self._at = 0
        self.torn = False

    def items(self, opening: str, depth: int) -> _Open:
        """The items up to the bracket that closes `opening`, or to the end."""
        found = _Open(opening, [], {})
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            match next(kind for kind in _KINDS if token[kind] is not None):
                case "sizes":
                    sizes = tuple(Leaf(Sort.NUMBER, size) for size in re.findall(r"\d+", token.group()))
                    found.add(Group("(", sizes, comma=True))
                case "close" if _CLOSES.get(opening) == token.group():
                    return found
                case "close":
                    # An arrow or a comparison is no bracket.
                    self.torn = self.torn or token.group() != ">"
                case "open":
                    if depth < _DEEPEST:
                        found.add(self._wrapped("", token.group(), depth))
                case "word" | "class" | "number" | "text" | "gap":
                    self._value(found, token, depth)
                case _:
                    self._mark(found, token)
        self.torn = self.torn or bool(opening)
        return found

    def _mark(self, found: _Open, token: re.Match[str]) -> None:
        mark = token.group()
        found.comma = found.comma or mark == ","
        found.paired = found.paired or (mark == ":" and found.opening == "{")
        if mark in _KEPT_MARKS:
            found.add(Leaf(Sort.WORD, mark))

    def _value(self, found: _Open, token: re.Match[str], depth: int) -> None:
        word = token["word"] or ""
        behind = self._behind(token) if word else ""
        if behind == "(" and depth < _DEEPEST and (_last(word) in _TENSORS | _WRAPPERS or _SCALAR.fullmatch(word)):
            self._at += 1
            found.add(self._wrapped(word, "(", depth))
        elif behind == "=" and found.opening in ("(", "<"):
            self._at += 1
            found.name = word
        else:
            found.add(_leaf(token))

    def _behind(self, token: re.Match[str]) -> str:
        """What stands right behind a token, without a blank."""
        following = self._tokens[self._at] if self._at < len(self._tokens) else None
        return following.group() if following is not None and following.start() == token.end() else ""

    def _wrapped(self, word: str, opening: str, depth: int) -> Item:
        inside = self.items(opening, depth + 1)
        name = _last(word)
        if opening == "<" and inside.items and isinstance(inside.items[0], Leaf):
            name = _last(inside.items[0].text)
            inside.items.pop(0)
        if name in _TENSORS:
            # The text of `<tf.Tensor 'x:0' …>` and `Tensor("x:0", …)` is a name, that of `tf.Tensor(b'x', …)` a value.
            return _tensor(inside, named=opening == "<" or word in _NAMED)
        only = inside.items[0] if len(inside.items) == 1 else None
        if name == "OrderedDict" and isinstance(only, Group):
            flat = (part for pair in only.items for part in (pair.items if isinstance(pair, Group) else (pair,)))
            return Group("{", tuple(flat), paired=True)
        if only is not None and (name in _WRAPPERS or _SCALAR.fullmatch(word)):
            return only
        group = inside.group()
        return group if opening != "<" else Group("<", (Leaf(Sort.WORD, name), *group.items))


def _tensor(inside: _Open, *, named: bool) -> Tensor:
    shape, dtype = inside.named.get("shape"), inside.named.get("dtype")
    content = next((inside.named[key] for key in _CONTENT if key in inside.named), None)
    if content is not None:
        values = content.content if isinstance(content, Tensor) else (content,)
    else:
        values = tuple(item for item in inside.items if not (named and isinstance(item, Leaf)))
    return Tensor(
        content=values,
        shape=shape if isinstance(shape, Group) else None,
        dtype=next((leaf.text for leaf in leaves([dtype])), "") if dtype is not None else "",
    )


def _leaf(token: re.Match[str]) -> Leaf:
    if token["class"]:
        return Leaf(Sort.WORD, _last(token["path"]))
    if token["gap"]:
        return Leaf(Sort.GAP, "...")
    if token["number"]:
        return Leaf(Sort.NUMBER, token.group())
    if token["text"]:
        written = token["double"] if token["double"] is not None else token["single"]
        return Leaf(Sort.TEXT, _decoded(written) if token["prefix"] == "b" else written)
    word = _TRUTH.get(token.group(), token.group())
    dtype = _DTYPE.fullmatch(word)
    return Leaf(Sort.WORD, dtype[1] if dtype else word)


def _decoded(written: str) -> str:
    """The text of a bytes literal, when its escapes are UTF-8."""
    try:
        return written.encode("ascii").decode("unicode_escape").encode("latin-1").decode("utf-8")
    except ValueError:
        return written


def _last(word: str) -> str:
    return word.rpartition(".")[2]
