"""Class D: programs that use up memory, processes, disk, descriptors or the screen, each under its own word."""

from __future__ import annotations

import pytest
from attacks.case import Case

from verifier.model import Fate

pytestmark = pytest.mark.sandbox

MEMORY = {"memory": 256 << 20}
# The kernel may pick a child as the victim, and then its parent ends well.
VICTIM = (Fate.OUT_OF_MEMORY, Fate.FINISHED)


def eats(name: str, code: str, **more) -> Case:
    """A program that takes three times the memory it may have; its last line is not reached."""
    limits = {**MEMORY, **more.pop("limits", {})}
    return Case(name=name, code=f"print('before')\n{code}\nprint('after')", fate=more.pop("fate", Fate.OUT_OF_MEMORY), limits=limits, **more)  # fmt: skip


def hidden(name: str, body: str) -> Case:
    """Memory that belongs to no process: taking it is refused, or ends the session before all is taken."""
    body = "\n".join(f"        {line}" for line in body.splitlines())
    setup = "import ctypes, os\nlibc = ctypes.CDLL(None)\nlibc.shmat.restype = ctypes.c_void_p\n"
    code = f"{setup}try:\n    for n in range(96):\n{body}\n    print('all taken')\nexcept OSError: pass"
    return Case(name=name, code=code, fate=VICTIM, printed="", limits=MEMORY, ordinary=True)


def fills(name: str, code: str, **more) -> Case:
    """A program that writes more than it may; the statement fails and the session tells of the limit."""
    return Case(name=name, code=code, fate=Fate.DISK_LIMIT, fault="OSError", limits={"scratch": 8 << 20}, **more)


def forks(name: str, code: str, **more) -> Case:
    return Case(name=name, code=code, fate=Fate.PROCESS_LIMIT, limits={"processes": 12, "wall_seconds": 4.0}, **more)


def floods(name: str, code: str, **more) -> Case:
    more.setdefault("prints", "^before")
    return Case(name=name, code="print('before')\n" + code, fate=Fate.OUTPUT_LIMIT, steps="finished not-reached" if "\n" not in code else "", **more)  # fmt: skip


CASES = (
    eats("memory by bytearrays", "hog = []\nwhile True: hog.append(bytearray(8 << 20))", ordinary=True),
    eats("memory by small objects", "hog = []\nwhile True: hog.append([0] * 1000)"),
    eats("memory by one string", "hog = 'x'\nwhile True: hog += hog"),
    eats("memory by NumPy", "import numpy as np\nhog = []\nwhile True: hog.append(np.ones(1 << 20))"),
    eats("memory by TensorFlow", "import tensorflow as tf\nhog = []\nwhile True: hog.append(tf.ones((1024, 1024)))"),
    eats("memory by one huge tensor", "import tensorflow as tf\nhog = tf.ones((1 << 20, 1 << 16))"),
    eats("memory by one huge array", "import numpy as np\nhog = np.ones((1 << 20, 1 << 20))"),
    eats("memory by mmap", "import mmap\nhog = []\nwhile True:\n    m = mmap.mmap(-1, 8 << 20)\n    m.write(bytes(8 << 20))\n    hog.append(m)"),
    eats("memory by shared mmap", "import mmap\nhog = []\nwhile True:\n    m = mmap.mmap(-1, 8 << 20, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)\n    m.write(b'x' * (8 << 20))\n    hog.append(m)"),
    hidden("memory by memfd", "fd = os.memfd_create(f'm{n}')\nos.write(fd, b'x' * (8 << 20))"),
    hidden("memory by SysV segments nobody has attached", "key = libc.shmget(0, 8 << 20, 0o1600)\nif key < 0: raise OSError\nat = libc.shmat(key, None, 0)\nctypes.memset(at, 1, 8 << 20)\nlibc.shmdt(ctypes.c_void_p(at))"),
    eats("memory by C++", "import ctypes\nlibc = ctypes.CDLL(None)\nlibc.malloc.restype = ctypes.c_void_p\nwhile True:\n    at = libc.malloc(8 << 20)\n    ctypes.memset(at, 1, 8 << 20)"),
    eats("memory by a comprehension", "hog = [bytes(1 << 20) for _ in iter(int, 1)]"),
    eats("memory by many children", "import os, time\nfor _ in range(6):\n    if os.fork() == 0:\n        hog = bytearray(b'x') * (128 << 20)\n        time.sleep(30)\n        os._exit(0)\nos.wait()", fate=VICTIM),
    eats("memory by a grandchild, ended well", "import os\nif os.fork() == 0:\n    if os.fork() == 0:\n        hog = []\n        while True: hog.append(bytearray(b'x') * (8 << 20))\n    os.wait()\n    os._exit(0)\nos.wait()", fate=VICTIM, ordinary=True),
    eats("memory that an except clause hides", "hog = []\nwhile True:\n    try: hog.append(bytearray(64 << 20))\n    except MemoryError: hog.append(bytearray(1 << 20))"),
    Case(name="a memory error of its own", code="try: raise MemoryError\nexcept MemoryError: print('caught')", printed="caught\n"),
    forks("fork bomb", "import os\nwhile True: os.fork()", ordinary=True),
    forks("fork bomb of a shell", "import subprocess\nsubprocess.run(['sh', '-c', 'b() { b | b & wait; }; b'])\nwhile True: pass", ordinary=True),
    forks("fork bomb that hides its errors", "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", ordinary=True),
    forks("children that sleep", "import subprocess\nhold = [subprocess.Popen(['sleep', '60']) for _ in range(100)]", fault="BlockingIOError"),
    forks("thread bomb", "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()", fault="RuntimeError", ordinary=True),
    forks("pool of too many processes", "import multiprocessing\nmultiprocessing.Pool(200)"),
    fills("a big file", "with open('big', 'wb') as f:\n    while True: f.write(bytes(1 << 20))", ordinary=True),
    fills("a big file in /tmp", "with open('/tmp/big', 'wb') as f:\n    while True: f.write(bytes(1 << 20))"),
    fills("a big file in /dev/shm", "with open('/dev/shm/big', 'wb') as f:\n    while True: f.write(bytes(1 << 20))"),
    fills("many files that are too much together", "for n in range(100):\n    with open(f'f{n}', 'wb') as f: f.write(bytes(1 << 20))"),
    fills("a sparse file of a terabyte", "with open('big', 'wb') as f: f.truncate(1 << 40)"),
    fills("fallocate", "import os\nos.posix_fallocate(os.open('big', os.O_RDWR | os.O_CREAT), 0, 1 << 30)"),
    fills("many small files", "for n in range(40000): open(f'/tmp/f{n}', 'w').close()", ordinary=True),
    fills("many links", "import os\nopen('f', 'w').close()\nfor n in range(40000): os.symlink('f', f'l{n}')"),
    fills("deleted files that are still open", "hold = []\nimport os\nwhile True:\n    f = open('f', 'wb')\n    f.write(bytes(1 << 20))\n    os.unlink('f')\n    hold.append(f)"),
    Case(name="descriptors used up", code="hold = []\nwhile True: hold.append(open('/dev/null'))\nprint(len(hold) > 500)", fault="OSError", printed="True\n", ordinary=True),
    Case(name="pipes used up", code="import os\nwhile True: os.write(os.pipe()[1], bytes(65536))", fault="OSError"),
    Case(name="sockets used up", code="import socket\nhold = []\nwhile True: hold.append(socket.socketpair())", fault="OSError"),
    Case(name="a deep folder", code="import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\nprint('deep')", printed="deep\n"),
    Case(name="folders that forbid everything", code="import os\nos.makedirs('a/b/c')\nopen('a/b/c/f', 'w').close()\nos.chmod('a/b', 0)\nos.chmod('a', 0)\nos.chmod('/scratch', 0)\nprint('closed')", printed="closed\n", ordinary=True),
    floods("endless lines", "while True: print('y' * 1000)", ordinary=True),
    floods("endless text without a line", "while True: print('y' * 1000, end='')"),
    floods("endless errors", "import sys\nwhile True: print('y' * 1000, file=sys.stderr)"),
    floods("both streams at once", "import sys\nwhile True: print('y' * 999, file=sys.stderr); print('y' * 999)"),
    floods("a child that shouts", "import subprocess\nsubprocess.run(['yes'])", ordinary=True),
    floods("raw bytes", "import os\nwhile True: os.write(1, bytes(65536))"),
    floods("one huge line", "print('y' * (100 << 20))"),
    Case(name="much, but not too much", code="print('first')\nfor _ in range(3000): print('x' * 100)\nprint('last')", prints=r"(?s)^first\n.*bytes left out.*last\n$"),
    Case(name="bytes that are no text", code="import os\nos.write(1, b'a\\xff\\x00\\xe4\\xb8b\\n')\nprint('c')", printed="a\ufffd\0\ufffdb\nc\n"),
    Case(name="a character in three pieces", code="import os, time\nfor byte in '中'.encode():\n    os.write(1, bytes([byte]))\n    time.sleep(0.05)", printed="中"),
    Case(name="lone surrogates", code="print('\\ud800\\udfff')", printed="\\ud800\\udfff\n"),
    Case(name="prints after closing its output", code="import os\nos.close(1)\nprint('lost')\nos.close(2)", printed="", fault="OSError"),
    Case(name="endless recursion", code="def f(): return f()\nf()\nprint('on')", fault="RecursionError", printed="on\n"),
    Case(name="endless recursion through a class", code="class A:\n    def __getattr__(self, name): return getattr(self, name)\nA().x\nprint('on')", fault="RecursionError", printed="on\n"),
    Case(name="nesting beyond the parser", code="eval('(' * 10 ** 5)\nprint('on')", fault="SyntaxError", printed="on\n"),
    Case(name="depth beyond the compiler", code="eval('-' * 10 ** 5 + '1')\nprint('on')", steps="raised finished", printed="on\n"),
    Case(name="a constant too big to fold", code="eval('\"x\" * 10 ** 15')\nprint('on')", fate=Fate.OUT_OF_MEMORY, fault="MemoryError"),
    Case(name="an integer too long to print", code="print(10 ** 5000)", fault="ValueError"),
    Case(name="a bomb of references", code="a = 'x' * 1000\nfor _ in range(60): a = [a] * 10\nlen(str(a))", fate=Fate.OUT_OF_MEMORY, limits=MEMORY | {"wall_seconds": 20.0}),
    Case(name="a compressed bomb", code="import zlib\ndata = bytes(1 << 20)\nbomb = zlib.compress(zlib.compress(data * 64, 9), 9)\nhog = [zlib.decompress(zlib.decompress(bomb)) for _ in range(64)]", fate=Fate.OUT_OF_MEMORY, limits=MEMORY),
    Case(name="a pickle that asks for too much", code="import pickle\npickle.loads(b'\\x80\\x04\\x8e' + (1 << 45).to_bytes(8, 'little'))", fate=Fate.OUT_OF_MEMORY, fault="MemoryError"),
    Case(name="many figures", code="import matplotlib.pyplot as plt\nfor n in range(30): plt.figure(figsize=(1, 1), dpi=20)\nplt.show()", steps="finished finished finished"),
    Case(name="a huge figure", code="import matplotlib.pyplot as plt\nplt.figure(figsize=(500, 500))\nplt.show()", limits={"wall_seconds": 20.0}),
)  # fmt: skip


def test_resources(attack, case: Case) -> None:
    outcome = attack(case)
    assert outcome.peak_memory < 4 * outcome.limits.memory
