"""What the sandbox refused is told as such; what a session reached for is told, and is a reproach only when it is one."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.sandbox


class TestRefusals:
    @pytest.mark.parametrize(
        ("code", "refused"),
        [
            ("import socket\nsocket.create_connection(('1.1.1.1', 80))", "network"),
            ("import socket\nsocket.getaddrinfo('example.com', 80)", "network"),
            ("import urllib.request\nurllib.request.urlopen('http://example.com')", "network"),
            ("try: __import__('urllib.request').request.urlopen('http://1.1.1.1')\nexcept OSError as e: raise RuntimeError('no data') from e", "network"),
            ("import tensorflow as tf\ntf.keras.utils.get_file('x', 'http://1.1.1.1/x')", "network"),
            ("open('/usr/out.txt', 'w')", "file"),
            ("import os\nos.makedirs('/data/out')", "file"),
            ("import tensorflow as tf\ntf.io.write_file('/data/x', b'')", "file"),
            ("import tensorflow as tf\ntf.keras.Sequential([tf.keras.Input((1,))]).save('/m.keras')", "file"),
            ("import os\nos.chroot('/')", "syscall"),
            ("import socket\nsocket.socket(16, socket.SOCK_RAW)", "syscall"),
            ("import socket\nsocket.create_connection(('127.0.0.1', 9))", ""),
            ("import os\nopen('own', 'w').close()\nos.chmod('own', 0)\nopen('own')", ""),
            ("open('absent.csv')", ""),
            ("try: open('/usr/x', 'w')\nexcept OSError: pass\n[][1]", ""),
            ("raise PermissionError('mine')", ""),
        ],
    )  # fmt: skip
    def test_an_exception_says_what_the_sandbox_refused(self, run, code: str, refused: str) -> None:
        ran = run(code)
        assert ran.fate == "finished"
        assert ran.last.fault.refused == refused, ran.last.fault


class TestAttestation:
    @pytest.mark.parametrize(
        "code",
        [
            "import sys, inspect, traceback\nsys._getframe().f_back, inspect.stack(), inspect.currentframe(), traceback.extract_stack()",
            "import gc\ngc.collect(), gc.get_objects(), gc.get_referrers(gc), gc.get_referents([1])",
            "import sys\nsys.settrace(lambda *a: None)\nsys.setprofile(lambda *a: None)\nx = 1",
            "import logging\nlogging.warning('w')\nclass R:\n    def __repr__(self): return __import__('inspect').stack()[0].function\n\nprint(R())",
            "import numpy as np, pandas as pd, tensorflow as tf\nprint(pd.Series([1]).sum(), np.eye(2), tf.constant(1))",
            "import os\nheld = []\nfor n in range(5):\n    f = open('f', 'w')\n    held.append(open('g', 'w'))",
            "import warnings\nfor n in range(3): warnings.warn('w', stacklevel=9)",
            "import collections, dataclasses, enum\nT = collections.namedtuple('T', 'a')\nE = enum.Enum('E', 'x')\nD = dataclasses.make_dataclass('D', ['a'])",
            "import weakref\nclass A:\n    def __del__(self): __import__('sys')._getframe()\n\na = A()\nr = weakref.ref(a, lambda _: __import__('sys')._getframe())\ndel a",
        ],
    )
    def test_looking_at_oneself_is_no_matter(self, run, code: str) -> None:
        ran = run(code)
        assert (ran.fate, set(ran.fates), ran.outcome.unattested) == ("finished", {"finished"}, ())

    @pytest.mark.parametrize(
        ("code", "area"),
        [
            ("import ctypes\nctypes.CDLL(None).getpid()", "native code"),
            ("import gc\ngc.unfreeze()\ngc.get_objects()", "all objects"),
            ("import signal\nsignal.signal(signal.SIGALRM, lambda *a: None)", "signal handlers"),
            ("import sys, threading\nt = threading.Thread(target=sys._current_frames)\nt.start(), t.join()", "frames of all threads"),
        ],
    )  # fmt: skip
    def test_what_lowers_the_attestation_is_told_and_no_reproach(self, run, code: str, area: str) -> None:
        ran = run(code)
        assert (ran.fate, ran.outcome.unattested) == ("finished", (area,))

    @pytest.mark.parametrize(
        "code",
        [
            # The guest's functions are to be found by their frames; to change one is to be seen.
            "import sys\nf = sys._getframe()\nwhile f:\n    f.f_globals.get('__name__') == 'guest.stage' and f.f_globals.update(_run=lambda *a: None)\n    f = f.f_back\n\nraise ValueError",
            "for c in object.__subclasses__():\n    if c.__name__ == 'Stage': c.attempt = lambda *a: ({'fate': 'finished'}, '')\n\nraise ValueError",
            "for c in object.__subclasses__():\n    if c.__name__ == 'Stage': c.attempt.__code__ = (lambda *a: ({'fate': 'finished'}, '')).__code__\n\nraise ValueError",
            "import os\nfor fd in range(900, 910):\n    try: os.dup2(2, fd)\n    except OSError: pass\n\nraise ValueError",
        ],
    )
    def test_a_hand_on_what_watches_is_seen(self, run, code: str) -> None:
        assert run(code).fate == "tampered"

    def test_a_trace_function_sees_nothing_of_what_watches(self, run) -> None:
        ran = run(
            "import sys\nseen = set()\ndef look(frame, event, arg):\n    seen.add(frame.f_code.co_filename)\n    return look\n\n"
            "sys.settrace(look)\nx = sorted([2, 1])\nsys.settrace(None)\nprint([name for name in seen if '/guest/' in name])"
        )
        assert ran.printed == "[]\n"

    def test_a_handler_that_raises_between_two_statements_is_the_documents_own_end(self, run) -> None:
        code = "import signal\ndef late(*_): raise TimeoutError\n\nsignal.signal(signal.SIGALRM, late)\nsignal.setitimer(signal.ITIMER_REAL, 0.05)\n"
        ran = run(code + "x = 1\n" * 400)
        assert ran.fate in ("finished", "exits-early")
