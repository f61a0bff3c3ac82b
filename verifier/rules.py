"""The catalogue of rules: every word that a verdict can carry, with what it means to a reader.

`--explain`, the reports and the documentation are all made from this one table.
"""

from __future__ import annotations

from dataclasses import dataclass

from verifier.model import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One reason for a verdict.

    `statuses` are those it can lead to, the usual one first; `title` is one line, `explanation` a paragraph.
    """

    id: str
    title: str
    explanation: str
    statuses: tuple[Status, ...]


_TABLE = (
    Rule(
        id="unknown-name",
        title="the name exists in no release that we know",
        explanation="The name was looked up in the live environment and in the index of all releases. Neither has it, "
        "under this path or as an alias. The nearest names that do exist are given.",
        statuses=(Status.BROKEN,),
    ),
    Rule(
        id="exists-elsewhere",
        title="the name belongs to another library",
        explanation="The library that the text names does not have it, another well-known library does. The full name "
        "there is given, so that a slip of memory can be told from an invention.",
        statuses=(Status.BROKEN,),
    ),
    Rule(
        id="removed",
        title="the name existed in earlier releases and is gone",
        explanation="The index of releases has the name for the releases given in the message, the target has not. "
        "The statement was true once.",
        statuses=(Status.OUTDATED,),
    ),
    Rule(
        id="renamed",
        title="the name has moved",
        explanation="The library's own rename table gives a new name for it. The old one works in the releases given "
        "in the message only.",
        statuses=(Status.OUTDATED,),
    ),
    Rule(
        id="deprecated",
        title="the name still works, but its library advises against it",
        explanation="The object carries a deprecation mark in the target release. That is a note, not a fault.",
        statuses=(Status.WORKS,),
    ),
    Rule(
        id="wrong-kind",
        title="the name exists, but is not what the text says",
        explanation="The text calls a class a function, a method a module, or the like, in a way that would make code "
        "written from it fail.",
        statuses=(Status.BROKEN, Status.UNPROVEN),
    ),
    Rule(
        id="wrong-argument",
        title="the function has no such argument, or not that many",
        explanation="The call as written does not fit the signature of the function in the target release.",
        statuses=(Status.BROKEN, Status.OUTDATED),
    ),
    Rule(
        id="raises",
        title="the code was run and raised an exception",
        explanation="The statement was run in the sandbox, in order, with what the document gives before it. The "
        "exception and the failing expression are shown. Where the text itself announces the failure, it "
        "is confirmed.",
        statuses=(Status.BROKEN, Status.OUTDATED, Status.WORKS),
    ),
    Rule(
        id="blocked",
        title="it only fails because an earlier statement failed",
        explanation="It needs something that an earlier, failing statement should have given. It was not judged by "
        "itself and is not counted as a fault.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="does-not-parse",
        title="the code is not Python, and no damage of publishing explains it",
        explanation="The interpreter refuses the code as it stands and no known kind of text damage accounts for it.",
        statuses=(Status.UNPROVEN, Status.BROKEN),
    ),
    Rule(
        id="python2",
        title="the code is Python 2",
        explanation="The code uses the syntax of Python 2, or names that only Python 2 had. It was right for the "
        "releases of its time; no release of TensorFlow since 2.1 runs on Python 2. It was converted to Python 3 only "
        "to see whether it would work, and the message says what came of that.",
        statuses=(Status.OUTDATED,),
    ),
    Rule(
        id="output-differs",
        title="the code ran and gave something else than the text says",
        explanation="The stated result was compared by value with what the code printed or returned; both are shown.",
        statuses=(Status.BROKEN, Status.OUTDATED),
    ),
    Rule(
        id="flaky",
        title="the code gave one thing in one run and another in the next",
        explanation="The code was run twice, the second time with other random numbers, and what the text speaks of "
        "was not the same. Both outcomes are shown. A result that depends on chance, on the machine or on the time "
        "can be neither confirmed nor refuted; one that depends on a seed is the business of the release.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="refuted",
        title="the text denies or asserts something that was observed to be otherwise",
        explanation="The text says that a name does not exist, or that code fails, and the opposite was observed.",
        statuses=(Status.BROKEN,),
    ),
    Rule(
        id="missing-context",
        title="the code needs names that the document never gives",
        explanation="The code uses variables or functions that stand nowhere in the document. An excerpt is not wrong "
        "for being an excerpt.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="missing-data",
        title="the code needs a file or data set that is not at hand",
        explanation="The code reads a file, a folder or a data set that does not come with the document.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="missing-library",
        title="the code needs a library that the sandbox does not have",
        explanation="An import failed because the package is not installed in the sandbox. That says nothing about "
        "the code.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="needs-network",
        title="the code needs a network, and the sandbox has none",
        explanation="Sandboxes have no network. Code that downloads something can be neither confirmed nor refuted.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="needs-accelerator",
        title="the code needs a GPU or TPU, and the sandbox has none",
        explanation="The code failed for want of a device. That says nothing about the code.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="placeholder",
        title="the code is incomplete on purpose",
        explanation="The code holds an ellipsis, a `<your path>` or another gap that its author left for the reader.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="ambiguous",
        title="the text can be read in more than one way",
        explanation="The damage of the text, or the word itself, allows several readings, and they lead to different "
        "verdicts.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="never-called",
        title="nothing of the claim was executed",
        explanation="The code only defines something that nobody calls, or its lines were never reached. That it "
        "raised nothing proves nothing. The names in it are still looked up.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="timeout",
        title="the code was still running at the time limit",
        explanation="The session used up its wall-clock limit. What had finished before is reported as such.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="out-of-memory",
        title="the code needs more memory than the sandbox gives",
        explanation="The kernel or the interpreter reported that the memory limit of the session was reached.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="over-limit",
        title="the code hit another limit of the sandbox",
        explanation="The session wrote more output or files, or started more processes, than it may, or wanted a "
        "place or a system call that the sandbox refuses to everybody. The limit is named.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="crashed",
        title="the interpreter died while it ran the code",
        explanation="The process was ended by a signal such as SIGSEGV or SIGABRT, not by an exception.",
        statuses=(Status.BROKEN,),
    ),
    Rule(
        id="exits-early",
        title="the code ended its own process before it was through",
        explanation="The code called an exit function. The statements behind it were not reached; what the exit "
        "status says does not matter.",
        statuses=(Status.UNPROVEN, Status.BROKEN),
    ),
    Rule(
        id="tampered",
        title="the code interfered with the machinery that watches it",
        explanation="The session sent impossible or forged messages, or reached into the harness. Its results are "
        "void.",
        statuses=(Status.UNPROVEN,),
    ),
    Rule(
        id="sandbox-failed",
        title="we failed: the sandbox did not run the code",
        explanation="The sandbox was missing, died for reasons of its own, or was interrupted. Nothing is known about "
        "the claim.",
        statuses=(Status.NOT_RUN,),
    ),
)

RULES: dict[str, Rule] = {rule.id: rule for rule in _TABLE}
