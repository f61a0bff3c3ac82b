"""Recognises the turns of a conversation in parsed JSON, whichever program wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from verifier.documents.structure import Json
from verifier.model import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one speaker said; `speaker` is the word of the log."""

    role: Role
    speaker: str
    text: str


_LISTS = (
    "messages",
    "conversations",
    "conversation",
    "chat_messages",
    "turns",
    "dialogue",
    "dialog",
    "history",
    "prompt",
)
_WHO = ("role", "from", "sender", "author", "speaker", "type")
_WHAT = ("content", "value", "text", "parts", "message", "utterance", "data", "body")
_WRAPPERS = ("conversation", "body", "data", "record", "sample", "item", "request")
_SPEAKERS = {
    **dict.fromkeys(("user", "human", "prompter", "interviewer", "customer", "用户", "面试官"), Role.QUESTION),
    **dict.fromkeys(
        ("assistant", "gpt", "model", "chatgpt", "bot", "ai", "chatbot", "bing", "bard", "candidate", "助手", "候选人"),
        Role.ANSWER,
    ),
    **dict.fromkeys(
        ("system", "tool", "function", "developer", "observation", "function_call", "tool_call", "ipython"), Role.OTHER
    ),
}
_ASKED = (
    "system",
    "instruction",
    "prompt",
    "question",
    "query",
    "problem",
    "title",
    "input",
    "context",
    "问题",
    "提问",
)
_ANSWERED = ("response", "completion", "answer", "output", "reply", "solution", "chosen", "rejected", "回答", "答案")
_REVIEWED = ("review", "feedback", "评价", "点评")


def conversations(value: Json) -> list[list[Turn]]:
    """The conversations in a parsed document, in order; empty when it has none of a known form."""
    if isinstance(value, list):
        alone = _turns(value)
        if alone:
            return [alone]
        return [turns for item in value for turns in conversations(item)] if _shallow(value) else []
    if not isinstance(value, dict):
        return []
    found = _record(value)
    return [found] if found else []


def _shallow(items: Sequence[Json]) -> bool:
    return not any(isinstance(item, list) and any(isinstance(part, list) for part in item) for item in items)


def _record(record: Mapping[str, Json]) -> list[Turn]:
    mapping = record.get("mapping")
    if isinstance(mapping, dict):
        return _turns(_thread(mapping, record.get("current_node")))
    for key in _LISTS:
        turns = _turns(record.get(key))
        if turns:
            return [*turns, *_replies(record)]
    pair = _pair(record)
    if pair:
        return pair
    for key in _WRAPPERS:
        inner = record.get(key)
        turns = _record(inner) if isinstance(inner, dict) and len(inner) < len(record) + 50 else []
        if turns:
            return turns
    single = _turn(record)
    return [single] if single else []


def _turns(value: Json) -> list[Turn]:
    """The turns of a list that holds nothing else; empty for any other value."""
    if not isinstance(value, list) or not value:
        return []
    if all(isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item) for item in value):
        return [turn for item in value if isinstance(item, list) for turn in _exchange(item)]
    turns = [_turn(item) for item in value if isinstance(item, dict)]
    known = [turn for turn in turns if turn is not None]
    return [turn for turn in known if turn.text.strip()] if known and len(known) >= 0.5 * len(value) else []


def _exchange(pair: Sequence[Json]) -> Iterator[Turn]:
    for role, speaker, text in zip((Role.QUESTION, Role.ANSWER), ("user", "assistant"), pair, strict=True):
        if isinstance(text, str) and text.strip():
            yield Turn(role=role, speaker=speaker, text=unescape(text))


def _turn(message: Mapping[str, Json]) -> Turn | None:
    """One message of a log; None when it names no speaker that is known."""
    for key in _WHO:
        who = message.get(key)
        if isinstance(who, dict):
            who = who.get("role") or who.get("name")
        role = _SPEAKERS.get(who.strip().lower()) if isinstance(who, str) else None
        if role is None or not isinstance(who, str):
            continue
        for what in _WHAT:
            if what in message:
                return Turn(role=role, speaker=who.strip(), text=unescape(_content(message[what])))
        return Turn(role=role, speaker=who.strip(), text="")
    return None


def _content(value: Json) -> str:
    """The text of a content field: a string, a list of parts, or an object around either."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [part if isinstance(part, str) else _part(part) for part in value]
        return "\n\n".join(part for part in parts if part.strip())
    return _part(value)


def _part(part: Json) -> str:
    if not isinstance(part, dict):
        return ""
    for key in ("text", "content", "value"):
        text = part.get(key)
        if isinstance(text, str):
            return text
    inner = part.get("parts")
    return "\n\n".join(text for text in inner if isinstance(text, str)) if isinstance(inner, list) else ""


def _thread(mapping: Mapping[str, Json], last: Json) -> list[Json]:
    """The messages from the root to the current one of a tree of messages; all of them when it has no current one."""
    nodes = {key: node for key, node in mapping.items() if isinstance(node, dict)}
    if not isinstance(last, str) or last not in nodes:
        return [node["message"] for node in nodes.values() if isinstance(node.get("message"), dict)]
    path: list[Json] = []
    seen: set[str] = set()
    while isinstance(last, str) and last in nodes and last not in seen:
        seen.add(last)
        message = nodes[last].get("message")
        if isinstance(message, dict):
            path.append(message)
        last = nodes[last].get("parent")
    return path[::-1]


def _replies(record: Mapping[str, Json]) -> list[Turn]:
    """What stands beside the list of messages as the answer to it."""
    choices = record.get("choices")
    if isinstance(choices, list):
        return _turns([choice.get("message") for choice in choices if isinstance(choice, dict)])
    found = []
    for key in _ANSWERED:
        value = record.get(key)
        if isinstance(value, str) and value.strip():
            found.append(Turn(role=Role.ANSWER, speaker=key, text=unescape(value)))
        else:
            found += _turns(value)
    return found


def _pair(record: Mapping[str, Json]) -> list[Turn]:
    """The turns of a record with fields such as `question` and `answer`; empty when either is missing."""
    fields = {key.strip().lower(): value for key, value in record.items() if isinstance(value, str) and value.strip()}
    asked = [key for key in _ASKED if key in fields]
    answered = [key for key in _ANSWERED if key in fields]
    if not asked or not answered:
        return []
    roles = (
        (asked, Role.QUESTION),
        (answered, Role.ANSWER),
        ([key for key in _REVIEWED if key in fields], Role.REVIEW),
    )
    return [
        Turn(role=Role.OTHER if key == "system" else role, speaker=key, text=unescape(str(fields[key])))
        for keys, role in roles
        for key in keys
    ]


_QUOTED = re.compile(r"(?<![A-Za-z0-9\\])(['\"])[^'\"\n\\]{0,200}\\n[^'\"\n]{0,200}\1(?![A-Za-z0-9])")
_ESCAPE = re.compile(r"\\(?:([nrtbf\"'/\\])|u([0-9a-fA-F]{4}))")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def unescape(text: str) -> str:
    r"""Undo a second escaping: a text with `\\n` in letters and no line end was written as JSON twice.

    A `\\n` inside a quoted string of a single line of code is the code's own and no sign of it.
    """
    if "\n" not in text and "\\n" in text and "\\n" in _QUOTED.sub("", text):
        text = _ESCAPE.sub(_unescaped, text)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unescaped(match: re.Match[str]) -> str:
    if match[2]:
        return chr(int(match[2], 16))
    return _ESCAPED.get(match[1], match[1])
