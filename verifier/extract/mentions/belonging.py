"""Whether a sentence says that a bare name is TensorFlow's or Keras's own.

"Keras layers have a `get_gain` method" claims something of the library; "I wrote a `get_gain` method with Keras"
claims nothing. Only the first can be wrong.
"""

from __future__ import annotations

import re

_LIBRARY = r"(?P<library>TensorFlow|Tensorflow|tensorflow|Keras|keras)"
_OWNS = re.compile(
    rf"{_LIBRARY}\s*(?:2|2\.x|3)?\s*(?:的|里|中|内|自带|提供|内置|本身|官方|库|模型|层|有)"
    rf"|(?:\b(?:in|of|from|by|with)\s+(?:the\s+)?){_LIBRARY.replace('library', 'other')}(?![A-Za-z])"
    rf"|{_LIBRARY.replace('library', 'third')}"
    r"(?:['’]s|\s+(?:has|have|provides?|offers?|ships?|layers?|models?|comes?|exposes?))"
)
_MADE = re.compile(
    r"写了|写的|自己|自定义|实现了|定义了?|封装|我们的|我的|自研|编写|开发了|包装"
    r"|\b(?:wrote|write|written|define[ds]?|implement(?:s|ed)?|custom|helper|our|my|own|homemade|wrap(?:s|ped)?|built|made)\b",
    re.IGNORECASE,
)


def owner_of(sentence: str) -> str:
    """`tensorflow` or `keras` when the sentence gives what it names to that library; else an empty string."""
    found = _OWNS.search(sentence)
    if found is None or _MADE.search(sentence):
        return ""
    return (found["library"] or found["other"] or found["third"]).lower()
