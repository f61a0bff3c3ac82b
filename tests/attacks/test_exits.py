"""Class B: programs that leave, crash or claim success by the way they end."""

from __future__ import annotations

import pytest
from attacks.case import Case

from verifier.model import Fate

pytestmark = pytest.mark.sandbox


def leaves(name: str, code: str, detail: str, *, fate: Fate = Fate.EXITS_EARLY, **more) -> Case:
    """A program that ends in its second statement; the third is not reached and nothing is a success."""
    more.setdefault("printed", "before\n")
    return Case(name=name, code=f"print('before')\n{code}\nprint('after')", fate=fate, detail=f"^{detail}$", **more)


def dies(name: str, code: str, signal: str, **more) -> Case:
    return leaves(name, code, signal, fate=Fate.CRASHED, **more)


def told(name: str, code: str, fault: str, **more) -> Case:
    """A program whose odd exception is described and whose next statement runs all the same."""
    return Case(name=name, code=f"{code}\nprint('after')", fault=fault, printed=more.pop("printed", "after\n"), **more)


CASES = (
    *(leaves(f"os._exit({n})", f"import os; os._exit({n})", f"exit status {n}", ordinary=n == 0) for n in (0, 1, 96, 97, 124, 137)),
    leaves("posix._exit", "import posix; posix._exit(0)", "exit status 0"),
    leaves("exit of libc", "import ctypes; ctypes.CDLL(None)._exit(0)", "exit status 0"),
    leaves("exit_group by number", "import ctypes, os; ctypes.CDLL(None).syscall(94 if os.uname().machine == 'aarch64' else 231, 0)", "exit status 0"),
    leaves("sys.exit()", "import sys; sys.exit()", r"sys.exit\(\)", steps="finished finished raised not-reached", ordinary=True),
    leaves("sys.exit('text')", "import sys; sys.exit('all tests passed')", r"sys.exit\('all tests passed'\)"),
    leaves("quit()", "quit()", r"sys.exit\(\)"),
    leaves("SystemExit subclass", "class E(SystemExit): pass\nraise E(0)", r"sys.exit\(0\)"),
    leaves("exit code with hostile repr", "class C:\n    def __repr__(self): raise ValueError\nraise SystemExit(C())", r"sys.exit\(.*ValueError.*\)"),
    leaves("exit out of a deep stack", "def f(n): f(n - 1) if n else exit(3)\nf(500)", r"sys.exit\(3\)"),
    leaves("KeyboardInterrupt", "raise KeyboardInterrupt", "KeyboardInterrupt"),
    leaves("interrupts itself", "import os, time\nos.kill(os.getpid(), 2); time.sleep(5)", "KeyboardInterrupt"),
    leaves("becomes another program", "import os; os.execv('/bin/true', ['true'])", "exit status 0", ordinary=True),
    leaves("becomes a failing program", "import os; os.execv('/bin/false', ['false'])", "exit status 1"),
    leaves("becomes a new Python", "import os, sys; os.execv(sys.executable, ['python', '-c', 'print(7)'])", "exit status 0", printed="before\n7\n"),
    leaves("the child goes on, the parent leaves", "import os, time\nif os.fork(): os._exit(0)\ntime.sleep(0.1)\nprint('child')", "exit status 0", printed=None, prints="^before\n"),
    leaves("leaves from a thread", "import os, threading, time\nthreading.Thread(target=os._exit, args=(0,)).start()\ntime.sleep(5)", "exit status 0"),
    leaves("leaves in a destructor", "import os\nclass D:\n    def __del__(self): os._exit(0)\nd = D()\ndel d", "exit status 0"),
    leaves("leaves while its error is described", "import os\nclass E(Exception):\n    def __str__(self): os._exit(0)\nraise E", "exit status 0"),
    leaves("leaves in a signal handler", "import os, signal, time\nsignal.signal(signal.SIGALRM, lambda *a: os._exit(0))\nsignal.setitimer(signal.ITIMER_REAL, 0.05)\ntime.sleep(5)", "exit status 0"),
    dies("abort", "import os; os.abort()", "SIGABRT", ordinary=True),
    *(dies(f"kills itself with {name}", f"import os, signal, time\nos.kill(os.getpid(), signal.{name}); time.sleep(5)", name, ordinary=name == "SIGKILL")
      for name in ("SIGKILL", "SIGTERM", "SIGSEGV", "SIGBUS", "SIGUSR1", "SIGHUP", "SIGQUIT")),
    dies("a real-time signal", "import os, time\nos.kill(os.getpid(), 60); time.sleep(5)", "signal 60"),
    dies("null pointer", "import ctypes; ctypes.string_at(0)", "SIGSEGV", ordinary=True),
    dies("write to read-only memory", "import ctypes; ctypes.memset(id(type) & ~0xFFF | 1, 0, 1 << 30)", "SIGSEGV|SIGBUS"),
    dies("faulthandler's own crash", "import faulthandler; faulthandler._sigsegv()", "SIGSEGV"),
    dies("division in C", "import faulthandler; faulthandler._sigfpe()", "SIGFPE"),
    dies("fatal error of the interpreter", "import faulthandler; faulthandler._fatal_error_c_thread() if hasattr(faulthandler, '_fatal_error_c_thread') else faulthandler._sigabrt()\nimport time; time.sleep(5)", "SIGABRT"),
    dies("the C stack is used up", "import sys\nsys.setrecursionlimit(10 ** 9)\nx = []\nfor _ in range(10 ** 6): x = [x]\nrepr(x)", "SIGSEGV"),
    dies("kills its process group", "import os; os.kill(0, 9)", "SIGKILL"),
    dies("dies from a thread", "import os, threading, time\nthreading.Thread(target=os.abort).start()\ntime.sleep(5)", "SIGABRT"),
    told("base exception of its own", "class E(BaseException): pass\nraise E('m')", "__main__.E", message="^m$"),
    told("GeneratorExit", "raise GeneratorExit", "GeneratorExit"),
    told("StopIteration", "raise StopIteration(3)", "StopIteration"),
    told("a group of exceptions", "raise ExceptionGroup('two', [ValueError('a'), TypeError('b')])", "ExceptionGroup", message="two"),
    told("text of an error raises", "class E(Exception):\n    def __str__(self): raise SystemExit(0)\n    __repr__ = __str__\nraise E", "__main__.E", ordinary=True),
    told("text of an error is no text", "class E(Exception):\n    def __str__(self): return 7\nraise E", "__main__.E"),
    told("text of an error prints", "class E(Exception):\n    def __str__(self):\n        print('printed')\n        return 'm'\nraise E", "__main__.E", printed=None, prints="after\n$", message="^m$"),
    told("text of an error is huge", "class E(Exception):\n    def __str__(self): return 'x' * (100 << 20)\nraise E", "__main__.E", message="^x{4096}"),
    told("a million lines of message", "raise ValueError('\\n' * 10 ** 6)", "ValueError"),
    told("class of an error lies", "class E(Exception):\n    __class__ = SystemExit\nraise E", "__main__.E"),
    told("class of an error has a hostile name", "E = type('\\x1b[2J::error::', (Exception,), {})\nraise E", "__main__.\x1b[2J::error::"),
    told("traceback of an error raises", "class E(Exception):\n    @property\n    def __traceback__(self): raise ValueError\nraise E", "__main__.E"),
    told("traceback of an error is endless", "class T:\n    pass\nT.tb_next = T.tb_frame = T.f_code = T\nclass E(Exception):\n    __traceback__ = T\nraise E", "__main__.E", steps="finished finished finished raised finished"),
    told("method resolution of an error raises", "class M(type):\n    def mro(cls): return [cls, Exception, BaseException, object]\nclass E(Exception, metaclass=M): pass\nM.mro = None\nraise E", "__main__.E"),
    told("module of an error is no text", "class E(Exception): pass\nE.__module__ = 7\nraise E", "E"),
    told("number of an error raises", "class E(BlockingIOError):\n    @property\n    def errno(self): raise SystemExit(0)\nraise E(11, 'x')", "__main__.E"),
    told("AutoGraph's data on an error raise", "class E(Exception):\n    @property\n    def ag_error_metadata(self): raise SystemExit(0)\nraise E", "__main__.E"),
)  # fmt: skip


def test_exits(attack, case: Case) -> None:
    attack(case)
