"""Runs the sessions it reads, one JSON line each, in a sandbox of the user who started it; `ordinary` talks to it."""

from __future__ import annotations

import sys

import msgspec

from verifier.model import SessionJob
from verifier.sandbox.choose import open_sandbox


def main(backend: str) -> None:
    """Serve until there is nothing more to read."""
    with open_sandbox("tf-2.21", backend) as sandbox:
        _answer(sandbox.environment)
        for line in sys.stdin.buffer:
            _answer(sandbox.run(msgspec.json.decode(line, type=SessionJob)))


def _answer(value: object) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(sys.argv[1])
