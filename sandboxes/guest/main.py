"""The zygote: imports TensorFlow once, then opens a fresh cell per job and passes on what the cell says.

Started as `python main.py LINK IDENT`: the descriptors of the link to the host and of the socket on which a new
cell shows its pid. In a container, as `python main.py`: the link is its standard input and output.
It never runs anything of a document and never reads what a session claims.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import sys
import time

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[0] = os.path.dirname(_HERE)

from guest import seclusion  # noqa: E402  (the path is set up just above)

seclusion.seclude(_HERE)

from guest import cell, gauge, kernel, lookup, preload, quarters, session, stage, wire  # noqa: E402  (now secluded)

_CHUNK = 1 << 16
_SESSIONS = 5000  # after so many a zygote is replaced
_GROWTH = 256 << 20  # bytes by which a zygote may grow before it is replaced


def main(source, sink, ident):
    """Serve until the host hangs up: read its messages from `source`, answer on `sink`.

    Returns None then. In the process at the bottom of each new cell it returns, too, with that cell's Snippet.
    """
    if wire.is_hung_up(source):
        return None  # the host was killed before the wall could learn to die with it
    counters = gauge.Gauge()
    if ident is None:
        quarters.settle()
    kernel.hide_memory()
    began = time.monotonic()
    nested = cell.can_nest()
    failed = preload.load()
    _empty("/scratch")  # Keras leaves its settings there
    _forget_guest()
    kernel.gather_pages()
    size = _anonymous_memory()
    wire.tell(
        sink,
        kind="ready",
        protocol=wire.PROTOCOL,
        nested=nested,
        python="%d.%d.%d" % sys.version_info[:3],
        failed=failed,
        seconds=time.monotonic() - began,
        anonymous=size,
    )
    used, served = None, 0
    while True:
        # The next cell is made while the last one dies and the host looks at what it said.
        parked = _park(ident, nested)
        if isinstance(parked, cell.Snippet):
            return parked
        if used:
            used.bury()
            wire.tell(sink, kind="gone", worn=served >= _SESSIONS or _anonymous_memory() > size + _GROWTH)
            if isinstance(parked, str):
                # What was dying may have held every process that the limits allow.
                parked = _park(ident, nested)
                if isinstance(parked, cell.Snippet):
                    return parked
        payload = _next_job(source)
        if payload is None:
            return None
        if isinstance(parked, str):
            wire.tell(sink, kind="impure", reason=parked)
            used = None
            continue
        before = counters.read()
        report = _watch(source, sink, parked, payload)
        wire.tell(sink, kind="done", report=report, **gauge.since(before, counters.read()))
        used, served = parked, served + 1


def _next_job(source):
    """The next job of the host, not decoded; None when it has hung up."""
    while True:
        try:
            payload = wire.receive_bytes(source)
        except wire.Closed:
            return None
        if json.loads(payload.decode("utf-8"))["kind"] != "kill":
            return payload  # a `kill` was meant for a session that ended by itself meanwhile


def _empty(folder):
    for name in os.listdir(folder):
        shutil.rmtree(os.path.join(folder, name), ignore_errors=True)


def _forget_guest():
    """Documents must not be able to import this program, nor find it first on the path."""
    sys.path[:] = [path for path in sys.path if path != os.path.dirname(_HERE)]
    seclusion.forget(_HERE)


def _anonymous_memory():
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("RssAnon"):
                return int(line.split()[1]) * 1024
    return 0


class _Parked:
    """A cell that waits for its job: its init, our ends of its pipes, the pipe that takes the job."""

    def __init__(self, pid, ends, job):
        self.init = kernel.Child(pid)
        self.ends = ends
        self.job = job

    def bury(self):
        """Wait until the whole cell is gone: nothing of it may disturb the next one."""
        self.init.bury()
        for end in self.ends:
            os.close(end)


def _park(ident, nested):
    """Make a cell for the next job; a string that says why not when this process may not fork.

    In the cell, a Snippet.
    """
    reason = preload.impurity()
    if reason:
        return reason
    pipes = [os.pipe() for _ in range(5)]
    job, give = os.pipe()
    try:
        made = cell.open_cell(cell.Pipes(*[end for _, end in pipes]), job, ident, nested)
    except OSError as error:
        made = str(error)
    if isinstance(made, cell.Snippet):
        return made
    for end in (job, *[end for _, end in pipes]):
        os.close(end)
    if isinstance(made, str):
        for end in (give, *[end for end, _ in pipes]):
            os.close(end)
        return made
    return _Parked(made, [end for end, _ in pipes], give)


def _watch(source, sink, parked, payload):
    """Give a cell its job and pass on what it writes until it is over; returns what its init said last.

    A `kill` of the host ends it.
    """
    try:
        wire.send(parked.job, wire.MESSAGE, payload)
    except OSError:
        pass  # the cell could not be made, and says so
    os.close(parked.job)
    channels = dict(zip(parked.ends, (wire.CLAIMS, wire.NOTICES, wire.STDOUT, wire.STDERR)))
    status = parked.ends[-1]
    for end in channels:
        os.set_blocking(end, False)
    open_ends = set(parked.ends)
    last_words = b""
    while status in open_ends and not cell.is_over(last_words):
        ready, _, _ = select.select([source, *open_ends], [], [])
        if source in ready:
            _obey(source, parked.init)
        if status in ready:
            words = os.read(status, _CHUNK)
            last_words += words
            open_ends -= set() if words else {status}
        open_ends -= {end for end in channels if end in ready and not _pass_on(sink, channels[end], end)}
    for end in open_ends - {status}:
        while _pass_on(sink, channels[end], end):
            pass
    return last_words.decode("ascii", "replace")


def _obey(source, init):
    """Do what the host says in the middle of a session; there is but one thing."""
    try:
        message = wire.receive(source)
    except wire.Closed:
        os._exit(0)  # the host is gone, and with this process goes every cell
    if message["kind"] == "kill":
        init.kill()


def _pass_on(sink, channel, end):
    """Pass on what a pipe holds; whether there may be more."""
    try:
        data = os.read(end, _CHUNK)
    except BlockingIOError:
        return False
    if data:
        wire.send(sink, channel, data)
    return bool(data)


def _standard_streams():
    """Keep standard input and output for the link alone: what a library prints goes to the log."""
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return source, sink


def _course(snippet):
    """What there is to do for a Snippet, as `stage.perform` takes it; a lookup is done at once."""
    if snippet is None:
        sys.exit()
    if snippet.job["kind"] == "lookup":
        lookup.run(snippet.job, snippet.ends.claims)
    return [session.course(snippet.job, snippet.ends)]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        stage.perform(_course(main(int(sys.argv[1]), int(sys.argv[1]), int(sys.argv[2]))))
    else:
        stage.perform(_course(main(*_standard_streams(), None)))
