"""Answers questions about names in a process of its own that never sees a document's code."""

from __future__ import annotations

import importlib
import os
import types

from guest import calls, faults, objects, wire

_ERROR = 500


def run(job, claims):
    """Answer every query of a job and end the process."""
    tell = wire.reporter(claims, job["token"])
    tell("started")
    for index, query in enumerate(job["queries"]):
        try:
            answer = _answer(query)
        except BaseException as error:
            answer = {"found": False, "unknown": True, "error": _reason(error)}
        tell("answer", index=index, **answer)
    tell("finished", ended="")
    os._exit(0)


def _reason(error):
    return faults.safe_text(error, _ERROR) or faults.class_name(type(error))


class _Missing(Exception):
    """The name does not resolve; `unknown` when that proves nothing."""

    def __init__(self, error, unknown=False):
        super().__init__(error)
        self.unknown = unknown


def _answer(query):
    try:
        owner, value, static = _resolve(query["path"], query["form"])
    except _Missing as missing:
        return {"found": False, "unknown": missing.unknown, "error": _reason(missing.args[0])}
    name = query["path"].rpartition(".")[2]
    facts = objects.describe(owner, name, value, static)
    signature, skipped = calls.signature_of(owner, value, static)
    if signature is not None:
        facts["signature"] = faults.safe_text(calls.without_first(signature, skipped), 2000)
    if query.get("call"):
        facts["binds"] = calls.complaint(signature, skipped, query["call"], value)
    if query.get("argument"):
        facts["has_argument"] = calls.has_argument(signature, query["argument"], value)
    return dict(facts, found=True)


def _resolve(path, form):
    """(owner, value, static attribute) of a dotted path in the form asked; raises _Missing."""
    if form == "import":
        return None, _import(path), None
    parent, _, name = path.rpartition(".")
    if form == "from" and parent:
        module = _import(parent)
        return (module, module, None) if name == "*" else _member(module, name)
    parts = path.split(".")
    owner, value, static = None, _import(parts[0]), None
    for part in parts[1:]:
        owner, value, static = _member(value, part)
    return owner, value, static


def _import(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        root = name.partition(".")[0]
        # A library that is absent, or lacks something optional of its own, proves nothing about its names.
        absent = getattr(error, "name", None) or ""
        foreign = absent == root or (bool(absent) and not (absent + ".").startswith(root + "."))
        raise _Missing(error, unknown=foreign) from None
    except BaseException as error:
        raise _Missing(error, unknown=True) from None


def _member(value, name):
    try:
        return value, getattr(value, name), objects.static_member(value, name)
    except AttributeError as error:
        problem = error
    except ImportError as error:
        raise _Missing(error, unknown=True) from None
    except Exception as error:
        problem = error
    if isinstance(value, types.ModuleType):
        try:
            return value, importlib.import_module(value.__name__ + "." + name), None
        except Exception:
            pass
    elif isinstance(value, type):
        if objects.sets_on_instances(value, name):
            return value, objects.INSTANCE_ATTRIBUTE, None
        if any("__getattr__" in base.__dict__ or "__getattribute__" in base.__dict__ for base in value.__mro__[:-1]):
            raise _Missing(problem, unknown=True)
    elif value is objects.INSTANCE_ATTRIBUTE:
        raise _Missing(problem, unknown=True)
    raise _Missing(problem)
