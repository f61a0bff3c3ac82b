"""The zygote: imports TensorFlow once, then opens a fresh cell per job and passes on what the cell says.

Started as `python main.py LINK IDENT`: the descriptors of the link to the host and of the socket on which a new
cell shows its pid. It never runs anything of a document and never reads what a session claims.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import sys
import time

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(_HERE)

from guest import cell, kernel, lookup, preload, session, wire  # noqa: E402  (the path is set up just above)

_CHUNK = 1 << 16


def main(link, ident):
    """Serve until the host hangs up."""
    kernel.hide_memory()
    began = time.monotonic()
    nested = cell.can_nest()
    failed = preload.load()
    _empty("/scratch")  # Keras leaves its settings there
    _forget_guest()
    wire.tell(
        link,
        kind="ready",
        protocol=wire.PROTOCOL,
        nested=nested,
        python="%d.%d.%d" % sys.version_info[:3],
        failed=failed,
        seconds=time.monotonic() - began,
        anonymous=_anonymous_memory(),
    )
    parked = _park(ident, nested)
    while True:
        try:
            payload = wire.receive_bytes(link)
        except wire.Closed:
            return
        if json.loads(payload.decode("utf-8"))["kind"] == "kill":
            continue  # meant for a session that ended by itself meanwhile
        if isinstance(parked, str):
            wire.tell(link, kind="impure", reason=parked)
            continue
        _watch(link, parked, payload)
        # The next cell is made while the last one dies and the host looks at what it said.
        used, parked = parked, _park(ident, nested)
        # Waiting returns only when the whole cell is gone: nothing of it may disturb the next one.
        os.waitpid(used.pid, 0)
        for end in used.ends:
            os.close(end)
        wire.tell(link, kind="gone")


def _empty(folder):
    for name in os.listdir(folder):
        shutil.rmtree(os.path.join(folder, name), ignore_errors=True)


def _forget_guest():
    """Documents must not be able to import this program, nor find it first on the path."""
    sys.path[:] = [path for path in sys.path if path != os.path.dirname(_HERE)]
    for name in [name for name in sys.modules if name == "guest" or name.startswith("guest.")]:
        del sys.modules[name]


def _anonymous_memory():
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("RssAnon"):
                return int(line.split()[1]) * 1024
    return 0


class _Parked:
    """A cell that waits for its job: pid of its init, our ends of its pipes, the pipe that takes the job."""

    def __init__(self, pid, ends, job):
        self.pid = pid
        self.ends = ends
        self.job = job


def _park(ident, nested):
    """Make a cell for the next job; a string that says why not when this process may not fork."""
    reason = preload.impurity()
    if reason:
        return reason
    pipes = [os.pipe() for _ in range(4)]
    job, give = os.pipe()
    try:
        pid = cell.open_cell(cell.Pipes(*[end for _, end in pipes]), job, ident, nested, _work)
    except OSError as error:
        return str(error)
    for end in (job, *[end for _, end in pipes]):
        os.close(end)
    return _Parked(pid, [end for end, _ in pipes], give)


def _work(job, claims, marks):
    """What the process at the bottom of a cell does."""
    (session.run if job["kind"] == "session" else lookup.run)(job, claims, marks)


def _watch(link, parked, payload):
    """Give a cell its job and pass on what it writes until it is over; a `kill` of the host ends it."""
    try:
        wire.send(parked.job, wire.MESSAGE, payload)
    except OSError:
        pass  # the cell could not be made, and says so
    os.close(parked.job)
    channels = dict(zip(parked.ends, (wire.CLAIMS, wire.STDOUT, wire.STDERR)))
    status = parked.ends[3]
    for end in channels:
        os.set_blocking(end, False)
    open_ends = set(parked.ends)
    last_words = b""
    while status in open_ends:
        ready, _, _ = select.select([link, *open_ends], [], [])
        if link in ready:
            _obey(link, parked.pid)
        if status in ready:
            words = os.read(status, _CHUNK)
            last_words += words
            open_ends -= set() if words else {status}
        open_ends -= {end for end in channels if end in ready and not _pass_on(link, channels[end], end)}
    for end in open_ends:
        while _pass_on(link, channels[end], end):
            pass
    wire.tell(link, kind="done", report=last_words.decode("ascii", "replace"))


def _obey(link, pid):
    """Do what the host says in the middle of a session; there is but one thing."""
    try:
        message = wire.receive(link)
    except wire.Closed:
        os._exit(0)  # the host is gone, and with this process goes every cell
    if message["kind"] == "kill":
        os.kill(pid, signal.SIGKILL)


def _pass_on(link, channel, end):
    """Pass on what a pipe holds; whether there may be more."""
    try:
        data = os.read(end, _CHUNK)
    except BlockingIOError:
        return False
    if data:
        wire.send(link, channel, data)
    return bool(data)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
