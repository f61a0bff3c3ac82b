"""Writes the tables of runs (ran-names.tsv …): `python tests/index/labels/record.py 2.21=PYTHON 2.15=PYTHON 1.15=PYTHON`.

Each PYTHON is an interpreter with that TensorFlow; every label then rests on a run in all of them. The record was
made with tensorflow-cpu 2.21.0 (Python 3.11), 2.15.1 with "numpy<2" (3.11), 1.15.0 with "protobuf<3.21" (3.7).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from index.labels.entries import FOLDER, HELD_OUT, KNOWN, entries

_QUIET = {"CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"}


def run(python: str, codes: list[str]) -> dict[str, str]:
    """What happened to each piece of code in the TensorFlow of this interpreter, by confirm.py."""
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [python, str(FOLDER / "confirm.py")],
            input=json.dumps(codes),
            capture_output=True,
            text=True,
            check=True,
            cwd=scratch,
            env={**os.environ, **_QUIET},
        )
    return json.loads(done.stdout)


def main(arguments: list[str]) -> None:
    """Run every entry in every release and write a line for each into the record of its table."""
    found = entries(*KNOWN, *HELD_OUT)
    pythons = dict(argument.split("=", 1) for argument in arguments)
    outcomes = {release: run(python, [entry.run for entry in found]) for release, python in pythons.items()}
    for table in (*KNOWN, *HELD_OUT):
        rows = [["written", *pythons]]
        rows += [[one.written, *(_brief(outcomes[release][one.run]) for release in pythons)] for one in entries(table)]
        text = "".join("\t".join(row) + "\n" for row in rows)
        (FOLDER / f"ran-{table}.tsv").write_text(text, encoding="utf-8")


def _brief(outcome: str) -> str:
    """`ok`, or the name of the exception and the beginning of what it said, without paths of this machine."""
    return outcome.partition(" (/")[0][:80].replace("\t", " ") or "ok"


if __name__ == "__main__":
    main(sys.argv[1:])
