"""Runs the programs of a session, statement by statement, in one namespace, and claims what happened.

Nothing of a program is rewritten: it stands in a real file and is compiled with that file's name and lines, so
that AutoGraph, inspect and tracebacks see the author's code.
"""

from __future__ import annotations
import __future__ as features

import ast
import builtins
import linecache
import os
import random
import sys
import threading
import time
import types

from guest import capture, coverage, faults, ledger, wire

_VALUE = 8192
_THREADS = 5.0  # seconds that the end of a session waits for the program's own threads
# The seed that TensorFlow takes for itself when only an operation has one: with it, documents that seed an
# operation see the numbers they would see outside, and all others repeat.
_SEED = 87654321
_FEATURES = 0
for _name in features.all_feature_names:
    _FEATURES |= getattr(features, _name).compiler_flag
_AWAIT = getattr(ast, "PyCF_ALLOW_TOP_LEVEL_AWAIT", 0)
_COROUTINE = 0x80


def run(job, claims, marks):
    """Run a session and end the process."""
    reporter = _Reporter(claims, job["token"])
    session = _Session(job, reporter, marks)
    reporter.tell("started")
    ended = session.run()
    reporter.tell("finished", ended=ended)
    os._exit(0)


class _Reporter:
    """Writes claims, in this process only: a child that the document forks must not speak for it."""

    def __init__(self, claims, token):
        self._claims = claims
        self._token = token
        self._process = os.getpid()

    def tell(self, kind, **facts):
        """Write one claim."""
        if os.getpid() == self._process:
            wire.claim(self._claims, what=kind, token=self._token, **facts)


class _Ended(Exception):
    """The session is over before its last statement."""


class _Session:
    """The namespace of a session and everything that watches it."""

    def __init__(self, job, reporter, marks):
        self._programs = job["programs"]
        self._tell = reporter.tell
        self._positions = faults.Positions({program["path"]: program for program in self._programs})
        self._module = types.ModuleType("__main__")
        self._space = self._module.__dict__
        self._space["__builtins__"] = builtins
        self._ledger = ledger.Ledger(self._space)
        self._coverage = coverage.Coverage([program["path"] for program in self._programs])
        self._at = (0, 0)
        self._number = 0
        self._trees = {}
        self._streams = capture.Streams(marks, job["mark"])
        self._warnings = capture.Warnings(self._positions.owns)
        self._figures = capture.Figures(job["limits"], self._figure)
        sys.modules["__main__"] = self._module
        sys.argv = [self._programs[0]["path"]]
        sys.path.append("/scratch")
        _seed(job["seed"])

    def run(self):
        """Run every program; returns why the session ended early, or an empty string."""
        ended = ""
        try:
            for index, program in enumerate(self._programs):
                self._run_program(index, program)
        except _Ended as reason:
            ended = str(reason)
        self._join_threads()
        self._streams.flush()
        for index, program in enumerate(self._programs):
            if program["trace"] and program["path"] in self._trees:
                lines = self._coverage.lines(program["path"], self._trees[program["path"]])
                self._tell("ran", program=index, lines=lines)
        return ended

    def _run_program(self, index, program):
        path = program["path"]
        self._space["__file__"] = path
        linecache.cache[path] = (len(program["code"]), None, program["code"].splitlines(True), path)
        flags = _AWAIT if program["interactive"] else 0
        try:
            tree = ast.parse(program["code"], path)
            groups = _group(tree.body, program, self._positions)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
            self._refuse(index, program, error)
            return
        self._trees[path] = tree
        try:
            for number, nodes in enumerate(groups):
                self._at = (index, number)
                flags = self._run_statement(program, nodes, flags)
        finally:
            self._coverage.rest()
            self._collect_figures()

    def _refuse(self, index, program, error):
        """The interpreter cannot parse a program: its first statement says so, the others are not reached."""
        for number, statement in enumerate(program["statements"]):
            self._ledger.withhold(statement, [index, 0])
            if number == 0:
                self._begin(index, number)
                fault = faults.describe(error, self._positions, program["path"])
                self._tell("step", program=index, statement=number, fate="raised", fault=fault)
        self._tell("skip", program=index)

    def _begin(self, index, number):
        self._at = (index, number)
        self._streams.mark(self._number)
        self._number += 1
        self._tell("begin", program=index, statement=number)

    def _run_statement(self, program, nodes, flags):
        index, number = self._at
        statement = program["statements"][number]
        self._begin(index, number)
        facts = {"program": index, "statement": number, "fate": "finished"}
        absent = self._ledger.absent(statement)
        culprit = [index, number] if absent else self._ledger.culprit(statement)
        if culprit:
            self._ledger.withhold(statement, culprit)
            self._tell("step", **_not_run(facts, absent, culprit))
            return flags
        began = time.perf_counter()
        ended = None
        try:
            flags, value = self._execute(program, statement, nodes, flags)
            facts["value"] = value
            self._ledger.succeeded(statement)
        except BaseException as error:
            ended = self._failed(facts, statement, nodes, error, program["path"])
        facts["seconds"] = time.perf_counter() - began
        self._streams.flush()
        facts["warnings"] = self._warnings.take()
        self._tell("step", **facts)
        if ended:
            raise _Ended(ended)
        return flags

    def _execute(self, program, statement, nodes, flags):
        """Run the nodes of one statement; returns the compiler flags from now on and the shown value."""
        shown = statement["show"] or program["interactive"]
        value = None
        for node in nodes:
            is_value = shown and isinstance(node, ast.Expr)
            kind = "eval" if is_value else "exec"
            body = ast.Expression(node.value) if is_value else _module(node)
            code = compile(body, program["path"], kind, flags, True)
            flags |= code.co_flags & _FEATURES
            if program["trace"]:
                self._coverage.watch(code)
            value = _evaluate(code, self._space)
            if program["interactive"] and value is not None:
                builtins._ = value
        return flags, None if value is None else faults.safe_text(value, _VALUE, repr)

    def _failed(self, facts, statement, nodes, error, path):
        """Fill in the facts of an exception; returns why the session must end, or an empty string."""
        index, number = self._at
        facts["fault"] = faults.describe(error, self._positions, path)
        if isinstance(error, (SystemExit, KeyboardInterrupt)):
            facts["fate"] = "raised"
            return _farewell(error)
        culprit = self._ledger.excuse(statement, error)
        if culprit:
            facts["fate"], facts["blocked_by"] = "blocked", culprit
            self._ledger.withhold(statement, culprit)
        else:
            facts["fate"] = "raised"
            self._ledger.failed(statement, nodes, [index, number])
        return "out of memory" if facts["fault"]["exhausted"] == "memory" else ""

    def _figure(self, png, width, height):
        index, number = self._at
        self._tell("figure", program=index, statement=number, png=png, width=width, height=height)

    def _collect_figures(self):
        try:
            self._figures.collect()
        except BaseException:
            pass  # a figure that cannot be drawn and was never shown is nobody's loss
        self._warnings.take()

    @staticmethod
    def _join_threads():
        """Wait for the program's threads as the interpreter would, though not for ever."""
        until = time.monotonic() + _THREADS
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join(max(until - time.monotonic(), 0))


def _module(node):
    module = ast.parse("")
    module.body = [node]
    return module


def _evaluate(code, space):
    if code.co_flags & _COROUTINE:
        import asyncio

        return asyncio.run(eval(code, space))
    return eval(code, space)


def _group(nodes, program, positions):
    """The parsed nodes of each statement, by their place in the code."""
    statements = program["statements"]
    groups = [[] for _ in statements]
    current = 0
    for node in nodes:
        first = min([node, *getattr(node, "decorator_list", ())], key=lambda part: part.lineno)
        start = positions.offset(program["path"], first.lineno, first.col_offset)
        while current + 1 < len(statements) and start >= statements[current + 1]["start"]:
            current += 1
        if groups:
            groups[current].append(node)
    return groups


def _not_run(facts, absent, culprit):
    if absent:
        return dict(facts, fate="missing", missing=absent)
    return dict(facts, fate="blocked", blocked_by=culprit)


def _farewell(error):
    if isinstance(error, KeyboardInterrupt):
        return "KeyboardInterrupt"
    code = error.code
    return "sys.exit(%s)" % ("" if code is None else faults.safe_text(code, 80, repr))


def _seed(number):
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number)
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None and hasattr(tensorflow.random, "set_seed"):
        tensorflow.random.set_seed(_SEED + number)
