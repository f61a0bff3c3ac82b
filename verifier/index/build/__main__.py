"""Builds the data file: `python -m verifier.index.build [--wheels FOLDER] [--out FILE] [RELEASE …]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from verifier.index.build.exports import exports
from verifier.index.build.libraries import libraries
from verifier.index.build.pack import Packer
from verifier.index.build.releases import FLAVOUR, hooks, releases
from verifier.index.build.renames import renames
from verifier.index.build.sources import Sources
from verifier.index.build.wheels import fetch
from verifier.index.store import FILE

_OUT = Path(__file__).parent.parent / "data" / FILE
# Chains of imports and of attribute accesses in the sources are deeper than the interpreter's default.
_DEPTH = 20_000


def main(arguments: list[str]) -> int:
    """Download what is missing, read it all, write the file. Prints one line per release to stderr."""
    parser = argparse.ArgumentParser(prog="python -m verifier.index.build", description=__doc__)
    parser.add_argument("--wheels", type=Path, default=Path("wheels"), help="where the sources of wheels are kept")
    parser.add_argument("--out", type=Path, default=_OUT, help="the data file to write")
    parser.add_argument("release", nargs="*", help="only these releases, for a quick trial")
    options = parser.parse_args(arguments)
    sys.setrecursionlimit(_DEPTH)
    chosen = [one for one in releases() if not options.release or one.name in options.release]
    packer, wheels = Packer(), []
    for bit, release in enumerate(chosen):
        sources = Sources(tuple(fetch(wheel, options.wheels) for wheel in release.wheels))
        found = exports(sources, "tensorflow", hooks(release))
        packer.add(bit, found, (name for name in sources.modules() if name.startswith("tensorflow.")))
        wheels.append(f"{release.name}: {', '.join(f'{one.name} {one.version}' for one in release.wheels)}")
        sys.stderr.write(f"{release.name}: {len(found.paths)} names, {len(found.classes)} classes\n")
    tables = renames(sources)
    names = tuple(one.name for one in chosen)
    plain = tuple(name for name in names if name != FLAVOUR)
    raw = packer.file(plain, names[len(plain) :], tuple(wheels), libraries(options.wheels), tables)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_bytes(raw)
    sys.stderr.write(f"{options.out}: {len(raw)} bytes\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
