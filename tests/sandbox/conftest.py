"""One started sandbox for the tests that look at it from outside."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from backends import need_image

from verifier.model import Program, SessionJob, Span, Statement
from verifier.sandbox.bubblewrap import BubblewrapSandbox
from verifier.sandbox.docker import DockerSandbox
from verifier.sandbox.environment import is_ready


def needs_environment() -> None:
    if not is_ready("tf-2.21"):
        pytest.fail("the environment tf-2.21 has not been built on this machine: `verify sandbox build tf-2.21`")


@pytest.fixture(scope="session")
def warm() -> Iterator[BubblewrapSandbox]:
    needs_environment()
    with BubblewrapSandbox("tf-2.21") as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def contained() -> Iterator[DockerSandbox]:
    need_image()
    with DockerSandbox("tf-2.21") as sandbox:
        yield sandbox


@pytest.fixture
def image() -> None:
    need_image()


@pytest.fixture
def environment() -> None:
    needs_environment()


@pytest.fixture
def line_job():
    """A session of one program with one statement."""

    def make(code: str, **more) -> SessionJob:
        statement = Statement(span=Span(start=0, end=len(code)), line=1, end_line=code.count("\n") + 1)
        return SessionJob(programs=(Program(name="p", code=code, statements=(statement,)),), **more)

    return make
