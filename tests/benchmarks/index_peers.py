"""The index beside other checkers: `python tests/benchmarks/index_peers.py [PYTHON [FOLDER]]`.

PYTHON is the interpreter of an environment with TensorFlow 2.21, by default of `tf-2.21`. The tools are installed into a virtual environment in
FOLDER (default: a temporary folder, removed afterwards). Every labelled entry becomes one small Python file; a tool
flags the entry when it reports an error on its line. Prints one table in Markdown.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from index.labels.confirm import OBJECTS
from index.labels.entries import FOLDER, HELD_OUT, KNOWN, Entry, entries, opinion

from verifier.index import open_index
from verifier.model import Status
from verifier.sandbox import ensure

TOOLS = ("pylint", "pyright", "jedi", "ghostcall-lint", "apimirage")
UNUSABLE = frozenset({Status.OUTDATED, Status.BROKEN})
# What a variable holds in the files; sessions exist only under compat.v1, models must be plain to be followed.
_OBJECTS = {**OBJECTS, "sess": "tf.compat.v1.Session()", "model": "tf.keras.Sequential([tf.keras.layers.Dense(1)])"}
_QUIET = {"CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"}

# The entries as written; with `tf.keras` replaced by the package it stands for, which spares checkers the lazy loading
# that they cannot follow; and with names called, for a tool that looks at nothing else.
FORMS = ("plain", "rewritten", "called")

# Number of an entry -> whether it is flagged; an entry that is missing was not judged.
Flags = dict[int, bool]


@dataclass(frozen=True)
class Bench:
    """Where everything is: the target's interpreter and packages, the tools, and the files in three forms."""

    python: Path
    packages: Path
    folder: Path

    @property
    def tools(self) -> Path:
        """The virtual environment of the tools."""
        return self.folder / "tools"

    def files(self, form: str) -> Path:
        """The folder of one form of the files; see `FORMS`."""
        return self.folder / form

    def run(self, tool: str, *arguments: object, **variables: str) -> str:
        """The standard output of a tool; its exit status says no more than that something was found."""
        environment = {**os.environ, **_QUIET, "PYRIGHT_PYTHON_CACHE_DIR": str(self.tools / "pyright"), **variables}
        command = [str(self.tools / "bin" / tool), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=self.tools)
        return done.stdout


Judge = Callable[[Bench, tuple[Entry, ...]], Flags]


def main(arguments: list[str]) -> int:
    """Install, run every tool once over all entries, and print the table."""
    kept = Path(arguments[1]).resolve() if len(arguments) > 1 else None
    with tempfile.TemporaryDirectory() as scratch:
        found = entries(*KNOWN, *HELD_OUT)
        python = Path(arguments[0]) if arguments else ensure("tf-2.21").path / "bin" / "python"
        bench = prepare(python.absolute(), kept or Path(scratch).resolve(), found)
        versions = json.loads(bench.run("python", "-c", _VERSIONS))
        say("| tool | TP | FP | FN | abstain | precision | recall | names | imports | calls | methods | seconds |")
        say("|---|---|---|---|---|---|---|---|---|---|---|---|")
        for title, judge in peers(versions):
            start = perf_counter()
            flags = judge(bench, found)
            say(row(title, found, flags, perf_counter() - start))
    return 0


def peers(versions: dict[str, str]) -> list[tuple[str, Judge]]:
    """Every tool and configuration, ours first."""
    pyright, pylint = f"pyright {versions['pyright']}", f"pylint {versions['pylint']} -E"
    return [
        (f"this index (verifier {version('verifier')})", ours),
        ("running each entry (the labels' own source)", executed),
        (f"{pyright}, as it comes", partial(_pyright, form="plain")),
        (f"{pyright}, without its stubs", partial(_pyright, form="plain", stubs=False)),
        (f"{pyright}, without stubs, `tf.keras` rewritten", partial(_pyright, form="rewritten", stubs=False)),
        (pylint, partial(_pylint, form="plain")),
        (f"{pylint}, `tf.keras` rewritten", partial(_pylint, form="rewritten")),
        (f"jedi {versions['jedi']}", _jedi),
        (f"ghostcall-lint {versions['ghostcall-lint']} --include-medium", _ghostcall),
        (f"apimirage {versions['apimirage']}", _apimirage),
    ]


def prepare(python: Path, folder: Path, found: tuple[Entry, ...]) -> Bench:
    """Install the tools and write the files."""
    tools = folder / "tools"
    if not (tools / "bin" / "ghostcall").exists():
        venv.create(tools, with_pip=True)
        subprocess.run([str(tools / "bin" / "python"), "-m", "pip", "install", "--quiet", *TOOLS], check=True)
    query = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(
        subprocess.run([str(python), "-c", query], capture_output=True, text=True, check=True).stdout.strip()
    )
    bench = Bench(python=python, packages=packages, folder=folder)
    for form in FORMS:
        shutil.rmtree(bench.files(form), ignore_errors=True)
        bench.files(form).mkdir(parents=True)
    for number, entry in enumerate(found):
        name, code = f"case{number}.py", program(entry)
        (bench.files("plain") / name).write_text(code, encoding="utf-8")
        (bench.files("rewritten") / name).write_text(rewritten(code), encoding="utf-8")
        (bench.files("called") / name).write_text(program(entry, called=True), encoding="utf-8")
    return bench


def program(entry: Entry, *, called: bool = False) -> str:
    """A file whose last line is the entry; `called`: names are called."""
    if entry.form != "attribute":
        return f"{entry.written}\n"
    receiver = entry.written.partition(".")[0]
    given = f"{receiver} = {_OBJECTS[receiver]}\n" if receiver in _OBJECTS else ""
    brackets = "()" if called and not entry.call else ""
    return f"import tensorflow as tf\n{given}result = {entry.written}{brackets}\n"


def rewritten(code: str) -> str:
    """The same program with Keras's own package for `tf.keras`."""
    code = re.sub(r"\btensorflow\.keras\b", "keras._tf_keras.keras", code)
    code = code.replace("from tensorflow import keras", "from keras._tf_keras import keras")
    if "tf.keras." not in code:
        return code
    return "from keras._tf_keras import keras as tf_keras\n" + code.replace("tf.keras.", "tf_keras.")


def row(title: str, found: tuple[Entry, ...], flags: Flags, seconds: float) -> str:
    """One line of the table. Silence about an entry that is unusable is a miss, also when the tool abstains."""
    positive = {number for number, entry in enumerate(found) if entry.label in UNUSABLE}
    flagged = {number for number, flag in flags.items() if flag}
    hits, false = len(flagged & positive), len(flagged - positive)
    cells: list[object] = [title, hits, false, len(positive - flagged), len(found) - len(flags)]
    cells += [f"{hits / max(hits + false, 1):.3f}", f"{hits / len(positive):.3f}"]
    for group in ("name", "import", "call", "method"):
        members = [number for number, entry in enumerate(found) if _group(entry) == group]
        right = sum((number in flagged) == (number in positive) for number in members)
        cells.append(f"{right}/{len(members)}")
    return "| " + " | ".join(map(str, [*cells, f"{seconds:.2f}"])) + " |"


def _group(entry: Entry) -> str:
    if entry.form != "attribute":
        return "import"
    if entry.written.partition(".")[0] in _OBJECTS:
        return "method"
    return "call" if entry.call else "name"


def ours(bench: Bench, found: tuple[Entry, ...]) -> Flags:
    """The index and the judge of names; what they call unproven is an abstention."""
    index = open_index("tf-2.21")
    statuses = [opinion(entry, index).status for entry in found]
    return {number: one in UNUSABLE for number, one in enumerate(statuses) if one is not Status.UNPROVEN}


def executed(bench: Bench, found: tuple[Entry, ...]) -> Flags:
    """What happens when it is run, in one process."""
    codes = json.dumps([entry.run for entry in found])
    command = [str(bench.python), str(FOLDER / "confirm.py")]
    environment = {**os.environ, **_QUIET}
    done = subprocess.run(
        command, input=codes, capture_output=True, text=True, check=True, env=environment, cwd=bench.tools
    )
    outcomes = json.loads(done.stdout)
    return {number: bool(outcomes[entry.run]) for number, entry in enumerate(found)}


def _pyright(bench: Bench, found: tuple[Entry, ...], *, form: str, stubs: bool = True) -> Flags:
    files = bench.files(form)
    bundled = [path for path in bench.tools.glob("**/typeshed-fallback/stubs/*tensorflow*") if path.is_dir()]
    hidden = bench.tools / "hidden"
    if not stubs:
        hidden.mkdir(exist_ok=True)
        for path in bundled:
            path.rename(hidden / path.name)
    try:
        report = json.loads(bench.run("pyright", "--pythonpath", bench.python, "--outputjson", files))
    finally:
        if not stubs:
            for path in bundled:
                (hidden / path.name).rename(path)
    errors = [one for one in report["generalDiagnostics"] if one["severity"] == "error"]
    return _on_last_line(files, [(one["file"], one["range"]["start"]["line"] + 1) for one in errors])


def _pylint(bench: Bench, found: tuple[Entry, ...], *, form: str) -> Flags:
    files = bench.files(form)
    listed = sorted(files.glob("*.py"))
    report = json.loads(bench.run("pylint", "-E", "-f", "json2", *listed, PYTHONPATH=str(bench.packages)))
    return _on_last_line(files, [(one["absolutePath"], one["line"]) for one in report["messages"]])


def _ghostcall(bench: Bench, found: tuple[Entry, ...]) -> Flags:
    options = ("--python", bench.python, "--format", "json", "--no-cache", "--include-medium", "--ignore", "GC007")
    report = json.loads(bench.run("ghostcall", "check", *options, bench.files("plain")))
    return _on_last_line(bench.files("plain"), [(one["file"], one["line"]) for one in report["findings"]])


def _apimirage(bench: Bench, found: tuple[Entry, ...]) -> Flags:
    listed = sorted(bench.files("called").glob("*.py"))
    report = json.loads(bench.run("apimirage", "-q", "-f", "json", *listed, PYTHONPATH=str(bench.packages)))
    wrong = [one for one in report if one["kind"].startswith("ghost")]
    return _on_last_line(bench.files("called"), [(one["file"], one["lineno"]) for one in wrong])


def _jedi(bench: Bench, found: tuple[Entry, ...]) -> Flags:
    command = ("-c", _ASK_JEDI, bench.python, bench.files("plain"), len(found))
    return {int(number): flag for number, flag in json.loads(bench.run("python", *command)).items()}


def _on_last_line(files: Path, findings: list[tuple[str, int]]) -> Flags:
    """Which entries are flagged: errors on other lines are not about them."""
    places = {(Path(file).stem, line) for file, line in findings}
    flags = {}
    for path in files.glob("*.py"):
        last = path.read_text(encoding="utf-8").count("\n")
        flags[int(path.stem.removeprefix("case"))] = (path.stem, last) in places
    return flags


def say(text: str) -> None:
    """One line of the report."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


_VERSIONS = f"""
import importlib.metadata, json
print(json.dumps({{name: importlib.metadata.version(name) for name in {TOOLS!r}}}))
"""

# jedi is no checker: a name that it cannot follow is flagged, and a keyword that is in no signature it finds.
_ASK_JEDI = r"""
import ast, json, sys
from pathlib import Path
import jedi
environment = jedi.create_environment(sys.argv[1], safe=False)
flags = {}
for number in range(int(sys.argv[3])):
    code = (Path(sys.argv[2]) / f"case{number}.py").read_text()
    node = ast.parse(code).body[-1]
    call = getattr(node, "value", None) if isinstance(getattr(node, "value", None), ast.Call) else None
    last = len(code.splitlines())
    names = getattr(node, "names", None)
    if names:
        end = len(code.splitlines()[-1].split(" as ")[0])
    else:
        end = (call.func if call else node.value).end_col_offset
    script = jedi.Script(code, environment=environment)
    try:
        flag = not script.goto(last, end, follow_imports=True)
        signatures = script.get_signatures(last, end + 1) if call and not flag else []
    except Exception:
        continue
    if signatures:
        wanted = {one.arg for one in call.keywords}
        known = [{p.name for p in s.params} for s in signatures if not any(p.kind.name == "VAR_KEYWORD" for p in s.params)]
        flag = len(known) == len(signatures) and not any(wanted <= one for one in known)
    flags[number] = flag
print(json.dumps(flags))
"""


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
