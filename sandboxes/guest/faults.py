"""What an exception says, as plain data. Hides tracebacks, positions and hostile exception classes."""

from __future__ import annotations

import re

from guest import walls

_MESSAGE = 4096
_FRAMES = 40
# Interpreters before 3.10 tell the name in the message only.
_UNBOUND = re.compile(r"(?:name|variable) '([^']+)' (?:is not defined|referenced before)|has no attribute '([^']+)'$")


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
    """Character offsets of places in the programs of a session, {path: code}."""

    __slots__ = ("_lines", "_programs")

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
            lines = self._programs[path].split("\n")
            for text in lines:
                starts.append(starts[-1] + len(text) + 1)
            self._lines[path] = (lines, starts)
        lines, starts = self._lines[path]
        if not 1 <= line <= len(lines):
            return starts[-1] - 1
        head = lines[line - 1].encode("utf-8", "surrogatepass")[: max(column, 0)]
        return starts[line - 1] + len(head.decode("utf-8", "ignore"))

    def text(self, path, place, line):
        """The source of a character range, or of a line where there is none."""
        code = self._programs[path]
        if place is not None:
            return code[place[0] : place[1]]
        lines = code.split("\n")
        return lines[line - 1] if 1 <= line <= len(lines) else ""

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
    kind = type(error)
    message = _message(error)
    fault = {
        "type": class_name(kind),
        "mro": [class_name(base) for base in type.mro(kind) if base is not object],
        "message": message,
        "name": name_of(error),
        "expression": None,
        "frames": [],
        "exhausted": "",
        "refused": walls.refused(error, message),
    }
    if issubclass(kind, SyntaxError) and _syntax(error, "filename") == path and _syntax(error, "lineno"):
        fault["frames"] = [[path, _syntax(error, "lineno")]]
        fault["expression"] = _syntax_place(error, positions, path)
        return fault
    own = _own_frames(BaseException.__traceback__.__get__(error), positions)
    frames = [[name, line] for name, line, _, _ in own] + _converted_frames(error, positions)
    fault["frames"] = frames if len(frames) <= _FRAMES else frames[: _FRAMES // 2] + frames[-_FRAMES // 2 :]
    if own:
        name, _, code, instruction = own[-1] if own[-1][0] == path else own[0]
        if name == path:
            fault["expression"] = positions.expression(path, code, instruction)
    innermost = _innermost(BaseException.__traceback__.__get__(error))
    compiling = positions.owns(innermost) or innermost.endswith("/ast.py")
    fault["exhausted"] = walls.exhausted(error, message, _failing_source(own, positions) if compiling else "")
    return fault


def _failing_source(own, positions):
    """The part of the document that was being run when an exception arose; its whole line where that is all we know."""
    if not own:
        return ""
    name, line, code, instruction = own[-1]
    place = positions.expression(name, code, instruction)
    return positions.text(name, place, line)


def _innermost(trace):
    name = ""
    while trace is not None:
        name, trace = trace.tb_frame.f_code.co_filename, trace.tb_next
    return name


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
    except BaseException:
        return []  # most errors have no such data, and those of hostile classes raise what they like


def _syntax_place(error, positions, path):
    line, column = _syntax(error, "lineno"), max((_syntax(error, "offset") or 1) - 1, 0)
    start = positions.offset(path, line, 0) + column
    end_line, end_column = _syntax(error, "end_lineno"), _syntax(error, "end_offset")
    if not end_line or not end_column or end_column < 1:
        return [start, start + 1]
    return [start, max(positions.offset(path, end_line, 0) + end_column - 1, start)]


def _syntax(error, name):
    """What the interpreter noted in a SyntaxError, whatever its class says; None before 3.10 for the ends."""
    noted = SyntaxError.__dict__.get(name)
    return None if noted is None else noted.__get__(error)


def _message(error):
    if issubclass(type(error), SyntaxError) and isinstance(_syntax(error, "msg"), str):
        return safe_text(_syntax(error, "msg"), _MESSAGE)
    return safe_text(error, _MESSAGE)


def name_of(error):
    """The name that was not there, of exceptions that are about one; else an empty string."""
    if not issubclass(type(error), (NameError, AttributeError, ImportError)):
        return ""
    try:
        name = error.name
    except BaseException:
        found = _UNBOUND.search(_message(error))
        name = found.group(1) or found.group(2) if found else ""
    return safe_text(name, 256) if issubclass(type(name), str) else ""
