"""An interactive Python behind the wall, for people who look after environments."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable

from verifier.errors import SandboxUnavailable
from verifier.sandbox.environment import ensure
from verifier.sandbox.launch import Descriptors, account_data, command, find_bubblewrap

_GREETING = (
    "import sys, tensorflow as tf, numpy as np;"
    " print('TensorFlow', tf.__version__, 'on Python', sys.version.split()[0], '- tf and np are imported')"
)
_NO_LINK = -1


def open_shell(name: str, progress: Callable[[str], None]) -> int:
    """Run Python in an environment on this terminal until it ends; returns its exit code.

    The wall is that of a session, but for the fresh cell: no network, a read-only system, an empty scratch folder,
    no capabilities. What stands on standard input is run when that is no terminal. Raises SandboxUnavailable.
    """
    environment = ensure(name, progress)
    bwrap = find_bubblewrap()
    account = os.memfd_create("passwd")
    try:
        os.write(account, account_data())
        os.lseek(account, 0, os.SEEK_SET)
        given = Descriptors(link=_NO_LINK, ident=_NO_LINK, account=account)
        words = _words(command(bwrap, environment, given, drop=os.geteuid() == 0), terminal=sys.stdin.isatty())
        if not sys.stdin.isatty():
            return subprocess.run(words, pass_fds=(account,), env={}, cwd="/", check=False).returncode
        # A terminal of its own: what runs inside must not be able to type into ours.
        os.set_inheritable(account, True)  # noqa: FBT003 - the function takes no keyword
        return os.waitstatus_to_exitcode(pty.spawn(words))
    except OSError as error:
        raise SandboxUnavailable(f"The shell cannot be started: {error}.") from error
    finally:
        os.close(account)


def _words(wall: list[str], *, terminal: bool) -> list[str]:
    """The command of a session's wall with an interactive Python in the guest's place."""
    end = len(wall) - wall[::-1].index("--")
    words = wall[:end]
    for place in reversed([at for at, word in enumerate(words) if word == "--cap-add" and words[at + 1] == "ALL"]):
        del words[place : place + 2]
    if terminal:
        words.remove("--new-session")
    return [*words, "/env/bin/python", "-s", "-B", "-q", *(("-i", "-c", _GREETING) if terminal else ("-",))]
