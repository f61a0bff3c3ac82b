"""The document's side of a session: the only place from which its code is called.

What is done here is asked for by `session`, act by act. Between two acts `session` is at work and nothing of the
document is on the stack; during an act `session` is asleep and hangs on no frame that the document could climb to.
"""

from __future__ import annotations
import __future__ as features

import _signal
import ast
import builtins
import gc
import importlib
import linecache
import os
import random
import sys
import threading
import time
import types

from guest import callees, capture, coverage, faults, ledger, sentry

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
# Bound here, before a document can replace them.
_Module, _Expression, _Expr = ast.Module, ast.Expression, ast.Expr
_clock = time.perf_counter
_settrace, _setprofile, _gettrace, _getprofile = sys.settrace, sys.setprofile, sys.gettrace, sys.getprofile
# 32 and 33 are libc's own.
_ALL_SIGNALS = tuple(number for number in range(1, _signal.NSIG) if number not in (32, 33))
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)


def perform(course):
    """Do the acts of a session, one by one, and end the process.

    `course` is a list with one iterator of (act, given, answer). The iterator is kept on this frame's stack only,
    where no code can look for it. An act that does not come to its end leaves `answer` empty.
    """
    out, end, settrace, setprofile = sentry.door(), os._exit, sys.settrace, sys.setprofile
    mask, block, restore = _signal.pthread_sigmask, _signal.SIG_BLOCK, _signal.SIG_SETMASK
    collect, rest, collecting = gc.enable, gc.disable, gc.isenabled
    kept, collects = mask(block, _ALL_SIGNALS), collecting()
    rest()
    try:
        for act, given, answer in course.pop():
            if collects:
                collect()
            try:
                mask(restore, kept)
                answer.append(act(*given))
            except BaseException:
                pass  # by a handler of a signal, or an act that was tampered with: `session` sees to it
            kept, collects = mask(block, _ALL_SIGNALS), collecting()
            rest()
            settrace(None)
            setprofile(None)
            del act, given, answer
        end(0)
    finally:
        out()


class Stage:
    """The namespace of a session and everything that watches it. Its methods are acts: they give plain data.

    programs: {path: code}.
    """

    __slots__ = (
        "_callees",
        "_coverage",
        "_figures",
        "_groups",
        "_habits",
        "_ledger",
        "_module",
        "_positions",
        "_trees",
        "_warnings",
        "space",
        "streams",
    )

    def __init__(self, programs, limits, seed):
        self._positions = faults.Positions(programs)
        self._module = types.ModuleType("__main__")
        self.space = self._module.__dict__
        self.space["__builtins__"] = builtins
        self._coverage = coverage.Coverage(programs, self.space)
        self._ledger = ledger.Ledger(self.space, self._positions.owns)
        self._callees = callees.Callees(self.space, self._positions)
        self._trees = {}
        self._groups = {}
        self.streams = capture.Streams()
        self._warnings = capture.Warnings(self._positions.owns)
        self._figures = capture.Figures(limits)
        self._habits = (None, None)
        sys.modules["__main__"] = self._module
        sys.argv = [next(iter(programs))]
        sys.path.append("/scratch")
        _sow(seed)

    def read(self, index, program):
        """Compile a program; (fault, ()) when it cannot be read, else (None, a plan per statement).

        A plan is (((code object, name whose value is shown or None, …), …), fault at its end or None, warnings). The
        plans are kept where the document cannot change them until it is their turn.
        """
        path, statements = program["path"], program["statements"]
        self.space["__file__"] = path
        linecache.cache[path] = (len(program["code"]), None, program["code"].splitlines(True), path)
        try:
            tree = compile(program["code"], path, "exec", ast.PyCF_ONLY_AST, True)
            groups = _group(tree.body, statements, self._positions, path)
        except _UNREADABLE as error:
            for statement in statements:
                self._ledger.withhold(statement, [index, 0])
            return self._unreadable(error, path), ()
        self._trees[path], self._groups[path] = tree, groups
        plans, flags = [], _AWAIT if program["interactive"] else 0
        for nodes, statement in zip(groups, statements):
            codes, fault = [], None
            try:
                for node in nodes:
                    codes.append(_compile(node, path, flags, statement["show"], program["interactive"]))
                    flags |= codes[-1][0].co_flags & _FEATURES
            except _UNREADABLE as error:
                fault = self._unreadable(error, path)
            plans.append((tuple(codes), fault, tuple(self._warnings.take())))
        return None, tuple(plans)

    def attempt(self, place, program, plan):
        """Run a statement unless something it needs is not there; (facts, why the session must end or "")."""
        index, number = place
        statement, nodes = program["statements"][number], self._groups[program["path"]][number]
        seen = self._callees.look(nodes, program["path"])
        absent = self._ledger.absent(statement)
        culprit = [index, number] if absent else self._ledger.culprit(statement)
        if culprit:
            self._ledger.passed_over(statement, nodes, culprit)
            told = {"fate": "missing", "missing": absent} if absent else {"fate": "blocked", "blocked_by": culprit}
            return dict(told, calls=seen), ""
        codes, fault, _ = plan
        value, ended, culprit = None, "", None
        began = _clock()
        try:
            for code, form, shown in codes:
                value = self._evaluate(code, program["trace"])
                if form == "assigned":
                    value = self.space.get(shown)
                elif program["interactive"] and value is not None:
                    builtins._ = value
            value = None if value is None else faults.safe_text(value, _VALUE, repr)
        except BaseException as error:
            fault = self._describe(error, program["path"])
            ended = _farewell(error)
            culprit = None if ended else self._excuse(statement, error)
        facts = {"seconds": _clock() - began, "calls": self._callees.look(nodes, program["path"], seen)}
        if fault is None:
            self._ledger.succeeded(statement, nodes)
            return dict(facts, fate="finished", value=value), ""
        if not ended:
            self._ledger.passed_over(statement, nodes, culprit or place)
        ended = ended or ("out of memory" if fault["exhausted"] == "memory" else "")
        return dict(facts, fate="blocked" if culprit else "raised", fault=fault, blocked_by=culprit), ended

    def settle(self):
        """Bring out what was printed; returns warnings and figures since the last time."""
        self.streams.flush()
        return self._warnings.take(), self._figures.take()

    def close(self):
        """The end of a program: returns its figures that were never shown."""
        self._coverage.rest()
        self._habits = (None, None)
        try:
            self._figures.collect()
        except BaseException:
            pass  # a figure that cannot be drawn and was never shown is nobody's loss
        self._warnings.take()
        return self._figures.take()

    def join(self):
        """Wait for the programs' threads as the interpreter would, though not for ever."""
        until = time.monotonic() + _THREADS
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join(max(until - time.monotonic(), 0))
        self.streams.flush()

    def lines(self, path):
        """The lines of a program that ran."""
        return self._coverage.lines(path, self._trees[path]) if path in self._trees else None

    def _describe(self, error, path):
        return faults.describe(error, self._positions, path)

    def _excuse(self, statement, error):
        try:
            return self._ledger.excuse(statement, error)
        except BaseException:
            return None  # an exception whose class lies about itself has no excuse

    def _unreadable(self, error, path):
        # The compiler calls nesting beyond its depth a want of memory; nothing has been run that could use any.
        return dict(self._describe(error, path), exhausted="")

    def _evaluate(self, code, traced):
        """Run a code object with the document's own trace and profile functions, which see nothing else of us."""
        trace, profile = self._habits
        try:
            waits = code.co_flags & _COROUTINE
            run = importlib.import_module("asyncio").run if waits else None
            if traced:
                self._coverage.watch(code)
            elif trace is not None:
                _settrace(trace)
            if profile is not None:
                _setprofile(profile)
            return run(eval(code, self.space)) if waits else eval(code, self.space)
        finally:
            trace, profile = _gettrace(), _getprofile()
            _setprofile(None)
            _settrace(None)
            self._habits = (None if self._coverage.is_own(trace) else trace, profile)


def _compile(node, path, flags, show, prompt):
    """(code object, how it gives a value: "value", "assigned" or "", the name that is assigned)."""
    if (show or prompt) and isinstance(node, _Expr):
        return compile(_Expression(node.value), path, "eval", flags, True), "value", None
    module = _Module(body=[node], type_ignores=[])
    return compile(module, path, "exec", flags, True), "assigned" if show else "", _assigned(node)


def _assigned(node):
    """The one name that a node assigns, or None: a text may state what it holds now."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    plain = isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and len(targets) == 1
    return targets[0].id if plain and isinstance(targets[0], ast.Name) else None


def _group(nodes, statements, positions, path):
    """The parsed nodes of each statement, by their place in the code."""
    groups = [[] for _ in statements]
    current = 0
    for node in nodes:
        first = min([node, *getattr(node, "decorator_list", ())], key=lambda part: part.lineno)
        start = positions.offset(path, first.lineno, first.col_offset)
        while current + 1 < len(statements) and start >= statements[current + 1]["start"]:
            current += 1
        if groups:
            groups[current].append(node)
    return groups


def _farewell(error):
    """Why an exception ends the session, or an empty string."""
    kind = type(error)
    if issubclass(kind, KeyboardInterrupt):
        return "KeyboardInterrupt"
    if not issubclass(kind, SystemExit):
        return ""
    code = SystemExit.code.__get__(error)
    return "sys.exit(%s)" % ("" if code is None else faults.safe_text(code, 80, repr))


def _sow(seed):
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None and hasattr(tensorflow.random, "set_seed"):
        tensorflow.random.set_seed(_SEED + seed)
