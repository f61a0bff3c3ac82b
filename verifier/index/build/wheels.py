"""Fetches wheels and keeps only what is read of them: their Python sources.

Hides the package installer. A wheel of 260 MB becomes a zip of 9 MB; it is never installed, and nothing in it runs.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from verifier.errors import InputError
from verifier.index.build.releases import Wheel

_TAGS = ("1", "2010", "2014", "_2_5", "_2_12", "_2_17", "_2_27", "_2_28")
_PLATFORMS = (*(f"manylinux{tag}_x86_64" for tag in _TAGS), "any")


def fetch(wheel: Wheel, folder: Path) -> Path:
    """The zip of a wheel's sources in `folder`, downloaded if it is not there yet.

    Raises InputError when the installer cannot get it.
    """
    kept = folder / f"{wheel.name}-{wheel.version}.zip"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            _keep_sources(_download(wheel, Path(scratch)), kept)
    return kept


def _download(wheel: Wheel, scratch: Path) -> Path:
    pip = shutil.which("pip")
    if pip is None:
        raise InputError("building the index needs pip to download wheels; install pip")
    platforms = [word for name in _PLATFORMS for word in ("--platform", name)]
    command = [pip, "download", "--quiet", "--no-deps", "--only-binary=:all:", "--python-version", wheel.python,
               *platforms, "--dest", str(scratch), f"{wheel.name}=={wheel.version}"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = sorted(scratch.glob("*.whl"))
    if not found:
        raise InputError(f"cannot download {wheel.name} {wheel.version}: {done.stderr.strip()[-300:]}")
    return found[0]


def _keep_sources(wheel: Path, kept: Path) -> None:
    partial = kept.with_suffix(".part")
    with ZipFile(wheel) as archive, ZipFile(partial, "w", ZIP_DEFLATED, compresslevel=1) as sources:
        for name in archive.namelist():
            if name.endswith((".py", ".pyi")):
                sources.writestr(name, archive.read(name))
    partial.rename(kept)
