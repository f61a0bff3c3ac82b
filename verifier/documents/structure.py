"""Parses JSON that others wrote: what it may hold, and what goes wrong."""

from __future__ import annotations

import json
from typing import TypeAlias

from verifier.errors import InputError

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


def parse(text: str) -> Json:
    """The value that `text` holds. Raises InputError with the place of the damage."""
    try:
        value: Json = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"is damaged JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise InputError("is nested too deeply to be read") from None
    except ValueError as error:
        raise InputError(f"is damaged JSON: {error}") from None
    return value


def text_of(value: object) -> str:
    """A text that may be written as a list of lines; empty for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return ""


def looks_like_notebook(value: Json) -> bool:
    """Whether parsed JSON has the shape of a notebook."""
    if not isinstance(value, dict):
        return False
    return isinstance(value.get("cells"), list) or isinstance(value.get("worksheets"), list)
