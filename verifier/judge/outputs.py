"""Opinions on stated outputs: did the code print, return or raise what the text says?"""

from __future__ import annotations

import re

from verifier.judge.compare import Difference, difference, same_shape
from verifier.judge.finding import Finding, first_line
from verifier.judge.observed import Tied, contrast, nearest, observations, source_of, tied_to
from verifier.judge.printed import tells_metrics
from verifier.judge.summaries import is_summary, same_summary
from verifier.model import Claim, Confidence, Fault, Run, Status, StepFate, Wobble

_EXCEPTION = re.compile(r"^[A-Za-z_.]*(?:Error|Exception|Warning|Interrupt|Exit)\b|^StopIteration$", re.ASCII)
_TRAINS = re.compile(r"\.(?:fit|fit_generator|evaluate|train_on_batch|apply_gradients|minimize)\(")
_NUMPY = re.compile(r"\b(?:np|numpy)\.")
_CLOCK = re.compile(r"\b(?:time|timeit|perf_counter|process_time|datetime|now|%%time)\b")
_MACHINE = re.compile(
    r"__version__|\bversion\.|list_(?:physical|logical|local)_devices|_list_devices|device_lib|gpu_device_name|"
    r"is_(?:gpu_available|built_with\w*)|num_gpus|cpu_count|\bplatform\.|\bsys\.(?:version|platform|executable)|getcwd\(|"
    r"gethostname|num_replicas_in_sync|\.device\b|environ|getpid|psutil|gettempdir|mkdtemp|get_memory_info"
)
_CAUGHT = re.compile(r"^\s*except\b.*\bas\s+(\w+)\s*:", re.MULTILINE)
_SHOWN = 120
_SMALL = {
    Difference.UNTOLD: "what was observed does not tell it",
    Difference.BRACKETS: "it is the same value, but for the brackets around it",
    Difference.NUMBERING: "how a library numbers what has no name of its own depends on what was made before",
    Difference.OBJECT: "how an object shows itself is the business of the release",
}
_REMARKS = {
    Difference.DTYPE: " (the values agree, their type does not)",
    Difference.SHAPE: " (the values agree, their arrangement does not)",
}


def judge_output(claim: Claim, snippet: Claim, run: Run) -> Finding:
    """The opinion on one stated output, tied to the statements of the snippet at `code_span`."""
    tied = tied_to(claim, run)
    if not tied.numbers:
        return Finding(
            status=Status.UNPROVEN, rule="ambiguous", message="the text does not say which statement gives it"
        )
    finding = _exception(claim, tied) if claim.said_kind == "exception" else _shown(claim, snippet, tied)
    wobble = next((item for item in run.wobbles if item.statement in tied.numbers), None)
    if finding.status is Status.BROKEN and wobble is not None:
        clock = bool(_CLOCK.search(source_of(tied, snippet.code)))
        said = f"the text says {contrast(claim.code, '', _SHOWN)[0]}; "
        return unsteady(wobble, said=said, observed=finding.observed, clock=clock)
    return finding


def unsteady(wobble: Wobble, *, said: str = "", observed: str = "", clock: bool = False) -> Finding:
    """The opinion on what two runs did not agree upon: nobody is to blame for a die, or for a `clock`."""
    both = f"{first_line(wobble.first, _SHOWN)} in one run, {first_line(wobble.second, _SHOWN)} in another"
    why = "it depends on the time that it takes" if clock else "it depends on random numbers"
    if wobble.kind == "fate":
        why = "whether it fails depends on chance"
    elif wobble.seeded:
        why += ", and what a seed gives is the business of the release"
    return Finding(status=Status.UNPROVEN, rule="flaky", message=f"{said}{why}: {both}", observed=observed)


def _shown(claim: Claim, snippet: Claim, tied: Tied) -> Finding:
    observed = observations(tied)
    told = _departure(claim, observed) if observed else Difference.UNTOLD
    if told is None:
        seen = nearest(claim.code, observed)
        return Finding(status=Status.WORKS, message=f"observed: {contrast(seen, '', _SHOWN)[0]}", observed=seen)
    step = tied.unfinished
    if step is not None:
        why = f"raises {step.fault.type}" if step.fault and step.fate is StepFate.RAISED else "did not run"
        return Finding(status=Status.UNPROVEN, rule="blocked", message=f"the statement that should give it {why}")
    if not observed:
        return Finding(
            status=Status.UNPROVEN,
            rule="ambiguous",
            message="the statement prints nothing, so there is nothing to compare",
            confidence=Confidence.GUESS,
        )
    return _differs(claim, source_of(tied, snippet.code), nearest(claim.code, observed), told)


def _departure(claim: Claim, observed: tuple[str, ...]) -> Difference | None:
    """In what the stated result departs from the nearest observation; None when one is the same."""
    if is_summary(claim.code) and any(map(is_summary, observed)):
        same = any(same_summary(claim.code, one) for one in observed if is_summary(one))
        return None if same else Difference.VALUE
    if claim.said_kind == "shape":
        told = {same_shape(claim.code, one) for one in observed}
        if True in told:
            return None
        if told == {None} and all(difference(claim.code, one) is not None for one in observed):
            return Difference.UNTOLD
    found = [difference(claim.code, one) for one in observed]
    return min((kind for kind in found if kind), key=list(Difference).index) if None not in found else None


def _differs(claim: Claim, source: str, observed: str, told: Difference) -> Finding:
    said, seen = contrast(claim.code, observed, _SHOWN)
    message = f"the text says {said}, observed was {seen}"
    rule, doubt = _doubt(claim, source, observed, told)
    if doubt:
        return Finding(status=Status.UNPROVEN, rule=rule, message=f"{message}: {doubt}", observed=observed)
    return Finding(
        status=Status.BROKEN, rule="output-differs", message=message + _REMARKS.get(told, ""), observed=observed
    )


def _doubt(claim: Claim, source: str, observed: str, told: Difference) -> tuple[str, str]:
    """The rule and the reason why a difference cannot be held against the text; empty when it can."""
    if told in _SMALL:
        return "ambiguous", _SMALL[told]
    if told is Difference.DTYPE and _NUMPY.search(source) and "int" in claim.code and "int" in observed:
        return "ambiguous", "the integers of NumPy have 32 bits on some systems and 64 on others"
    if _MACHINE.search(source):
        return "flaky", "it depends on the machine and on what is installed there"
    if _TRAINS.search(source) and tells_metrics(f"{claim.code}\n{source}"):
        return "flaky", "figures of a training are different each time"
    if told is Difference.VALUE and _prints_error(source):
        return "ambiguous", "the words of an error message are the business of the release"
    return "", ""


def _prints_error(source: str) -> bool:
    """Whether the code catches an exception and prints it."""
    return any(re.search(rf"print\([^\n]*\b{re.escape(name)}\b", source) for name in _CAUGHT.findall(source))


def _exception(claim: Claim, tied: Tied) -> Finding:
    wanted = claim.code.strip().rpartition(".")[2]
    fault: Fault | None = next((step.fault for step in tied.steps if step.fault is not None), None)
    if fault is None:
        if tied.unfinished is None:
            return Finding(status=Status.BROKEN, rule="refuted", message=f"the text says {wanted}, but the code ran")
        return Finding(status=Status.UNPROVEN, rule="blocked", message="the statement did not run")
    if not _EXCEPTION.match(wanted) or fault.is_a(wanted):
        return Finding(status=Status.WORKS, message=f"it raises {fault.type}", observed=fault.message)
    return Finding(
        status=Status.BROKEN,
        rule="output-differs",
        message=f"the text says {wanted}, it raises {fault.type}",
        observed=fault.message,
    )
