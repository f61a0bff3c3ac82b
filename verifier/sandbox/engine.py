"""The container engine: where it listens, and the few things asked of it. The only module that knows the docker SDK."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

import docker  # type: ignore[import-untyped]  # the SDK has no types
import docker.errors  # type: ignore[import-untyped]  # the SDK has no types

from verifier.errors import SandboxUnavailable

_PATIENCE = 120  # seconds for one answer; unpacking an image's layers takes a while on a slow disk
_DEFAULT = "unix:///var/run/docker.sock"
_INSTALL = "install Docker (on Debian and Ubuntu: `apt-get install docker.io`) or Podman, or set DOCKER_HOST"


_PLAIN = re.compile(r"permission denied|no such file or directory|connection refused|timed out", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image that the engine holds. created: in seconds since 1970, 0 when nobody asked."""

    id: str
    labels: Mapping[str, str]
    created: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """A container that the engine knows, in whichever state (`created`, `running`, `exited`, …)."""

    id: str
    state: str
    labels: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Autopsy:
    """What the engine says about a container that has ended, or has not."""

    running: bool
    exit_code: int
    out_of_memory: bool
    error: str


class Closing(Protocol):
    """What can be closed."""

    def close(self) -> None:
        """Close it."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A connection to a container's standard streams; its input ends with it."""

    link: socket.socket
    _answer: Closing  # what the link came with: gone, it would take the link along

    def close(self) -> None:
        """Hang up."""
        with suppress(OSError):
            self.link.shutdown(socket.SHUT_RDWR)
        self._answer.close()


class EngineError(Exception):
    """The engine refused or did not answer; the message is its own, in one line."""


class NotThere(EngineError):
    """The engine has no such image or container."""


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except docker.errors.NotFound as error:
        raise NotThere(_line(error)) from error
    except (docker.errors.DockerException, OSError) as error:  # what its HTTP library raises is an OSError, too
        raise EngineError(_line(error)) from error


def _line(error: Exception) -> str:
    text = str(getattr(error, "explanation", None) or error)
    return " ".join(text.split())[:400]


def addresses(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Where an engine may listen, best first: DOCKER_HOST alone, or Docker's and Podman's usual sockets."""
    chosen = environ.get("DOCKER_HOST")
    if chosen:
        return (chosen,)
    runtime = environ.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")
    home = environ.get("HOME", "/nowhere")
    places = [f"{home}/.docker/run/docker.sock", f"{runtime}/docker.sock", f"{runtime}/podman/podman.sock"]
    places.append("/run/podman/podman.sock")
    return (_DEFAULT, *(f"unix://{place}" for place in places))


def connect() -> Engine:
    """The engine of this machine; raises SandboxUnavailable with what to do."""
    reasons = []
    for address in addresses(os.environ):
        if address.startswith("unix://") and not Path(address.removeprefix("unix://")).exists():
            reasons += [f"DOCKER_HOST names {address} and nothing is there"] if os.environ.get("DOCKER_HOST") else []
            continue
        try:
            return Engine(address)
        except EngineError as error:
            plain = _PLAIN.search(str(error))
            reasons.append(f"{address}: {plain[0].lower() if plain else error}")
    raise SandboxUnavailable(_refusal(reasons))


def _refusal(reasons: list[str]) -> str:
    if not reasons:
        return f"No container engine is running here; {_INSTALL}."
    if reasons[0].endswith("permission denied"):
        return (
            f"You may not use the container engine ({reasons[0]}); join its group (`usermod -aG docker $USER`, then"
            " log in again) or run a rootless engine."
        )
    return f"The container engine does not answer ({reasons[0]}); start it, or {_INSTALL}."


class Engine:
    """One engine. Every method raises EngineError when it refuses or does not answer."""

    def __init__(self, address: str) -> None:
        self.address = address
        with _translated():
            # Certificates and the like for engines that are not on this machine come from the usual variables.
            settings = docker.utils.kwargs_from_env()
            settings["base_url"] = address
            self._api = docker.APIClient(version="auto", timeout=_PATIENCE, **settings)
            version = self._api.version()
            info = self._api.info()
        engine = next((str(part.get("Name")) for part in version.get("Components") or ()), "Engine")
        kind = "Podman" if "podman" in engine.lower() else "Docker"
        self.name = f"{kind} {version.get('Version', '')}".strip()
        self.podman = kind == "Podman"
        self.machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(str(version.get("Arch")), str(version.get("Arch")))
        self.processors = int(info.get("NCPU") or 1)
        self.runtimes = tuple(info.get("Runtimes") or ())

    def image(self, reference: str) -> Image:
        """The image of this name or id; raises NotThere."""
        with _translated():
            found = self._api.inspect_image(reference)
        labels = (found.get("Config") or {}).get("Labels") or {}
        return Image(id=found["Id"], labels=labels)

    def images(self, labels: Mapping[str, str]) -> tuple[Image, ...]:
        """All tagged images with these labels, the newest first."""
        # Podman finds nothing when it is asked for more than one.
        asked = [f"{name}={value}" for name, value in list(labels.items())[:1]]
        with _translated():
            found = self._api.images(filters={"label": asked})
        images = [
            Image(id=item["Id"], labels=item.get("Labels") or {}, created=int(item.get("Created") or 0))
            for item in found
            if any(not tag.startswith("<none>") for tag in item.get("RepoTags") or ())
            and labels.items() <= (item.get("Labels") or {}).items()
        ]
        return tuple(sorted(images, key=lambda image: image.created, reverse=True))

    def pull(self, reference: str) -> None:
        """Fetch an image from its registry."""
        with _translated():
            for step in self._api.pull(*_split(reference), stream=True, decode=True):
                if "error" in step:
                    raise EngineError(" ".join(str(step["error"]).split()))

    def build(self, context: IO[bytes], dockerfile: str, tag: str, labels: Mapping[str, str], **arguments: str) -> str:
        """Build an image from a context (a tar file) without a network; returns its id."""
        identity, said = "", ""
        with _translated():
            steps = self._api.build(
                fileobj=context, custom_context=True, dockerfile=dockerfile, tag=tag, labels=dict(labels), rm=True,
                forcerm=True, pull=False, network_mode="none", buildargs=arguments, decode=True, timeout=1800,
            )  # fmt: skip
            for step in steps:
                if "error" in step:
                    raise EngineError(" ".join(f"{said} {step['error']}".split())[-600:])
                said = str(step.get("stream") or said)
                identity = (step.get("aux") or {}).get("ID") or identity
        return identity or self.image(tag).id

    def remove_image(self, reference: str) -> None:
        """Take an image away, unless a container still needs it."""
        with _translated():
            self._api.remove_image(reference)

    def ask(self, image: str, program: str) -> str:
        """What a Python program prints in a container of this image without network."""
        config = {
            "Image": image, "Cmd": ["python3", "-c", program], "Entrypoint": [],
            "HostConfig": {"NetworkMode": "none", "CapDrop": ["ALL"], "ReadonlyRootfs": True},
        }  # fmt: skip
        identity = self.create(config)
        try:
            self.start(identity)
            with _translated():
                code = self._api.wait(identity, timeout=60)["StatusCode"]
                said = self._api.logs(identity).decode("utf-8", "replace")
        finally:
            self.remove(identity)
        if code:
            raise EngineError(" ".join(said.split())[-300:] or f"exit status {code}")
        return str(said)

    def create(self, config: Mapping[str, object]) -> str:
        """Make a container as the engine's API describes one; returns its id."""
        with _translated():
            return str(self._api.create_container_from_config(dict(config))["Id"])

    def attach(self, container: str) -> Attachment:
        """A connection to a container's standard streams."""
        streams = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        with _translated():
            attached = self._api.attach_socket(container, params=streams)
        return Attachment(getattr(attached, "_sock", attached), getattr(attached, "_response", attached))

    def start(self, container: str) -> None:
        """Start a container."""
        with _translated():
            self._api.start(container)

    def update(self, container: str, *, memory: int, processes: int) -> None:
        """Change the limits of a running container."""
        body = {"Memory": memory, "MemorySwap": memory, "PidsLimit": processes}
        with _translated():
            url = self._api._url("/containers/{0}/update", container)  # noqa: SLF001 - its own method leaves PidsLimit out
            self._api._raise_for_status(self._api._post_json(url, data=body))  # noqa: SLF001

    def autopsy(self, container: str) -> Autopsy:
        """How a container ended."""
        with _translated():
            state = self._api.inspect_container(container)["State"]
        return Autopsy(
            running=bool(state.get("Running")),
            exit_code=int(state.get("ExitCode") or 0),
            out_of_memory=bool(state.get("OOMKilled")),
            error=str(state.get("Error") or ""),
        )

    def containers(self, label: str) -> tuple[Container, ...]:
        """All containers with this label, in whichever state."""
        with _translated():
            found = self._api.containers(all=True, filters={"label": label})
        return tuple(
            Container(id=item["Id"], state=str(item.get("State")), labels=item.get("Labels") or {}) for item in found
        )

    def remove(self, container: str) -> None:
        """Kill a container and take it away; no error when it is gone already."""
        try:
            with _translated():
                self._api.remove_container(container, force=True, v=True)
        except NotThere:
            return
        except EngineError as error:
            if "already in progress" not in str(error):
                raise

    def close(self) -> None:
        """Let the connection go."""
        self._api.close()


def _split(reference: str) -> tuple[str, str]:
    name, colon, tag = reference.rpartition(":")
    return (name, tag) if colon and "/" not in tag else (reference, "latest")
