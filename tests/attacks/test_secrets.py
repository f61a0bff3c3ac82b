"""Class F: programs that look for secrets of the host and of other sessions, or change what is the host's.

The witness plants one secret in a file, in the environment, on a port and on an abstract socket; that it is in
nothing a session gives is checked for every case of the suite.
"""

from __future__ import annotations

import pytest
from attacks.case import Case

pytestmark = pytest.mark.sandbox

ATTEMPT = """\
import os
def attempt(what, action):
    try: got = action()
    except (OSError, ValueError, AttributeError, KeyError): return
    print(what, got)
"""


def finds_nothing(name: str, code: str, **more) -> Case:
    """A program that prints whatever it gets at by `attempt`; it gets at nothing."""
    return Case(name=name, code=ATTEMPT + code, printed=more.pop("printed", ""), **more)


PATHS = ("@FILE@", "@HOME@/.ssh", "@HOME@/.bash_history", "@HOME@/.cache/pip", "@TESTS@", "/etc/shadow", "/etc/gshadow", "/etc/sudoers",
         "/etc/hostname", "/etc/machine-id", "/etc/resolv.conf", "/var/run/docker.sock", "/run/docker.sock", "/var/run/dbus", "/run/systemd",
         "/var/lib", "/var/log", "/sys/kernel", "/sys/fs/cgroup", "/sys/class", "/boot", "/mnt", "/media", "/srv", "/proc/kcore", "/proc/sys",
         "/proc/kallsyms", "/proc/keys", "/proc/timer_list", "/proc/sysrq-trigger", "/proc/1/environ", "/proc/1/fd", "/proc/1/mem",
         "/proc/1/root/etc/shadow", "/proc/1/cwd", "/proc/self/root/@FILE@", "/proc/self/cwd/../@FILE@")  # fmt: skip

CASES = (
    finds_nothing("files of the host", f"for path in {PATHS!r}:\n    attempt(path, lambda: os.listdir(path) or None if os.path.isdir(path) else open(path, 'rb').read(64))", ordinary=True),
    finds_nothing("the secret in the environment", "import subprocess\nfor text in (str(dict(os.environ)), open('/proc/self/environ').read(), subprocess.run(['env'], capture_output=True, text=True).stdout):\n    if '@VARIABLE@' in text: print(text)", ordinary=True),
    finds_nothing("the environment in its own memory", "import ctypes\nctypes.CDLL(None).getenv.restype = ctypes.c_char_p\nif ctypes.CDLL(None).getenv(b'@VARIABLE@'): print('there')"),
    finds_nothing("the environment of every process", "for pid in os.listdir('/proc'):\n    if pid.isdigit(): attempt(pid, lambda: open(f'/proc/{pid}/environ').read().index('@VARIABLE@'))"),
    finds_nothing("other processes", "print(sorted(int(p) for p in os.listdir('/proc') if p.isdigit()), os.getpid(), os.path.exists('/proc/@PID@'))", printed="[2] 2 False\n"),
    finds_nothing("files of its init", "for name in ('mem', 'environ', 'maps', 'fd', 'root', 'cwd', 'exe', 'stack', 'syscall', 'map_files', 'ns/pid'):\n    attempt(name, lambda: os.readlink(f'/proc/1/{name}') if name in ('root', 'cwd', 'exe', 'ns/pid') else os.listdir(f'/proc/1/{name}') if name in ('fd', 'map_files') else open(f'/proc/1/{name}', 'rb').read(8))", ordinary=True),
    finds_nothing("inherited descriptors", "for fd in set(map(int, os.listdir('/proc/self/fd'))) - {0, 1, 2}:\n    attempt(fd, lambda: {}['a pipe to the host'] if os.readlink(f'/proc/self/fd/{fd}').startswith('pipe:') else os.readlink(f'/proc/self/fd/{fd}'))", ordinary=True),
    finds_nothing("reading from its pipes", "for fd in range(3, 2000):\n    attempt(fd, lambda: os.read(fd, 10))"),
    finds_nothing("folders above an open one", "fd = os.open('/', os.O_RDONLY)\nfor _ in range(20): fd = os.open('..', os.O_RDONLY, dir_fd=fd)\nattempt('secret', lambda: os.open('@FILE@'.lstrip('/'), os.O_RDONLY, dir_fd=fd))", ordinary=True),
    finds_nothing("links to the host", "os.symlink('@FILE@', 'link')\nattempt('link', lambda: open('link').read())\nattempt('hard', lambda: os.link('@FILE@', 'hard'))"),
    finds_nothing("the abstract socket", "import socket\nattempt('socket', lambda: socket.socket(socket.AF_UNIX).connect('\\0@SOCKET@'))", ordinary=True),
    finds_nothing("the port on loopback", "import socket\nfor host in ('127.0.0.1', '127.1.2.3', '::1', '0.0.0.0'):\n    attempt(host, lambda: socket.create_connection((host, @PORT@), timeout=1))", ordinary=True),
    finds_nothing("sockets of services", "import socket\nfor path in ('/run/dbus/system_bus_socket', '/var/run/docker.sock', '/run/containerd/containerd.sock', '/run/podman/podman.sock', '/dev/log', '/run/systemd/notify'):\n    attempt(path, lambda: socket.socket(socket.AF_UNIX).connect(path))"),
    finds_nothing("devices", "for path in ('/dev/mem', '/dev/kmsg', '/dev/port', '/dev/kvm', '/dev/fuse', '/dev/net/tun', '/dev/sda', '/dev/vda', '/dev/loop-control', '/dev/loop0', '/dev/console', '/dev/tty0', '/dev/tty', '/dev/vsock', '/dev/vhost-vsock', '/dev/nvidia0', '/dev/dri', '/dev/input'):\n    attempt(path, lambda: os.open(path, os.O_RDWR))", ordinary=True),
    finds_nothing("new devices", "import stat\nfor kind, number in ((stat.S_IFCHR, os.makedev(1, 1)), (stat.S_IFBLK, os.makedev(8, 0)), (stat.S_IFCHR, os.makedev(1, 11))):\n    attempt(number, lambda: os.mknod('/scratch/d', 0o666 | kind, number))"),
    finds_nothing("the terminal", "import fcntl, termios\nfor fd in (0, 1, 2):\n    attempt(fd, lambda: fcntl.ioctl(fd, termios.TIOCSTI, b'x'))\n    attempt(fd, lambda: fcntl.ioctl(fd, termios.TIOCSCTTY, 1))\nattempt('pty', lambda: fcntl.ioctl(os.openpty()[1], termios.TIOCSTI, b'x'))", ordinary=True),
    finds_nothing("settings of the kernel", "for path in ('/proc/sys/kernel/core_pattern', '/proc/sys/kernel/hostname', '/proc/sys/vm/drop_caches', '/proc/sysrq-trigger', '/sys/kernel/uevent_helper', '/proc/self/uid_map', '/proc/self/setgroups', '/proc/self/attr/current', '/proc/self/oom_score_adj') :\n    attempt(path, lambda: os.write(os.open(path, os.O_WRONLY), b'-1000' if 'oom' in path else b'|/scratch/x'))", ordinary=True),
    finds_nothing("control groups", "import glob\nattempt('group', lambda: [open(p, 'w').write('max') for p in glob.glob('/sys/fs/cgroup/**/memory*max', recursive=True)] or {}['none'])\nattempt('made', lambda: os.mkdir('/sys/fs/cgroup/@TRACE@'))"),
    finds_nothing("files outside the scratch folders", "import glob, sys\nfor folder in ('/', '/usr', '/usr/lib', '/etc', '/opt', '/opt/guest', '/env', '/env/bin', '/code', '/dev', '/dev/pts', '/proc', '/lib', '/bin', os.path.dirname(os.__file__), *[p for p in sys.path if p != '/scratch']):\n    attempt(folder, lambda: open(os.path.join(folder, '@TRACE@'), 'w'))", ordinary=True),
    finds_nothing("writing to files of the environment", "import sys, tensorflow\nfor path in (os.__file__, tensorflow.__file__, sys.executable, os.path.realpath(sys.executable), '/opt/guest/main.py', '/etc/passwd', __file__):\n    for action in (lambda: open(path, 'r+'), lambda: os.truncate(path, 0), lambda: os.chmod(path, 0o777), lambda: os.unlink(path), lambda: os.rename(path, path + '@TRACE@'), lambda: os.utime(path), lambda: os.link(path, '/scratch/hard'), lambda: os.setxattr(path, 'user.x', b'x')):\n        attempt(path, action)", ordinary=True),
    finds_nothing("memory of running libraries", "attempt('deny', lambda: open('/proc/self/exe', 'r+b'))\nimport mmap\nattempt('map', lambda: mmap.mmap(os.open('/env/bin/python', os.O_RDONLY), 0, mmap.MAP_SHARED, mmap.PROT_WRITE))"),
    finds_nothing("the clock", "import time\nattempt('clock', lambda: time.clock_settime(time.CLOCK_REALTIME, 0))"),
    finds_nothing("the name of the host", "import socket\nattempt('set', lambda: socket.sethostname('@TRACE@'))\nprint(socket.gethostname() == open('/etc/hostname').read().strip() if os.path.exists('/etc/hostname') else False)", printed="False\n"),
    finds_nothing("accounts of the host", "import pwd\nprint(len(pwd.getpwall()) < 3, os.getuid() != 0, os.getgroups() in ([], [os.getgid()], [65534]))", printed="True True True\n"),
    finds_nothing("becoming somebody else", "for action in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0]), lambda: os.seteuid(1), lambda: os.chown('/scratch', 0, 0), lambda: os.chroot('/scratch')):\n    attempt('is', action)", ordinary=True),
    finds_nothing("programs with the set-user-id bit", "import subprocess\nfor command in (['su', '-c', 'id'], ['sudo', '-n', 'id'], ['mount'], ['newuidmap', '1', '0', '0', '1'], ['passwd', '-S'], ['ping', '-c1', '192.0.2.1'], ['fusermount', '-V']):\n    attempt(command[0], lambda: 'uid=0' in subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout or {}['no'])"),
    finds_nothing("a set-user-id program of its own", "import shutil, subprocess\nshutil.copy('/bin/sh', '/scratch/sh')\nos.chmod('/scratch/sh', 0o6755)\nprint(subprocess.run(['/scratch/sh', '-c', 'id -u'], capture_output=True, text=True).stdout.strip() == '0')", printed="False\n"),
    finds_nothing("raising its limits", "import resource\nfor kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK):\n    soft, hard = resource.getrlimit(kind)\n    if hard == resource.RLIM_INFINITY: print('no limit', kind)\n    else: attempt(kind, lambda: resource.setrlimit(kind, (hard + 1, hard + 1)))", ordinary=True),
    finds_nothing("message queues", "import ctypes\nlibc = ctypes.CDLL(None)\nprint(libc.mq_open(b'/@TRACE@', 0o102, 0o600, None))", printed="-1\n"),
    finds_nothing("rights of its own", "for line in open('/proc/self/status'):\n    if line.startswith('Cap') and int(line.split()[1], 16) or line.split() in (['NoNewPrivs:', '0'], ['Seccomp:', '0']): print(line)", ordinary=True),
    # What the next session must not find is what `check_health` looks for: every folder empty, nobody running.
    finds_nothing("leaves files everywhere", "for folder in ('/tmp', '/dev/shm', '/scratch', os.path.expanduser('~')):\n    os.makedirs(folder + '/@TRACE@', exist_ok=True)\n    open(folder + '/@TRACE@/f', 'w').write('x')", ordinary=True),
    finds_nothing("leaves SysV objects", "import ctypes\nlibc = ctypes.CDLL(None)\nprint(libc.shmget(0x5EC2E7, 4096, 0o1666) >= 0, libc.semget(0x5EC2E7, 1, 0o1666) >= 0, libc.msgget(0x5EC2E7, 0o1666) >= 0)", printed=None),
    finds_nothing("finds no SysV objects of others", "import ctypes\nlibc = ctypes.CDLL(None)\nprint(libc.shmget(0x5EC2E7, 4096, 0), libc.semget(0x5EC2E7, 1, 0), libc.msgget(0x5EC2E7, 0))", printed="-1 -1 -1\n"),
    finds_nothing("leaves an abstract socket", "import socket\ns = socket.socket(socket.AF_UNIX)\ns.bind('\\0@TRACE@')\ns.listen()"),
    finds_nothing("finds no abstract socket of others", "import socket\nattempt('socket', lambda: socket.socket(socket.AF_UNIX).connect('\\0@TRACE@'))"),
    finds_nothing("locks a file that all sessions share", "import fcntl\nattempt('x', lambda: fcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB))", printed=None),
    finds_nothing("finds no lock of others", "import fcntl\nfcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)\nprint('free')", printed="free\n"),
    finds_nothing("loads a key", "import ctypes\nlibc = ctypes.CDLL(None)\nprint(libc.syscall(217 if os.uname().machine == 'aarch64' else 248, b'user', b'@TRACE@', b'x', 1, -4))", printed="-1\n"),
)  # fmt: skip


def test_secrets(attack, case: Case) -> None:
    attack(case)
