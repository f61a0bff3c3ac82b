"""What no second run would print again does not count: addresses, times, progress bars, log lines, folders."""

from __future__ import annotations

import pytest

from verifier.judge.compare import difference
from verifier.judge.printed import settled, tells_metrics
from verifier.judge.summaries import is_summary, same_summary


@pytest.mark.parametrize(
    ("stated", "observed"),
    [
        ("took 0.12s, result 5", "took 3.4s, result 5"),
        ("[[0.5]]", "1/1 [====================] - 0s 57ms/step\n[[0.5]]"),
        (
            "1/1 [==============================] - 0s 57ms/step\n[[0.5]]",
            "\x1b[1m1/1\x1b[0m \x1b[32m━━━━━━━━\x1b[0m \x1b[1m0s\x1b[0m 31ms/step\n[[0.5]]",
        ),
        ("done", "Epoch 1/2\n\r1/4 ━━━━ 1s 300ms/step\r4/4 ━━━━━━━━━ 0s 3ms/step\nEpoch 2/2\n4/4 ━━━━━━━━ 0s 2ms/step\ndone"),
        ("WARNING:tensorflow:of no matter\n5", "5"),
        ("2024-01-02 03:04:05.123456: I tensorflow/core/util.cc:1] hello\n5", "5"),
        ("saved to /tmp/abc/model.keras", "saved to /tmp/tmpx9f/model.keras"),
        ("<function f at 0x7f0012345678>", "<function f at 0x55aa00ff1122>"),
        ("499500\nCPU times: user 180 ms, sys: 31 ms, total: 211 ms\nWall time: 175 ms", "499500\n"),
        ("[<matplotlib.lines.Line2D at 0x7f1d143b7f40>]\n<Figure size 640x480 with 1 Axes>\n3", "3"),
        ("dense/kernel:0, (3, 2)", "kernel, (3, 2)"),
        ("at 2024-01-01 10:00:00 all 3 were read", "at 2026-05-06 07:08:09 all 3 were read"),
    ],
)  # fmt: skip
def test_what_passes_away_is_left_out(stated: str, observed: str) -> None:
    assert difference(stated, observed) is None


@pytest.mark.parametrize(
    ("stated", "observed"),
    [
        ("took 0.12s, result 5", "took 0.12s, result 6"),
        ("Epoch 1/2\ndone", "Epoch 1/2\nstopped"),
        ("2/3", "1/3"),
    ],
)
def test_what_stays_still_counts(stated: str, observed: str) -> None:
    assert difference(stated, observed) is not None


def test_a_line_that_was_overwritten_is_the_last_one_shown() -> None:
    assert settled("10%\r50%\r100%\n") == "100%\n"


@pytest.mark.parametrize(
    "text", ["loss: 0.3012 - accuracy: 0.91", "Test accuracy: 0.98", "val_loss = 0.5", "准确率：0.97", "loss 0.1"]
)
def test_figures_of_a_training(text: str) -> None:
    assert tells_metrics(text)


@pytest.mark.parametrize("text", ["[1 2 3]", "shape: (2, 3)", "lossless", "glossy 3", "precision mode"])
def test_other_figures(text: str) -> None:
    assert not tells_metrics(text)


OLD = """Model: "sequential_3"
_________________________________________________________________
 Layer (type)                Output Shape              Param #
=================================================================
 conv2d_7 (Conv2D)           (None, 26, 26, 32)        320

 max_pooling2d (MaxPooling2D  (None, 13, 13, 32)       0
 )

 dense_9 (Dense)             (None, 13, 13, 10)        330

=================================================================
Total params: 650 (2.54 KB)
Trainable params: 650 (2.54 KB)
Non-trainable params: 0 (0.00 Byte)
_________________________________________________________________
"""
NEW = """\x1b[1mModel: "sequential"\x1b[0m
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━┓
┃ Layer (type)                    ┃ Output Shape           ┃       Param # ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━┩
│ conv2d (Conv2D)                 │ (None, 26, 26, 32)     │           320 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ max_pooling2d (MaxPooling2D)    │ (None, 13, 13, 32)     │             0 │
├─────────────────────────────────┼────────────────────────┼───────────────┤
│ dense (Dense)                   │ (None, 13, 13, 10)     │           330 │
└─────────────────────────────────┴────────────────────────┴───────────────┘
 Total params: 1,952 (7.62 KB)
 Trainable params: 650 (2.54 KB)
 Non-trainable params: 0 (0.00 B)
 Optimizer params: 1,302 (5.09 KB)
"""


def test_a_summary_is_the_same_in_either_layout() -> None:
    assert is_summary(OLD)
    assert is_summary(NEW)
    assert same_summary(OLD, NEW)
    assert same_summary("Total params: 650", NEW)


@pytest.mark.parametrize(
    ("before", "after"),
    [("Total params: 650", "Total params: 651"), ("320", "288"), ("(None, 13, 13, 10)", "(None, 13, 13, 12)")],
)
def test_a_summary_with_another_count_or_size_is_another(before: str, after: str) -> None:
    assert not same_summary(OLD.replace(before, after), NEW)


def test_a_summary_that_lists_the_input_too_is_the_same() -> None:
    listed = OLD.replace(" conv2d_7", " input_1 (InputLayer)       [(None, 28, 28, 1)]       0\n\n conv2d_7")
    assert same_summary(listed, NEW)
