"""The damage done on purpose: single rules, and our own model of a publishing pipeline.

A damage takes code and a random source and returns a document that holds the damaged code, or None when the rule
does not apply to that code.
"""

from __future__ import annotations

import io
import random
import re
import tokenize
from collections.abc import Callable

Damage = Callable[[str, random.Random], str | None]
_WIDE = str.maketrans("()[]{},:=", "（）［］｛｝，：＝")


def _fenced(code: str, language: str = "python") -> str:
    return f"代码如下：\n\n```{language}\n{code}\n```\n\n运行之后就可以看到结果。\n"


def _tokens(code: str) -> list[tokenize.TokenInfo]:
    return list(tokenize.generate_tokens(io.StringIO(code).readline))


def _outside_strings(code: str, change: Callable[[str], str]) -> str:
    """`code` with `change` applied to everything but strings and comments."""
    lines = code.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    parts, at = [], 0
    for token in _tokens(code):
        if token.type in {tokenize.STRING, tokenize.COMMENT}:
            start, end = (starts[row - 1] + column for row, column in (token.start, token.end))
            parts += change(code[at:start]), code[start:end]
            at = end
    return "".join([*parts, change(code[at:])])


def _simple_strings(code: str) -> bool:
    """Whether quotes can be made curly without loss: no escapes, nested, empty or triple quotes."""
    strings = [token.string for token in _tokens(code) if token.type == tokenize.STRING]
    bodies = [re.sub(r"^\w*", "", string) for string in strings]
    return bool(strings) and all(not re.search(r"['\"\\\n‘’“”…–—×]", body[1:-1]) and len(body) > 2 for body in bodies)


def curly(code: str, _: random.Random) -> str | None:
    """Straight quotes to directional ones."""
    return _fenced(_curled(code)) if _simple_strings(code) and "'" not in _comments(code) else None


def _comments(code: str) -> str:
    return "".join(token.string for token in _tokens(code) if token.type == tokenize.COMMENT)


def _curled(text: str) -> str:
    text = re.sub(r"(^|[\s(\[{=,:+\-])'", r"\1‘", text, flags=re.MULTILINE)
    text = re.sub(r"(^|[\s(\[{=,:+\-])\"", r"\1“", text, flags=re.MULTILINE)
    return text.replace("'", "’").replace('"', "”")


def closing_curly(code: str, _: random.Random) -> str | None:
    """All quotes to the closing form, as some editors do."""
    usable = _simple_strings(code) and not set("'\"") & set(_comments(code))
    return _fenced(code.replace("'", "’").replace('"', "”")) if usable else None


def full_width(code: str, _: random.Random) -> str:
    """Punctuation to its full-width form, outside strings."""
    return _fenced(_outside_strings(code, lambda text: text.translate(_WIDE)))


def odd_spaces(code: str, source: random.Random) -> str:
    """No-break spaces and invisible characters, outside strings."""

    def change(text: str) -> str:
        return "".join(char if char != " " or source.random() < 0.5 else source.choice("\u00a0\u2009") for char in text)

    return _fenced(_outside_strings(code, change))


def invisible(code: str, source: random.Random) -> str:
    """Zero-width characters behind dots and brackets."""
    return _fenced(
        _outside_strings(
            code, lambda text: re.sub(r"([.(,])", lambda m: m.group() + source.choice(["", "\u200b", "\ufeff"]), text)
        )
    )


def entities(code: str, _: random.Random) -> str | None:
    """Escaped for HTML, in the whole text."""
    escaped = code.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return (
        _fenced(escaped) if re.search(r"[<>&\"]", _outside_strings(code, lambda text: text)) and '"' in code else None
    )


def prompts(code: str, _: random.Random) -> str:
    """As an interpreter session."""
    lines, inside = [], False
    for line in code.split("\n"):
        more = inside or bool(lines and (line[:1] in " \t)]}" or not line))
        lines.append(("... " if more and lines else ">>> ") + line)
    return "试一下：\n\n" + "\n".join(lines) + "\n\n这样就行。\n"


def gutter(code: str, _: random.Random) -> str | None:
    """With a column of line numbers."""
    lines = code.split("\n")
    return _fenced("\n".join(f"{number} {line}" for number, line in enumerate(lines, 1))) if len(lines) > 2 else None


def quoted(code: str, _: random.Random) -> str:
    """As a Markdown block quote, fence and all."""
    return "\n".join(f"> {line}" for line in f"```python\n{code}\n```".split("\n")) + "\n"


def in_list(code: str, _: random.Random) -> str:
    """As a fence below a list item."""
    return (
        "- 第一步\n\n"
        + "\n".join("    " + line if line else "" for line in f"```python\n{code}\n```".split("\n"))
        + "\n"
    )


def escapes(code: str, _: random.Random) -> str | None:
    """Markdown's backslashes before underscores and stars, outside strings."""
    changed = _outside_strings(code, lambda text: re.sub(r"([_*])", r"\\\1", text))
    return _fenced(changed) if changed != code and "\\" not in code else None


def minus(code: str, _: random.Random) -> str | None:
    """Hyphens to minus signs, outside strings."""
    changed = _outside_strings(code, lambda text: text.replace("-", "−"))
    return _fenced(changed) if changed != code else None


def starred_dunders(code: str, _: random.Random) -> str | None:
    """`__init__` to `**init**`."""
    changed = re.sub(r"__(init|call|name|len|getitem)__", r"**\1**", code)
    return _fenced(changed) if changed != code else None


def unclosed(code: str, _: random.Random) -> str:
    """A fence without its closing mark, prose behind it."""
    return f"代码如下：\n\n```python\n{code}\n\n以上就是全部代码，运行之后可以看到训练的过程和结果。\n"


def glued_fence(code: str, _: random.Random) -> str:
    """The first line of code on the line of the fence, the fence behind a sentence."""
    return f"代码如下：```python {code}\n```\n\n就是这样。\n"


def bare(code: str, _: random.Random) -> str | None:
    """Without any mark, between sentences; code that is one lone call is a mention then."""
    if not re.search(r"^(?:import|from)\s|^[\w.]+ = \w+[\w.]*\(", code, re.MULTILINE) or re.search(
        r"^\s*['\"]", code, re.MULTILINE
    ):
        return None
    return f"我们先看一个例子，代码是这样的：\n\n{code}\n\n这里要注意参数的顺序。\n"


RULES: dict[str, Damage] = {
    "curly quotes": curly,
    "closing quotes only": closing_curly,
    "full-width": full_width,
    "no-break spaces": odd_spaces,
    "zero-width": invisible,
    "entities": entities,
    "prompts": prompts,
    "line numbers": gutter,
    "block quote": quoted,
    "fence in a list": in_list,
    "Markdown escapes": escapes,
    "minus signs": minus,
    "**init**": starred_dunders,
    "unclosed fence": unclosed,
    "fence glued to text": glued_fence,
    "no fence": bare,
}


def texturized(text: str) -> str:
    """What a typographer makes of plain text: quotes, dashes, ellipses, primes, the multiplication sign."""
    text = text.replace("``", "“").replace("''", "”").replace("...", "…").replace("---", "—")
    text = text.replace(" -- ", " — ").replace("--", "–").replace(" - ", " – ")
    text = re.sub(r"(?<=\d)'(?=\s|$)", "′", text)
    text = re.sub(r"\b(?!0x)(\d+)x(\d+)\b", r"\1×\2", text)
    return _curled(text)


def _published(code: str, *, quotes: bool) -> str:
    """Line breaks to spaces, comments to paragraphs of their own without `#`, then typography."""
    paragraphs: list[str] = []
    current: list[str] = []
    for line in code.split("\n"):
        bare_line = line.strip()
        if bare_line.startswith("#") or not bare_line:
            paragraphs += [" ".join(current)] if current else []
            current = []
            paragraphs += [bare_line.lstrip("# ")] if bare_line.lstrip("# ") else []
        else:
            current.append(bare_line)
    paragraphs += [" ".join(current)] if current else []
    text = "\n\n".join(paragraphs)
    return texturized(text) if quotes else text


def joined(code: str, _: random.Random) -> str | None:
    """Only the line breaks lost, inside an intact fence."""
    return (
        _fenced(_published(code, quotes=False))
        if "#" not in code and "\n\n" not in code and '"""' not in code
        else None
    )


def combined(code: str, _: random.Random) -> str:
    """The whole pipeline: the fence mangled, lines joined, comments torn out, typography."""
    return f"回答： “`python {_published(code, quotes=True)} “ 在这段代码中，我们先创建了对象，然后查看了它的结果。\n\n这样就可以了。\n"


def lost_indent(code: str, _: random.Random) -> str | None:
    """Every line at the margin."""
    changed = "\n".join(line.strip() for line in code.split("\n"))
    multiline = any(token.type == tokenize.STRING and "\n" in token.string for token in _tokens(code))
    return _fenced(changed) if changed != code and not multiline and not _only_brackets(code) else None


def _only_brackets(code: str) -> bool:
    return not any(token.type == tokenize.INDENT for token in _tokens(code))


COMBINED: dict[str, Damage] = {"joined lines": joined, "combined": combined}
LOST_INDENT: Damage = lost_indent
