"""Agreement of the index with a live TensorFlow: `python tests/benchmarks/index_agreement.py [PYTHON] [RELEASE] [-v]`.

PYTHON is the interpreter of an environment that has the release installed; without it, the environment of this project
is used. Prints the figures; exits with 1 when a difference is not explained in `tests/index/differences.toml`, or an
explanation explains nothing. `-v` lists all differences.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from index.agreement import NEWEST, Agreement, compare, newest, stale, unexplained, walk


def main(arguments: list[str]) -> int:
    """Compare, print, and say whether all is explained."""
    words = [one for one in arguments if one != "-v"]
    release = words[1] if len(words) > 1 else NEWEST
    python = Path(words[0]) if words else newest()
    agreement = compare(release, walk(python))
    figures(agreement)
    if "-v" in arguments:
        say(*agreement.differences, sep="\n  ")
    wrong = unexplained(agreement.differences, release)
    old = stale(agreement.differences, release)
    say(f"differences {len(agreement.differences)}, not explained {len(wrong)}, explanations of nothing {len(old)}")
    for one in (*wrong, *old):
        say(f"  {one}")
    return int(bool(wrong or old))


def figures(agreement: Agreement) -> None:
    """Print one line for each figure."""
    for place, share in agreement.names.items():
        if share.live:
            say(f"names {place}: index {share.index}, live {share.live}, precision {share.precision:.4f}, ", end="")
            say(f"recall {share.recall:.4f}")
    for title, (equal, known) in (("functions", agreement.functions), ("classes", agreement.classes)):
        say(f"signatures of {title}: {equal} of {known} equal")
    said, real = agreement.deprecated, agreement.really
    say(f"deprecated functions: index {len(said)}, live {len(real)}, both {len(said & real)}; ", end="")
    say(f"of {len(agreement.renamed)} with deprecated older names {len(agreement.renamed & said)} taken for one")
    say(f"members of classes: {agreement.members}")


def say(*parts: object, sep: str = " ", end: str = "\n") -> None:
    """Write one line of the report."""
    sys.stdout.write(sep.join(map(str, parts)) + end)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
