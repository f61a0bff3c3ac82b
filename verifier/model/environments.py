"""How environments are called in evidence and reports. Hides how a name tells what is really inside."""

from __future__ import annotations


def substituted(name: str, words: str) -> str:
    """The name of an environment whose place something else takes: `tf-1.15 (tf.compat.v1 of 2.15)`."""
    return f"{name} ({words})"


def is_substituted(name: str) -> bool:
    """Whether something else takes the place of the environment of this name."""
    return name.endswith(")")


def plain_name(name: str) -> str:
    """The name as users give it, whatever takes its place."""
    return name.partition(" (")[0]


def release_of(environment: str) -> str:
    """The TensorFlow release of an environment: `tf-2.21-keras2` -> `2.21`."""
    return plain_name(environment).removeprefix("tf-").partition("-")[0]
