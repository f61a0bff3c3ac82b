"""Where the definitions of environments stand and what is in one. Hides the layout of `sandboxes/`."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from verifier.errors import SandboxUnavailable

_PACKAGE = Path(__file__).resolve().parent.parent
# A checkout keeps the folder beside the package, a wheel inside it.
_PLACES = (_PACKAGE / "_sandboxes", _PACKAGE.parent / "sandboxes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitute:
    """What takes the place of an environment where its Python is missing.

    environment is the name of another one; words say what of it is used; variables tell the guest.
    """

    environment: str
    words: str
    variables: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """One environment as its folder defines it.

    lock is the text of its requirements with hashes; python the range of interpreters it is locked for;
    machines the processors that its packages are published for, empty for all; from_source the packages that are
    published as source only.
    """

    name: str
    title: str
    tensorflow: str
    python: str
    lock: str
    variables: dict[str, str] = field(default_factory=dict)
    source: str = ""
    machines: tuple[str, ...] = ()
    from_source: tuple[str, ...] = ()
    substitute: Substitute | None = None

    def accepts(self, version: tuple[int, int]) -> bool:
        """Whether an interpreter of this version, such as (3, 11), is in the range."""
        return all(_holds(version, bound.strip()) for bound in self.python.split(","))

    def digest(self, version: str) -> str:
        """What an installed environment is made of, as 16 hexadecimal digits; `version` is the interpreter's."""
        parts = (self.lock, self.source, version)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _holds(version: tuple[int, int], bound: str) -> bool:
    major, _, minor = bound.lstrip("<>=").partition(".")
    limit = (int(major), int(minor))
    return version >= limit if bound.startswith(">=") else version < limit


def sandboxes_folder() -> Path:
    """The folder that holds the definitions and the guest; raises SandboxUnavailable."""
    for place in _PLACES:
        if (place / "guest").is_dir():
            return place
    raise SandboxUnavailable("The installation of verifier lacks its sandboxes; install it again.")


def guest_folder() -> Path:
    """The folder with the program that runs inside."""
    return sandboxes_folder() / "guest"


def names(root: Path | None = None) -> tuple[str, ...]:
    """Names of all defined environments, sorted."""
    return tuple(sorted(path.parent.name for path in (root or sandboxes_folder()).glob("*/sandbox.toml")))


def read_definition(name: str, root: Path | None = None) -> Definition:
    """The definition of one environment; raises SandboxUnavailable for an unknown name."""
    root = root or sandboxes_folder()
    known = names(root)
    if name not in known:
        raise SandboxUnavailable(f"There is no sandbox named {name!r}; there are: {', '.join(known)}.")
    source = (root / name / "sandbox.toml").read_text(encoding="utf-8")
    fields = tomllib.loads(source)
    return Definition(
        name=fields["name"],
        title=fields["title"],
        tensorflow=fields["tensorflow"],
        python=fields["python"],
        lock=(root / name / "requirements.lock").read_text(encoding="utf-8"),
        variables=fields.get("variables", {}),
        source=source,
        machines=tuple(fields.get("machines", ())),
        from_source=tuple(fields.get("from_source", ())),
        substitute=Substitute(**fields["substitute"]) if "substitute" in fields else None,
    )
