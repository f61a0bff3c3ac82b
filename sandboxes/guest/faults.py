"""What an exception says, as plain data. Hides tracebacks, positions and hostile exception classes."""

from __future__ import annotations

import re

_MESSAGE = 4096
_FRAMES = 40
_UNBOUND = re.compile(r"name '([^']+)' is not defined")


def safe_text(value, limit, convert=str):
    """`convert(value)` as a plain string that JSON can carry, whatever the value's class does."""
    try:
        text = convert(value)
    except BaseException as error:
        text = "<%s failed with %s>" % (convert.__name__, class_name(type(error)))
    # The methods of a subclass of str are the document's code; those of str itself are not.
    length = str.__len__(text)
    text = str.__getitem__(text, slice(0, limit))
    if length > limit:
        text += "… (%d characters)" % length
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def class_name(cls):
    """Qualified name of a class; builtins without module."""
    name = type.__dict__["__qualname__"].__get__(cls)
    module = type.__dict__["__module__"].__get__(cls)
    if not isinstance(module, str) or module in ("builtins", "exceptions"):
        return name
    return module + "." + name


class Positions:
    """Character offsets of places in the programs of a session."""

    def __init__(self, programs):
        self._programs = programs
        self._lines = {}

    def owns(self, filename):
        """Whether a file is one of the programs."""
        return filename in self._programs

    def offset(self, path, line, column):
        """Offset of a place the compiler names: line from 1, column in UTF-8 bytes."""
        if path not in self._lines:
            starts = [0]
            lines = self._programs[path]["code"].split("\n")
            for text in lines:
                starts.append(starts[-1] + len(text) + 1)
            self._lines[path] = (lines, starts)
        lines, starts = self._lines[path]
        if not 1 <= line <= len(lines):
            return starts[-1] - 1
        head = lines[line - 1].encode("utf-8", "surrogatepass")[: max(column, 0)]
        return starts[line - 1] + len(head.decode("utf-8", "ignore"))

    def expression(self, path, code, instruction):
        """Character range of the part of the source that an instruction belongs to, or None."""
        if not hasattr(code, "co_positions"):
            return None
        for index, place in enumerate(code.co_positions()):
            if index == instruction // 2:
                if None in place:
                    return None
                line, end_line, column, end_column = place
                return [self.offset(path, line, column), self.offset(path, end_line, end_column)]
        return None


def describe(error, positions, path):
    """The facts of an exception that ended a statement of the program at `path`."""
    cls = type(error)
    fault = {
        "type": class_name(cls),
        "mro": [class_name(base) for base in type.mro(cls) if base is not object],
        "message": _message(error),
        "name": _name(error),
        "expression": None,
        "frames": [],
        "exhausted": exhausted(error),
    }
    if isinstance(error, SyntaxError) and error.filename == path and error.lineno:
        fault["frames"] = [[path, error.lineno]]
        fault["expression"] = _syntax_place(error, positions, path)
        return fault
    own = _own_frames(error.__traceback__, positions)
    frames = [[name, line] for name, line, _, _ in own] + _converted_frames(error, positions)
    fault["frames"] = frames if len(frames) <= _FRAMES else frames[: _FRAMES // 2] + frames[-_FRAMES // 2 :]
    if own:
        name, _, code, instruction = own[-1] if own[-1][0] == path else own[0]
        if name == path:
            fault["expression"] = positions.expression(path, code, instruction)
    return fault


def _own_frames(trace, positions):
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if positions.owns(code.co_filename):
            frames.append((code.co_filename, trace.tb_lineno, code, trace.tb_lasti))
        trace = trace.tb_next
    return frames


def _converted_frames(error, positions):
    """Frames of functions that AutoGraph rewrote, at the lines where the author wrote them."""
    try:
        stack = error.ag_error_metadata.translated_stack
        places = [(frame.filename, frame.lineno) for frame in stack if frame.is_converted]
        # AutoGraph lists the innermost frame first.
        return [[name, line] for name, line in reversed(places) if positions.owns(name)]
    except Exception:
        return []


def _syntax_place(error, positions, path):
    line, column = error.lineno, max((error.offset or 1) - 1, 0)
    start = positions.offset(path, line, 0) + column
    end_line, end_column = getattr(error, "end_lineno", None), getattr(error, "end_offset", None)
    if not end_line or not end_column or end_column < 1:
        return [start, start + 1]
    return [start, max(positions.offset(path, end_line, 0) + end_column - 1, start)]


def _message(error):
    if isinstance(error, SyntaxError) and isinstance(error.msg, str):
        return safe_text(error.msg, _MESSAGE)
    return safe_text(error, _MESSAGE)


def _name(error):
    if not isinstance(error, (NameError, AttributeError, ImportError)):
        return ""
    try:
        name = error.name
    except Exception:
        found = _UNBOUND.search(_message(error))
        name = found.group(1) if found else ""
    return safe_text(name, 256) if isinstance(name, str) else ""


def exhausted(error):
    """Which limit of the sandbox an exception tells of: `memory`, `processes`, `disk`, or empty."""
    text = _message(error)
    kind = class_name(type(error))
    if isinstance(error, MemoryError) or (kind.endswith("ResourceExhaustedError") and "OOM" in text):
        return "memory"
    if isinstance(error, BlockingIOError) and error.errno == 11 and "unavailable" in text:
        return "processes"
    if isinstance(error, RuntimeError) and "can't start new thread" in text:
        return "processes"
    if (isinstance(error, OSError) and error.errno in (27, 28)) or "No space left on device" in text:
        return "disk"
    if isinstance(error, OSError) and error.errno == 12:
        return "memory"
    return ""
