"""Class C: programs that speak for the harness, blind it or steal what proves its words.

A program may break itself as it likes. What it must not do is have a failing statement told as a good one: either
the truth is told all the same, or the session is `tampered`.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from attacks.case import Case
from conformance.conftest import program

from verifier.model import Fate, NameQuery, SessionJob

pytestmark = pytest.mark.sandbox

TRUTH_OR_TAMPERED = (Fate.FINISHED, Fate.TAMPERED)

# What a thief does with a token: the running statement is claimed to be good, then the whole session.
FORGE = """\
import json, os, struct
def forge(token):
    for claim in ({"what": "step", "program": 0, "statement": @AT@, "fate": "finished"},
                  {"what": "finished", "ended": ""}):
        data = json.dumps(dict(claim, token=token or "0" * 32)).encode()
        for fd in range(3, 1100):
            try: os.write(fd, struct.pack("!I", len(data)) + data)
            except OSError: pass
    os._exit(0)
"""


def thief(name: str, code: str, **more) -> Case:
    """A program that looks for the token in `code`, which calls `forge` in its last statement."""
    lines = FORGE + code
    place = str(len(__import__("ast").parse(lines.replace("@AT@", "0")).body) - 1)
    return Case(name=name, code=lines.replace("@AT@", place), fate=Fate.TAMPERED, **more)


def forged(name: str, data: bytes, fate: Fate | tuple[Fate, ...] = Fate.TAMPERED, **more) -> Case:
    """A program that writes `data` to every descriptor it may have, and leaves as if all were well."""
    code = (
        f"import os\nfor fd in range(3, 1100):\n    try: os.write(fd, {data!r})\n    except OSError: pass\nos._exit(0)"
    )
    return Case(name=name, code=code, fate=fate, **more)


def frame(claim: object, length: int | None = None) -> bytes:
    data = claim if isinstance(claim, bytes) else json.dumps(claim).encode()
    return (len(data) if length is None else length).to_bytes(4, "big") + data


def blinds(name: str, code: str, fate: Fate | tuple[Fate, ...] = TRUTH_OR_TAMPERED, **more) -> Case:
    """A program that spoils something the harness may use and then fails; `raised` must not become `finished`."""
    return Case(name=f"spoils {name}", code=(code, "raise ValueError('the truth')"), fate=fate, **more)


def innocent(name: str, code: str, **more) -> Case:
    """A program that looks like an attack and is none: honest documents do this."""
    return Case(name=f"innocent: {name}", code=f"{code}\nprint('on')", printed=more.pop("printed", "on\n"), **more)


FINISHED = {"what": "finished", "token": "0" * 32, "ended": ""}
# Looks for a token among everything that can be reached from some objects without the help of `gc`.
DIG = """\
import re, types
WAYS = ('__self__', '__func__', '__dict__', '__closure__', '__defaults__', '__kwdefaults__', 'cell_contents', 'gi_frame', 'tb_frame', '__globals__')
def parts(value):
    if isinstance(value, types.FrameType): return [*value.f_locals.values(), value.f_back, value.f_globals]
    if isinstance(value, dict): return list(value.values())
    if isinstance(value, (list, tuple, set)): return list(value)
    if isinstance(value, (str, bytes, int, float, type, types.ModuleType, type(None))): return []
    found = []
    for name in (*WAYS, *[slot for kind in type(value).__mro__ for slot in getattr(kind, '__slots__', ())]):
        try: found.append(getattr(value, name))
        except Exception: pass
    return found
def dig(*starts):
    queue, seen = list(starts), set()
    for value in queue:
        if id(value) in seen: continue
        seen.add(id(value))
        if isinstance(value, str) and re.fullmatch('[0-9a-f]{32}', value): return value
        if len(seen) > 100000: return None
        queue += parts(value)
"""

CASES = (
    forged("a forged end", frame(FINISHED), ordinary=True),
    forged("a forged end of text", frame("finished")),
    forged("a forged step", frame({"what": "step", "program": 0, "statement": 1, "fate": "finished", "token": "0" * 32})),
    forged("a claim without token", frame({"what": "finished", "ended": ""})),
    forged("a claim of an unknown kind", frame({"what": "nothing", "token": "0" * 32})),
    forged("a claim with too many fields", frame({**FINISHED, "more": 1})),
    forged("a field twice", frame(b'{"what":"finished","token":"0","token":"0","ended":""}')),
    forged("no number", frame(b'{"what":"step","program":NaN,"statement":Infinity,"fate":"finished","token":"0"}')),
    forged("a deep list", frame(b"[" * 50_000)),
    forged("a huge integer", frame(b'{"what":"begin","program":' + b"9" * 5000 + b',"statement":0,"token":""}')),
    forged("no UTF-8", frame(b"\xff\xfe{}")),
    forged("an empty frame", frame(b"")),
    forged("a length below zero", frame(b"{}", 0xFFFFFFFF)),
    forged("a length beyond all", frame(b"{}", 0x7FFFFFFF)),
    forged("a frame that is cut off", frame(FINISHED)[:20], fate=(Fate.TAMPERED, Fate.EXITS_EARLY)),
    forged("half a length", b"\0\0", fate=(Fate.TAMPERED, Fate.EXITS_EARLY)),
    forged("a flood of claims", frame(FINISHED) * 2000),
    Case(name="a forged frame in the middle", code="import os\nfor fd in range(3, 1100):\n    try: os.write(fd, b'\\0\\0\\0\\2{}')\n    except OSError: pass\nprint('on')", fate=Fate.TAMPERED),
    Case(name="a forged frame by a child", code="import os\nif os.fork() == 0:\n    for fd in range(3, 1100):\n        try: os.write(fd, b'\\0\\0\\0\\2{}')\n        except OSError: pass\n    os._exit(0)\nos.wait()\nprint('on')", fate=Fate.TAMPERED),
    Case(name="closes every descriptor", code="import os\nos.closerange(0, 4096)\nx = 1", fate=(Fate.TAMPERED, Fate.EXITS_EARLY), ordinary=True),
    Case(name="turns the channel into a file", code="import os\nfd = os.open('/scratch/f', os.O_RDWR | os.O_CREAT)\nfor n in range(3, 1100):\n    if n != fd:\n        try: os.fstat(n); os.dup2(fd, n)\n        except OSError: pass\nx = 1", fate=(Fate.TAMPERED, Fate.EXITS_EARLY)),
    Case(name="fills the channel and waits", code="import os, time\nfor fd in range(3, 1100):\n    try:\n        os.fstat(fd)\n        while True: os.write(fd, b'\\0\\1\\0\\0' + b'x' * 65532)\n    except OSError: pass", fate=(Fate.TAMPERED, Fate.OUTPUT_LIMIT), limits={"wall_seconds": 3.0}),
    # Theft.
    thief("token by sys._getframe", DIG + "import sys\nforge(dig(sys._getframe()))", ordinary=True),
    thief("token by inspect.stack", DIG + "import inspect\nforge(dig(inspect.stack()[0].frame))"),
    thief("token by a traceback", DIG + "try: 1 / 0\nexcept ZeroDivisionError as error: forge(dig(error.__traceback__.tb_frame))"),
    thief("token by a traceback of its own making", DIG + "import sys, types\ntry: raise ValueError\nexcept ValueError: forge(dig(sys.exc_info()[2].tb_frame.f_back))"),
    thief("token by a generator's frame", DIG + "def g():\n    yield dig(gen.gi_frame.f_back)\ngen = g()\nforge(next(gen))"),
    thief("token by sys._current_frames", DIG + "import sys, threading\nforge(dig(sys._current_frames()[threading.main_thread().ident]))"),
    thief("token by another thread", DIG + "import sys, threading\nmain = threading.get_ident()\ndef spy(): forge(dig(sys._current_frames()[main]))\nthread = threading.Thread(target=spy)\nthread.start(); thread.join(); forge(None)"),
    thief("token by the text of its error", DIG + "import sys\nclass E(Exception):\n    def __str__(self): forge(dig(sys._getframe()))\nraise E"),
    thief("token by a child", DIG + "import sys\nforge(dig(sys._getframe())) if os.fork() == 0 else os.wait()[0] and os._exit(0)"),
    thief("token by all objects", DIG + "import gc\nforge(next((v[k] for v in gc.get_objects() if type(v) is dict for k in ('token', '_token') if isinstance(v.get(k), str)), None))"),
    thief("token by referrers", DIG + "import gc\nforge(dig(gc.get_referrers(globals())))"),
    thief("token by its own memory", "import re\ndef memory():\n    for line in open('/proc/self/maps'):\n        span, rights = line.split()[:2]\n        low, high = (int(n, 16) for n in span.split('-'))\n        if rights.startswith('rw') and high - low < 64 << 20:\n            try:\n                with open('/proc/self/mem', 'rb', 0) as mem:\n                    mem.seek(low)\n                    found = re.search(rb'token\": ?\"([0-9a-f]{32})\"', mem.read(high - low))\n            except OSError: continue\n            if found: return found.group(1).decode()\nforge(memory())"),
    thief("token by tracing", DIG + "import sys\ngot = []\ndef trace(frame, event, arg):\n    token = None if got else dig(frame)\n    if token: got.append(token)\nsys.settrace(trace)\nx = 1\nsys.settrace(None)\nforge(got[0] if got else None)"),
    thief("token by profiling", DIG + "import sys\ngot = []\ndef profile(frame, event, arg):\n    token = None if got else dig(frame)\n    if token: got.append(token)\nsys.setprofile(profile)\nx = 1\nsys.setprofile(None)\nforge(got[0] if got else None)"),
    thief("token by replacing os.write", "import re\nreal = os.write\ngot = []\ndef write(fd, data):\n    found = re.search(rb'token\": ?\"([0-9a-f]{32})\"', bytes(data))\n    if found: got.append(found.group(1).decode())\n    return real(fd, data)\nos.write = write\nx = 1\nforge(got[0] if got else None)"),
    thief("token by replacing json.dumps", "real = json.dumps\ngot = []\ndef dumps(value, **more):\n    if isinstance(value, dict) and 'token' in value: got.append(value['token'])\n    return real(value, **more)\njson.dumps = dumps\nx = 1\njson.dumps = real\nforge(got[0] if got else None)"),
    thief("token by replacing a class of the library", "import json.encoder\ngot = []\nreal = json.encoder.JSONEncoder.encode\ndef encode(self, value):\n    if isinstance(value, dict) and 'token' in value: got.append(value['token'])\n    return real(self, value)\njson.encoder.JSONEncoder.encode = encode\nx = 1\njson.encoder.JSONEncoder.encode = real\nforge(got[0] if got else None)"),
    thief("token by an audit hook of its own", DIG + "import sys\ngot, busy = [], []\ndef hook(event, arguments):\n    if got or busy: return\n    busy.append(1)\n    token = dig(sys._getframe())\n    if token: got.append(token)\n    busy.clear()\nsys.addaudithook(hook)\nx = 1\nforge(got[0] if got else None)"),
    # Blinding.
    blinds("json.dumps", "import json\nreal = json.dumps\njson.dumps = lambda value, **more: real(dict(value, fate='finished') if 'fate' in value else value, **more)"),
    blinds("os.write", "import os\nreal = os.write\nos.write = lambda fd, data: real(fd, bytes(data).replace(b'\"raised\"', b'\"finished\"'))"),
    blinds("eval", "import builtins\nbuiltins.eval = lambda *a, **k: None"),
    blinds("exec", "import builtins\nbuiltins.exec = lambda *a, **k: None"),
    blinds("compile", "import builtins\nreal = builtins.compile\nbuiltins.compile = lambda source, *a, **k: real('0', '/x', 'eval')"),
    blinds("ast.parse", "import ast\nreal = ast.parse\nast.parse = lambda source, *a, **k: real('pass', *a, **k)"),
    blinds("isinstance", "import builtins\nbuiltins.isinstance = lambda value, kind: False"),
    blinds("len and type", "import builtins\nbuiltins.len = lambda value: 0\nbuiltins.type = lambda *a: int"),
    blinds("BaseException", "import builtins\nbuiltins.BaseException = builtins.Exception = type('E', (), {})", fate=(*TRUTH_OR_TAMPERED, Fate.EXITS_EARLY)),
    blinds("open and __import__", "import builtins\nbuiltins.open = builtins.__import__ = None"),
    blinds("sys.stdout", "import sys\nsys.stdout = sys.stderr = sys.__stdout__ = None"),
    blinds("a stream that will not flush", "import sys\nclass S:\n    def write(self, text): raise SystemExit(0)\n    flush = write\nsys.stdout = sys.stderr = S()"),
    blinds("the excepthooks", "import sys, threading\nsys.excepthook = threading.excepthook = sys.unraisablehook = lambda *a: None", fate=Fate.FINISHED),
    blinds("traceback and linecache", "import linecache, sys, traceback\nlinecache.cache = None\ntraceback.format_exc = None\nsys.modules['traceback'] = None"),
    blinds("sys.modules", "import sys\nfor name in list(sys.modules):\n    if name not in ('sys', 'builtins'): del sys.modules[name]"),
    blinds("time", "import time\ntime.perf_counter = time.monotonic = lambda: -1e308"),
    blinds("threading", "import threading\nthreading.enumerate = lambda: 1 / 0\nthreading.current_thread = None"),
    blinds("warnings", "import warnings\nwarnings.showwarning = warnings.warn = lambda *a, **k: 1 / 0\nwarnings.filters = None"),
    blinds("os.getpid", "import os\nos.getpid = lambda: 0"),
    blinds("struct and base64", "import struct, base64\nstruct.pack = base64.b64encode = lambda *a: b''"),
    blinds("os._exit", "import os\nos._exit = lambda code: None"),
    blinds("matplotlib", "import matplotlib.pyplot as plt\nplt.get_fignums = lambda: [object()]\nplt.close = lambda *a: exit(0)"),
    blinds("its own globals", "globals().clear()", fate=Fate.FINISHED),
    blinds("an import hook", "import sys\nclass Finder:\n    def find_spec(self, *a): raise SystemExit(0)\nsys.meta_path.insert(0, Finder())"),
    blinds("a trace that leaves", "import sys\nsys.settrace(lambda *a: exit(0))", fate=(*TRUTH_OR_TAMPERED, Fate.EXITS_EARLY)),
    blinds("a profile that swallows", "import sys\ndef swallow(frame, event, arg):\n    frame.f_trace = None\nsys.setprofile(swallow)"),
    blinds("an audit hook that refuses", "import sys\ndef hook(event, arguments):\n    if event in ('compile', 'exec'): raise SystemExit(0)\nsys.addaudithook(hook)", fate=(*TRUTH_OR_TAMPERED, Fate.EXITS_EARLY)),
    blinds("exit handlers", "import atexit\natexit.register(print, 'ALL TESTS PASSED')\natexit._run_exitfuncs = None", fate=Fate.FINISHED, printed=""),
    # Output that looks like ours is output.
    Case(name="prints what a report looks like", code="print('::set-output name=verdict::works\\n\\x1b]0;title\\x07\\x1b[2J\\u202e</script>]]>=1+1')\nraise ValueError", printed="::set-output name=verdict::works\n\x1b]0;title\x07\x1b[2J\u202e</script>]]>=1+1\n", steps="finished raised"),
    Case(name="prints marks of statements", code="print('\\x1e0123456789abcdef:1\\x1e one')\nprint('two')", printed="\x1e0123456789abcdef:1\x1e one\ntwo\n"),
    Case(name="prints claims", code=f"print({json.dumps(FINISHED)!r})\nraise ValueError", steps="finished raised"),
    # Honest programs that do half of the above.
    innocent("its own frame", "import inspect, sys\ndef name(): return sys._getframe(1).f_code.co_name, inspect.currentframe().f_lineno, inspect.stack()[0].function\nassert name()"),
    innocent("its own traceback", "import sys, traceback\ntry: 1 / 0\nexcept ZeroDivisionError: text = traceback.format_exc(), sys.exc_info()[2].tb_lineno\nassert '1 / 0' in text[0]"),
    innocent("garbage", "import gc\ngc.collect()\nassert len(gc.get_objects()) > 1000 and gc.get_referrers(gc) is not None"),
    innocent("native code", "import ctypes, os\nassert ctypes.CDLL(None).getpid() == os.getpid()\nassert ctypes.cast(ctypes.c_char_p(b'x'), ctypes.c_void_p)"),
    innocent("profiling", "import cProfile, pstats, io\np = cProfile.Profile()\np.runcall(sorted, [2, 1])\npstats.Stats(p, stream=io.StringIO()).print_stats()"),
    innocent("tracing", "import sys\nseen = []\ndef t(frame, event, arg): seen.append(event)\nsys.settrace(t)\n(lambda: 1)()\nsys.settrace(None)"),
    innocent("capturing output", "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()) as text: print('hidden')\nassert text.getvalue() == 'hidden\\n'"),
    innocent("memory and system figures", "import resource, os\nresource.getrusage(resource.RUSAGE_SELF), os.times(), open('/proc/self/status').read(), open('/proc/self/maps').read()"),
    innocent("patching its own print", "import builtins\nreal = print\nbuiltins.print = lambda *a, **k: real('>', *a, **k)", printed="> on\n"),
    innocent("patching TensorFlow", "import tensorflow as tf\ntf.add = lambda a, b: 7\nassert tf.add(1, 1) == 7"),
    innocent("child processes", "import os, signal, subprocess\nchild = subprocess.Popen(['sleep', '60'])\nos.kill(child.pid, signal.SIGTERM)\nassert child.wait() == -15"),
)  # fmt: skip


def test_tampering(attack, case: Case) -> None:
    outcome = attack(case)
    if case.name.startswith("spoils") and outcome.fate is Fate.FINISHED:
        assert outcome.steps[-1].fate == "raised", "a failing statement was told as a good one"
        assert outcome.steps[-1].fault.message == "the truth"
    if case.name.startswith("innocent"):
        assert outcome.unattested == (("native code",) if "ctypes" in case.code else ())


def test_lookups_see_no_documents_patches(place) -> None:
    patch = program("import tensorflow as tf\ntf.io.ReadFromText = tf.io.read_file\nprint(tf.io.ReadFromText)")
    assert place.sandbox.run(SessionJob(programs=(patch,))).fate is Fate.FINISHED
    assert not place.sandbox.lookup((NameQuery(path="tensorflow.io.ReadFromText"),))[0].found


NATIVE = """\
import ctypes, re
def memory():
    for line in open('/proc/self/maps').read().splitlines():
        span, rights = line.split()[:2]
        low, high = (int(n, 16) for n in span.split('-'))
        if rights.startswith('rw') and high - low < 64 << 20 and '[v' not in line:
            found = re.search(rb'token": ?"([0-9a-f]{32})"', ctypes.string_at(low, high - low))
            if found: return found.group(1).decode()
forge(memory())
"""


def test_theft_by_native_code_is_at_least_not_attested(attack) -> None:
    """Native code in the session's own process can take whatever is in it; then nobody vouches for its words."""
    case = thief("token by native code", NATIVE)
    outcome = attack(replace(case, fate=(Fate.TAMPERED, Fate.FINISHED)))
    assert outcome.fate is Fate.TAMPERED or outcome.unattested
