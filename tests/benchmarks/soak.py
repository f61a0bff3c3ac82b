"""Whether a sandbox lasts: thousands of sessions, good and hostile, through one zygote; then killed runs of `verify`.

Run as `python tests/benchmarks/soak.py [--sessions 2000] [--kills 25] [--backend bubblewrap]`; prints figures, exits
with 1 when something hung, leaked, grew or was left running. The seed is fixed.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from attacks.household import Household, commands, descendants
from attacks.witness import groups_of, mounts_here
from conformance.conftest import program

from verifier.model import Limits, SessionJob
from verifier.sandbox.choose import open_sandbox

SEED = 20240607
LIMITS = Limits(wall_seconds=10.0, memory=512 << 20, processes=48, scratch=8 << 20, output=32 << 10)
# What a session may take beyond its own limit before it counts as a hang.
_SLACK = 15.0
# Sessions before anything is measured: allocators and the kernel's accounts settle.
_WARMING = 100
_GROWTH = 8 << 20  # bytes that the zygote's own memory may grow in all
_SUBREAPER = 36
_THREADS = "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()"
_LEARN = "import numpy as np, tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.Dense(2)])\nm.compile('sgd', 'mse')\nm.fit(np.ones((8, 3)), np.ones((8, 2)), verbose=0)"
_FORGE = "import os\nfor fd in range(3, 1100):\n    try: os.write(fd, b'\\0\\0\\0\\2{}')\n    except OSError: pass"
# kind -> (how often, limits, fate, code)
PROGRAMS: dict[str, tuple[int, dict[str, float], str, str]] = {
    "trivial": (60, {}, "finished", "x = sum(range(10))\nprint(x)"),
    "tensor": (6, {}, "finished", "import tensorflow as tf\nprint(tf.reduce_sum(tf.ones((9, 9))).numpy())"),
    "model": (2, {}, "finished", _LEARN),
    "figure": (2, {}, "finished", "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"),
    "raises": (8, {}, "finished", "def f(n): return 1 / n\nf(0)"),
    "exits": (3, {}, "exits-early", "import os\nos._exit(0)"),
    "crashes": (3, {}, "crashed", "import os\nos.abort()"),
    "endless": (2, {"wall_seconds": 0.2}, "timeout", "while True: pass"),
    "daemons": (4, {}, "finished", "import subprocess\nfor _ in range(5): subprocess.Popen(['setsid', 'sleep', '3600'])"),
    "descriptors": (2, {}, "finished", "hold = []\nwhile True: hold.append(open('/dev/null'))"),
    "eats": (2, {"memory": 128 << 20}, "out-of-memory", "hog = []\nwhile True: hog.append(bytearray(16 << 20))"),
    "fills": (2, {}, "disk-limit", "open('f', 'wb').write(bytes(32 << 20))"),
    "litters": (2, {}, "finished", "for n in range(2000): open(f'/tmp/{n}', 'w').close()"),
    "threads": (1, {}, "process-limit", _THREADS),
    "forges": (1, {}, "tampered", _FORGE),
}  # fmt: skip
DOCUMENT = "\n\n".join(f"```python\nimport subprocess, time\nsubprocess.Popen(['setsid', 'sleep', '3600'])\ntime.sleep({n % 3})\nprint({n})\n```" for n in range(12))  # fmt: skip


@dataclass(slots=True)
class Soak:
    """Figures and complaints of a run."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    fates: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)

    def expect(self, true: bool, complaint: str) -> None:
        if not true:
            self.complaints.append(complaint)

    def told(self) -> str:
        lines = ["fates: " + ", ".join(f"{fate} {count}" for fate, count in self.fates.most_common())]
        for kind, times in self.seconds.items():
            cuts = statistics.quantiles(times, n=20) if len(times) > 1 else times * 19
            lines.append(f"{kind:>12} {len(times):5} sessions, ms p50 {cuts[9] * 1000:6.0f}  p95 {cuts[18] * 1000:6.0f}  max {max(times) * 1000:6.0f}")  # fmt: skip
        return "\n".join(lines)


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def memory(pid: int) -> int:
    """A process's own anonymous memory, in bytes."""
    lines = Path("/proc", str(pid), "status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon"))


def state(household: Household) -> dict[str, int]:
    """What must not grow: counts for the zygote and for this process."""
    household.settle()
    zygote = household.zygote
    return {
        "processes behind the wall": len(descendants(household.root)),
        "descriptors of the zygote": len(list(Path("/proc", str(zygote), "fd").iterdir())),
        "mounts of the zygote": len(Path("/proc", str(zygote), "mountinfo").read_text().splitlines()),
        "descriptors of the host": len(list(Path("/proc/self/fd").iterdir())),
        "mounts of the host": len(mounts_here()),
        "threads of the host": len(list(Path("/proc/self/task").iterdir())),
        "control groups": len(groups_of(os.getpid())),
        "folders in /tmp": len([path for path in Path(tempfile.gettempdir()).iterdir() if "verif" in path.name]),
    }


def soak(sessions: int, backend: str, report: Soak) -> None:
    """Run sessions through one zygote; complaints go to `report`."""
    chance = random.Random(SEED)
    weights = [weight for weight, *_ in PROGRAMS.values()]
    with open_sandbox("tf-2.21", backend) as sandbox:
        household = Household(sandbox)
        household.find()
        root, zygote = household.root, household.zygote
        before, own = state(household), memory(zygote)
        began = time.monotonic()
        for number in range(sessions):
            if number == _WARMING:
                before, own = state(household), memory(zygote)
            kind = chance.choices(list(PROGRAMS), weights)[0]
            _, limits, fate, code = PROGRAMS[kind]
            job = SessionJob(programs=(program(code),), limits=replace(LIMITS, **limits))
            asked = time.monotonic()
            outcome = sandbox.run(job)
            took = time.monotonic() - asked
            report.seconds.setdefault(kind, []).append(took)
            report.fates[str(outcome.fate)] += 1
            report.expect(outcome.fate == fate, f"session {number} ({kind}): {outcome.fate} {outcome.detail}")
            report.expect(took < job.limits.wall_seconds + _SLACK, f"session {number} ({kind}) took {took:.0f} s")
            if number % 500 == 499:
                say(f"{number + 1} sessions, {len(report.complaints)} complaints")
        total = time.monotonic() - began
        report.expect(household.settled(10.0), f"left running: {household.members()}")
        after = state(household)
        grown = memory(household.zygote) - own
        report.expect((household.root, household.zygote) == (root, zygote), "the zygote was replaced")
        report.expect(grown < _GROWTH, f"the zygote has grown by {grown >> 20} MiB")
        for what, count in after.items():
            report.expect(count <= before[what], f"{what}: {before[what]} before, {count} after")
    say(f"{sessions} sessions in {total:.0f} s ({sessions / total:.1f}/s); zygote {own >> 20} MiB, grew by {grown >> 10} KiB")  # fmt: skip
    say(report.told())
    say("counts: " + ", ".join(f"{what} {count}" for what, count in after.items()))


def kill_runs(kills: int, backend: str, report: Soak, longest: float = 20.0) -> None:
    """Kill `verify` at random moments; whatever it leaves becomes our own child, and there must be none."""
    chance = random.Random(SEED)
    command = [str(Path(sys.executable).with_name("verify")), "--sandbox", backend, "--format", "json"]
    pids, seen, slowest = [], 0, 0.0
    # As a subreaper we inherit every process that loses its parent below us.
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder, "soak.md")
        document.write_text(DOCUMENT)
        for _ in range(kills):
            ours = descendants(os.getpid())
            moment = chance.uniform(0.05, longest)
            run = subprocess.Popen([*command, str(document)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moment)
            seen += len(descendants(run.pid))
            run.send_signal(signal.SIGKILL)
            killed = time.monotonic()
            run.wait()
            pids.append(run.pid)
            left = _left(ours, 20.0)
            slowest = max(slowest, time.monotonic() - killed)
            report.expect(not left, f"killed after {moment:.2f} s, left running: {left}")
    ctypes.CDLL(None).prctl(_SUBREAPER, 0, 0, 0, 0)
    with open_sandbox("tf-2.21", backend) as sandbox:  # the next run sweeps what a killed one could not
        sandbox.run(SessionJob(programs=(program("x = 1"),)))
    kept = [name for pid in pids for name in groups_of(pid)]
    report.expect(not kept, f"control groups of killed runs are kept: {kept}")
    say(f"{kills} runs of verify killed within {longest:.0f} s ({seen} processes); nothing left after {slowest:.1f} s")


def _left(ours: set[int], seconds: float) -> dict[int, str]:
    """Our descendants that are not of `ours` and still there after this time; those that are dead are buried."""
    until = time.monotonic() + seconds
    while True:
        # Another sandbox of this process may replace its waiting cell at any moment.
        family = descendants(os.getpid()).difference({os.getpid()}, *map(descendants, ours - {os.getpid()}))
        for pid in _dead_children():
            os.waitpid(pid, os.WNOHANG)
        if not family or time.monotonic() > until:
            return {pid: command for pid, command in commands().items() if pid in family}
        time.sleep(0.05)


def _dead_children() -> list[int]:
    """Children that nobody else here waits for: what was inherited and has ended."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state == "Z" and int(parent) == os.getpid():
            found.append(int(folder.name))
    return found


def main() -> int:
    """Soak; 1 when there is something to complain about."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--backend", default="bubblewrap")
    chosen = parser.parse_args()
    report = Soak()
    if chosen.sessions:
        soak(chosen.sessions, chosen.backend, report)
    if chosen.kills:
        kill_runs(chosen.kills, chosen.backend, report)
    for complaint in report.complaints[:40]:
        say(f"COMPLAINT: {complaint}")
    say(f"{len(report.complaints)} complaints")
    return 1 if report.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
