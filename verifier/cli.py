"""The command line: the only place that prints, reads the environment for colour, or exits."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, CycloptsError, Parameter

from verifier.errors import InputError, SandboxError, UsageError, VerifierError

if TYPE_CHECKING:
    from verifier.model import Report
    from verifier.pipeline import Event

app = App(
    name="verify",
    help="Check the TensorFlow code and API claims in documents by running them in a sandbox.",
    help_epilogue="Exit codes: 0 nothing to object to · 1 something is at or above --fail-on · "
    "2 usage or input error · 3 nothing to verify · 4 could not verify · 130 interrupted",
    result_action="return_value",
    help_format="plaintext",
    version_flags=["--version", "-V"],
    exit_on_error=False,
    print_error=False,
)
sandboxes = App(name="sandbox", help="Look after the environments that code is run in.", help_format="plaintext")
app.command(sandboxes)

_STDIN = "<standard input>"


@app.default
def verify(  # noqa: PLR0913  one parameter for each option that users expect
    *paths: Annotated[str, Parameter(help="Files, folders, quoted globs, or - for standard input.")],
    target: Annotated[str | None, Parameter(help="The TensorFlow that verdicts are about.", show_default=False)] = None,
    sandbox: Annotated[str | None, Parameter(help="How code is isolated: auto or bubblewrap.")] = None,
    format: Annotated[str, Parameter(help="What to print: text, concise or json.")] = "text",  # noqa: A002
    report: Annotated[
        tuple[str, ...],
        Parameter(help="Also write a report to a file: KIND=PATH, with KIND html, json or text.", negative=()),
    ] = (),
    fail_on: Annotated[str | None, Parameter(help="Statuses that make the exit code 1, with commas.")] = None,
    exit_zero: Annotated[bool | None, Parameter(help="Never exit with 1.", negative=())] = None,
    claim: Annotated[tuple[str, ...], Parameter(help="Report only the claim with this id.", negative=())] = (),
    timeout: Annotated[float | None, Parameter(help="Seconds that one session of code may take (30).")] = None,
    memory: Annotated[float | None, Parameter(help="GiB that one session of code may use (4).")] = None,
    color: Annotated[str, Parameter(help="auto, always or never.")] = "auto",
    quiet: Annotated[int, Parameter(name=["--quiet", "-q"], count=True, help="Only problems; twice: nothing.")] = 0,
    verbose: Annotated[int, Parameter(name=["--verbose", "-v"], count=True, help="Also what works.")] = 0,
) -> int:
    """Check the TensorFlow code and API claims in documents by running them in a sandbox.

    verify notes.txt
    verify interviews/ --report html=report.html
    verify - --format json < answer.md
    """
    from verifier.config import settings
    from verifier.pipeline import exit_code
    from verifier.pipeline import verify as run
    from verifier.sandbox import names

    paths = _named(paths)
    flags = {
        "target": target,
        "sandbox": sandbox,
        "fail_on": fail_on,
        "exit_zero": exit_zero,
        "timeout": timeout,
        "memory": memory,
        "claims": claim or None,
    }
    chosen = settings(Path.cwd(), os.environ, flags)
    _one_of("--target", chosen.target, names())
    _one_of("--format", format, ("text", "concise", "json"))
    _one_of("--color", color, ("auto", "always", "never"))
    outputs = [_destination(item) for item in report]
    progress = _Progress(silent=quiet > 1)
    result = run(paths, chosen, stdin=_stdin(paths), listen=progress.hear)
    progress.done()
    for kind, path in outputs:
        _write(path, _render(result, kind))
    if quiet < 2 or format == "json":
        _show(result, format, color, verbosity=verbose - quiet)
    return exit_code(result, chosen)


@app.command
def claims(
    *paths: Annotated[str, Parameter(help="Files, folders, quoted globs, or - for standard input.")],
    format: Annotated[str, Parameter(help="What to print: text or json.")] = "text",  # noqa: A002
    color: Annotated[str, Parameter(help="auto, always or never.")] = "auto",
) -> int:
    """List what would be checked, with places and repairs; nothing is run."""
    from verifier.pipeline import survey
    from verifier.reports import render_claims, to_json

    paths = _named(paths)
    _one_of("--format", format, ("text", "json"))
    _one_of("--color", color, ("auto", "always", "never"))
    result = survey(paths, stdin=_stdin(paths))
    if format == "json":
        sys.stdout.buffer.write(to_json(result))
    else:
        encoding = sys.stdout.encoding or "ascii"
        _print(render_claims(result, width=_width(), color=_colored(color), encoding=encoding))
    return 0 if result.claims else 3


@app.command
def explain(rule: str) -> int:
    """Say what a rule means.

    Parameters
    ----------
    rule
        A rule as it stands in a report, such as unknown-name.
    """
    import textwrap
    from difflib import get_close_matches

    from verifier.rules import RULES

    if rule not in RULES:
        close = get_close_matches(rule, RULES, n=1)
        hint = f"did you mean {close[0]!r}?" if close else ""
        raise UsageError(f"there is no rule {rule!r}; {hint or 'the rules are ' + ', '.join(RULES)}")
    found = RULES[rule]
    print(f"{found.id}: {found.title}\nleads to: {', '.join(found.statuses)}\n\n{textwrap.fill(found.explanation, 88)}")
    return 0


@sandboxes.command(name="list")
def list_sandboxes() -> int:
    """List the environments that this version knows."""
    from verifier.sandbox import names, read_definition

    for name in names():
        print(f"{name}  {read_definition(name).title}")
    return 0


@sandboxes.command
def build(name: str = "tf-2.21") -> int:
    """Install an environment, so that the first verification need not wait for it.

    Parameters
    ----------
    name
        The environment, as in verify sandbox list.
    """
    from verifier.sandbox import ensure, names

    _one_of("the environment", name, names())
    progress = _Progress()
    ensure(name, progress.say)
    progress.done()
    return 0


def main(argv: list[str] | None = None) -> None:
    """Run the command line and exit with its code. Every expected error is one line on standard error."""
    signal.signal(signal.SIGTERM, _terminated)
    try:
        words = sys.argv[1:] if argv is None else argv
        # The parser takes a lone hyphen for an option.
        code = app([_STDIN if word == "-" else word for word in words])
        sys.stdout.flush()
    except (UsageError, InputError) as error:
        code = _complain(error, 2)
    except CycloptsError as error:
        code = _complain(error, 2)
    except SandboxError as error:
        code = _complain(error, 4)
    except VerifierError as error:
        code = _complain(error, 4)
    except KeyboardInterrupt:
        code = _complain("interrupted", 130)
    except BrokenPipeError:
        # The reader has gone; what is left in the buffer must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        code = _complain(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _terminated(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _complain(message: object, code: int) -> int:
    line = " ".join(str(message).split())
    print(f"verify: {line}", file=sys.stderr)
    return code


def _one_of(option: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError(f"{option} must be one of {', '.join(choices)}, not {value!r}")


def _named(paths: tuple[str, ...]) -> tuple[str, ...]:
    if not paths:
        raise UsageError("name at least one document (a file, a folder, a glob, or -); see verify --help")
    return tuple("-" if path == _STDIN else path for path in paths)


def _print(text: str) -> None:
    """Text to standard output, with `?` for what its encoding cannot hold."""
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))


def _stdin(paths: tuple[str, ...]) -> bytes | None:
    return sys.stdin.buffer.read() if "-" in paths else None


def _destination(item: str) -> tuple[str, Path]:
    from verifier.reports import FORMATS, kind_of

    kind, equals, path = item.partition("=")
    if not equals and (told := kind_of(item)):
        return told, Path(item)
    if not equals or not path or kind not in FORMATS:
        raise UsageError(f"--report wants KIND=PATH with KIND one of {', '.join(FORMATS)}, not {item!r}")
    return kind, Path(path)


def _render(report: Report, kind: str) -> bytes:
    from verifier.reports import FORMATS

    return FORMATS[kind].render(report)


def _write(path: Path, data: bytes) -> None:
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


def _show(report: Report, form: str, color: str, verbosity: int) -> None:
    from verifier.reports import render_concise, render_terminal, to_json

    if form == "json":
        sys.stdout.buffer.write(to_json(report))
        return
    encoding = sys.stdout.encoding or "ascii"
    if form == "concise":
        text = render_concise(report)
    else:
        text = render_terminal(report, width=_width(), color=_colored(color), verbosity=verbosity, encoding=encoding)
    _print(text)


def _width() -> int:
    if sys.stdout.isatty():
        return max(60, min(os.get_terminal_size(sys.stdout.fileno()).columns, 200))
    columns = os.environ.get("COLUMNS", "")
    return max(60, min(int(columns), 200)) if columns.isdigit() else 100


def _colored(choice: str) -> bool:
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


class _Progress:
    """Says on standard error what is being waited for: one living line on a terminal, plain lines elsewhere."""

    def __init__(self, *, silent: bool = False) -> None:
        self._silent = silent
        self._living = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._last = ""

    def hear(self, event: Event) -> None:
        from verifier.pipeline import Waiting

        if isinstance(event, Waiting):
            self.say(event.message)
            return
        part = f" · session {event.session + 1}/{event.sessions}" if event.sessions else ""
        if self._living or (not event.session and not event.sessions and event.documents > 1):
            self.say(f"{event.number}/{event.documents} {event.document}{part}")

    def say(self, message: str) -> None:
        if self._silent or message == self._last:
            return
        self._last = message
        if self._living:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns
            print(f"\r\033[K{message[: max(columns - 1, 10)]}", end="", file=sys.stderr, flush=True)
        else:
            print(message, file=sys.stderr, flush=True)

    def done(self) -> None:
        if self._living and self._last:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
