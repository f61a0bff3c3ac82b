"""How sessions end that do not end well. Every fate has evidence from outside the session."""

from __future__ import annotations

import time

import pytest

pytestmark = pytest.mark.sandbox

FIRST = "print('before')\n"


class TestEndings:
    @pytest.mark.parametrize(
        ("code", "detail"),
        [
            ("import os; os._exit(0)", "exit status 0"),
            ("import os; os._exit(7)", "exit status 7"),
            ("import posix; posix._exit(0)", "exit status 0"),
            ("import os; os.execv('/bin/true', ['true'])", "exit status 0"),
            ("import sys; sys.exit(0)", "sys.exit(0)"),
            ("raise SystemExit('bye')", "sys.exit('bye')"),
            ("exit()", "sys.exit()"),
            ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ],
    )
    def test_leaving_early_is_no_success(self, run, code: str, detail: str) -> None:
        ran = run(FIRST + code + "\nprint('after')")
        assert (ran.fate, ran.detail) == ("exits-early", detail)
        assert ran.last.fate == "not-reached"
        assert ran.printed == "before\n"

    @pytest.mark.parametrize(
        ("code", "signal"),
        [
            ("import os; os.abort()", "SIGABRT"),
            ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
            ("import os; os.kill(os.getpid(), 15)", "SIGTERM"),
            ("import os; os.kill(os.getpid(), 9)", "SIGKILL"),
        ],
    )
    def test_crashes_carry_the_name_of_their_signal(self, run, code: str, signal: str) -> None:
        ran = run(FIRST + code + "\nprint('after')")
        assert (ran.fate, ran.detail) == ("crashed", signal)
        assert ran.steps[0].fate == "finished"

    @pytest.mark.parametrize(
        "code",
        [
            "while True: pass",
            "import signal, time\nfor n in range(1, 30):\n    try: signal.signal(n, signal.SIG_IGN)\n    except OSError: pass\ntime.sleep(60)",
            "import re; re.match(r'(a+)+$', 'a' * 60 + 'b')",
            "try:\n    while True: pass\nexcept BaseException: pass",
        ],
    )
    def test_what_does_not_end_is_ended(self, run, code: str) -> None:
        began = time.monotonic()
        ran = run(FIRST + code, wall_seconds=1.0)
        assert ran.fate == "timeout"
        assert ran.printed == "before\n"
        assert time.monotonic() - began < 8

    def test_the_next_session_is_not_disturbed(self, run) -> None:
        run("while True: pass", wall_seconds=0.5)
        assert run("print(1)").fate == "finished"


class TestResources:
    @pytest.mark.parametrize(
        "code",
        [
            "hog = []\nwhile True: hog.append(bytearray(10_000_000))",
            "import mmap\nhog = []\nwhile True:\n    m = mmap.mmap(-1, 50_000_000)\n    m.write(b'x' * 50_000_000)\n    hog.append(m)",
            "import numpy as np\nhog = np.ones((200_000, 200_000))",
        ],
    )
    def test_memory(self, run, code: str) -> None:
        ran = run(FIRST + code, memory=400 << 20)
        assert ran.fate == "out-of-memory"
        assert run("print(1)").fate == "finished"

    def test_a_child_that_takes_all_memory(self, run) -> None:
        code = "import os\nif os.fork() == 0:\n    hog = []\n    while True: hog.append(bytearray(10_000_000))\nos.wait()\nprint('over')"
        assert run(code, memory=300 << 20).fate in ("out-of-memory", "finished")
        assert run("print(1)").fate == "finished"

    def test_processes(self, run) -> None:
        ran = run("import os\nwhile True: os.fork()", processes=24, wall_seconds=10.0)
        assert ran.fate == "process-limit"
        assert run("print(1)").fate == "finished"

    def test_scratch(self, run) -> None:
        ran = run("with open('big', 'wb') as f:\n    for _ in range(40): f.write(bytes(1 << 20))", scratch=8 << 20)
        assert ran.fate == "disk-limit"

    def test_much_output_is_kept_as_head_and_tail(self, run) -> None:
        ran = run("print('first')\nfor i in range(8000): print('x' * 20)\nprint('last')", output=20_000)
        assert ran.fate == "finished"
        assert ran.outcome.truncated
        assert ran.printed.startswith("first\n")
        assert ran.printed.endswith("last\n")
        assert "bytes left out" in ran.printed
        assert len(ran.printed) < 21_000
        assert ran.last.stdout == "last\n"

    def test_endless_output_is_ended(self, run) -> None:
        began = time.monotonic()
        ran = run(FIRST + "while True: print('y' * 1000)", output=100_000)
        assert ran.fate == "output-limit"
        assert ran.printed.startswith("before\n")
        assert time.monotonic() - began < 20


class TestForgery:
    def test_writing_to_every_descriptor_is_noticed(self, run) -> None:
        code = "import os\nfor fd in range(3, 1100):\n    try: os.write(fd, b'\\0\\0\\0\\2{}')\n    except OSError: pass\nprint('x')"
        assert run(code).fate == "tampered"

    def test_a_forged_end_is_noticed(self, run) -> None:
        forged = '{"what":"finished","token":"0123","ended":""}'
        code = f"import os, struct\ndata = {forged!r}.encode()\nfor fd in range(3, 1100):\n    try: os.write(fd, struct.pack('!I', len(data)) + data)\n    except OSError: pass\nos._exit(0)"
        assert run(code).fate == "tampered"

    def test_closing_the_channel_is_noticed(self, run) -> None:
        assert run("import os\nos.closerange(3, 2000)\nprint(1)").fate == "tampered"

    def test_output_cannot_pass_for_a_report(self, run) -> None:
        ran = run('print(\'{"what":"finished"}\')\nraise ValueError')
        assert ran.last.fate == "raised"

    def test_a_forked_child_does_not_speak_for_the_session(self, run) -> None:
        ran = run(
            "import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)\nprint('parent' if pid else 'child')\nprint('end')"
        )
        assert ran.fate == "finished"
        assert ran.printed.split() == ["child", "end", "parent", "end"]

    def test_replacing_builtins_breaks_only_the_session(self, run) -> None:
        ran = run("import builtins, json, os\nbuiltins.len = None\njson.dumps = None\nprint('x')")
        assert ran.fate in ("tampered", "finished")
        assert run("print(len('abc'))").printed == "3\n"

    def test_a_daemon_left_behind_is_gone_and_does_not_hold_up(self, run) -> None:
        began = time.monotonic()
        ran = run(
            "import subprocess\nsubprocess.Popen('setsid sleep 50 & setsid sleep 51', shell=True, start_new_session=True)\nprint('done')"
        )
        assert ran.fate == "finished"
        assert time.monotonic() - began < 10
