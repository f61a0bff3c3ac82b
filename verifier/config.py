"""The settings of a run, and where each comes from: defaults < pyproject.toml < environment < command line."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from verifier.errors import UsageError
from verifier.model import Limits, Role, Status

# Other environments are chosen by what fails.
AUTO = ("auto",)
FAIL_ON = (Status.BROKEN, Status.OUTDATED, Status.UNPROVEN, Status.NOT_RUN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a user can set.

    target          the sandbox that verdicts are about
    sandbox         backend: `auto`, `bubblewrap` or `docker`
    runtime         the OCI runtime of containers, such as `runsc`; empty: the engine's own
    fail_on         statuses that make the exit code 1
    exit_zero       turn exit code 1 into 0
    limits          of one session in a sandbox
    also            other sandboxes in which what fails in the target is tried: their names, or `auto`
    live            look names up in the running TensorFlow too, when nothing else needs it
    claims          only these claims (ids or the beginning of ids); empty: all
    """

    target: str = "tf-2.21"
    sandbox: str = "auto"
    runtime: str = ""
    fail_on: tuple[Status, ...] = (Status.BROKEN,)
    exit_zero: bool = False
    also: tuple[str, ...] = AUTO
    live: bool = False
    limits: Limits = field(default_factory=Limits)
    claims: tuple[str, ...] = ()


BACKENDS = ("auto", "bubblewrap", "docker")
_ENVIRONMENT = "VERIFIER_"
_CHARGED = (Role.ANSWER, Role.OTHER)


def charged(role: Role) -> bool:
    """Whether a claim made in a passage of this role counts for the exit code and the headline."""
    return role in _CHARGED


def settings(start: Path, environ: Mapping[str, str], flags: Mapping[str, object]) -> Settings:
    """The settings for a run in folder `start`.

    `flags` hold what the command line gave, None where it gave nothing. Raises UsageError for an unknown key
    or a value out of range, with the place it came from.
    """
    result = Settings()
    file = _pyproject(start)
    if file:
        result = _apply(result, _table(file), f"[tool.verifier] in {file}")
    given = {
        key[len(_ENVIRONMENT) :].lower(): value
        for key, value in environ.items()
        if key.startswith(_ENVIRONMENT) and key[len(_ENVIRONMENT) :].lower() in _SETTABLE
    }
    result = _apply(result, given, "the environment (VERIFIER_…)")
    return _apply(result, {key: value for key, value in flags.items() if value is not None}, "the command line")


def _pyproject(start: Path) -> Path | None:
    for folder in (start, *start.parents):
        candidate = folder / "pyproject.toml"
        if candidate.is_file():
            return candidate
    return None


def _table(file: Path) -> Mapping[str, object]:
    try:
        data = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from None
    table = data.get("tool", {}).get("verifier", {})
    if not isinstance(table, dict):
        raise UsageError(f"[tool.verifier] in {file} is not a table")
    return {key.replace("-", "_"): value for key, value in table.items()}


def _apply(base: Settings, given: Mapping[str, object], origin: str) -> Settings:
    result = base
    for key, value in given.items():
        if key not in _READERS:
            raise UsageError(f"unknown setting {key!r} in {origin}{_nearest(key)}")
        result = _READERS[key](result, key, value, origin)
    return result


def _nearest(key: str) -> str:
    close = get_close_matches(key, _SETTABLE, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; known are {', '.join(_SETTABLE)}"


def _statuses(value: object, origin: str) -> tuple[Status, ...]:
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, list | tuple):
        raise UsageError(f"fail_on in {origin} must be a list of statuses")
    chosen = []
    for word in (str(item).strip() for item in words):
        if word not in {str(status) for status in FAIL_ON}:
            raise UsageError(f"fail_on in {origin}: {word!r} is none of {', '.join(FAIL_ON)}")
        chosen.append(Status(word))
    return tuple(chosen)


def _names(value: object, origin: str) -> tuple[str, ...]:
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, list | tuple):
        raise UsageError(f"also in {origin} must be a list of words")
    return tuple(word for word in (str(item).strip() for item in words) if word and word != "none")


def _number(key: str, value: object, origin: str) -> float:
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else -1.0
    except ValueError:
        number = -1.0
    if not 0 < number < 1e6:
        raise UsageError(f"{key} in {origin} must be a positive number, not {value!r}")
    return number


def _flag(key: str, value: object, origin: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": False}
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    raise UsageError(f"{key} in {origin} must be true or false, not {value!r}")


def _word(key: str, value: object, origin: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{key} in {origin} must be a name, not {value!r}")
    return value.strip()


def _choice(key: str, value: object, choices: tuple[str, ...], origin: str) -> str:
    word = _word(key, value, origin)
    if word not in choices:
        raise UsageError(f"{key} in {origin} must be one of {', '.join(choices)}, not {word!r}")
    return word


def _timeout(settings: Settings, key: str, value: object, origin: str) -> Settings:
    return replace(settings, limits=replace(settings.limits, wall_seconds=_number(key, value, origin)))


def _memory(settings: Settings, key: str, value: object, origin: str) -> Settings:
    size = int(_number(key, value, origin) * (1 << 30))
    return replace(settings, limits=replace(settings.limits, memory=size))


def _claims(settings: Settings, _key: str, value: object, origin: str) -> Settings:
    return replace(settings, claims=_names(value, origin))


_Reader = Callable[[Settings, str, object, str], Settings]

# How each setting is read; what stands here may be set in every place.
_READERS: dict[str, _Reader] = {
    "target": lambda settings, key, value, origin: replace(settings, target=_word(key, value, origin)),
    "also": lambda settings, _key, value, origin: replace(settings, also=_names(value, origin)),
    "sandbox": lambda settings, key, value, origin: replace(settings, sandbox=_choice(key, value, BACKENDS, origin)),
    "fail_on": lambda settings, _key, value, origin: replace(settings, fail_on=_statuses(value, origin)),
    "exit_zero": lambda settings, key, value, origin: replace(settings, exit_zero=_flag(key, value, origin)),
    "live": lambda settings, key, value, origin: replace(settings, live=_flag(key, value, origin)),
    "timeout": _timeout,
    "memory": _memory,
    "claims": _claims,
}
_SETTABLE = tuple(key for key in _READERS if key != "claims")
