"""Class I: names, links and kinds of files that a careless host or a later session would trip over.

Each is followed by a look at the host and by a session that must find its folders empty.
"""

from __future__ import annotations

import pytest
from attacks.case import Case

pytestmark = pytest.mark.sandbox

FIGURE = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\n"


def makes(name: str, code: str, **more) -> Case:
    return Case(name=name, code=f"import os\n{code}\nprint('made')", printed=more.pop("printed", "made\n"), **more)


CASES = (
    makes("names that are hard to print", "for name in ('new\\nline', '\\x1b[2J', '\\u202egnp.exe', 'x' * 255, ' ', '-rf', '*', '中' * 85, 'A', 'a'):\n    open(name, 'w').write('x')", ordinary=True),
    makes("names that are no text", "for name in (b'\\xff\\xfe', b'\\x01', b'a\\xc0\\xaf'):\n    open(name, 'w').write('x')"),
    makes("ways up", "for path in ('../@TRACE@', '../../@TRACE@', '/tmp/../@TRACE@', '/proc/self/root/@TRACE@', '/proc/self/cwd/../@TRACE@'):\n    try: open(path, 'w').write('x'); print(path)\n    except OSError: pass", ordinary=True),
    makes("links to the host", "for n, target in enumerate(('/etc/shadow', '@FILE@', '/proc/1/root', '/', '..', 'l0', '/dev/zero')):\n    for folder in ('/scratch', '/tmp', '/dev/shm'): os.symlink(target, f'{folder}/l{n}')", ordinary=True),
    makes("links in a circle", "os.symlink('b', 'a'); os.symlink('a', 'b'); os.mkdir('d'); os.symlink('..', 'd/up')\ntry: open('a')\nexcept OSError: pass"),
    makes("hard links to what it may not write", "for path in ('/etc/passwd', '/env/bin/python', os.__file__, '/code/p0.py'):\n    try: os.link(path, 'hard'); print(path)\n    except OSError: pass"),
    makes("special files", "import socket\nos.mkfifo('fifo')\nos.mkfifo('/tmp/figure.png')\nsocket.socket(socket.AF_UNIX).bind('sock')", ordinary=True),
    makes("a folder where a file is expected", "for name in ('matplotlib', 'figure.png', 'main.py', '.keras', '.cache'): os.makedirs('/tmp/' + name, exist_ok=True)"),
    makes("files nobody may read", "for mode in (0, 0o200, 0o7777):\n    fd = os.open(f'm{mode}', os.O_CREAT | os.O_WRONLY)\n    os.fchmod(fd, mode)\nos.mkdir('closed', 0)"),
    makes("a file without a name", "fd = os.open('/scratch', os.O_TMPFILE | os.O_RDWR, 0o600)\nos.write(fd, b'x')"),
    makes("its working folder taken away", "for action in (lambda: os.rmdir('/scratch'), lambda: os.rename('/scratch', '/tmp/gone'), lambda: os.unlink('/tmp'), lambda: os.rename('/tmp', '/scratch/tmp'), lambda: os.symlink('/etc', '/tmp')):\n    try: action(); print('gone')\n    except OSError: pass"),
    makes("a removed working folder", "os.mkdir('/scratch/d'); os.chdir('/scratch/d'); os.rmdir('/scratch/d')"),
    makes("the program's own file", "for action in (lambda: open(__file__, 'w'), lambda: os.unlink(__file__), lambda: os.rename(__file__, '/code/q.py'), lambda: os.symlink('/etc', '/code/l')):\n    try: action(); print('changed')\n    except OSError: pass", ordinary=True),
    makes("a module that shadows TensorFlow", "for name in ('tensorflow', 'numpy', 'os', 'json', 'subprocess', 'threading'):\n    for folder in ('/scratch', '/tmp', os.path.expanduser('~')):\n        open(f'{folder}/{name}.py', 'w').write('raise SystemExit(0)')", ordinary=True),
    makes("settings that Python runs at its start", "import sys\nhome = os.path.expanduser('~')\nfor folder in (f'{home}/.local/lib/python3.{sys.version_info[1]}/site-packages', f'{home}/.config/matplotlib', f'{home}/.keras', '/tmp/matplotlib'):\n    os.makedirs(folder, exist_ok=True)\n    for name in ('usercustomize.py', 'sitecustomize.py', 'x.pth', 'keras.json', 'matplotlibrc'): open(f'{folder}/{name}', 'w').write('import os; os._exit(0)')", ordinary=True),
    makes("compiled modules of the environment", "import glob, sys\nfor path in glob.glob(os.path.dirname(os.__file__) + '/__pycache__/json*')[:3] + ['/env/lib/x.pth']:\n    for action in (lambda: open(path, 'wb'), lambda: os.rename(path, path + 'x')):\n        try: action(); print(path)\n        except OSError: pass"),
    makes("variables for the next one", "for name in ('PYTHONSTARTUP', 'PYTHONPATH', 'LD_PRELOAD', 'BASH_ENV', 'MPLBACKEND', 'TF_XLA_FLAGS'): os.environ[name] = '/scratch/x'"),
    makes("a figure drawn by a hostile class", "import matplotlib.pyplot as plt\nclass F(plt.Figure):\n    def savefig(self, target, **more):\n        target.write(b'GIF89a')\nplt.figure(FigureClass=F)\nplt.show()", fate=("finished", "tampered"), printed=None),
    makes("a figure that is far too big for its pixels", FIGURE + "plt.gcf().set_size_inches(1e-3, 1e6)\ntry: plt.show()\nexcept Exception: pass\nplt.close('all')", limits={"wall_seconds": 20.0}),
    makes("a figure that writes elsewhere", FIGURE + "for path in ('/etc/f.png', '/@TRACE@.png', '/proc/self/root/@TRACE@.png', '../@TRACE@.png'):\n    try: plt.savefig(path); print(path)\n    except OSError: pass\nplt.close('all')"),
    makes("a file that grows while it is read", "if os.fork() == 0:\n    for n in range(200): open('grow', 'ab').write(bytes(10000))\n    os._exit(0)\nfor n in range(50): os.path.exists('grow') and open('grow', 'rb').read()"),
    makes("a file that is now a link, now none", "if os.fork() == 0:\n    for n in range(2000):\n        for make in (lambda: os.symlink('/etc/passwd', 'swap'), lambda: os.mkdir('swap')):\n            try: make(); os.rename('swap', 'other'); os.unlink('other')\n            except OSError: pass\n    os._exit(0)\nos.wait()"),
    makes("extended attributes and locks", "import fcntl\nf = open('f', 'w')\nfcntl.flock(f, fcntl.LOCK_EX)\ntry: os.setxattr('f', 'user.x', b'x' * 60000)\nexcept OSError: pass"),
    makes("programs in its folder", "import subprocess\nopen('run', 'w').write('#!/bin/sh\\necho ran\\n')\nos.chmod('run', 0o755)\nsubprocess.run(['./run'])", printed="ran\nmade\n"),
)  # fmt: skip


def test_files(attack, case: Case) -> None:
    attack(case)
