"""The course of a session: which statement is run when, and what is claimed about it.

This side is at work only between acts of `stage`. It holds what a document must not have (the plan of what is still
to be run, the functions that speak to the host) in an iterator that is asleep whenever the document runs, and
calls nothing that a document can replace.
"""

from __future__ import annotations

import gc
import os

from guest import (
    attributes,
    callees,
    calls,
    capture,
    companions,
    coverage,
    faults,
    kernel,
    ledger,
    lines,
    objects,
    sentry,
    stage,
    suspects,
    walls,
    wire,
)

_SEALED = (
    attributes,
    callees,
    calls,
    capture,
    coverage,
    faults,
    kernel,
    ledger,
    lines,
    objects,
    sentry,
    stage,
    suspects,
    walls,
    wire,
)


def course(job, ends):  # noqa: C901, PLR0915 - what is local to one function is out of everybody's reach
    """The acts of a session, for `stage.perform`; ends when the session does.

    `ends`: the descriptors to speak on, with `claims`, `notices` and `marks`.
    """
    aside = bool(job.get("rig")) and companions.assemble(job["rig"], (ends.claims, ends.notices, *ends.marks))
    token, programs = job.pop("token"), job["programs"]
    tell, out, mark = wire.reporter(ends.claims, token), sentry.door(), capture.marker(ends.marks, job["mark"])
    broken = sentry.seal([vars(module) for module in _SEALED] + [globals()], (ends.claims, ends.notices))
    scene = stage.Stage({program["path"]: program["code"] for program in programs}, job["limits"], job["seed"])
    state, noticed = sentry.watch(ends.notices, token, out)
    interrupted, linger, leave, failure = sentry.handles_signals, companions.linger, os._exit, OSError
    counted = [0]
    del job

    def ask(act, *given):
        """Have an act done; gives what it gives."""
        answer = []
        state[0] = False
        yield act, given, answer
        state[0] = True
        spoilt = broken()
        if not spoilt and len(answer) == 1:
            return answer.pop()
        if not spoilt and interrupted():
            leave(1)  # a handler of the document raised something in the middle of our work
        out()

    def say(kind, **facts):
        try:
            tell(kind, **facts)
        except failure:
            out()

    def begin(index, number):
        mark(counted[0])
        counted[0] += 1
        say("begin", program=index, statement=number)

    def show(index, number, figures):
        for png, width, height in figures:
            say("figure", program=index, statement=number, png=png, width=width, height=height)

    def refuse(index, program, fault):
        """The interpreter cannot read a program: its first statement says so, the others are not reached."""
        if program["statements"]:
            begin(index, 0)
            say("step", program=index, statement=0, fate="raised", fault=fault)
        say("skip", program=index)

    def run_statement(index, number, program, plan):
        """Run one statement; gives why the session must end, or an empty string."""
        begin(index, number)
        facts, ended = yield from ask(scene.attempt, [index, number], program, plan)
        warnings, figures = yield from ask(scene.settle)
        show(index, number, figures)
        say("step", program=index, statement=number, warnings=[*plan[2], *warnings], **facts)
        return ended

    def run_program(index, program):
        fault, plans = yield from ask(scene.read, index, program)
        if fault is not None:
            refuse(index, program, fault)
            return ""
        ended = ""
        for number, plan in enumerate(plans):
            ended = yield from run_statement(index, number, program, plan)
            if ended:
                break
        figures = yield from ask(scene.close)
        if plans:
            show(index, number, figures)
        return ended

    # What there is now is hidden from searches for objects.
    gc.freeze()
    state[0] = True
    say("started")
    ended = ""
    for index, program in enumerate(programs):
        ended = yield from run_program(index, program)
        if ended:
            break
    yield from ask(scene.join)
    for index, program in enumerate(programs):
        lines = (yield from ask(scene.lines, program["path"])) if program["trace"] else None
        if lines is not None:
            say("ran", program=index, lines=lines)
    say("finished", ended=ended, noticed=noticed(), signals=interrupted())
    if aside:
        linger()
