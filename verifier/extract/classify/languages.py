"""Shell, configuration and programming languages other than Python, known by what only they have."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from verifier.extract.repair.check import compiles

_M = re.MULTILINE
_SHELL_LINE = re.compile(
    r"""[ \t]*(?:
        [$%][ \t]+\S | (?:PS\ )?[A-Z]:\\[^\n>]*> | (?:\([\w.-]+\)[ \t]+)?[\w.-]+@[\w.-]+[:~][^\n$#]*[$#][ \t]
      | (?:sudo[ \t]+)?(?:pip3?|conda|mamba|apt|apt-get|yum|brew|git|docker|docker-compose|kubectl|npm|yarn|npx|wget
          |curl|mkdir
          |chmod|chown|cd|ls|cp|mv|rm|cat|echo|export|source|tar|unzip|ssh|scp|nvidia-smi|virtualenv|poetry|uv|bazel|bazelisk
          |make|cmake|saved_model_cli|tflite_convert|tensorboard|jupyter|gcloud|python3?|py|sbatch|horovodrun|mpirun|toco
          |protoc|set)[ \t]+(?![=.(\[])[-\w./~$'"<{:@]
      | [a-z][\w.-]*[ \t]+--[a-z][\w-]*(?:[ \t=]|$)
      | (?:nvidia-smi|ls|pwd)[ \t]*$ | \./\w | [A-Z_]{3,}=\S*[ \t]+(?:python|\./)
    )""",
    re.VERBOSE,
)
# A line that begins like this is typed at a shell; what follows may be what the command printed.
_PROMPTED = re.compile(r"[ \t]*(?:\$[ \t]|(?:\([\w.-]+\)[ \t]+)?[\w.-]+@[\w.-]+[:~][^\n$#]*[$#][ \t])")
_OTHER_SOURCES: tuple[tuple[str, str], ...] = (
    ("C or C++", r"^\s*#\s*include\s*[<\"]"),
    ("C or C++", r"\bstd::|^\s*using namespace\b|\bint\s+main\s*\(|^\s*template\s*<|->\w+\(.*\);\s*$"),
    ("C or C++", r"^\s*(?:TF_\w+|\w+::\w+)[\s*&]+\w+.*;\s*$"),
    (
        "Java",
        r"\bpublic\s+(?:static|class|void|interface|final)\b|\bSystem\.out\.print|^\s*import\s+[\w.]+(?:\.\*)?;\s*$",
    ),
    ("Java", r"\b(?:private|protected)\s+\w+|^\s*package\s+[\w.]+;|^\s*(?:final|@Override)\b"),
    ("C++ or Java", r"^\s*(?:auto|[A-Z]\w*(?:<[^>\n]*>)?(?:\[\])?)\s+\w+\s*=[^=\n][^\n]*;\s*$"),
    ("C++ or Java", r"^\s*(?:(?:for|try)\s*\((?:int|auto|size_t|const|[A-Z]\w*)\s|(?:if|while)\s*\([^\n]*\)\s*\{\s*$)"),
    ("Java", r"\bnew\s+\w+(?:<[^>\n]*>)?\([^\n]*\);\s*$"),
    ("JavaScript", r"^\s*(?:const|let|var)\s+[\w{}\[\],\s]+\s*=|\bconsole\.log\s*\(|(?<![=-])=>\s*[{(\w]"),
    ("JavaScript", r"\bfunction\s*\w*\s*\([^\n)]*\)\s*\{|\brequire\s*\(\s*['\"][^'\"\n]+['\"]\s*\)\s*;?|==="),
    ("JavaScript", r"^\s*import\s+[^\n]*\sfrom\s+['\"]|^\s*export\s+(?:default|const|function)"),
    ("JavaScript", r"\bawait\s+tf\.\w+[^\n]*;\s*$|^\s*interface\s+\w+\s*\{"),
    ("Go", r"^\s*package\s+\w+\s*$|^\s*func\s+(?:\(\w+\s+\*?\w+\)\s*)?\w+\s*\(|^\s*\w+(?:,\s*\w+)*\s*:=\s"),
    ("Rust", r"^\s*(?:pub\s+)?fn\s+\w+|^\s*let\s+(?:mut\s+)?\w+|^\s*use\s+\w+::|\bprintln!\s*\("),
    ("R", r"^\s*[\w.]+\s*<-\s|%>%|^\s*library\s*\(\s*\w+\s*\)\s*$"),
    (
        "SQL",
        r"^\s*(?:SELECT\s[\s\S]{1,400}?\sFROM\s|INSERT\s+INTO\s|CREATE\s+(?:TABLE|VIEW|INDEX)\s|UPDATE\s+\w+\s+SET\s)",
    ),
    ("SQL", r"^\s*(?:DELETE\s+FROM\s|ALTER\s+TABLE\s|select\s[^\n]{1,200}\sfrom\s)"),
    ("protocol buffers", r"^\s*(?:message|service|enum)\s+\w+\s*\{|^\s*syntax\s*=\s*\"proto"),
    ("protocol buffers", r"^\s*(?:optional|repeated|required)\s+\w+\s+\w+\s*=\s*\d+;"),
    (
        "HTML or XML",
        r"^\s*<(?:!DOCTYPE|html|head|body|div|script|p|table|ul|li|\?xml|dependency)\b[^\n]*>|^\s*</\w+>\s*$",
    ),
    ("HTML or XML", r"^\s*<(?:project|svg|style|link|meta|a|img)\b[^\n]*>"),
    ("CSS", r"^\s*[.#]?[\w-]+\s*\{\s*$\n\s*[\w-]+\s*:\s*[^\n]+;"),
    ("Swift or Kotlin", r"^\s*(?:fun|func)\s+\w+\s*[(<][^\n]*\{\s*$|^\s*val\s+\w+\s*(?::\s*\w+)?\s*="),
    ("Swift or Kotlin", r"^\s*import\s+(?:Foundation|UIKit|TensorFlowLite)\s*$|^\s*guard\s+let\b"),
    ("Ruby, Lua, Julia or MATLAB", r"^\s*(?:local\s+(?:function\s+)?\w+|end\s*;?)\s*$|^\s*local\s+\w+\s*=|^\s*puts\s+"),
    ("Ruby, Lua, Julia or MATLAB", r"^\s*(?:using|function)\s+\w+[^\n:]*$|^\s*require\s+'"),
    ("PHP or Perl", r"^\s*<\?php|^\s*\$\w+\s*=[^\n]*;\s*$|^\s*my\s+[$@%]\w+|^\s*use\s+strict;"),
    ("C#", r"^\s*using\s+[\w.]+;\s*$|^\s*namespace\s+[\w.]+\s*[{;]|\bConsole\.Write"),
    ("LaTeX", r"\\(?:begin|frac|sum|mathbf|usepackage|documentclass|section|alpha|partial)\b"),
    ("assembly or IR", r"^\s*(?:%\w+\s*=\s*(?:call|load|alloca|\"?\w+\.\w+)|func\.func|module\s*\{|HloModule)\b"),
    ("a graph description", r"^\s*(?:graph\s+(?:TD|LR|TB|BT|RL)|sequenceDiagram|digraph\s+\w*\s*\{|flowchart\s)"),
    ("Makefile or Bazel", r"^(?:[\w./-]+\s*:(?!\s*[=:])[^\n]*\n\t\S|\w+_(?:binary|library|test)\(\s*\n\s*name\s*=)"),
)
# A language and one thing that only it has.
_OTHER = tuple((name, re.compile(source, _M)) for name, source in _OTHER_SOURCES)
_YAML = re.compile(r"^[ \t]*(?:-[ \t]+)?[\w./-]+[ \t]*:(?:[ \t]+[^\n{(\[=]*|[ \t]+[\[{][^\n]*[\]}][ \t]*|[ \t]*[|>]?)$")
_PAIRS = re.compile(r":[ \t][^\[{\"'\n]*,[ \t]*\w+:[ \t]")
_YAML_ITEM = re.compile(r"^[ \t]*-[ \t]+[^\n]*$|^---$|^[ \t]*#")
_SECTION = re.compile(r"^[ \t]*\[{1,2}[A-Za-z][\w .:\"'-]*\]{1,2}[ \t]*$", _M)
_SETTING = re.compile(
    r"^[ \t]*(?:\[{1,2}[^\]\n]+\]{1,2}|[\w.\-\"]+[ \t]*[=:][ \t]*[^\n]*|[#;][^\n]*|[\]\"'][^\n]*|[ \t]+[^\n]*)$"
)
_DOCKER = re.compile(
    r"^\s*(?:FROM\s+[\w./:${}-]+(?:\s+AS\s+\w+)?|RUN\s+\S|COPY\s+\S|WORKDIR\s+\S|ENTRYPOINT\s*\[|CMD\s*[\[\w])", _M
)
_REQUIREMENT = re.compile(
    r"^[ \t]*[A-Za-z][\w.\-]*(?:\[[\w,]+\])?[ \t]*(?:[=~<>!]=|[<>])[ \t]*[\d.*]+"
    r"(?:[ \t]*,[ \t]*[<>=!~]+[\d.]+)*[ \t]*(?:#.*|;.*)?$"
)
_PACKAGE = re.compile(rf"{_REQUIREMENT.pattern}|[ \t]*[A-Za-z][\w.\-]*[ \t]*(?:#.*)?$")
_ENVIRONMENT = re.compile(r"^[ \t]*(?:export[ \t]+)?[A-Z][A-Z0-9_]{2,}=\S*[ \t]*$")
_PBTXT = re.compile(r"^\s*(?:\w+\s*\{|\w+\s*:\s*(?:\"[^\"\n]*\"|-?[\d.]+|[A-Z_]+|true|false)|\}|\w+\s*:\s*\{)\s*$")


def other_language(body: str) -> str:
    """The name of the language that `body` must be in, or an empty string. Comments of Python are not looked at."""
    text = re.sub(r"^[ \t]*#(?!\s*include)[^\n]*$", "", body[:20_000], flags=_M)
    return next((name for name, pattern in _OTHER if pattern.search(text)), "")


def foreign_language(body: str, strong: int) -> str:
    """As `other_language`, but only when the block is no Python; `strong` counts lines that read like it."""
    name = other_language(body)
    if compiles(body) and (strong or not name):
        return ""
    if not name:
        return _ends_in_semicolons(body)
    lines = [line for line in body[:20_000].split("\n") if line.strip()]
    braces = sum(line.rstrip().endswith((";", "{", "}")) for line in lines)
    hits = sum(len(pattern.findall(body[:20_000])) for _, pattern in _OTHER)
    return name if hits * 2 >= len(lines) or hits > 1 or braces * 3 >= len(lines) or strong * 2 <= len(lines) else ""


def _ends_in_semicolons(body: str) -> str:
    ends = [line.rstrip().endswith(";") for line in body[:20_000].split("\n") if line.strip()]
    return "a language whose statements end with semicolons" if sum(ends) * 2 > len(ends) else ""


def is_shell(body: str) -> bool:
    """Whether most lines are commands for a shell."""
    lines = [line[:400] for line in body.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    joined = [line for before, line in zip(["", *lines], lines, strict=False) if not before.rstrip().endswith("\\")]
    hits = sum(bool(_SHELL_LINE.match(line)) for line in joined)
    return bool(lines) and bool(hits) and (hits * 2 >= len(joined) or bool(_PROMPTED.match(joined[0])))


def configuration(body: str) -> str:
    """The format of a configuration file, or an empty string."""
    lines = [line[:400] for line in body.split("\n") if line.strip()]
    tests: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("JSON", lambda: body.lstrip()[0] == "{" and _is_json(body)),
        ("Dockerfile", lambda: len(_DOCKER.findall(body)) >= 2 or body.lstrip().startswith("FROM ")),
        ("requirements", lambda: _is_requirements(lines)),
        ("environment variables", lambda: _all(lines, _ENVIRONMENT, comments=("#",))),
        (
            "INI or TOML",
            lambda: bool(_SECTION.search(body)) and len(lines) > 1 and _all(lines, _SETTING, comments=("#", ";")),
        ),
        ("text protocol buffer", lambda: "{" in body and _all(lines, _PBTXT, comments=("#",))),
        ("YAML", lambda: _is_yaml(lines)),
    )
    return next((form for form, test in tests if lines and test()), "")


def _all(lines: list[str], pattern: re.Pattern[str], comments: tuple[str, ...]) -> bool:
    """Whether every line that is no comment matches, and one line does."""
    rest = [line for line in lines if not line.lstrip().startswith(comments)]
    return bool(rest) and all(pattern.match(line) for line in rest)


def _is_requirements(lines: list[str]) -> bool:
    """Whether all lines are packages, at least one of them with a version."""
    pinned = any(_REQUIREMENT.match(line) for line in lines)
    return pinned and _all(lines, _PACKAGE, comments=("#", "-r "))


def _is_yaml(lines: list[str]) -> bool:
    keyed = [bool(_YAML.match(line)) for line in lines]
    every = all(key or _YAML_ITEM.match(line) for key, line in zip(keyed, lines, strict=True))
    if any(_PAIRS.search(line) for line in lines):
        return False
    return any(keyed) and every and not all(line.rstrip().endswith(":") for line in lines)


def _is_json(body: str) -> bool:
    text = body.strip()
    if re.search(r"\b(?:true|false|null)\b", text) or '": ' in text or '":' in text:
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            return bool(re.match(r'\{\s*"[\w .-]+"\s*:', text)) and "(" not in text
        return True
    return False
