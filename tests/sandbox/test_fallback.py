"""Where cells cannot be made inside the wall, every session gets a wall of its own, and the report says so."""

from __future__ import annotations

import os

import pytest

from verifier.model import Fate, Limits
from verifier.sandbox.bubblewrap import BubblewrapSandbox

pytestmark = [
    pytest.mark.sandbox,
    # Root's own wall has parts of /proc covered, which is what forbids a second proc inside.
    pytest.mark.skipif(os.geteuid() != 0, reason="shown by root's own wall"),
]


def test_one_wall_per_session(environment, line_job) -> None:
    with BubblewrapSandbox("tf-2.21") as sandbox:
        sandbox._drop = False
        if "one wall per session" not in sandbox.environment.isolation:
            pytest.skip("this kernel allows cells in root's own wall")
        assert (
            sandbox.run(line_job("open('/tmp/left', 'w').write('x'); open('left', 'w').write('x')")).fate
            is Fate.FINISHED
        )
        fresh = sandbox.run(line_job("import os; print(os.path.exists('/tmp/left'), os.listdir('.'))"))
        assert fresh.stdout == "False []\n"
        assert sandbox.run(line_job("while True: pass", limits=Limits(wall_seconds=1))).fate is Fate.TIMEOUT
