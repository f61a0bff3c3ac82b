"""Which lines of the programs ran. Hides the two ways in which interpreters tell."""

from __future__ import annotations

import ast
import sys
import threading

_CONVERTED = "tf__"  # AutoGraph's prefix for the functions it rewrites


class Coverage:
    """Records executed lines of code objects that are handed to `watch`, from then on."""

    def __init__(self, paths):
        self._lines = {path: set() for path in paths}
        self._monitoring = getattr(sys, "monitoring", None)
        self._tool = None

    def watch(self, code):
        """Record the lines of a compiled statement and of everything defined in it."""
        if self._monitoring is None:
            sys.settrace(self._on_call)
            threading.settrace(self._on_call)
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

    def _on_call(self, frame, _event, _argument):
        lines = self._lines.get(frame.f_code.co_filename)
        if lines is None:
            return None

        def local(inner, event, _value):
            if event == "line":
                lines.add(inner.f_lineno)
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
