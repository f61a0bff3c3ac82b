"""Which backends the suites of behaviours and attacks run on, and what is said when one of them cannot be had."""

from __future__ import annotations

import os

import pytest

from verifier.errors import SandboxUnavailable
from verifier.sandbox.engine import connect
from verifier.sandbox.environment import is_ready
from verifier.sandbox.image import image_ready

ENVIRONMENT = "tf-2.21"
# Read when the tests are collected: each test sees an environment without these.
REQUIRED = bool(os.environ.get("CI") or os.environ.get("VERIFIER_REQUIRE_DOCKER"))


def _why_no_engine() -> str:
    try:
        connect().close()
    except SandboxUnavailable as error:
        return str(error)
    return ""


NO_ENGINE = _why_no_engine()
# Where Docker must be tested, its tests are there to fail when it is missing.
BACKENDS = ("bubblewrap",) if NO_ENGINE and not REQUIRED else ("bubblewrap", "docker")


def prepare(backend: str) -> None:
    """Fails, with what to do, unless a sandbox on this backend can be opened."""
    if backend == "docker":
        need_image()
    elif not is_ready(ENVIRONMENT):
        pytest.fail(f"the environment has not been built on this machine: `verify sandbox build {ENVIRONMENT}`")


def need_image() -> None:
    """Fails, with what to do, unless there is an engine with an image of today's environment."""
    if NO_ENGINE:
        pytest.fail(f"Docker must be tested here, but: {NO_ENGINE}")
    if not image_ready(ENVIRONMENT):
        pytest.fail(
            f"the image has not been built: `verify sandbox build {ENVIRONMENT} --sandbox docker` or `make image`"
        )


needs_engine = pytest.mark.skipif("docker" not in BACKENDS, reason="no container engine answers; said again at the end")
