"""The standard streams and files: how a person is told things, and what an option may say. Half of the command line."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.errors import UsageError

if TYPE_CHECKING:
    from verifier.model import Report
    from verifier.pipeline import Event

STDIN = "<standard input>"


def complain(message: object, code: int) -> int:
    """Say on standard error, in one line, what went wrong; returns the exit code given."""
    line = " ".join(str(message).split())
    print(f"verify: {line}", file=sys.stderr)
    return code


def one_of(option: str, value: str, choices: tuple[str, ...]) -> None:
    """Raise UsageError unless the value of an option is one of the choices."""
    if value not in choices:
        raise UsageError(f"{option} must be one of {', '.join(choices)}, not {value!r}")


def named(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The documents that a user named, with `-` for standard input; raises UsageError when there is none."""
    if not paths:
        raise UsageError("name at least one document (a file, a folder, a glob, or -); see verify --help")
    return tuple("-" if path == STDIN else path for path in paths)


def put(text: str) -> None:
    """Text to standard output, with `?` for what its encoding cannot hold."""
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))


def standard_input(paths: tuple[str, ...]) -> bytes | None:
    """The bytes of standard input when the paths ask for it, else None."""
    return sys.stdin.buffer.read() if "-" in paths else None


def destination(item: str) -> tuple[str, Path]:
    """Kind and path of a `--report` value, KIND=PATH or a path whose ending tells the kind. Raises UsageError."""
    from verifier.reports import FORMATS, kind_of

    kind, equals, path = item.partition("=")
    if not equals and (told := kind_of(item)):
        return told, Path(item)
    if not equals or not path or kind not in FORMATS:
        raise UsageError(f"--report wants KIND=PATH with KIND one of {', '.join(FORMATS)}, not {item!r}")
    return kind, Path(path)


def rendered(report: Report, kind: str) -> bytes:
    """A report in the form of one kind, as bytes of a file."""
    from verifier.reports import FORMATS

    return FORMATS[kind].render(report)


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


def show(report: Report, form: str, color: str, verbosity: int) -> None:
    """Print a report in one form; `verbosity` as for the terminal report."""
    from verifier.reports import render_concise, render_terminal, to_json

    if form == "json":
        sys.stdout.buffer.write(to_json(report))
        return
    encoding = sys.stdout.encoding or "ascii"
    if form == "concise":
        text = render_concise(report)
    else:
        text = render_terminal(report, width=width(), color=colored(color), verbosity=verbosity, encoding=encoding)
    put(text)


def width() -> int:
    """Columns to write for: those of the terminal or of COLUMNS, within 60 to 200; 100 when nothing tells."""
    if sys.stdout.isatty():
        return max(60, min(os.get_terminal_size(sys.stdout.fileno()).columns, 200))
    columns = os.environ.get("COLUMNS", "")
    return max(60, min(int(columns), 200)) if columns.isdigit() else 100


def colored(choice: str) -> bool:
    """Whether to write colours: the option wins over NO_COLOR, that over FORCE_COLOR, that over the terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


class Progress:
    """Says on standard error what is being waited for: one living line on a terminal, plain lines elsewhere."""

    def __init__(self, *, silent: bool = False) -> None:
        self._silent = silent
        self._living = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._last = ""

    def hear(self, event: Event) -> None:
        """Tell an event of the pipeline."""
        from verifier.pipeline import Waiting

        if isinstance(event, Waiting):
            self.say(event.message)
            return
        part = f" · session {event.session + 1}/{event.sessions}" if event.sessions else ""
        if self._living or (not event.session and not event.sessions and event.documents > 1):
            self.say(f"{event.number}/{event.documents} {event.document}{part}")

    def say(self, message: str) -> None:
        """Tell one thing, unless it was just told."""
        if self._silent or message == self._last:
            return
        self._last = message
        if self._living:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns
            print(f"\r\033[K{message[: max(columns - 1, 10)]}", end="", file=sys.stderr, flush=True)
        else:
            print(message, file=sys.stderr, flush=True)

    def done(self) -> None:
        """Take the living line away."""
        if self._living and self._last:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
