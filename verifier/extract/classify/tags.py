"""The words that fences and containers use for languages."""

from __future__ import annotations

import re

from verifier.extract.parts import RegionKind

_PYTHON = """python py python3 py3 python2 py2 ipython ipython3 pycon python-repl pyi tensorflow tf keras jupyter
    code-cell python-console python3.8 python3.9 python3.10 python3.11 cython pytorch"""
_CONFIGURATION = """yaml yml json toml ini cfg conf properties dockerfile docker makefile env requirements json5 jsonc
    pbtxt"""
_OTHER = """c cpp c++ cxx cc cuda java javascript js jsx typescript ts tsx go golang rust rs ruby rb php perl r rlang
    swift kotlin scala csharp c# cs objective-c objc matlab julia lua sql html xml css scss proto protobuf haskell dart
    vue latex tex asm assembly fortran graphql mermaid plantuml diff patch svg markdown md rst starlark bazel cmake
    groovy"""
_SHELL = "bash sh shell zsh console shell-session terminal powershell ps1 cmd bat batch fish shellscript"
_WORDS: tuple[tuple[RegionKind | None, str], ...] = (
    (RegionKind.CODE, _PYTHON),
    (RegionKind.SHELL, _SHELL),
    (RegionKind.CONFIGURATION, _CONFIGURATION),
    (RegionKind.OUTPUT, "output out stdout log logs result results"),
    (RegionKind.TRACEBACK, "traceback pytb error stacktrace"),
    (RegionKind.OTHER_LANGUAGE, _OTHER),
    (None, "text txt plain plaintext none code raw null undefined example"),
)
# A tag in lower case -> what it says the block is; None when it says nothing.
KINDS: dict[str, RegionKind | None] = {word: kind for kind, words in _WORDS for word in words.split()}
_GLUED = re.compile(r"(python[23]?|py)(?=(?:import|from|def|class|print|with|for|model|x|tf|np)\b)", re.IGNORECASE)
_TAG = re.compile(r"\{[^{}\n]{0,80}\}|[A-Za-z][A-Za-z0-9+#.\-]*")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9+#\-]*(?:\.\d+)?")
_LANGUAGE_PREFIX = re.compile(r"(?:language|lang|highlight|brush)[-:]?\s*")


def language_at(text: str, at: int, end: int) -> tuple[str, int]:
    """The language word at `at` (spaces before it allowed) and the offset behind it; ("", at) when there is none.

    Only known words count, so that the first word of code is not taken for a tag.
    """
    start = at
    while start < end and text[start] in " \t":
        start += 1
    if glued := _GLUED.match(text, start, end):
        return glued.group(1).lower(), glued.end()
    found = _TAG.match(text, start, end)
    if not found:
        return "", at
    word = plain_tag(found.group())
    return (word, found.end()) if word in KINDS else ("", at)


def plain_tag(tag: str) -> str:
    """The language in a container's or fence's own words: `{.python}`, `language-py`, `{code-cell} ipython3`."""
    words = _WORD.findall(_LANGUAGE_PREFIX.sub("", tag.lower().strip("{}. ")))
    return next((word for word in words if word in KINDS), words[0] if words else "")
