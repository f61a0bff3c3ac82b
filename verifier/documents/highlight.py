"""What the class names of web pages say about code: its language, line-number gutters, buttons, output."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from lxml.etree import _Element

_KNOWN = frozenset(
    [
        "python",
        "python2",
        "python3",
        "py",
        "ipython",
        "ipython3",
        "pycon",
        "bash",
        "sh",
        "shell",
        "zsh",
        "console",
        "shell-session",
        "powershell",
        "cmd",
        "text",
        "plaintext",
        "json",
        "yaml",
        "yml",
        "toml",
        "ini",
        "xml",
        "html",
        "css",
        "javascript",
        "js",
        "typescript",
        "ts",
        "java",
        "kotlin",
        "scala",
        "c",
        "cpp",
        "csharp",
        "cs",
        "go",
        "rust",
        "ruby",
        "php",
        "r",
        "julia",
        "matlab",
        "sql",
        "dockerfile",
        "makefile",
        "diff",
        "lua",
        "perl",
        "swift",
        "objective-c",
    ]
)
_PREFIXED = re.compile(r"^(?:language|lang|highlight-source|highlight|brush|source)[-:](?P<word>[a-z0-9+#._]+)$")
_BRUSH = re.compile(r"brush\s*:\s*(?P<word>[a-z0-9+#]+)", re.IGNORECASE)
_NO_LANGUAGE = frozenset({"default", "notranslate", "text-wrap", "source", "numbers", "line", "inline", "wrapper"})
_GUTTER = re.compile(
    r"^(?:gutter|line-?nos?|line-?numbers?(?:-rows)?|line-num|lnt?|pre-numbering|hljs-ln-n(?:umbers)?|blob-num"
    r"|rouge-gutter|code-gutter|lntd|ln-num|react-syntax-highlighter-line-number|number-line)$"
)
_NUMBERS = re.compile(r"[\s\d\u00a0.]*\Z")
_BUTTON = re.compile(
    r"(?:^|[-_])(?:copy|copybtn|copybutton|clipboard)(?:[-_]|$)|^(?:headerlink|anchor-link|anchorjs-link|sr-only)$"
)
_PROMPT = re.compile(r"\s*(?:In|Out)\s*\[[\s\d*]*\]:?\s*\Z")


def tokens(element: _Element) -> list[str]:
    """The class names of an element, lower case."""
    return (element.get("class") or "").lower().split()


def language(element: _Element) -> str:
    """The language that a code block, what is in it or what is around it names; empty when none does."""
    inner = element.find(".//code")
    around = islice(element.iterancestors(), 4)
    for candidate in (element, *([] if inner is None else [inner]), *around):
        word = _word(candidate)
        if word or candidate.tag == "body":
            return word
    return ""


def _word(element: _Element) -> str:
    for attribute in ("data-lang", "data-language", "data-code-language"):
        word = (element.get(attribute) or "").strip().lower()
        if word and len(word) < 30:
            return word
    brush = _BRUSH.search(element.get("class") or "")
    if brush:
        return brush["word"].lower()
    names = tokens(element)
    for name in names:
        match = _PREFIXED.match(name)
        if match and match["word"] not in _NO_LANGUAGE:
            return match["word"]
    if element.tag in {"pre", "code", "figure"} or any(
        name.startswith(("highlight", "sourcecode", "hljs", "code")) for name in names
    ):
        return next((name for name in names if name in _KNOWN), "")
    return ""


def is_gutter(element: _Element) -> bool:
    """Whether the element holds nothing but the numbers of code lines."""
    if element.tag in {"pre", "code", "table", "body"} or not any(_GUTTER.match(name) for name in tokens(element)):
        return False
    return _says(element, _NUMBERS)


def is_button(element: _Element) -> bool:
    """Whether the element is there to be pressed and not to be read."""
    names = tokens(element)
    return any(_BUTTON.search(name) for name in names) and len("".join(_head(element))) <= 40


def is_prompt(element: _Element) -> bool:
    """Whether the element is the `In [1]:` beside a notebook cell."""
    return any("prompt" in name for name in tokens(element)) and _says(element, _PROMPT)


def is_output(element: _Element) -> bool:
    """Whether a block stands in the output area of a page made from a notebook or a script."""
    near: Iterable[_Element] = (element, *islice(element.iterancestors(), 4))
    return any("output" in name or name.endswith("script-out") for part in near for name in tokens(part))


def _says(element: _Element, pattern: re.Pattern[str]) -> bool:
    return all(pattern.match(str(text)) for text in element.itertext())


def _head(element: _Element) -> list[str]:
    texts = []
    for index, text in enumerate(element.itertext()):
        texts.append(str(text).strip()[:60])
        if index > 8:
            break
    return texts
