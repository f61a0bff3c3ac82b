"""When a stated number is the observed one: as it is rounded or cut in the text, or but for the noise of arithmetic."""

from __future__ import annotations

import math
import re

# What two releases or machines may differ in for single precision: an order of magnitude above its resolution of
# 1.2e-7, for sums of some hundred terms.
_NOISE = 1e-5
# Zeros that are none: the rest that cancelling single-precision numbers of size one leaves.
_ZERO = 1e-6
_REAL = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|[-+]?(?:inf|nan)", re.ASCII)


def same_number(stated: str, observed: str) -> bool:
    """Whether two numerals mean the same: `0.67` and `0.66` are 0.6666667, `5` is 5.0, `1000` is not 1024."""
    if stated[-1:] == "j" or observed[-1:] == "j":
        return _same_complex(stated, observed)
    if not _REAL.fullmatch(stated) or not _REAL.fullmatch(observed):
        return False
    one, other = float(stated), float(observed)
    if _whole(stated) and _whole(observed):
        return int(stated) == int(observed)
    if one == other or (math.isnan(one) and math.isnan(other)):
        return True
    if not math.isfinite(one) or not math.isfinite(other):
        return False
    unit = _unit(stated)
    rounded = abs(one - other) <= 0.5 * unit * (1 + 1e-9)
    cut = unit > 0 and math.copysign(1, one) == math.copysign(1, other) and 0 <= abs(other) - abs(one) < unit
    return rounded or cut or abs(one - other) <= max(_NOISE * max(abs(one), abs(other)), _zero(one, other))


def _whole(numeral: str) -> bool:
    return numeral.lstrip("+-").isdigit()


def _zero(one: float, other: float) -> float:
    return _ZERO if 0.0 in {one, other} else 0.0


def _unit(numeral: str) -> float:
    """One in the last place that is written behind the point; 0 when there is none, for then nothing was rounded."""
    mantissa, _, exponent = numeral.lower().partition("e")
    places = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - places) if places else 0.0


def _same_complex(stated: str, observed: str) -> bool:
    try:
        one, other = complex(stated), complex(observed)
    except ValueError:
        return False
    return all(same_number(repr(a), repr(b)) for a, b in ((one.real, other.real), (one.imag, other.imag)))
