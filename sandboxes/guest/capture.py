"""What a program leaves behind beside its result: printed text, warnings and plots."""

from __future__ import annotations

import base64
import io
import logging
import os
import sys
import warnings

from guest import faults, kernel

_WARNINGS = 50  # different warnings kept per statement
_TEXT = 2048  # characters of a warning
_PIXELS = 2048  # longest side of a figure; a larger one is drawn smaller
_FOR_AUTHORS = (DeprecationWarning, PendingDeprecationWarning)
_FOR_NOBODY = (ImportWarning, ResourceWarning)
_LOGGERS = ("tensorflow", "absl")


def marker(descriptors, word):
    """A function that marks, on `descriptors`, that all that is printed from now on is statement `number`'s."""
    write, getpid, failure = os.write, os.getpid, OSError
    process = getpid()

    def mark(number):
        if getpid() != process:
            return  # a child that the document forked
        text = ("\x1e%s:%d\x1e" % (word, number)).encode("ascii")
        for descriptor in descriptors:
            try:
                write(descriptor, text)
            except failure:
                pass  # closed by the document: its output can no longer be told apart

    return mark


class Streams:
    """Python's own streams on descriptors 1 and 2."""

    __slots__ = ("_own",)

    def __init__(self):
        sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.FileIO(0, "r", closefd=False), encoding="utf-8")
        sys.stdout = sys.__stdout__ = self._writer(1)
        sys.stderr = sys.__stderr__ = self._writer(2)
        self._own = (sys.stdout, sys.stderr)

    @staticmethod
    def _writer(descriptor):
        raw = io.FileIO(descriptor, "w", closefd=False)
        # Unbuffered, so that a crash loses nothing that was printed before it.
        options = {"encoding": "utf-8", "errors": "backslashreplace", "write_through": True}
        return io.TextIOWrapper(io.BufferedWriter(raw, 1), **options)

    def flush(self):
        """Bring out what Python and C code still hold back."""
        for stream in (sys.stdout, sys.stderr, *self._own):
            try:
                stream.flush()
            except BaseException:
                pass  # the document's own stream, or closed by it
        kernel.flush_streams()


class Warnings:
    """Warnings, and TensorFlow's own log lines of that level, since the last time they were taken."""

    __slots__ = ("_owns", "_seen")

    def __init__(self, owns):
        self._owns = owns
        self._seen = {}
        warnings.resetwarnings()
        warnings.simplefilter("always")
        warnings.showwarning = self._show
        handler = logging.Handler(logging.WARNING)
        handler.emit = self._log
        for name in _LOGGERS:
            logging.getLogger(name).addHandler(handler)

    def _show(self, message, category, filename, *_place, **_options):
        # As by default in Python: some kinds only for the author of the line they point at, some for nobody.
        elsewhere = issubclass(category, _FOR_AUTHORS) and not self._owns(filename)
        if not elsewhere and not issubclass(category, _FOR_NOBODY):
            self._add(faults.class_name(category), message)

    def _log(self, record):
        if record.levelno == logging.WARNING:
            self._add("TensorFlow", record.getMessage())

    def _add(self, category, message):
        key = (category, faults.safe_text(message, _TEXT))
        if key in self._seen or len(self._seen) < _WARNINGS:
            self._seen[key] = self._seen.get(key, 0) + 1

    def take(self):
        """What was recorded, as [category, text, count], and forget it."""
        taken, self._seen = self._seen, {}
        return [[category, text, count] for (category, text), count in taken.items()]


class Figures:
    """Open matplotlib figures as PNG: at `plt.show()` and at the end of each program."""

    __slots__ = ("_drawn", "_left", "_size")

    def __init__(self, limits):
        self._left = limits["figures"]
        self._size = limits["figure"]
        self._drawn = []
        backend = getattr(sys.modules.get("matplotlib.pyplot"), "_backend_mod", None)
        if backend is not None:
            # What a notebook's backend does; plt.show itself stays matplotlib's.
            backend.show = staticmethod(self._show)

    def _show(self, *_arguments, **_options):
        self.collect()

    def collect(self):
        """Draw every open figure and close it; raises what drawing raises."""
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            return
        try:
            for number in pyplot.get_fignums():
                if self._left > 0:
                    self._draw(pyplot.figure(number))
        finally:
            pyplot.close("all")

    def take(self):
        """What was drawn since the last time, as (PNG in base64, width, height)."""
        taken, self._drawn = self._drawn, []
        return taken

    def _draw(self, figure):
        width, height = figure.get_size_inches()
        resolution = min(figure.dpi, _PIXELS / max(width, height, 1e-3))
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=resolution)
        picture = buffer.getvalue()
        if len(picture) <= self._size:
            self._left -= 1
            text = base64.b64encode(picture).decode("ascii")
            self._drawn.append((text, int(width * resolution), int(height * resolution)))
