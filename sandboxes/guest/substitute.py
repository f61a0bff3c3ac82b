"""Puts the interface of release 1 in the place of TensorFlow, where release 1 itself cannot be had.

The host asks for it by a variable and names it in every report. It sets switches and runs no operation.
"""

from __future__ import annotations

import os
import sys


def install():
    """Let `import tensorflow` give `tensorflow.compat.v1` with the behaviour of release 2 off, if asked."""
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is None or os.environ.get("VERIFIER_SUBSTITUTE") != "compat.v1":
        return
    first = tensorflow.compat.v1
    first.disable_v2_behavior()
    # Modules that only the real package holds stay importable through the other.
    first.__path__ = [*first.__path__, *tensorflow.__path__]
    sys.modules["tensorflow"] = first
