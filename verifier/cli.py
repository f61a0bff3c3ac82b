"""The command line: the only place that prints, reads the environment for colour, or exits."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, CycloptsError, Parameter

from verifier.console import (
    STDIN,
    Progress,
    colored,
    complain,
    destination,
    named,
    one_of,
    put,
    rendered,
    show,
    standard_input,
    width,
    write,
)
from verifier.errors import InputError, SandboxError, UsageError, VerifierError

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


@app.default
def verify(  # noqa: PLR0913  one parameter for each option that users expect
    *paths: Annotated[str, Parameter(help="Files, folders, quoted globs, or - for standard input.")],
    target: Annotated[str | None, Parameter(help="The TensorFlow that verdicts are about.", show_default=False)] = None,
    also: Annotated[
        str | None, Parameter(help="Other TensorFlows in which to try what fails, with commas; or none (auto).")
    ] = None,
    sandbox: Annotated[str | None, Parameter(help="How code is isolated: auto, bubblewrap or docker.")] = None,
    format: Annotated[str, Parameter(help="What to print: text, concise or json.")] = "text",  # noqa: A002
    report: Annotated[
        tuple[str, ...],
        Parameter(help="Also write a report to a file: KIND=PATH, with KIND html, json or text.", negative=()),
    ] = (),
    fail_on: Annotated[str | None, Parameter(help="Statuses that make the exit code 1, with commas.")] = None,
    exit_zero: Annotated[bool | None, Parameter(help="Never exit with 1.", negative=())] = None,
    live: Annotated[
        bool | None, Parameter(help="Look names up in the running TensorFlow too, also without code.", negative=())
    ] = None,
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
    from verifier.config import AUTO, settings
    from verifier.pipeline import exit_code
    from verifier.pipeline import verify as run
    from verifier.sandbox import names

    paths = named(paths)
    flags = {
        "target": target,
        "also": also,
        "sandbox": sandbox,
        "fail_on": fail_on,
        "exit_zero": exit_zero,
        "live": live,
        "timeout": timeout,
        "memory": memory,
        "claims": claim or None,
    }
    chosen = settings(Path.cwd(), os.environ, flags)
    for name in (chosen.target, *(chosen.also if chosen.also != AUTO else ())):
        one_of("--target" if name == chosen.target else "--also", name, names())
    one_of("--format", format, ("text", "concise", "json"))
    one_of("--color", color, ("auto", "always", "never"))
    outputs = [destination(item) for item in report]
    progress = Progress(silent=quiet > 1)
    result = run(paths, chosen, stdin=standard_input(paths), listen=progress.hear)
    progress.done()
    for kind, path in outputs:
        write(path, rendered(result, kind))
    if quiet < 2 or format == "json":
        show(result, format, color, verbosity=verbose - quiet)
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

    paths = named(paths)
    one_of("--format", format, ("text", "json"))
    one_of("--color", color, ("auto", "always", "never"))
    result = survey(paths, stdin=standard_input(paths))
    if format == "json":
        sys.stdout.buffer.write(to_json(result))
    else:
        encoding = sys.stdout.encoding or "ascii"
        put(render_claims(result, width=width(), color=colored(color), encoding=encoding))
    return 0 if result.claims else 3


@app.command
def api(
    *names: Annotated[str, Parameter(help="Dotted names such as tf.io.read_file, or the last word of one.")],
    target: Annotated[str, Parameter(help="The TensorFlow that is asked about.")] = "tf-2.21",
    format: Annotated[str, Parameter(help="What to print: text or json.")] = "text",  # noqa: A002
    color: Annotated[str, Parameter(help="auto, always or never.")] = "auto",
) -> int:
    """Tell the history of API names over all TensorFlow releases; nothing is run.

    Exits with 0 when the target has all of the names, with 1 when it lacks one.
    """
    from verifier.biographies import told
    from verifier.index import open_index
    from verifier.reports import render_biographies, to_plain_json

    if not names:
        raise UsageError("name at least one API, such as tf.io.read_file; see verify api --help")
    one_of("--format", format, ("text", "json"))
    one_of("--color", color, ("auto", "always", "never"))
    index = open_index(target)
    if not index.knows_target:
        raise UsageError(f"there is no release {target!r}; known are {index.releases[0]} to {index.releases[-1]}")
    lives = tuple(told(index, name) for name in names)
    if format == "json":
        sys.stdout.buffer.write(to_plain_json(lives))
    else:
        encoding = sys.stdout.encoding or "ascii"
        put(render_biographies(lives, index.releases, width=width(), color=colored(color), encoding=encoding))
    return 0 if all(life.lookup.found and not life.lookup.stub for life in lives) else 1


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
def build(
    *environments: str,
    sandbox: Annotated[str, Parameter(help="What to build: for bubblewrap or an image for docker.")] = "bubblewrap",
    base: Annotated[str | None, Parameter(help="docker: the image to build on.")] = None,
    wheels: Annotated[Path | None, Parameter(help="docker: a folder to take packages from, not the network.")] = None,
) -> int:
    """Install environments, so that the first verification need not wait for them.

    Parameters
    ----------
    environments
        As in verify sandbox list; by default all of them, or for docker the usual one.
    """
    from verifier.config import Settings
    from verifier.sandbox import build_environments, build_images

    one_of("--sandbox", sandbox, ("bubblewrap", "docker"))
    usual = Settings().target
    progress = Progress()
    try:
        if sandbox == "docker":
            build_images(environments, usual, base, wheels, progress.say)
        else:
            build_environments(environments, usual, progress.say)
    finally:
        progress.done()
    return 0


@sandboxes.command
def doctor() -> int:
    """Look at what this machine has to run code in, with one remedy for each thing that it lacks.

    Exits with 0 when code can be run in the usual environment, else with 4.
    """
    from verifier.config import Settings
    from verifier.sandbox import examine

    told = examine(Settings().target)
    for finding in told.findings:
        put(f"{finding.state:<8} {finding.subject}: {finding.found}\n")
        if finding.remedy:
            put(f"         -> {finding.remedy}\n")
    return 0 if told.able else 4


@sandboxes.command
def shell(environment: str = "tf-2.21") -> int:
    """Open an interactive Python inside the sandbox (bubblewrap only).

    Parameters
    ----------
    environment
        As in verify sandbox list.
    """
    from verifier.sandbox import names, open_shell

    one_of("the environment", environment, names())
    return open_shell(environment, Progress().say)


def main(argv: list[str] | None = None) -> None:
    """Run the command line and exit with its code. Every expected error is one line on standard error."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        words = sys.argv[1:] if argv is None else argv
        # The parser takes a lone hyphen for an option.
        code = app([STDIN if word == "-" else word for word in words])
        sys.stdout.flush()
    except (UsageError, InputError) as error:
        code = complain(error, 2)
    except CycloptsError as error:
        code = complain(error, 2)
    except SandboxError as error:
        code = complain(error, 4)
    except VerifierError as error:
        code = complain(error, 4)
    except KeyboardInterrupt:
        code = complain("interrupted", 130)
    except BrokenPipeError:
        # The reader has gone; what is left in the buffer must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        code = complain(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _interrupt(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
