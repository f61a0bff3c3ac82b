"""Claims and evidence in, verdicts out. Pure: the same evidence gives the same verdicts."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from verifier.judge.behind import judge_output_behind
from verifier.judge.calls import judge_call
from verifier.judge.exercises import credited, worked
from verifier.judge.finding import Finding, worst
from verifier.judge.names import disagreement, judge_name, merged
from verifier.judge.releases import Tried, as_seen_in, converted, unproven_there, weighed
from verifier.judge.snippet import judge_aside, judge_snippet
from verifier.judge.standins import compared
from verifier.model import (
    INDEX,
    Claim,
    ClaimKind,
    Confidence,
    Evidence,
    Lookup,
    Polarity,
    Run,
    Status,
    StepFate,
    Verdict,
)
from verifier.model.environments import release_of


def decide(claims: Iterable[Claim], evidence: Iterable[Evidence], environment: str) -> tuple[Verdict, ...]:
    """A verdict for every claim, in the order of the claims. `environment` is the target, such as `tf-2.21`.

    What is broken in the target and works in another environment where it was run is outdated, not broken.
    """
    everything, known = tuple(claims), tuple(evidence)
    verdicts = _verdicts(everything, known, environment)
    ran = {(item.claim, item.environment): item.because for item in known if item.run is not None}
    others = sorted({name for _, name in ran} - {environment})
    elsewhere = [(name, _verdicts(everything, known, name)) for name in others]
    conversions = {item.claim: item for item in known if item.conversion is not None}
    settled = []
    for number, (claim, verdict) in enumerate(zip(everything, verdicts, strict=True)):
        code = claim.about if claim.kind in {ClaimKind.CALL, ClaimKind.OUTPUT} else claim.id
        tried = tuple(
            Tried(environment=name, verdict=told[number], because=ran[code, name])
            for name, told in elsewhere
            if (code, name) in ran
        )
        settled.append(weighed(claim, verdict, environment, tried))
        item = conversions.get(claim.id)
        if item is not None and item.conversion is not None and verdict.rule == "python2":
            settled[-1] = converted(settled[-1], item.environment, item.conversion)
    return tuple(settled)


def _verdicts(claims: tuple[Claim, ...], evidence: tuple[Evidence, ...], environment: str) -> tuple[Verdict, ...]:
    release = release_of(environment)
    told = tuple(as_seen_in(item, release) for item in evidence if item.environment in {environment, INDEX})
    board = _Board(claims, told, environment, release)
    return tuple(board.verdict(claim) for claim in claims)


class _Board:
    """All claims and evidence of one report, joined by claim id."""

    def __init__(
        self, claims: tuple[Claim, ...], evidence: tuple[Evidence, ...], environment: str, release: str
    ) -> None:
        self.claims = claims
        self.release = release
        self.environment = environment
        self._by_id = {claim.id: claim for claim in claims}
        self._evidence: dict[str, list[Evidence]] = defaultdict(list)
        for item in evidence:
            self._evidence[item.claim].append(item)
        self._calls: dict[str, list[Claim]] = defaultdict(list)
        self._exceptions: dict[str, list[Claim]] = defaultdict(list)
        for claim in claims:
            if claim.kind is ClaimKind.CALL:
                self._calls[claim.about].append(claim)
            elif claim.kind is ClaimKind.OUTPUT and claim.said_kind == "exception":
                self._exceptions[claim.about].append(claim)

    def verdict(self, claim: Claim) -> Verdict:
        finding = self._finding(claim)
        if self._run(claim.about or claim.id) is not None:
            finding = unproven_there(finding, self.environment)
        span = claim.source_map.locate(finding.span) if finding.span and claim.kind is ClaimKind.SNIPPET else None
        return Verdict(
            claim=claim.id,
            status=finding.status,
            rule=finding.rule,
            message=finding.message,
            suggestion=finding.suggestion,
            confidence=finding.confidence,
            because=finding.because,
            span=span,
            observed=finding.observed,
            notes=finding.notes,
            per_environment=((self.environment, finding.status),),
        )

    def _finding(self, claim: Claim) -> Finding:
        match claim.kind:
            case ClaimKind.SNIPPET:
                return self._snippet(claim)
            case ClaimKind.CALL:
                return self._call(claim)
            case ClaimKind.OUTPUT:
                return self._output(claim)
            case ClaimKind.API | ClaimKind.STATEMENT:
                return self._name(claim)

    def _run(self, claim_id: str) -> Run | None:
        return next((item.run for item in self._evidence[claim_id] if item.run is not None), None)

    def _failure(self, claim_id: str) -> str:
        return next((item.failure for item in self._evidence[claim_id] if item.failure), "")

    def _lookups(self, claim: Claim) -> tuple[Lookup | None, Lookup | None]:
        """What the index and what the live environment say about the name of a claim."""
        told = [(item.environment, item.lookup) for item in self._evidence[claim.id] if item.lookup is not None]
        index = next((lookup for environment, lookup in told if environment == INDEX), None)
        return index, next((lookup for environment, lookup in told if environment != INDEX), None)

    def _lookup(self, claim: Claim) -> Lookup | None:
        return merged(*self._lookups(claim))

    def _announced(self, snippet: str, run: Run | None) -> dict[int, str]:
        """The exceptions that the text shows behind statements of a snippet, by statement number."""
        found: dict[int, str] = {}
        for claim in self._exceptions[snippet]:
            for number, item in enumerate(run.statements if run else ()):
                if claim.code_span and item.span.overlaps(claim.code_span):
                    found[number] = claim.code
        return found

    def _snippet(self, claim: Claim) -> Finding:
        item = next((e for e in self._evidence[claim.id] if e.run is not None or e.failure), None)
        run = self._run(claim.id)
        called = run is not None and _did_something(claim, run)
        announced = self._announced(claim.id, run)
        exercised = run is not None and not called and not claim.placeholder and bool(worked(run))
        finding = judge_snippet(claim, item, self.release, called=called or exercised, announced=announced)
        if run is not None and exercised:
            finding = credited(finding, run)
        open_ = finding.status is Status.UNPROVEN or exercised
        if claim.polarity is Polarity.AFFIRMED and open_ and run is not None:
            return self._with_calls(claim, finding)
        return finding

    def _with_calls(self, claim: Claim, finding: Finding) -> Finding:
        """Code that could not be run through may still name things that do not exist."""
        faults = []
        for call in self._calls[claim.id]:
            opinion = self._call(call)
            if opinion.status in {Status.BROKEN, Status.OUTDATED}:
                faults.append(replace(opinion, span=call.code_span))
        if not faults or (claim.reading is Confidence.GUESS):
            return finding
        return replace(worst(tuple(faults)), notes=(*finding.notes, f"apart from that: {finding.message}"))

    def _call(self, claim: Claim) -> Finding:
        snippet = self._by_id.get(claim.about)
        run = self._run(claim.about)
        lookup = self._lookup(claim)
        if snippet is None or run is None:
            return self._unrun(claim, lookup)
        finding = judge_call(claim, snippet, run, lookup, self.release, self._announced(snippet.id, run))
        return self._doubted(replace(finding, span=None), snippet)

    def _unrun(self, claim: Claim, lookup: Lookup | None) -> Finding:
        if lookup is not None:
            finding = judge_name(claim, lookup, self.release)
            if finding.status is not Status.WORKS:
                return finding
        return self._unchecked(claim.about)

    def _unchecked(self, snippet: str) -> Finding:
        """The opinion on what belongs to a snippet that was not run."""
        failure = self._failure(snippet) or "its code was not run"
        return Finding(status=Status.NOT_RUN, rule="sandbox-failed", message=f"not checked: {failure}")

    def _output(self, claim: Claim) -> Finding:
        snippet = self._by_id.get(claim.about)
        run = self._run(claim.about)
        if snippet is None or run is None:
            return self._unchecked(claim.about)
        finding = compared(judge_output_behind(claim, snippet, run), claim, run)
        return self._doubted(self._doubted(finding, snippet), claim)

    def _name(self, claim: Claim) -> Finding:
        lookup = self._lookup(claim)
        run = self._run(claim.id)
        if run is not None and (seen := judge_aside(claim, run, self.release)) is not None:
            return self._doubted(seen, claim)
        if lookup is None:
            failure = self._failure(claim.id)
            if failure:
                return Finding(status=Status.NOT_RUN, rule="sandbox-failed", message=f"not checked: {failure}")
            return Finding(status=Status.UNPROVEN, rule="ambiguous", message="nothing that we know can settle this")
        finding = judge_name(claim, lookup, self.release)
        notes = (*finding.notes, *disagreement(*self._lookups(claim)))
        return self._doubted(replace(finding, notes=notes), claim)

    @staticmethod
    def _doubted(finding: Finding, source: Claim) -> Finding:
        """A verdict is no surer than the reading of its claim, and a mere guess accuses nobody."""
        if source.reading is Confidence.SURE:
            return finding
        guess = source.reading is Confidence.GUESS
        if guess and finding.status in {Status.BROKEN, Status.OUTDATED}:
            return Finding(
                status=Status.UNPROVEN,
                rule="ambiguous",
                message=f"the text can be read otherwise ({source.doubt or 'unclear'}); as read, {finding.message}",
                suggestion=finding.suggestion,
                observed=finding.observed,
                confidence=Confidence.GUESS,
                because=source.doubt,
            )
        return replace(finding, confidence=source.reading, because=source.doubt or finding.because)


def _did_something(claim: Claim, run: Run) -> bool:
    """Whether a statement that is more than an import or a definition finished, or a definition's body ran."""
    try:
        nodes = ast.parse(claim.code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return any(step.fate is StepFate.FINISHED for step in run.steps)
    definitions = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    if not definitions:
        return True
    for node, step in zip(nodes, run.steps, strict=False):
        inert = isinstance(node, ast.Import | ast.ImportFrom | ast.Pass) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        )
        if step.fate is StepFate.FINISHED and not inert and node not in definitions:
            return True
    ran = set(run.ran_lines)
    return any(_body_lines(node) & ran for node in definitions)


def _body_lines(definition: ast.stmt) -> set[int]:
    """Lines inside the functions of a definition; those of a class body itself run when it is defined."""
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    inner = [node for node in ast.walk(definition) if isinstance(node, functions)]
    return {
        line
        for function in inner
        for statement in function.body
        for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    }
