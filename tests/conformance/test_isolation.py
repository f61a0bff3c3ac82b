"""What a session cannot see, reach or keep."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

pytestmark = pytest.mark.sandbox


class TestHost:
    def test_standard_input_is_empty(self, run) -> None:
        assert run("input()").last.fault.type == "EOFError"

    @pytest.mark.parametrize("address", ["1.1.1.1", "169.254.169.254", "10.0.0.1"])
    def test_there_is_no_network(self, run, address: str) -> None:
        ran = run(f"import socket\nsocket.create_connection(('{address}', 80), timeout=3)")
        assert ran.last.fault.type == "OSError"

    def test_names_are_not_resolved(self, run) -> None:
        assert run("import socket\nsocket.getaddrinfo('example.com', 80)").last.fault.type == "socket.gaierror"

    def test_servers_of_the_host_are_out_of_reach_and_own_ones_work(self, run) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            ran = run(
                f"import socket\nown = socket.create_server(('127.0.0.1', 0))\nsocket.create_connection(own.getsockname())\n"
                f"print('own works')\nsocket.create_connection(('127.0.0.1', {port}), timeout=3)"
            )
        assert ran.printed == "own works\n"
        assert ran.last.fault.type == "ConnectionRefusedError"

    def test_the_hosts_environment_is_not_passed_on(self, run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SECRET_TOKEN", "hunter2")
        ran = run("import os\nprint(sorted(os.environ))\nprint(open('/proc/self/environ').read())")
        assert "SECRET_TOKEN" not in ran.printed
        assert "hunter2" not in ran.printed
        assert "HOME" in ran.steps[1].stdout

    def test_the_hosts_files_are_not_there(self, run, tmp_path: Path) -> None:
        secret = tmp_path / "secret.txt"
        secret.write_text("hunter2")
        paths = [str(secret), "/etc/shadow", "/etc/hostname", str(Path.home() / ".ssh"), str(Path.home() / ".profile"),
                 str(Path(__file__)), "/var/run/docker.sock", "/sys", "/home"]  # fmt: skip
        ran = run(f"import os\nfor path in {paths!r}: print(os.path.exists(path))")
        assert set(ran.printed.split()) == {"False"}
        assert "hunter2" not in ran.printed

    def test_nothing_outside_the_scratch_folders_can_be_written(self, run) -> None:
        code = (
            "import os\n"
            "for path in ('/x', '/usr/x', '/env/x', '/opt/guest/x', '/etc/x', '/code/x', '/dev/x', '/usr/local/x', os.__file__):\n"
            "    try: open(path, 'a').close(); print(path)\n"
            "    except OSError: pass\n"
        )
        assert run(code).printed == ""

    def test_only_own_processes_are_seen(self, run) -> None:
        ran = run("import os\nprint([name for name in os.listdir('/proc') if name.isdigit()])\nprint(os.getpid())")
        assert ran.printed == "['2']\n2\n"

    def test_the_init_of_the_cell_cannot_be_harmed_or_read(self, run) -> None:
        code = (
            "import os, resource\n"
            "for act in (lambda: os.kill(1, 9), lambda: open('/proc/1/mem'), lambda: os.listdir('/proc/1/fd'),\n"
            "            lambda: resource.prlimit(1, resource.RLIMIT_CPU, (0, 0))):\n"
            "    try: act()\n"
            "    except OSError: pass\n"
            "print('on')\n"
        )
        ran = run(code)
        assert (ran.fate, ran.printed) == ("finished", "on\n")

    def test_no_rights_at_all(self, run) -> None:
        ran = run(
            "for line in open('/proc/self/status'):\n    if line.startswith(('Cap', 'NoNew', 'Seccomp:', 'Uid')): print(line.split()[:2])"
        )
        words = dict(eval(line) for line in ran.printed.splitlines())
        assert {words[name] for name in ("CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:")} == {"0" * 16}
        assert words["NoNewPrivs:"] == "1"
        assert words["Seccomp:"] == "2"
        assert words["Uid:"] != "0"

    @pytest.mark.parametrize(
        ("name", "number"),
        [
            ("unshare", 272),
            ("ptrace", 101),
            ("mount", 165),
            ("keyctl", 250),
            ("io_uring_setup", 425),
            ("bpf", 321),
            ("perf_event_open", 298),
            ("userfaultfd", 323),
            ("chroot", 161),
            ("setns", 308),
        ],
    )
    @pytest.mark.skipif(os.uname().machine != "x86_64", reason="numbers of x86-64")
    def test_dangerous_calls_are_refused_and_the_program_goes_on(self, run, name: str, number: int) -> None:
        code = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        code += f"print({name!r}, libc.syscall({number}, 0x10000000, 0, 0, 0, 0), ctypes.get_errno())"
        assert run(code).printed == f"{name} -1 1\n"

    def test_odd_sockets_are_refused(self, run) -> None:
        ran = run(
            "import socket\nfor family in (16, 17, 38, 40):\n    try: socket.socket(family, socket.SOCK_RAW); print(family)\n    except OSError: pass"
        )
        assert ran.printed == ""

    def test_no_new_namespace_by_clone(self, run) -> None:
        ran = run("import subprocess\nprint(subprocess.run(['unshare', '-r', 'true'], capture_output=True).returncode)")
        assert ran.printed != "0\n"


class TestFreshness:
    def test_the_working_folder_is_empty_and_writable(self, run) -> None:
        ran = run(
            "import os\nprint(os.getcwd(), os.listdir('.'), os.listdir('/tmp'), os.path.expanduser('~'))\nopen('mine', 'w').write('x')"
        )
        assert ran.printed == "/scratch [] [] /scratch\n"
        assert ran.last.fate == "finished"

    @pytest.mark.parametrize("folder", ["/tmp", "/scratch", "/dev/shm"])
    def test_files_do_not_outlive_their_session(self, run, folder: str) -> None:
        assert run(f"open('{folder}/left', 'w').write('x')").fate == "finished"
        assert run(f"import os\nprint(os.path.exists('{folder}/left'))").printed == "False\n"

    def test_modules_and_settings_do_not_outlive_their_session(self, run) -> None:
        run(
            "import numpy as np, sys, json\nnp.pi = 3\njson.loads = None\nsys.modules['left'] = json\nimport os; os.environ['LEFT'] = '1'"
        )
        ran = run(
            "import numpy as np, sys, os, json\nprint(np.pi == 3, 'left' in sys.modules, 'LEFT' in os.environ, json.loads('1'))"
        )
        assert ran.printed == "False False False 1\n"

    def test_automatic_layer_names_start_again(self, run) -> None:
        code = "import tensorflow as tf\nprint(tf.keras.layers.Dense(1).name, tf.keras.layers.Dense(1).name)"
        assert run(code).printed == run(code).printed == "dense dense_1\n"

    def test_one_shot_configuration_is_open_in_every_session(self, run) -> None:
        code = (
            "import tensorflow as tf\ncpu = tf.config.list_physical_devices('CPU')[0]\n"
            "tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)\n"
            "print(len(tf.config.list_logical_devices('CPU')))"
        )
        assert run(code).printed == run(code).printed == "2\n"

    def test_random_numbers_repeat(self, run) -> None:
        code = "import random, numpy as np, tensorflow as tf\nprint(random.random(), np.random.rand(), tf.random.uniform([2]).numpy(), hash('a'))\nprint(tf.keras.layers.Dense(2)(tf.ones((1, 2))).numpy())"
        assert run(code).printed == run(code).printed

    def test_a_seeded_operation_gives_the_numbers_it_gives_outside(self, run) -> None:
        seeded = "import tensorflow as tf\nprint(tf.random.uniform([1], seed=1).numpy())"
        unset = "import tensorflow as tf\nfrom tensorflow.python.eager import context\ncontext.context()._seed = None\nprint(tf.random.uniform([1], seed=1).numpy())"
        assert run(seeded).printed == run(unset).printed
