"""The wall's command line, and advice when it cannot be put up."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.errors import SandboxUnavailable
from verifier.sandbox.choose import open_sandbox
from verifier.sandbox.environment import EnvironmentFolder
from verifier.sandbox.launch import Descriptors, command, explain
from verifier.sandbox.warm import guest_paths

FOLDER = EnvironmentFolder(
    name="e", title="", path=Path("/cache/e"), python="3.11.7", prefix=Path("/home/me/python"), packages=(), variables=(("A", "b"),), digest="",
)  # fmt: skip
GIVEN = Descriptors(link=5, ident=6, account=7)


@pytest.mark.parametrize("drop", [False, True])
def test_the_wall_shuts_out_the_host(drop: bool) -> None:
    line = command("/x/pkg/_bin/bwrap", FOLDER, GIVEN, drop=drop)
    text = " ".join(line)
    for needed in ("--unshare-all", "--disable-userns", "--clearenv", "--die-with-parent", "--new-session", "--uid 1000",
                   "--remount-ro /", "--setenv A b", "--ro-bind /cache/e /env", "--ro-bind /home/me/python /home/me/python"):  # fmt: skip
        assert needed in text
    assert "--share-net" not in text
    assert line[-2:] == ["5", "6"]
    writable = [line[at + 1] for at, word in enumerate(line) if word in ("--bind", "--dev-bind")]
    assert writable == (["/proc"] if drop else [])


def test_root_is_left_behind_before_the_inner_wall() -> None:
    line = command("/x/pkg/_bin/bwrap", FOLDER, GIVEN, drop=True)
    leave = next(at for at, word in enumerate(line) if "setuid" in word)
    assert line[leave + 1] == "/opt/pkg/_bin/bwrap"
    assert "--unshare-user" not in line[:leave]


@pytest.mark.parametrize(
    ("complaint", "advice"),
    [
        ("bwrap: setting up uid map: Permission denied", "AppArmor"),
        ("bwrap: No permissions to create new namespace, likely because", "user namespaces are forbidden"),
        ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "systempaths=unconfined"),
        ("Traceback\nImportError: libz.so.1", "libz.so.1"),
        ("", "no reason"),
    ],
)
def test_refusals_become_advice(complaint: str, advice: str) -> None:
    assert advice in explain(complaint)
    assert "\n" not in explain(complaint)


def test_paths_inside_are_plain_and_different() -> None:
    paths = guest_paths(["a.py", "a", "../../etc/passwd", "中文", "", "x" * 500])
    assert len(set(paths)) == 6
    assert all(
        path.startswith("/code/") and path.count("/") == 2 and path.isascii() and len(path) < 90 for path in paths
    )


def test_backends_that_there_are_not() -> None:
    with pytest.raises(SandboxUnavailable, match="bubblewrap"):
        open_sandbox("tf-2.21", "chroot")
