"""Class A: programs that do not end, each in its own way. The clock of the host ends them all."""

from __future__ import annotations

import pytest
from attacks.case import Case

from verifier.model import Fate

pytestmark = pytest.mark.sandbox

IGNORE_ALL = """\
import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
"""


def endless(name: str, code: str, *, wall: float = 0.4, **more) -> Case:
    """A case that must end by the clock, after everything it printed before."""
    more.setdefault("printed", "before\n")
    limits = {"wall_seconds": wall, **more.pop("limits", {})}
    return Case(name=name, code="print('before')\n" + code, fate=Fate.TIMEOUT, detail="still running after", limits=limits, **more)  # fmt: skip


CASES = (
    endless("busy loop", "while True: pass", steps="finished not-reached", ordinary=True),
    endless("all signals ignored", IGNORE_ALL + "while True: pass", ordinary=True),
    endless("all signals blocked", "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nsignal.pause()"),
    endless("long sleep", "import time\ntime.sleep(3600)"),
    endless("catastrophic pattern", "import re\nre.match(r'(a+)+$', 'a' * 64 + 'b')"),
    endless("huge power", "x = 9 ** 9 ** 9"),
    endless("huge power written out", "x = pow(3, 10 ** 9)"),
    endless("native pause with the lock held", "import ctypes\nctypes.PyDLL(None).pause()", ordinary=True),
    endless("endless comparison in C", "import itertools\nmax(itertools.count())"),
    endless("sum of an endless iterator", "sum(iter(int, 1))"),
    endless("a lock taken twice", "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()"),
    endless("a queue nobody fills", "import queue\nqueue.Queue().get()"),
    endless("reading an open pipe", "import os\nr, w = os.pipe()\nos.read(r, 1)"),
    endless("opening a FIFO", "import os\nos.mkfifo('fifo')\nopen('fifo')"),
    endless("accepting on a socket", "import socket\nsocket.create_server(('127.0.0.1', 0)).accept()"),
    endless("sleep in finally", "import time\ntry: 1 / 0\nfinally: time.sleep(3600)"),
    endless("a handler that catches everything", "while True:\n    try:\n        while True: pass\n    except BaseException: pass"),
    endless("sleep in __del__", "import time\nclass D:\n    def __del__(self): time.sleep(3600)\nd = D()\ndel d"),
    endless("stops itself", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", ordinary=True),
    endless("waits for a stopped child", "import os, signal\npid = os.fork()\nif pid == 0:\n    os.kill(os.getpid(), signal.SIGSTOP)\n    os._exit(0)\nos.waitpid(pid, 0)"),
    endless("child after child", "import subprocess\nwhile True: subprocess.run(['true'])"),
    endless("fork and exit for ever", "import os\nwhile True:\n    if os.fork(): os._exit(0) if os.getpid() != 2 else os.wait()\n    else: os._exit(0)"),
    endless("program replaced by one that sleeps", "import os\nos.execv('/bin/sleep', ['sleep', '3600'])", ordinary=True),
    endless("an alarm that is its own cause", "import signal, time\nsignal.signal(signal.SIGALRM, lambda *a: signal.setitimer(signal.ITIMER_REAL, 0.001))\nsignal.setitimer(signal.ITIMER_REAL, 0.001)\nwhile True: time.sleep(1)"),
    endless("endless import", "open('slow.py', 'w').write('while True: pass')\nimport slow"),
    endless("endless decorator", "def d(f):\n    while True: pass\n@d\ndef g(): pass"),
    endless("endless generator in a data set", "import tensorflow as tf\ndef numbers():\n    while True: yield 1\nd = tf.data.Dataset.from_generator(numbers, output_signature=tf.TensorSpec((), tf.int32))\nprint('made')\nfor x in d: pass", wall=2.0, printed="before\nmade\n"),
    endless("endless loop in a graph", "import tensorflow as tf\n@tf.function\ndef f(x):\n    while x < 1: x = x * 1\n    return x\nf(tf.constant(0))", wall=2.0),
    endless("endless repr of a shown error", "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E"),
    endless("endless name of an error", "class M(type):\n    def mro(cls): return super().mro()\nclass E(NameError, metaclass=M):\n    @property\n    def name(self):\n        while True: pass\nraise E"),
    endless("burns every processor", "import os\nfor _ in range(8): os.fork()\nwhile True: pass", limits={"processes": 400}, printed=None),
    endless("slow drip of output", "import time\nwhile True:\n    print('drip', flush=True)\n    time.sleep(0.1)", printed=None, prints=r"^before\ndrip\ndrip\n", steps="finished finished not-reached"),
    # Reading from an empty standard input ends at once, and threads left behind are not waited for longer than 5 s.
    Case(name="reads standard input", code="import sys\nprint(repr(sys.stdin.read()))\ninput()", printed="''\n", fault="EOFError", ordinary=True),
    Case(name="a thread that never ends", code="import threading, time\nthreading.Thread(target=time.sleep, args=(3600,)).start()\nprint('main is over')", printed="main is over\n"),
    Case(name="sleep at exit", code="import atexit, time\natexit.register(time.sleep, 3600)\nprint('main is over')", printed="main is over\n"),
)  # fmt: skip


def test_endless(attack, case: Case) -> None:
    attack(case)
