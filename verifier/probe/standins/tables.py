"""Which columns code takes from a table that it reads, and a table that has them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from verifier.probe.sessions import Session
from verifier.probe.standins.names import like_labels
from verifier.probe.standins.paths import last_word, nodes_of
from verifier.probe.standins.reading import texts_in

ROWS = 64
READERS = frozenset({"read_csv", "read_table", "make_csv_dataset", "CsvDataset"})
_TAKING = frozenset({
    "pop", "drop", "groupby", "sort_values", "set_index", "get_dummies", "fillna", "select_dtypes", "dropna",
    "drop_duplicates", "to_datetime", "value_counts", "agg", "pivot_table",
})  # fmt: skip
_LABEL = re.compile(r"^(?:label|target|class|y|outcome|survived|default|churn|species|category|is_\w+)$", re.IGNORECASE)
_DATE = re.compile(r"(?:^|_)(?:date|time|timestamp|day|month)(?:_|$)", re.IGNORECASE)
_WORDY = re.compile(r"^(?:\w+_)?(?:text|review|comment|sentence|title|name|content|tweet|message)$", re.IGNORECASE)
_PLAIN = 4


def columns_of(session: Session, call: ast.Call) -> tuple[str, ...]:
    """The columns that the code names, in the order of their first mention; none when it takes them by position."""
    given = [*texts_in(_keyword(call, "names")), *texts_in(_keyword(call, "column_names"))]
    if given:
        return tuple(dict.fromkeys(given))
    wanted = [
        text
        for word in ("usecols", "index_col", "parse_dates", "label_name", "select_columns")
        for text in texts_in(_keyword(call, word))
    ]
    tables = _tables(session)
    made: set[str] = set()
    for _, node in nodes_of(session):
        for name in _mentioned(node, tables):
            if name not in made and name not in wanted:
                wanted.append(name)
        made |= set(_stored(node, tables)) - set(wanted)
    return tuple(wanted)


def table_code(path: str, columns: tuple[str, ...], *, header: bool, separator: str) -> str:
    """Code that writes a table with these columns; without any, one of numbers whose last column is a label."""
    columns = columns or (*(f"feature{number}" for number in range(1, _PLAIN + 1)), "label")
    values = ", ".join(f"{column!r}: {_values(column)}" for column in columns)
    return (
        "import numpy, os, pandas\n"
        f"os.makedirs(os.path.dirname({path!r}) or '.', exist_ok=True)\n"
        f"pandas.DataFrame({{{values}}}).to_csv({path!r}, index=False, header={header}, sep={separator!r})"
    )


def written_as(call: ast.Call) -> tuple[bool, str]:
    """Whether the table that a call reads has a line of names, and its separator."""
    header, names = _keyword(call, "header"), _keyword(call, "names")
    none = isinstance(header, ast.Constant) and header.value is None
    no_header = last_word(call.func) == "CsvDataset" or none or (names is not None and header is None)
    separator = _keyword(call, "sep") or _keyword(call, "delimiter")
    text = separator.value if isinstance(separator, ast.Constant) and isinstance(separator.value, str) else ""
    default = "\t" if last_word(call.func) == "read_table" else ","
    return not no_header, text if len(text) == 1 else default


def _values(column: str) -> str:
    if _LABEL.match(column) or like_labels(column):
        return f"numpy.arange({ROWS}) % 2"
    if _DATE.search(column):
        return f"pandas.date_range('2020-01-01', periods={ROWS}).astype(str)"
    if _WORDY.match(column):
        return f"['this is text number %d' % number for number in range({ROWS})]"
    seed = sum(map(ord, column))
    return f"numpy.random.default_rng({seed}).uniform(1, 10, {ROWS}).round(3)"


def _keyword(call: ast.Call, word: str) -> ast.expr | None:
    return next((item.value for item in call.keywords if item.arg == word), None)


def _tables(session: Session) -> set[str]:
    """Names that hold a table that was read, or something made of one."""
    found: set[str] = set()
    for _, node in nodes_of(session):
        if not isinstance(node, ast.Assign):
            continue
        reads = any(isinstance(part, ast.Call) and last_word(part.func) in READERS for part in ast.walk(node.value))
        derived = any(isinstance(part, ast.Name) and part.id in found for part in ast.walk(node.value))
        if reads or derived:
            targets = (part for target in node.targets for part in ast.walk(target))
            found |= {part.id for part in targets if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return found


def _rooted(node: ast.expr, tables: set[str]) -> bool:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id in tables


def _mentioned(node: ast.AST, tables: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and _rooted(node.value, tables):
        yield from texts_in(node.slice)
    elif isinstance(node, ast.Call) and last_word(node.func) in _TAKING:
        first = node.args[:1]
        about = _rooted(node.func, tables) or (first and _rooted(first[0], tables))
        if about and last_word(node.func) != "fillna":
            for argument in (
                *node.args,
                *(k.value for k in node.keywords if k.arg in {"columns", "by", "subset", "index"}),
            ):
                yield from texts_in(argument)


def _stored(node: ast.AST, tables: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and _rooted(node.value, tables):
        yield from texts_in(node.slice)
