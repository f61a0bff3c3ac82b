"""Class E: processes that want to outlive their session, and programs that kill what they can reach.

That nobody is left is seen from the host: `Witness.compare` counts everybody behind the wall.
"""

from __future__ import annotations

import pytest
from attacks.case import Case

from verifier.model import Fate

pytestmark = pytest.mark.sandbox

# A session that only left something behind is over at once, whatever it left.
QUICK = {"wall_seconds": 3.0}


def leaves(name: str, code: str, **more) -> Case:
    """A program that leaves processes behind and ends well."""
    return Case(name=name, code=f"{code}\nprint('over')", printed=more.pop("printed", "over\n"), limits=QUICK, **more)


FORKED = "import os, time\nif os.fork() == 0:\n{}\n    time.sleep(3600)\n    os._exit(0)"


def forked(name: str, *lines: str, **more) -> Case:
    """A child that does something to stay and then sleeps for an hour."""
    return leaves(name, FORKED.format("\n".join(f"    {line}" for line in lines)), **more)


CASES = (
    forked("a child", "pass"),
    forked("a daemon", "os.setsid()", "if os.fork(): os._exit(0)", ordinary=True),
    forked("a daemon without descriptors", "os.setsid()", "os.closerange(0, 2000)"),
    forked("a child that ignores everything", "import signal", "for n in range(1, 65):", "    try: signal.signal(n, signal.SIG_IGN)", "    except (OSError, ValueError): pass"),
    forked("a child without parent-death signal", "import ctypes", "ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)", ordinary=True),
    forked("a subreaper with children", "import ctypes", "ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)", "for _ in range(4): os.fork()"),
    forked("a stopped child", "import signal", "os.kill(os.getpid(), signal.SIGSTOP)"),
    forked("a child that changed its name", "import ctypes", "ctypes.CDLL(None).prctl(15, b'bwrap', 0, 0, 0)", "os.execv('/bin/sleep', ['bwrap --unshare-all', '3600'])"),
    forked("a child that became a zombie's parent", "if os.fork() == 0: os._exit(0)"),
    forked("a child with real-time ambitions", "try: os.nice(-20)", "except OSError: pass", "try: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))", "except OSError: pass"),
    forked("a chain of a dozen generations", "for _ in range(12):", "    if os.fork(): os._exit(0)"),
    forked("a busy child", "while True: pass"),
    leaves("setsid and nohup of a shell", "import subprocess\nsubprocess.Popen('nohup setsid sleep 3600 & setsid sleep 3601 &', shell=True, start_new_session=True).wait()", ordinary=True),
    leaves("a child that holds both streams", "import subprocess\nsubprocess.Popen(['sleep', '3600'])"),
    leaves("a child that goes on printing", "import subprocess\nsubprocess.Popen('while true; do echo drip; sleep 0.2; done', shell=True)\nimport time; time.sleep(0.5)", printed=None, prints="drip\n(drip\n)*over\n"),
    leaves("a pool nobody closed", "import multiprocessing\npool = multiprocessing.Pool(3)\npool.map(abs, range(9))"),
    leaves("a forked server", "import os, socket\nserver = socket.create_server(('127.0.0.1', 4711))\nif os.fork() == 0:\n    while True: server.accept()"),
    leaves("threads left behind", "import threading, time\nfor _ in range(8): threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()"),
    leaves("a fork at exit", "import atexit, os\natexit.register(os.fork)"),
    leaves("a timer", "import signal\nsignal.setitimer(signal.ITIMER_REAL, 1000)"),
    leaves("a forked child that goes on with the program", "import os\nis_child = os.fork() == 0", printed=None, prints="over\n"),
    Case(name="a child outlives a crash", code="import os, subprocess\nsubprocess.Popen(['setsid', 'sleep', '3600'])\nos.abort()", fate=Fate.CRASHED, detail="SIGABRT", ordinary=True),
    Case(name="children outlive the clock", code="import os, subprocess\nfor _ in range(5): subprocess.Popen(['setsid', 'sleep', '3600'])\nwhile True: pass", fate=Fate.TIMEOUT, limits={"wall_seconds": 0.6}, ordinary=True),
    Case(name="children multiply until the clock ends them", code="import os, time\nwhile True:\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(0.01)\n        if os.fork(): os._exit(0)\n    time.sleep(0.02)", fate=(Fate.TIMEOUT, Fate.PROCESS_LIMIT), limits={"wall_seconds": 1.0}),
    leaves("kills everybody", "import os\ntry: os.kill(-1, 9)\nexcept OSError: pass", ordinary=True),
    leaves("kills everybody gently", "import os\ntry: os.kill(-1, 15)\nexcept OSError: pass"),
    leaves("kills the init of its cell", "import os\nfor n in range(1, 65):\n    try: os.kill(1, n)\n    except OSError: pass", ordinary=True),
    leaves("kills its parent", "import os\nos.getppid() and [os.kill(os.getppid(), n) for n in (9, 15, 19)]"),
    leaves("kills pids of the host", "import os\nfor pid in {1, @PID@, *range(3, 400)} - {os.getpid()}:\n    try: os.kill(pid, 9)\n    except OSError: pass"),
    leaves("opens a pidfd of its init", "import os, signal\ntry: signal.pidfd_send_signal(os.pidfd_open(1), 9)\nexcept OSError: pass"),
    leaves("asks for everybody's limits", "import resource\nfor pid in (1, @PID@):\n    for kind in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):\n        try: resource.prlimit(pid, kind, (0, 0)); print(pid)\n        except (OSError, ValueError): pass"),
    leaves("lowers everybody's priority", "import os\nfor who in (1, @PID@):\n    try: os.setpriority(os.PRIO_PROCESS, who, 19)\n    except OSError: pass"),
    leaves("moves into the group of its init", "import os\nfor group in (0, 1):\n    try: os.setpgid(0, group)\n    except OSError: pass\nfor f in (os.setsid, lambda: os.tcsetpgrp(0, 1)):\n    try: f()\n    except OSError: pass"),
)  # fmt: skip


def test_survivors(attack, case: Case) -> None:
    attack(case)
