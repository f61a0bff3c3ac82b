"""Which lines of the programs ran. Hides the two ways in which interpreters tell, and when it is worth its price."""

from __future__ import annotations

import ast
import sys
import threading

from guest import lines

_CONVERTED = "tf__"  # AutoGraph's prefix for the functions it rewrites
# Calls of foreign functions in one statement, without a new line of the document, after which asking ends: each
# costs about a microsecond, and a statement that trains for long would take twice its time.
_PATIENCE = 300000


class Coverage:
    """Records executed lines of code objects that are handed to `watch`, from then on."""

    def __init__(self, programs, namespace):
        self._lines = {path: set() for path in programs}
        self._monitoring = getattr(sys, "monitoring", None)
        self._tool = None
        self._open = set()  # lines of functions and of the present statement that have not run
        self._foreign = 0
        self._reach = lines.Reach(namespace, self._open, programs.values())

    def watch(self, code):
        """Record the lines of a compiled statement and of everything defined in it."""
        if self._monitoring is None:
            self._trace(code)
            return
        if self._tool is None:
            self._tool = next(tool for tool in range(6) if self._monitoring.get_tool(tool) is None)
            self._monitoring.use_tool_id(self._tool, "coverage")
            self._monitoring.register_callback(self._tool, self._monitoring.events.LINE, self._on_line)
        self._watch_tree(code)

    def rest(self):
        """Stop watching statements that are compiled later."""
        if self._monitoring is None:
            sys.settrace(None)
            threading.settrace(None)

    def is_own(self, function):
        """Whether a trace function is ours."""
        return getattr(function, "__func__", None) is Coverage._on_call

    def lines(self, path, tree):
        """Lines of one program that ran, sorted; functions that AutoGraph ran in rewritten form count whole."""
        found = set(self._lines[path])
        names = _converted_names()
        for node in ast.walk(tree) if names else ():
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in names:
                found.update(range(node.body[0].lineno, _last_line(node) + 1))
        return sorted(found)

    def _watch_tree(self, code):
        self._monitoring.set_local_events(self._tool, code, self._monitoring.events.LINE)
        for constant in code.co_consts:
            if isinstance(constant, type(code)):
                self._watch_tree(constant)

    def _on_line(self, code, line):
        self._lines[code.co_filename].add(line)
        return self._monitoring.DISABLE

    def _trace(self, code):
        path = code.co_filename
        at_once, later = lines.of(code)
        self._open.update((path, line) for line in later - at_once)
        if lines.branches(code):
            self._open.update((path, line) for line in at_once - self._lines[path])
        else:
            # It has no line of its own that could be passed over.
            self._lines[path] |= at_once
            self._open.difference_update((path, line) for line in at_once)
            if self._reach.is_quiet(code):
                return
        self._foreign = 0
        sys.settrace(self._on_call)
        threading.settrace(self._on_call)

    def _on_call(self, frame, _event, _argument):
        path = frame.f_code.co_filename
        seen = self._lines.get(path)
        if seen is None:
            self._foreign += 1
            if self._foreign > _PATIENCE:
                sys.settrace(None)
            return None

        def local(inner, event, _value):
            if event == "line" and inner.f_lineno not in seen:
                seen.add(inner.f_lineno)
                self._foreign = 0
                self._open.discard((path, inner.f_lineno))
                if not self._open:
                    sys.settrace(None)
            return local

        return local


def _last_line(node):
    return max(getattr(part, "lineno", 0) for part in ast.walk(node))


def _converted_names():
    """Names of the functions that AutoGraph has rewritten, which it does when they are first called."""
    names = set()
    for module_name, module in list(sys.modules.items()):
        if "__autograph_generated_file" in module_name:
            names.update(_functions_in(getattr(module, "__file__", None)))
    return names


def _functions_in(path):
    try:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, TypeError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith(_CONVERTED):
            yield node.name[len(_CONVERTED) :]
