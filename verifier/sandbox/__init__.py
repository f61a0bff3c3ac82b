"""Oracle 2: a real TensorFlow, running behind a wall."""

from verifier.sandbox.base import Sandbox
from verifier.sandbox.choose import open_sandbox
from verifier.sandbox.definition import names, read_definition
from verifier.sandbox.environment import ensure

__all__ = ["Sandbox", "ensure", "names", "open_sandbox", "read_definition"]
