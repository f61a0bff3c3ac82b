"""What corrections that ran do to verdicts: suggestions with proof, and faults that stood behind other faults."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import call, evidence, fault, run, snippet

from verifier.judge import decide
from verifier.model import (
    ClaimKind,
    Confidence,
    Diagnosis,
    Edit,
    Fault,
    Fix,
    Lookup,
    Run,
    Span,
    StandIn,
    Status,
    Step,
    StepFate,
    Verdict,
)

CODE = "head = net.get_layer('Top')\nkernel = head.get_weights()[0]\nplt.plot(kernel)\nprint(2)\n"
DONE, RAISED, BLOCKED, MISSING = StepFate.FINISHED, StepFate.RAISED, StepFate.BLOCKED, StepFate.MISSING


def place(text: str, code: str = CODE) -> Span:
    start = code.index(text)
    return Span(start=start, end=start + len(text))


def edit(before: str, after: str, code: str = CODE) -> Edit:
    return Edit(span=place(before, code), before=before, after=after)


def steps(fates: dict[int, StepFate | Fault], count: int = 4) -> tuple[Step, ...]:
    told = [fates.get(number, DONE) for number in range(count)]
    return tuple(
        Step(program=0, statement=n, fate=RAISED, fault=one)
        if isinstance(one, Fault)
        else Step(program=0, statement=n, fate=one)
        for n, one in enumerate(told)
    )


NO_LAYER = fault(
    "ValueError", "No such layer: Top. Existing layers are: ['top'].", expression=place("net.get_layer('Top')")
)
NO_PLOT = fault("ValueError", "x and y can be no greater than 2D", expression=place("plt.plot(kernel)"))
FIX = Fix(
    statement=0,
    edits=(edit("'Top'", "'top'"),),
    reason="'top' is the nearest of what the error message offers for 'Top'",
    steps=steps({2: NO_PLOT}),
    respells=True,
)


def broken(*fixes: Fix, **more: object) -> Run:
    return replace(run(CODE, {0: NO_LAYER, 1: BLOCKED, 2: BLOCKED}), fixes=fixes, **more)


def verdicts(ran: Run, *calls: str, code: str = CODE, **fields: object) -> list[Verdict]:
    claims = [snippet("s", code, **fields), *(call(code, text) for text in calls)]
    return list(decide(claims, [evidence(ran)], "tf-2.21"))


def test_the_working_form_is_told_with_what_was_seen() -> None:
    (verdict,) = verdicts(broken(FIX))
    assert verdict.status is Status.BROKEN
    assert verdict.suggestion == "use `'top'` instead of `'Top'`"
    (note,) = [note for note in verdict.notes if note.startswith("tried: ")]
    assert "3 of 4 statements ran" in note
    assert "`plt.plot(kernel)` then fails by itself: ValueError: x and y can be no greater than 2D" in note


def test_without_a_fix_an_idea_stays_an_idea() -> None:
    (verdict,) = verdicts(broken())
    assert verdict.suggestion == "did you mean 'top' instead of 'Top'?"
    assert not any("tried" in note for note in verdict.notes)


def test_a_fault_behind_a_spelling_is_a_fault_of_its_own() -> None:
    _, first, behind, plot = verdicts(broken(FIX), "net.get_layer('Top')", "head.get_weights()", "plt.plot(kernel)")
    assert (first.status, first.suggestion) == (Status.BROKEN, "use `'top'` instead of `'Top'`")
    assert (behind.status, behind.confidence) == (Status.WORKS, Confidence.LIKELY)
    assert behind.message == "it runs once `'Top'` is corrected to `'top'`"
    assert (plot.status, plot.rule, plot.confidence) == (Status.BROKEN, "raises", Confidence.LIKELY)
    assert plot.message.startswith("once `'Top'` is corrected to `'top'`, `plt.plot(kernel)` raises ValueError")


def test_a_fault_behind_another_meaning_is_nobodys() -> None:
    *_, plot = verdicts(broken(replace(FIX, respells=False)), "plt.plot(kernel)")
    assert (plot.status, plot.rule) == (Status.UNPROVEN, "blocked")


def test_a_fault_that_a_stand_in_may_have_caused_is_nobodys() -> None:
    made = (StandIn(name="net", role="a model", code="net = 1"),)
    *_, plot = verdicts(broken(FIX, standins=made), "plt.plot(kernel)")
    assert plot.status is Status.UNPROVEN


def test_a_call_of_a_name_that_is_gone_stays_outdated_although_it_ran_in_another_place() -> None:
    code = "import tensorflow as tf\nx = tf.placeholder(1)\ny = tf.Session(x)\n"
    first = fault("AttributeError", "module 'tensorflow' has no attribute 'placeholder'", name_="placeholder")
    swap = edit("import tensorflow as tf", "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()", code)
    ran = replace(
        run(code, {1: first, 2: BLOCKED}), fixes=(Fix(statement=1, edits=(swap,), reason="r", steps=steps({}, 3)),)
    )
    gone = Lookup(
        name="tensorflow.Session", found=False, first="1.0", last="1.15", replacement="tensorflow.compat.v1.Session"
    )
    told = call(code, "tf.Session(x)", "tf.Session")
    claims = [snippet("s", code), told]
    snippet_verdict, session = decide(claims, [evidence(ran), evidence(lookup=gone, claim=told.id)], "tf-2.21")
    assert snippet_verdict.suggestion.startswith(
        "use `import tensorflow.compat.v1 as tf; tf.disable_v2_behavior()` instead"
    )
    assert session.status is Status.OUTDATED


def test_a_chain_of_fixes_is_told_in_order() -> None:
    second = Fix(statement=2, edits=(edit("kernel)", "kernel[0])"),), reason="why", steps=steps({}))
    verdict, plot = verdicts(broken(FIX, second), "plt.plot(kernel)")
    tried = [note for note in verdict.notes if note.startswith("tried")]
    assert len(tried) == 2
    assert tried[1].startswith("tried on top of that: use `kernel[0])` instead of `kernel)`")
    assert tried[1].endswith("all 4 statements ran")
    assert plot.suggestion == "use `kernel[0])` instead of `kernel)`"


def test_an_import_that_the_text_leaves_out_is_no_fault() -> None:
    code = "net = Sequential([Dense(2)])\nnet.build()\n"
    line = Edit(span=Span(start=0, end=0), before="", after="from tensorflow.keras.layers import Dense\n")
    missing = replace(
        run(code, {0: MISSING, 1: BLOCKED}), fixes=(Fix(statement=0, edits=(line,), reason="r", steps=steps({}, 2)),)
    )
    missing = replace(missing, steps=(replace(missing.steps[0], missing=("Dense",)), missing.steps[1]))
    verdict, dense = verdicts(missing, "Dense(2)", code=code)
    assert (verdict.status, verdict.confidence) == (Status.WORKS, Confidence.LIKELY)
    assert "`from tensorflow.keras.layers import Dense`" in verdict.message
    assert (dense.status, dense.confidence) == (Status.WORKS, Confidence.LIKELY)


def test_an_import_for_mere_definitions_proves_nothing() -> None:
    code = "class Net(Model):\n    pass\n"
    line = Edit(span=Span(start=0, end=0), before="", after="from tensorflow.keras import Model\n")
    missing = replace(run(code, {0: MISSING}), fixes=(Fix(statement=0, edits=(line,), reason="r", steps=steps({}, 1)),))
    missing = replace(missing, steps=(replace(missing.steps[0], missing=("Model",)),))
    (verdict,) = verdicts(missing, code=code)
    assert (verdict.status, verdict.suggestion) == (
        Status.UNPROVEN,
        "put `from tensorflow.keras import Model` in front",
    )


def test_a_missing_name_with_another_fix_is_still_missing() -> None:
    code = "weights = 1\nprint(wieghts)\n"
    swap = Fix(statement=1, edits=(edit("wieghts", "weights", code),), reason="r", steps=steps({}, 2))
    missing = replace(run(code, {1: MISSING}), fixes=(swap,))
    missing = replace(missing, steps=(missing.steps[0], replace(missing.steps[1], missing=("wieghts",))))
    (verdict,) = verdicts(missing, code=code)
    assert (verdict.status, verdict.suggestion) == (Status.UNPROVEN, "use `weights` instead of `wieghts`")


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        (edit("a, b", "[a, b]", "f(a, b)"), "use `[a, b]` instead of `a, b`"),
        (edit(", b=1", "", "f(a, b=1)"), "leave out `b=1`"),
        (Edit(span=Span(start=3, end=3), before="", after=", axis=0"), "add `axis=0`"),
        (Edit(span=Span(start=0, end=0), before="", after="import a\n"), "put `import a` in front"),
    ],
)
def test_every_change_has_its_words(change: Edit, advice: str) -> None:
    (verdict,) = verdicts(broken(replace(FIX, edits=(change,))))
    assert verdict.suggestion == advice


def test_a_text_that_says_that_it_fails_needs_no_advice() -> None:
    from verifier.model import Polarity

    (verdict,) = verdicts(broken(FIX), polarity=Polarity.NEGATED)
    assert (verdict.status, verdict.suggestion) == (Status.WORKS, "")


def test_a_stated_output_is_looked_for_behind_the_fix() -> None:
    output = replace(call(CODE, "plt.plot(kernel)"), id="o", kind=ClaimKind.OUTPUT, code="(3, 3)")
    for shown, status in (("(3, 3)\n", Status.WORKS), ("(4, 4)\n", Status.UNPROVEN)):
        after = steps({})
        after = (*after[:2], replace(after[2], stdout=shown), after[3])
        ran = broken(replace(FIX, steps=after))
        *_, verdict = decide([snippet("s", CODE), output], [evidence(ran)], "tf-2.21")
        assert verdict.status is status
        assert (verdict.rule == "blocked") is (status is Status.UNPROVEN)


def test_what_the_oracles_say_of_what_fails_behind_a_fix_is_heard() -> None:
    code = "a = tf.log(x)\nb = tf.quux(a)\n"
    first = fault(
        "AttributeError", "module 'tensorflow' has no attribute 'log'", name_="log", expression=place("tf.log", code)
    )
    second = fault(
        "AttributeError", "module 'tensorflow' has no attribute 'quux'", name_="quux", expression=place("tf.quux", code)
    )
    told = Diagnosis(statement=1, target="tensorflow.quux", lookup=Lookup(name="tensorflow.quux", found=False))
    fix = Fix(
        statement=0,
        edits=(edit("tf.log", "tf.math.log", code),),
        reason="r",
        steps=steps({1: second}, 2),
        diagnoses=(told,),
        respells=True,
    )
    _, quux = verdicts(replace(run(code, {0: first, 1: BLOCKED}), fixes=(fix,)), "tf.quux(a)", code=code)
    assert (quux.status, quux.rule) == (Status.BROKEN, "unknown-name")


def test_what_is_corrected_in_many_places_is_told_once() -> None:
    code = "".join(f"v{n} = tf.log({n})\n" for n in range(5))
    spans = [Span(start=15 * n + 5, end=15 * n + 11) for n in range(5)]
    edits = tuple(Edit(span=span, before=span.of(code), after="tf.math.log") for span in spans)
    first = fault("AttributeError", "module 'tensorflow' has no attribute 'log'", expression=spans[0])
    ran = replace(run(code, {0: first}), fixes=(Fix(statement=0, edits=edits, reason="r", steps=steps({}, 5)),))
    (verdict,) = verdicts(ran, code=code)
    assert verdict.suggestion == "use `tf.math.log` instead of `tf.log`"


def test_a_long_list_of_changes_is_cut() -> None:
    words = "abcde"
    edits = tuple(Edit(span=Span(start=n, end=n + 1), before=word, after=word.upper()) for n, word in enumerate(words))
    (verdict,) = verdicts(broken(replace(FIX, edits=edits)))
    assert verdict.suggestion.endswith("use `C` instead of `c`; 2 more")


def test_incomplete_code_is_not_made_whole_by_an_import() -> None:
    code = "net = Sequential([Dense(2)])\n"
    line = Edit(span=Span(start=0, end=0), before="", after="from tensorflow.keras.layers import Dense\n")
    missing = replace(run(code, {0: MISSING}), fixes=(Fix(statement=0, edits=(line,), reason="r", steps=steps({}, 1)),))
    missing = replace(missing, steps=(replace(missing.steps[0], missing=("Dense",)),))
    (verdict,) = verdicts(missing, code=code, placeholder="...")
    assert verdict.status is Status.UNPROVEN
