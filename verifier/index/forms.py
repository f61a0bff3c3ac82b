"""In which releases a public path can be written as an import, not only as an attribute.

Hides where TensorFlow puts the public modules that have no file of their own name: since 2.0 they are generated into a
folder at the end of the search path of `tensorflow`, and Keras is another such folder. An attribute that only points
to a module elsewhere (`tf.losses` is Keras's) is none to the import system, nor is a module behind a real folder of
the same name. For releases of 1 nothing is refused. Compared with an import of every public module in 2.15 and 2.21.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.index.calendar import Calendar
from verifier.index.timeline import Known, Timeline, Track

_ROOT = "tensorflow."
_GENERATED = "tensorflow._api.v2."
_USE = "import tensorflow and use the attribute"
_KERAS = re.compile(r"tensorflow(?:\.compat\.v[12])?\.keras(?:\.|$)")
# Keras 3 changes the search path of `tensorflow` alone, Keras 2 also those of `compat.v1` and `compat.v2`.
_KERAS_3 = re.compile(r"tensorflow\.keras(?:\.|$)")
_OF_KERAS = ("keras.", "tf_keras.", "tensorflow.python.keras.api.")
_OF_KERAS_2 = ("keras.api.", "tf_keras.", "tensorflow.python.keras.api.")
# The one folder of keras/_tf_keras/keras that its `__init__` does not import: no attribute until it is imported.
_UNIMPORTED = re.compile(r"tensorflow\.keras\.saving(?:\.|$)")


@dataclass(frozen=True, slots=True)
class Forms:
    """Answers for paths under `tensorflow`."""

    timeline: Timeline
    calendar: Calendar

    def writable(self, path: str, form: str) -> int:
        """The releases in which `path` can be written in this form; for an attribute nothing is asked."""
        module = _module(path, form)
        if not module:
            return -1
        track = self.timeline.track(module)
        if form == "from" and not track.mask:
            return -1
        mask = 0
        for one in track.known:
            if one.kind == "module":
                mask |= self._importable(module, one) & one.mask
                hidden = self.timeline.shadowed(module, one) and form == "from"
                # What is generated for a hidden module cannot be reached; what lies in the real folder can.
                mask &= ~one.mask | self.timeline.file(path) if hidden else -1
        return mask

    def refusal(self, path: str, form: str, mask: int) -> str:
        """Why a path that is an attribute in these releases cannot be written in this form."""
        module = _module(path, form)
        known = self.timeline.track(module).at(mask)
        if known is not None and known.kind != "module":
            return f"{module} is a {known.kind or 'value'}, not a module"
        if known is not None and self.timeline.shadowed(module, known):
            return f"`from {module} import` reads a folder without {path}: {_USE}"
        return f"{module} is an attribute, but no module that can be imported: {_USE}"

    def importable_only(self, path: str, form: str, mask: int) -> Track | None:
        """The track of a path that an import finds in the newest Keras although the attribute is not there."""
        newer = any(one.mask & mask and _three(one) for one in self.timeline.track("tensorflow.keras").known)
        return self.timeline.track(path) if newer and form != "attribute" and _UNIMPORTED.match(path) else None

    def _importable(self, module: str, known: Known) -> int:
        """The releases of this state in which `import module` works, among others."""
        files = self.timeline.file(module) | self._first_major
        generated = self.timeline.file(f"{_GENERATED}{module.removeprefix(_ROOT)}")
        if known.canonical.startswith(_OF_KERAS):
            pattern = _KERAS_3 if _three(known) else _KERAS
            return -1 if pattern.match(module) else files | generated
        if known.canonical.startswith("tensorflow.python."):
            return files | generated
        return files | ~self._behind(module)

    def _behind(self, module: str) -> int:
        """The releases in which a package on the way to the module is a real folder that hides the public one."""
        mask, words = 0, module.split(".")
        for size in range(2, len(words)):
            outer = ".".join(words[:size])
            for one in self.timeline.public(outer):
                if self.timeline.shadowed(outer, one):
                    mask |= self.timeline.file(outer) & one.mask
        return mask

    @property
    def _first_major(self) -> int:
        return self.calendar.mask("1")


def _three(known: Known) -> bool:
    return known.canonical.startswith("keras.") and not known.canonical.startswith(_OF_KERAS_2)


def _module(path: str, form: str) -> str:
    """What the form needs to be a module: `import a.b` a.b, `from a import b` a."""
    return {"import": path, "from": path.rpartition(".")[0]}.get(form, "")
