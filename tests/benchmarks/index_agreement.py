"""Agreement of the index with a live TensorFlow: `python tests/benchmarks/index_agreement.py PYTHON [RELEASE] [-v]`.

PYTHON is the interpreter of an environment that has the release installed. A second process imports TensorFlow there
and walks what it exports; the figures compare that walk with the shipped index, outside and inside `compat` and
`contrib`. `-v` lists the differences.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from verifier.index.bind import parse
from verifier.index.calendar import Calendar
from verifier.index.store import Store
from verifier.index.timeline import Known, Timeline

WALK = r"""
import inspect, json, sys, types, warnings
warnings.simplefilter("ignore")
import tensorflow as tf
out, seen = {}, {}

def deprecated(value):
    # Deprecated arguments leave other words; old endpoints of a function leave none.
    docs = [getattr(value, "__doc__", "") or ""]
    if inspect.isclass(value) and "__init__" in vars(value):
        docs.append(value.__init__.__doc__ or "")
    return any("THIS FUNCTION IS DEPRECATED" in doc or "THIS CLASS IS DEPRECATED" in doc for doc in docs)

def describe(value):
    row = {"dep": deprecated(value)}
    if inspect.isclass(value):
        row["kind"] = "class"
        row["members"] = [name for name in dir(value) if not name.startswith("_")]
    elif callable(value) and not isinstance(value, type(tf.float32)):
        row["kind"] = "function"
    else:
        row["kind"] = "constant"
    if row["kind"] != "constant":
        try:
            row["sig"] = [[p.name, int(p.kind), p.default is not p.empty] for p in inspect.signature(value).parameters.values()]
        except (TypeError, ValueError):
            pass
    return row

def walk(module, path, above):
    try:
        names = dir(module)
    except Exception:
        return
    for name in sorted(names):
        if name.startswith("_"):
            continue
        try:
            value = getattr(module, name)
        except Exception:
            continue
        where = path + "." + name
        if isinstance(value, types.ModuleType):
            try:
                inner = value.__dict__.get("__name__", "") and value.__name__
            except Exception:
                inner = ""
            real = getattr(sys.modules.get(inner, value), "__name__", inner)
            real = str(real)
            # Hand-written modules import half of TensorFlow; only what the generator made is followed.
            public = real.startswith("tensorflow.experimental") or real in ("absl.flags", "tensorflow.python.platform.flags") or "._api" in real or ".api._v" in real or (real.startswith("keras.") and ".src" not in real) or "LazyLoader" in type(value).__name__
            if public and id(value) not in above and where.count(".compat.") < 2:
                out[where] = {"kind": "module"}
                walk(value, where, above | {id(value)})
            continue
        key = id(value)
        if key not in seen:
            seen[key] = (value, describe(value))
        out[where] = seen[key][1]

walk(tf, "tensorflow", {id(tf)})
json.dump(out, sys.stdout)
"""
_NOISE = (".__internal__", ".__operators__")


def main(arguments: list[str]) -> int:
    """Print the figures; 1 when a name outside `compat` is wrong more often than once in a thousand."""
    words = [one for one in arguments if one != "-v"]
    release = words[1] if len(words) > 1 else "2.21"
    live = walk(Path(words[0]))
    store = Store.shipped()
    mask = Calendar(store.header.releases, store.header.flavours).mask(release)
    timeline = Timeline(store)
    ours: dict[str, Known] = {}
    for path in store.paths:
        known = next((one for one in timeline.public(path) if one.mask & mask), None)
        nested = path.count(".compat.v") > 1
        if known and not nested and not any(word in path for word in _NOISE) and ".__" not in path:
            ours[path] = known
    worst = 1.0
    for title, inside in (("outside compat and contrib", False), ("inside compat and contrib", True)):
        picked = {path for path, row in live.items() if row["kind"] != "module" and _compat(path) == inside}
        said = {path for path, one in ours.items() if one.kind != "module" and _compat(path) == inside}
        both = picked & said
        precision, recall = len(both) / max(len(said), 1), len(both) / max(len(picked), 1)
        say(f"{title}: static {len(said)}, live {len(picked)}, precision {precision:.4f}, recall {recall:.4f}")
        if not inside:
            worst = min(precision, recall)
        compare(both, ours, live, timeline, mask, verbose="-v" in arguments and not inside)
        if "-v" in arguments:
            say("  only static:", sorted(said - picked)[:40])
            say("  only live:", sorted(picked - said)[:40])
    return int(worst < 0.999)


def say(*parts: object) -> None:
    """One line of the report."""
    sys.stdout.write(" ".join(map(str, parts)) + "\n")


def walk(python: Path) -> dict[str, dict[str, object]]:
    """What TensorFlow exports in the environment of this interpreter."""
    done = subprocess.run([str(python), "-c", WALK], capture_output=True, text=True, check=True, timeout=300)
    return json.loads(done.stdout[done.stdout.index("{") :])


def compare(
    paths: set[str], ours: dict[str, Known], live: dict, timeline: Timeline, mask: int, *, verbose: bool
) -> None:
    """Print how kinds, signatures, deprecations and members agree over names that both have."""
    kinds, members, missing, phantoms, different, wrong_kind = 0, 0, [], [], [], []
    counts: dict[str, list[bool]] = {"function": [], "class": []}
    for path in sorted(paths):
        row, one = live[path], ours[path]
        kinds += row["kind"] == one.kind or not one.kind
        if one.kind and row["kind"] != one.kind:
            wrong_kind.append((path, row["kind"], one.kind))
        if row.get("sig") is not None and one.signature:
            agrees = _parameters(one.signature) == row["sig"]
            counts[one.kind].append(agrees)
            if not agrees:
                different.append((path, one.signature, row["sig"]))
        if row["kind"] == "class" and one.kind == "class":
            names = timeline.names_of(one.canonical, mask)
            members += len(row["members"])
            absent = [name for name in row["members"] if name not in names]
            if not one.open:
                missing += [f"{path}.{name}" for name in absent]
            for name in names - set(row["members"]):
                known, _ = timeline.member(one.canonical, name, mask)
                if known and known[0].kind != "attribute" and not name.startswith("_"):
                    phantoms.append(f"{path}.{name}")
    said = {one.canonical for path, one in ours.items() if path in paths and one.deprecated}
    real = {ours[path].canonical for path in paths if live[path].get("dep")}
    say(f"  kinds {kinds}/{len(paths)}", *(f"{kind} signatures {sum(got)}/{len(got)}" for kind, got in counts.items()))
    say(f"  deprecated: static {len(said)}, live {len(real)}, both {len(said & real)}")
    say(f"  members of classes {members}, missing on closed classes {len(missing)}, not on the class {len(phantoms)}")
    if verbose:
        say("  kinds:", wrong_kind[:30])
        say("  signatures:", different[:10])
        say("  deprecated only static:", sorted(said - real)[:20], "only live:", sorted(real - said)[:20])
        say("  missing members:", missing[:40])
        say("  members not live:", phantoms[:60])


def _parameters(signature: str) -> list[list[object]]:
    parsed = parse(signature)
    return (
        [[one.name, int(one.kind), one.default is not one.empty] for one in parsed.parameters.values()]
        if parsed
        else []
    )


def _compat(path: str) -> bool:
    return ".compat." in path or ".contrib." in path


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
