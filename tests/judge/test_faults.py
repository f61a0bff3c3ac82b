"""Whose fault is an exception?"""

from __future__ import annotations

import pytest
from samples import fault

from verifier.judge.faults import Case, headline, judge_fault
from verifier.model import Diagnosis, Fault, Lookup, Status


def _judge(given: Fault, source: str = "f(x)", diagnosis: Diagnosis | None = None):
    return judge_fault(Case(fault=given, source=source, diagnosis=diagnosis, release="2.21"))


@pytest.mark.parametrize(
    ("given", "status", "rule"),
    [
        (fault("ValueError", "bad shape"), Status.BROKEN, "raises"),
        (fault("TypeError", "unsupported operand"), Status.BROKEN, "raises"),
        (
            fault("FileNotFoundError", "[Errno 2] No such file or directory: 'a.csv'", mro="OSError"),
            Status.UNPROVEN,
            "missing-data",
        ),
        (
            fault("tensorflow.NotFoundError", "NewRandomAccessFile failed; No such file or directory"),
            Status.UNPROVEN,
            "missing-data",
        ),
        (
            fault("ValueError", "File not found: filepath=m.keras. Please ensure the file is an accessible"),
            Status.UNPROVEN,
            "missing-data",
        ),
        (fault("Exception", "URL fetch failure on https://x: None"), Status.UNPROVEN, "needs-network"),
        (fault("urllib.error.URLError", "<urlopen error [Errno -3]>", mro="OSError"), Status.UNPROVEN, "needs-network"),
        (
            fault("socket.gaierror", "[Errno -2] Name or service not known", mro="OSError"),
            Status.UNPROVEN,
            "needs-network",
        ),
        (
            fault("ModuleNotFoundError", "No module named 'foo'", name_="foo", mro="ImportError"),
            Status.UNPROVEN,
            "missing-library",
        ),
        (fault("NameError", "name 'k' is not defined", name_="k"), Status.UNPROVEN, "missing-context"),
        (
            fault("x.ConnectTimeout", "timed out", mro="requests.exceptions.ConnectionError"),
            Status.UNPROVEN,
            "needs-network",
        ),
        (fault("SyntaxError", "invalid syntax"), Status.UNPROVEN, "does-not-parse"),
        (fault("MemoryError"), Status.UNPROVEN, "out-of-memory"),
        (fault("RuntimeError", "GPU device not found"), Status.UNPROVEN, "needs-accelerator"),
        (fault("RuntimeError", "tf.placeholder() is not compatible with eager execution."), Status.OUTDATED, "removed"),
        (fault("ImportError", "`keras.optimizers.legacy` is not supported in Keras 3."), Status.OUTDATED, "removed"),
    ],
)
def test_table(given: Fault, status: Status, rule: str) -> None:
    finding = _judge(given)
    assert (finding.status, finding.rule) == (status, rule)
    assert finding.message and "\n" not in finding.message


def _told(**fields: object) -> Diagnosis:
    lookup = fields.pop("lookup", Lookup(name="", found=False))
    return Diagnosis(**{"statement": 0, "target": "tensorflow.f", "lookup": lookup, **fields})


@pytest.mark.parametrize(
    ("told", "status", "rule"),
    [
        (_told(), Status.BROKEN, "unknown-name"),
        (_told(lookup=Lookup(name="", found=False, elsewhere=("numpy.f",))), Status.BROKEN, "exists-elsewhere"),
        (_told(lookup=Lookup(name="", found=False, first="1.0", last="1.15")), Status.OUTDATED, "removed"),
        (_told(lookup=Lookup(name="", found=False, last="1.15", replacement="tf.g")), Status.OUTDATED, "renamed"),
        (_told(lookup=Lookup(name="", found=False, unknown=True)), Status.BROKEN, "raises"),
        (_told(lookup=Lookup(name="", found=True)), Status.BROKEN, "raises"),
    ],
)
def test_an_attribute_that_is_not_there(told: Diagnosis, status: Status, rule: str) -> None:
    finding = _judge(fault("AttributeError", "module 'tensorflow' has no attribute 'f'", name_="f"), "tf.f", told)
    assert (finding.status, finding.rule) == (status, rule)


def test_a_refused_argument_of_another_release_is_outdated() -> None:
    told = _told(keyword="lr", renamed_to="learning_rate", accepted="1.0 to 2.15")
    finding = _judge(fault("ValueError", "Argument(s) not recognized: {'lr': 0.1}"), "f(lr=0.1)", told)
    assert (finding.status, finding.rule, finding.suggestion) == (Status.OUTDATED, "wrong-argument", "learning_rate")
    assert "1.0 to 2.15" in finding.message


def test_a_present_name_alone_does_not_excuse_an_argument() -> None:
    told = _told(keyword="dim", renamed_to="axis")
    finding = _judge(fault("TypeError", "unexpected keyword argument 'dim'"), "f(dim=1)", told)
    assert (finding.status, finding.suggestion) == (Status.BROKEN, "axis")


def test_a_refused_argument_that_never_was_is_broken() -> None:
    finding = _judge(fault("TypeError", "unexpected keyword argument 'zz'"), "f(zz=1)", _told(keyword="zz"))
    assert (finding.status, finding.rule) == (Status.BROKEN, "wrong-argument")


def test_the_message_itself_may_offer_the_right_name() -> None:
    message = "No such layer: LSTM. Existing layers are: ['lstm', 'dense', 'dense_1']."
    finding = _judge(fault("ValueError", message), "net.get_layer('LSTM')")
    assert finding.suggestion == "did you mean 'lstm' instead of 'LSTM'?"
    far = _judge(
        fault("ValueError", "No such layer: zebra. Existing layers are: ['lstm', 'dense']."), "net.get_layer('zebra')"
    )
    assert far.suggestion == ""


def test_headline_is_how_a_traceback_ends() -> None:
    assert headline(fault("a.b.OddError", "first\nsecond")) == "OddError: first"
    assert headline(fault("KeyError")) == "KeyError"
