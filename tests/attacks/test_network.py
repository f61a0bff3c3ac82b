"""Class H: there is no network. Addresses are those reserved for documentation, asked for inside a cell only."""

from __future__ import annotations

import pytest
from attacks.case import Case

pytestmark = pytest.mark.sandbox

# Nothing may be waited for: without a route the kernel refuses at once.
QUICK = {"wall_seconds": 5.0}


def unreachable(name: str, action: str, *errors: str, **more) -> Case:
    """A program whose last statement tries to reach somebody; it fails at once with one of these errors."""
    code = f"import socket, ssl, urllib.request\n{action}"
    return Case(name=name, code=code, prints="^$", message="|".join(errors), limits=QUICK, **more)


def works(name: str, code: str, **more) -> Case:
    return Case(name=name, code=code, limits=QUICK, **more)


NO_ROUTE = "unreachable|Cannot assign|Invalid argument"
CASES = (
    *(unreachable(f"a connection to {host}", f"socket.create_connection(({host!r}, {port}), timeout=4)", NO_ROUTE, ordinary=host == "192.0.2.1")
      for host, port in (("192.0.2.1", 80), ("198.51.100.7", 443), ("203.0.113.9", 22), ("2001:db8::1", 80), ("fe80::1", 80), ("169.254.169.254", 80))),
    unreachable("a datagram", "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))", NO_ROUTE, ordinary=True),
    unreachable("a datagram to everybody", "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1); s.sendto(b'x', ('255.255.255.255', 9))", NO_ROUTE),
    unreachable("a datagram to a group", "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('224.0.0.251', 5353))", NO_ROUTE),
    unreachable("a ping", "socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP).sendto(b'\\x08\\0\\xf7\\xff\\0\\0\\0\\0', ('192.0.2.1', 0))", NO_ROUTE, "denied", "permitted"),
    unreachable("a raw socket", "socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_TCP)", "permitted"),
    unreachable("a packet socket", "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)", "not supported", "permitted"),
    unreachable("a netlink socket", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", "not supported"),
    unreachable("the virtual machine's host", "socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)", "not supported", ordinary=True),
    unreachable("a name", "socket.getaddrinfo('host.invalid', 80)", "resolution|not known|No address", ordinary=True),
    unreachable("a page", "urllib.request.urlopen('http://192.0.2.1/', timeout=4)", NO_ROUTE),
    unreachable("an encrypted page", "urllib.request.urlopen('https://host.invalid/', timeout=4)", "resolution|not known|No address"),
    unreachable("an address of its own", "s = socket.socket(); s.bind(('192.0.2.1', 0))", "Cannot assign"),
    works("a file that Keras would fetch", "import tensorflow as tf\ntf.keras.utils.get_file('f', 'http://192.0.2.1/f')", steps="finished raised", message=NO_ROUTE),
    works("a data set that Keras would fetch", "import tensorflow as tf\ntf.io.read_file('http://192.0.2.1/x')", steps="finished raised"),
    works("devices of the network", "import socket\nfor name in ('eth0', 'ens3', 'enp1s0', 'wlan0', 'docker0', 'veth0', 'tun0'):\n    try: print(name, socket.if_nametoindex(name))\n    except OSError: pass\nprint(socket.if_nametoindex('lo'))", printed="1\n"),
    works("the name localhost", "import socket\nserver = socket.create_server(('127.0.0.1', 0))\nprint(socket.create_connection(('localhost', server.getsockname()[1])).getpeername()[0])", printed="127.0.0.1\n"),
    works("loopback between threads", "import socket, threading\nserver = socket.create_server(('127.0.0.1', 0))\nthreading.Thread(target=lambda: server.accept()[0].sendall(b'hello')).start()\nprint(socket.create_connection(server.getsockname()).recv(5))", printed="b'hello'\n", ordinary=True),
    works("loopback between processes", "import os, socket\nserver = socket.create_server(('127.0.0.1', 8080))\nif os.fork() == 0:\n    server.accept()[0].sendall(b'hello')\n    os._exit(0)\nprint(socket.create_connection(('127.0.0.1', 8080)).recv(5))", printed="b'hello'\n"),
    works("leaves a server", "import os, socket\nserver = socket.create_server(('0.0.0.0', 8081))\nif os.fork() == 0:\n    while True: server.accept()\nprint('serving')", printed="serving\n", ordinary=True),
    works("finds no server of others", "import socket\nsocket.create_connection(('127.0.0.1', 8081), timeout=2)", steps="finished raised", fault="ConnectionRefusedError", ordinary=True),
    works("scans loopback", "import socket\nfor port in range(1, 3000):\n    with socket.socket() as s:\n        if s.connect_ex(('127.0.0.1', port)) == 0: print(port)", printed=""),
    works("changes its network", "import fcntl, socket, struct\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\nfor request in (0x8914, 0x8916, 0x890B, 0x8924):\n    try: fcntl.ioctl(s, request, struct.pack('16sH14x', b'lo', 0)); print(request)\n    except OSError: pass", printed=""),
)  # fmt: skip


def test_network(attack, case: Case) -> None:
    outcome = attack(case)
    fault = outcome.steps[-1].fault
    if fault and "unreachable" in fault.message:
        assert fault.refused == "network", "a document is blamed for what the sandbox does not have"
