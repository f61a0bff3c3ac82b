"""Sees to it that a document which reaches for what watches it is seen before it gets there.

Three means that no Python of a document can take away: an audit hook that writes a notice before the action
happens, a seal on the guest's own functions and descriptors, and a way out that needs nothing replaceable. Native
code in the same process can defeat all three; containment does not depend on them.
"""

from __future__ import annotations

import _signal
import _thread
import gc
import operator
import os
import sys
import types

from guest import wire

BROKEN = 64  # the signal by which a session ends itself that can no longer report; no program is ended by it otherwise

_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
_LIBRARIES = (_FOLDER, sys.prefix + "/lib", sys.base_prefix + "/lib", "/usr/lib", "<frozen ")
# Events by which code gets hold of frames and objects that nobody gave it.
_FRAMES = ("sys._getframe", "sys._getframemodulename", "sys._current_frames", "sys._current_exceptions")
_CHANGES = ("object.__getattr__", "object.__setattr__", "object.__delattr__")
_SEARCHES = ("gc.get_objects", "gc.get_referrers", "gc.get_referents")
_USUAL = frozenset(map(id, (_signal.SIG_DFL, _signal.SIG_IGN, _signal.default_int_handler, None)))
_WATCHED = frozenset(_FRAMES + _CHANGES + _SEARCHES)


def door():
    """A function that ends the process in a way that tells the host why."""
    # Unlike os.kill, these are no events that a document's own audit hook could turn into errors.
    die = getattr(_signal, "raise_signal", None) or (lambda number, own=os.getpid, kill=os.kill: kill(own(), number))
    leave = os._exit
    reset, default, unblock, mask = _signal.signal, _signal.SIG_DFL, _signal.SIG_UNBLOCK, _signal.pthread_sigmask

    failure = ValueError

    def out():
        try:
            mask(unblock, (BROKEN,))
            try:
                reset(BROKEN, default)
            except failure:
                pass  # not the main thread: the document has set no handler, or goes on to `leave`
            die(BROKEN)
        finally:
            leave(1)

    return out


def handles_signals():
    """Whether a signal has a handler written in Python, which may run at any moment and is shown a frame."""
    return not _USUAL.issuperset(map(id, map(_signal.getsignal, range(1, _signal.NSIG))))


def seal(modules, descriptors):
    """A function that says what of the guest is no longer as it is now, or gives an empty string.

    Covered are the contents of modules, given as dictionaries, of their classes and of their builtins, and what
    descriptors lead to.
    """
    for space in modules:
        space.setdefault("__warningregistry__", {})  # else the interpreter adds it when a warning points at us
    spaces = [*modules, modules[0]["__builtins__"]]
    spaces += [vars(value) for space in modules for value in space.values() if _is_own_class(value)]
    known = [(space, tuple(space.values())) for space in spaces]
    places = [(descriptor, _place(descriptor)) for descriptor in descriptors]
    same, place, every, pairwise, size, failure = operator.is_, _place, all, map, len, OSError

    def broken():
        for space, values in known:
            if size(space) != size(values) or not every(pairwise(same, space.values(), values)):
                return "functions"
        try:
            for descriptor, where in places:
                if place(descriptor) != where:
                    return "channels"
        except failure:
            return "channels"
        return ""

    return broken


def _is_own_class(value):
    return isinstance(value, type) and value.__module__.startswith("guest.")


def _place(descriptor):
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


def watch(descriptor, token, out):
    """Install the hook where the interpreter has any (3.8); returns (state, sent).

    state   a list whose only item says whether the guest is at work (True) or the document
    sent    a function that says how many notices were written by this process
    """
    state, told = [False], set()
    if hasattr(sys, "addaudithook"):
        sys.addaudithook(_hook(state, told, wire.reporter(descriptor, token), (out, descriptor)))
    return state, told.__len__


def _hook(state, told, tell, way):
    out, descriptor = way
    judge, place, where, thread, add = _judge(state), _place, _place(descriptor), _thread.get_ident, told.add
    failure, busy = OSError, set()
    enter, leave = busy.add, busy.discard
    watched = _WATCHED

    def hook(event, given):
        if event not in watched and event[:7] != "ctypes.":
            return
        me = thread()
        if me in busy:
            return  # an event of our own making
        enter(me)
        try:
            finding = judge(event, given)
            if finding and finding not in told:
                if place(descriptor) != where:
                    out()
                add(finding)
                tell("notice", event=event, reach=finding)
        except failure:
            out()
        finally:
            leave(me)

    return hook


def _judge(state):
    """A function that says what an event shows: "guest", an area that was searched, or nothing worth telling."""
    main, thread, frozen = _thread.get_ident(), _thread.get_ident, getattr(gc, "get_freeze_count", int)
    mine, handled, foreign, changes, frames, anyone = _is_ours, handles_signals, _is_foreign, _CHANGES, _FRAMES, any

    def judge(event, given):
        if event in frames and state[0] and thread() == main:
            # The guest itself never asks for frames, and while it is at work no code of a document has any business
            # there, except handlers of signals, which come when they like.
            return "signal handlers" if handled() else "guest"
        if event in changes or event == "gc.get_referents":
            return "guest" if anyone(map(mine, given)) else ""
        if event[:3] == "gc.":
            # What there was before the document began is frozen, which hides it from such searches.
            return "" if frozen() else "all objects"
        if event[:12] == "sys._current":
            return "" if thread() == main else "frames of all threads"
        if event[:7] == "ctypes.":
            return "native code" if foreign() else ""
        return ""

    return judge


def _is_ours(value):
    kind = type(value)
    if kind is types.FunctionType:
        code = value.__code__
    elif kind is types.GeneratorType:
        code = value.gi_code
    else:
        return False
    return code.co_filename.startswith(_FOLDER)


def _is_foreign():
    """Whether the nearest code that is not the library of native calls itself is a document's and not a library's."""
    frame = sys._getframe(3)
    while frame is not None and "/ctypes/" in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is not None and not frame.f_code.co_filename.startswith(_LIBRARIES)
