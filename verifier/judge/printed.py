"""What of a printed text two runs of one program can share: no addresses, times, progress bars, log lines, paths."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"\b(?:at )?0x[0-9a-fA-F]{4,}\b|\bid=\d{6,}\b")
_CLOCK = re.compile(r"\b\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?|\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b")
_VARIABLE = re.compile(r"(?<![\w/])(?:[\w.]+/)*([A-Za-z_]\w*):0\b")
_SPAN = re.compile(
    r"\b\d+(?:\.\d+)?(?:e-?\d+)?\s?(?:ns|us|µs|μs|ms|sec|secs|seconds?|s)\b(?:/(?:step|epoch|sample|loop|it)\b)?"
)
_FOLDER = re.compile(r"(?:/tmp|/var/folders|/scratch|[A-Za-z]:\\\\?(?:Temp|Users))[^\s'\",)]*")
# Lines that a library writes about itself, in any release.
_LOG = re.compile(
    r"^\s*(?:"
    r"Epoch\s+\d+\s*/\s*\d+\s*$"
    r"|\d+/(?:\d+|Unknown)\s.*(?:[━=\[\]>.]{4,}|\d+\s?[mu]?s(?:/step|/epoch)?\b).*"
    r"|(?:WARNING|INFO|DEBUG|ERROR)[:\s].*"
    r"|[IWEF]\d{4}\s\d.*"
    r"|\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d+: [IWEF] .*"
    r"|(?:\S+:\d+: )?\w*Warning: .*"
    r"|Downloading data from .*|\d+%\|.*"
    # What a notebook says of a cell: how long it took, and that it drew something.
    r"|(?:CPU times|Wall time|Compiler)\s?: .*|\d.* per loop .*"
    r"|<Figure size .*>|\[?<(?:matplotlib\.\S+|Axes\S*).*>\]?|Text\(.*\)"
    r")$"
)
_METRIC = re.compile(
    r"(?:\b(?:val_)?(?:\w+_)?(?:loss|acc|accuracy|mae|mse|rmse|auc|precision|recall|f1|perplexity)\b|损失|准确率|精度)"
    r"[\w'\"\s]*[:：=为是]?\s*\[?\s*\d*\.?\d+",
    re.IGNORECASE,
)


_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def settled(text: str) -> str:
    """A printed text without what no second run would print again. Never raises."""
    rows = [_last_shown(row) for row in _ESCAPE.sub("", text).split("\n")]
    kept = "\n".join(row for row in rows if not _LOG.match(row))
    # A variable of Keras 3 is called `kernel`, one of Keras 2 `dense/kernel:0`.
    for pattern, shown in (
        (_VARIABLE, r"\1"),
        (_ADDRESS, " "),
        (_CLOCK, "<clock>"),
        (_SPAN, "<time>"),
        (_FOLDER, "<folder>"),
    ):
        kept = pattern.sub(shown, kept)
    return kept


def tells_metrics(text: str) -> bool:
    """Whether a text gives figures of a training, such as `loss: 0.3012`."""
    return bool(_METRIC.search(text))


def _last_shown(row: str) -> str:
    """What a terminal shows of a line that was overwritten: progress bars go back to its beginning."""
    return row.replace("\b", "").rstrip("\r").rpartition("\r")[2]
