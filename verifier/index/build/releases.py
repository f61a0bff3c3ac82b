"""Which wheels make up each release, and where it hooks modules in.

The newest patch of every minor release; `tensorflow-cpu` where it exists, because it is a third of the size. Keras,
Estimator and TensorBoard are the versions that the release was published with: Keras 2 is pinned by TensorFlow
itself; from 2.16 on, it is the newest Keras 3 that was there before the next minor release.
"""

from __future__ import annotations

from dataclasses import dataclass

from verifier.index.build.exports import Hook

_TENSORFLOW = (  # noqa: SIM905 a table of versions reads better in rows
    "1.0.1 1.1.0 1.2.1 1.3.0 1.4.1 1.5.1 1.6.0 1.7.1 1.8.0 1.9.0 1.10.1 1.11.0 1.12.3 1.13.2 1.14.0 1.15.0 "
    "2.0.4 2.1.4 2.2.3 2.3.4 2.4.4 2.5.3 2.6.5 2.7.4 2.8.4 2.9.3 2.10.1 2.11.0 2.12.1 2.13.1 2.14.1 2.15.1 "
    "2.16.2 2.17.1 2.18.1 2.19.1 2.20.0 2.21.0"
).split()
_KERAS = {"2.13": "2.13.1", "2.16": "3.3.3", "2.17": "3.4.1", "2.18": "3.6.0", "2.19": "3.9.2", "2.20": "3.11.3",
          "2.21": "3.15.1"}  # fmt: skip
_ESTIMATOR = {"1.13": "1.13.0", "1.14": "1.14.0", "1.15": "1.15.1", "2.0": "2.0.1"}
_TENSORBOARD = {"2.0": "2.0.2", "2.1": "2.1.1", "2.2": "2.2.2", "2.4": "2.4.1", "2.10": "2.10.1", "2.11": "2.11.2",
                "2.12": "2.12.3", "2.14": "2.14.1", "2.15": "2.15.2"}  # fmt: skip
FLAVOUR = "2.21-keras2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """One distribution at one version; `python`: the interpreter that its wheel was built for."""

    name: str
    version: str
    python: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """One minor release (or a flavour of it) and its wheels, TensorFlow first."""

    name: str
    wheels: tuple[Wheel, ...]


def releases() -> tuple[Release, ...]:
    """Every minor release, oldest first; the flavour with Keras 2 last."""
    plain = tuple(_release(version) for version in _TENSORFLOW)
    newest = plain[-1].wheels[0]
    legacy = Wheel(name="tf-keras", version="2.21.0", python="3.11")
    return (*plain, Release(name=FLAVOUR, wheels=(newest, legacy, *plain[-1].wheels[2:])))


def _release(version: str) -> Release:
    name = version.rpartition(".")[0]
    major, minor = (int(part) for part in name.split("."))
    order = major * 100 + minor
    python = "3.6" if order < 113 else "3.7" if order < 212 else "3.9" if order < 221 else "3.11"
    processor = name == "1.15" or order >= 201
    wheels = [Wheel(name="tensorflow-cpu" if processor else "tensorflow", version=version, python=python)]
    if 113 <= order <= 215:
        wheels.append(Wheel(name="tensorflow-estimator", version=_ESTIMATOR.get(name, f"{name}.0"), python=python))
    if order >= 206:
        newer = "3.11" if order >= 220 else python
        wheels.append(Wheel(name="keras", version=_KERAS.get(name, f"{name}.0"), python=newer))
    if 115 <= order <= 215:
        wheels.append(Wheel(name="tensorboard", version=_TENSORBOARD.get(name, f"{name}.0"), python=python))
    # Base classes and functions that TensorFlow hands on from two small libraries.
    if order >= 105:
        old = order < 215
        wheels.append(Wheel(name="absl-py", version="1.4.0" if old else "2.5.1", python=python if old else "3.11"))
    if 111 <= order <= 209:
        wheels.append(Wheel(name="keras-preprocessing", version="1.1.2", python=python))
    return Release(name=name, wheels=tuple(wheels))


def hooks(release: Release) -> tuple[Hook, ...]:
    """The modules that a release puts into its public tree while it is imported."""
    one = release.name.startswith("1.")
    second, first = _keras("v2"), _keras("v1")
    top = first if one else second
    found = [
        Hook(path="tensorflow.keras", modules=top),
        Hook(path="tensorflow.estimator", modules=_estimator("v1" if one else "v2")),
        Hook(path="tensorflow.flags", modules=("tensorflow.python.platform.flags",) if one else ()),
        Hook(path="tensorflow.app.flags", modules=("tensorflow.python.platform.flags",) if one else ()),
        Hook(path="tensorflow.contrib", modules=("tensorflow.contrib",) if one else (), borrows=True),
    ]
    if not one:
        found += [Hook(path=f"tensorflow.{name}", modules=_inside(second, name)) for name in _ALIASES]
        found += _summary("tensorflow", "tensorflow._api.v2")
    for prefix in ("tensorflow.compat.v1", "tensorflow.compat.v2"):
        version = "v1" if prefix.endswith("v1") else "v2"
        keras = first if version == "v1" else second
        found += [
            Hook(path=f"{prefix}.keras", modules=keras, under=prefix),
            Hook(path=f"{prefix}.estimator", modules=_estimator(version), under=prefix),
        ]
        if version == "v2":
            found += [Hook(path=f"{prefix}.{name}", modules=_inside(second, name), under=prefix) for name in _ALIASES]
            found += _summary(prefix, f"tensorflow._api.{'v1' if one else 'v2'}.compat.v2")
            continue
        flags = ("tensorflow.python.platform.flags",)
        legacy = tuple(name for name in first if not name.startswith("keras._tf_keras"))
        found += [
            Hook(path=f"{prefix}.flags", modules=flags, under=prefix),
            Hook(path=f"{prefix}.app.flags", modules=flags, under=prefix),
            # Keras 3 has nothing to put there, and raises for whatever is asked of them.
            *(
                Hook(
                    path=f"{prefix}.{path}",
                    modules=_inside(legacy, f"__internal__.legacy.{name}"),
                    under=prefix,
                    refuses=_keras_3(release),
                )
                for path, name in (("layers", "layers"), ("nn.rnn_cell", "rnn_cell"))
            ),
        ]
    return tuple(found)


def _summary(prefix: str, package: str) -> tuple[Hook, ...]:
    """TensorBoard's module takes over TensorFlow's own names while it is imported, and adds some."""
    modules = (f"{package}.summary", "tensorboard.summary._tf.summary")
    return tuple(Hook(path=f"{prefix}.summary", modules=(module,), under=prefix) for module in modules)


# Keras packages that TensorFlow also shows at its root.
_ALIASES = ("losses", "metrics", "optimizers", "initializers")


def _keras_3(release: Release) -> bool:
    return any(wheel.name == "keras" and wheel.version.startswith("3.") for wheel in release.wheels)


def _keras(version: str) -> tuple[str, ...]:
    return (
        f"tf_keras.api._{version}.keras",
        "keras._tf_keras.keras",
        f"keras.api._{version}.keras",
        f"tensorflow.python.keras.api._{version}.keras",
    )


def _estimator(version: str) -> tuple[str, ...]:
    return (
        f"tensorflow_estimator.python.estimator.api._{version}.estimator",
        f"tensorflow_estimator._api.{version}.estimator",
    )


def _inside(packages: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(f"{package}.{name}" for package in packages)
