"""What AutoGraph and Keras wrap around an exception is taken off; everything else stays as it was said."""

from __future__ import annotations

import pytest

from verifier.text import inner_message

GRAPH = 'in user code:\n\n    File "/code/a.py", line 4, in f  *\n        return tf.log(x)\n\n    AttributeError: {}\n'
KERAS = (
    "Exception encountered when calling Net.call().\n\n\x1b[1m{}\x1b[0m\n\nArguments received by Net.call():\n  • x=1"
)


@pytest.mark.parametrize("said", ["module 'tensorflow' has no attribute 'log'", "a: b"])
@pytest.mark.parametrize("frame", [GRAPH, KERAS, "{}"])
def test_what_was_said_comes_out(frame: str, said: str) -> None:
    assert inner_message(frame.format(said)) == said


@pytest.mark.parametrize("message", ["", "\n", "in user code", "Exception encountered when calling me", "two\nlines"])
def test_other_messages_stay(message: str) -> None:
    assert inner_message(message) == message
