"""Releases as bits: which bit a release has, and how a set of bits reads.

Hides the numbering: the minor releases of TensorFlow oldest first, then the flavours (a release with another Keras).
"""

from __future__ import annotations

import re

_VERSION = re.compile(r"(\d+)(?:\.(\d+|x))?(?:\.[\w.]+)?(-keras2)?")


class Calendar:
    """The releases of one index. `releases`: minor releases, oldest first."""

    def __init__(self, releases: tuple[str, ...], flavours: tuple[str, ...]) -> None:
        self.releases = releases
        self._all = (*releases, *flavours)
        self._plain = (1 << len(releases)) - 1

    @property
    def flavours(self) -> int:
        """The bits of releases with another Keras."""
        return (1 << len(self._all)) - 1 & ~self._plain

    @property
    def newest(self) -> int:
        """The bit of the newest minor release, whose flavours there are."""
        return 1 << (len(self.releases) - 1)

    def mask(self, release: str) -> int:
        """The bits that a release name stands for; 0 when it is none that we know.

        `2.21`, `2.21.0`, `tf-2.21` and `2.21-keras2` are one release each; `1.x` and `2` are every release of that
        major version.
        """
        match = _VERSION.search(release)
        if match is None:
            return 0
        major, minor, flavour = match[1], match[2], match[3] or ""
        if minor in (None, "x"):
            return sum(1 << bit for bit, name in enumerate(self.releases) if name.startswith(f"{major}."))
        name = f"{major}.{minor}{flavour}"
        return 1 << self._all.index(name) if name in self._all else 0

    def first(self, mask: int) -> str:
        """The oldest minor release in the mask; "" when there is none."""
        mask &= self._plain
        return self.releases[(mask & -mask).bit_length() - 1] if mask else ""

    def last(self, mask: int) -> str:
        """The newest minor release in the mask; "" when there is none."""
        mask &= self._plain
        return self.releases[mask.bit_length() - 1] if mask else ""

    def ranges(self, mask: int) -> str:
        """The minor releases in the mask as text: `1.0-1.15, 2.3`."""
        mask &= self._plain
        parts: list[str] = []
        while mask:
            start = (mask & -mask).bit_length() - 1
            run = mask >> start
            length = (~run & (run + 1)).bit_length() - 1
            first, last = self.releases[start], self.releases[start + length - 1]
            parts.append(first if length == 1 else f"{first}-{last}")
            mask &= ~(((1 << length) - 1) << start)
        return ", ".join(parts)
