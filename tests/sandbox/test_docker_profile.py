"""What a container is made with: nothing here needs an engine."""

from __future__ import annotations

import importlib.util
import json

import pytest

from verifier.sandbox.definition import guest_folder, sandboxes_folder
from verifier.sandbox.profile import Profile, seccomp_text

FILE = sandboxes_folder() / "docker" / "seccomp.json"
# What the guest needs for making cells, and takes from every session itself.
NEEDED = {"mount", "pivot_root", "umount2", "unshare"}


def config(**more) -> dict:
    plain = {
        "image": "i",
        "seccomp": FILE,
        "variables": {"A": "b c"},
        "memory": 1 << 30,
        "processes": 64,
        "processors": 2,
    }
    return Profile(**{**plain, **more}).config()


def denied(*, nests: bool) -> set[str]:
    profile = json.loads(seccomp_text(FILE, nests=nests))
    assert profile["defaultAction"] == "SCMP_ACT_ALLOW"
    unconditional = [rule for rule in profile["syscalls"] if "args" not in rule]
    assert {rule["action"] for rule in profile["syscalls"]} == {"SCMP_ACT_ERRNO"}
    return {name for rule in unconditional for name in rule["names"]}


@pytest.fixture(scope="module")
def filter_of_the_guest():
    spec = importlib.util.spec_from_file_location("guest_filter", guest_folder() / "seccomp.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class TestContainer:
    @pytest.mark.parametrize(
        ("setting", "value"),
        [
            ("NetworkMode", "none"),
            ("ReadonlyRootfs", True),
            ("Privileged", False),
            ("CapDrop", ["ALL"]),
            ("IpcMode", "none"),
            ("PidsLimit", 64),
            ("Memory", 1 << 30),
            ("MemorySwap", 1 << 30),
            ("NanoCpus", 2 * 10**9),
            ("LogConfig", {"Type": "none", "Config": {}}),
            ("AutoRemove", False),
        ],
    )
    def test_the_host_gives_nothing_away(self, setting: str, value: object) -> None:
        assert config()["HostConfig"][setting] == value

    def test_nothing_of_the_host_is_mounted_and_no_right_is_added(self) -> None:
        host = config()["HostConfig"]
        assert not {"Binds", "Mounts", "Devices", "CapAdd", "VolumesFrom", "DeviceRequests", "GroupAdd"} & set(host)
        assert "no-new-privileges:true" in host["SecurityOpt"]
        assert all(
            "size=" in options and "nosuid" in options and "nodev" in options for options in host["Tmpfs"].values()
        )

    def test_an_ordinary_user_whose_input_ends_with_its_owner(self) -> None:
        made = config()
        assert made["User"] == "1000:1000"
        assert (made["OpenStdin"], made["StdinOnce"], made["Tty"]) == (True, True, False)

    def test_variables_of_image_and_engine_are_left_behind(self) -> None:
        assert config()["Cmd"][:3] == ["/usr/bin/env", "-i", "A=b c"]
        assert config()["Entrypoint"] == []

    def test_processors_are_limited_on_big_machines(self) -> None:
        assert config(processors=64)["HostConfig"]["NanoCpus"] == 4 * 10**9

    def test_a_runtime_is_named_only_when_asked_for(self) -> None:
        assert "Runtime" not in config()["HostConfig"]
        assert config(runtime="runsc")["HostConfig"]["Runtime"] == "runsc"

    def test_podman_is_told_in_its_own_words(self) -> None:
        host = config(podman=True)["HostConfig"]
        assert {f"seccomp={FILE}", "unmask=ALL"} <= set(host["SecurityOpt"])
        assert host["Ulimits"] == []
        assert config(podman=True, nests=False)["HostConfig"]["SecurityOpt"] == ["no-new-privileges:true"]

    def test_what_cells_need_is_not_given_where_they_cannot_be_made(self) -> None:
        host = config(nests=False)["HostConfig"]
        assert "MaskedPaths" not in host and "ReadonlyPaths" not in host
        assert not [option for option in host["SecurityOpt"] if option.startswith("apparmor")]


class TestFilter:
    def test_a_container_is_denied_all_that_a_session_is_but_what_makes_cells(self, filter_of_the_guest) -> None:
        assert denied(nests=True) == (set(filter_of_the_guest._DENIED) - NEEDED) | {"clone3"}

    def test_without_cells_it_is_denied_that_as_well(self, filter_of_the_guest) -> None:
        assert denied(nests=False) == set(filter_of_the_guest._DENIED) | {"clone3"}

    def test_odd_sockets_and_typing_on_a_terminal_are_denied(self) -> None:
        rules = json.loads(FILE.read_text())["syscalls"]
        families = [rule["args"][0] for rule in rules if rule["names"] == ["socket"]]
        assert {arg["value"] for arg in families if arg["op"] == "SCMP_CMP_EQ"} == set(range(3, 10))
        assert [arg["value"] for arg in families if arg["op"] == "SCMP_CMP_GT"] == [10]
        requests = {rule["args"][0]["valueTwo"] for rule in rules if rule["names"] == ["ioctl"]}
        assert requests == {0x5412, 0x541C}

    def test_no_other_architecture_beside_the_machines_own(self) -> None:
        assert all(not entry["subArchitectures"] for entry in json.loads(FILE.read_text())["archMap"])
