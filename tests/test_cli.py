"""The command as a user meets it: exit codes, one-line errors, streams, interrupts."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from samples import HEARING

VERIFY = str(Path(sys.executable).with_name("verify"))
README = Path(__file__).parents[1] / "README.md"
GOOD = "# Notes\n\n```python\nimport math\nprint(math.sqrt(16))\n```\n\nOutput: `4.0`\n"
BAD = "```python\nimport math\nmath.sqroot(16)\n```\n"


def run(*arguments: str, stdin: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
    # Other environments have tests of their own, and cost seconds to start.
    environment = {**os.environ, "VERIFIER_ALSO": "none", **environ}
    return subprocess.run(
        [VERIFY, *arguments], input=stdin, capture_output=True, timeout=300, env=environment, check=False
    )


def error(done: subprocess.CompletedProcess[bytes]) -> str:
    """The complaint on standard error, which must be a single line."""
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("verify: ")
    return lines[0]


def test_help_names_every_option_of_the_readme() -> None:
    done = run("--help", COLUMNS="100")
    said = done.stdout.decode()
    assert done.returncode == 0
    documented = set(re.findall(r"^    (--[a-z-]+)", README.read_text("utf-8"), re.MULTILINE))
    offered = set(re.findall(r"(--[a-z-]+)", said)) - {"--help", "--version", "--quiet", "--verbose"}
    assert documented == offered
    for code in ("0 ", "1 ", "2 ", "3 ", "4 ", "130 "):
        assert code in said


def test_help_loads_nothing_heavy() -> None:
    code = "import sys, verifier.cli; print(sorted(m for m in ('msgspec','jinja2','nbformat','lxml','docx','astroid') if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 2, ["name at least one document"]),
        (("nowhere.txt",), 2, ["nowhere.txt"]),
        (("empty-folder",), 2, ["empty-folder"]),
        (("binary.bin",), 2, ["binary.bin", "binary"]),
        (("good.md", "--no-such-option"), 2, ["--no-such-option"]),
        (("good.md", "--format", "yaml"), 2, ["--format", "concise"]),
        (("good.md", "--color", "blue"), 2, ["--color"]),
        (("good.md", "--fail-on", "sad"), 2, ["sad", "broken"]),
        (("good.md", "--timeout", "0"), 2, ["timeout"]),
        (("good.md", "--report", "pdf=x.pdf"), 2, ["html"]),
        (("good.md", "--sandbox", "vm"), 2, ["bubblewrap"]),
        (("explain", "nonsense"), 2, ["nonsense"]),
        (("explain", "unknown-nam"), 2, ["unknown-name"]),
        (("sandbox", "build", "tf-0.1"), 2, ["tf-0.1", "tf-2.21"]),
        (("good.md", "--target", "tf-0.1"), 2, ["tf-0.1", "tf-2.21"]),
    ],
)
def test_mistakes_are_one_line(tmp_path: Path, arguments: tuple[str, ...], code: int, words: list[str]) -> None:
    (tmp_path / "good.md").write_text(GOOD, "utf-8")
    (tmp_path / "binary.bin").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "empty-folder").mkdir()
    done = run(*arguments)
    assert done.returncode == code, done.stderr
    assert all(word in error(done) for word in words)
    assert done.stdout == b""


def test_an_empty_document_is_never_green(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_bytes(b"")
    done = run("empty.txt")
    assert done.returncode == 3
    assert b"nothing to verify" in done.stdout.lower()


def test_explain_says_what_a_rule_means() -> None:
    done = run("explain", "blocked")
    assert done.returncode == 0
    assert b"earlier statement failed" in done.stdout


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("text", "options", "code"),
    [(GOOD, (), 0), (BAD, (), 1), (BAD, ("--exit-zero",), 0), (BAD, ("--fail-on", "not-run"), 0)],
)
def test_exit_codes(tmp_path: Path, text: str, options: tuple[str, ...], code: int) -> None:
    (tmp_path / "a.md").write_text(text, "utf-8")
    assert run("a.md", *options).returncode == code


@pytest.mark.sandbox
def test_standard_input_and_every_report_from_one_run(tmp_path: Path) -> None:
    done = run(
        "-", "--format", "json", "--report", "html=out/page.html", "--report", "out/copy.json", stdin=BAD.encode()
    )
    report = json.loads(done.stdout)
    assert report["schema"] == "verifier/report/1"
    assert json.loads((tmp_path / "out/copy.json").read_bytes()) == report
    assert b"<!doctype html>" in (tmp_path / "out/page.html").read_bytes().lower()[:200]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["copy.json", "page.html"]


@pytest.mark.sandbox
def test_two_runs_give_the_same_bytes_apart_from_timing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(GOOD + BAD, "utf-8")
    first, second = (json.loads(run("a.md", "--format", "json", PYTHONHASHSEED=seed).stdout) for seed in ("1", "2"))
    for report in (first, second):
        report.pop("timing")
    assert first == second


@pytest.mark.sandbox
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(BAD, "utf-8")
    done = subprocess.run(f"{VERIFY} a.md | head -c 1", shell=True, capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


def _below(root: int) -> set[tuple[int, str]]:
    """The processes below one, as (pid, start time): pids alone are used again."""
    children: dict[int, list[tuple[int, str]]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append((int(entry.name), fields[19]))
    found: set[tuple[int, str]] = set()
    waiting = [root]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            found.add(child)
            waiting.append(child[0])
    return found


def _alive(process: tuple[int, str]) -> bool:
    try:
        fields = Path(f"/proc/{process[0]}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[19] == process[1] and fields[0] != "Z"


@pytest.mark.sandbox
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_reports_what_was_done_and_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "a.md").write_text("```python\nx = 1\nwhile True:\n    x += 1\n```\n", "utf-8")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        [*HEARING, VERIFY, "a.md", "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(scratch)},
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while len(_below(process.pid)) < 3 and time.monotonic() < deadline:
        time.sleep(0.1)
    started = _below(process.pid)
    assert started, "no sandbox came up"
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert b"Traceback" not in err
    report = json.loads(out)
    assert report["interrupted"] is True
    assert {verdict["status"] for verdict in report["verdicts"]} == {"not-run"}
    deadline = time.monotonic() + 10
    while any(map(_alive, started)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not [item for item in started if _alive(item)]
    assert list(scratch.iterdir()) == []
