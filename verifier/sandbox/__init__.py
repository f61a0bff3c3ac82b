"""Oracle 2: a real TensorFlow, running behind a wall."""

from verifier.sandbox.base import Sandbox
from verifier.sandbox.choose import open_sandbox
from verifier.sandbox.definition import names, read_definition
from verifier.sandbox.doctor import examine
from verifier.sandbox.environment import ensure
from verifier.sandbox.lease import Lease
from verifier.sandbox.shell import open_shell
from verifier.sandbox.upkeep import build_environments, build_images

__all__ = [
    "Lease",
    "Sandbox",
    "build_environments",
    "build_images",
    "ensure",
    "examine",
    "names",
    "open_sandbox",
    "open_shell",
    "read_definition",
]
