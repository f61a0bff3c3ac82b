"""Settings and where they come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.config import AUTO, Settings, charged, settings
from verifier.errors import UsageError
from verifier.model import Role, Status


def _file(folder: Path, text: str) -> Path:
    (folder / "pyproject.toml").write_text(text, "utf-8")
    return folder


def test_defaults(tmp_path: Path) -> None:
    found = settings(_file(tmp_path, ""), {}, {})
    assert (found.target, found.sandbox, found.fail_on) == ("tf-2.21", "auto", (Status.BROKEN,))
    assert found.limits.wall_seconds == 30


def test_each_source_wins_over_the_one_before(tmp_path: Path) -> None:
    folder = _file(tmp_path, "[tool.verifier]\ntarget = 'tf-2.15'\ntimeout = 5\nfail-on = ['outdated']\n")
    assert settings(folder, {}, {}).target == "tf-2.15"
    assert settings(folder, {}, {}).fail_on == (Status.OUTDATED,)
    environ = {"VERIFIER_TARGET": "tf-1.15", "VERIFIER_CACHE_DIR": "/tmp/x", "HOME": "/root"}
    assert settings(folder, environ, {}).target == "tf-1.15"
    found = settings(folder, environ, {"target": "tf-2.21", "timeout": None})
    assert (found.target, found.limits.wall_seconds) == ("tf-2.21", 5)


def test_the_nearest_file_upwards_counts(tmp_path: Path) -> None:
    inner = _file(tmp_path, "[tool.verifier]\nmemory = 2\n") / "a" / "b"
    inner.mkdir(parents=True)
    assert settings(inner, {}, {}).limits.memory == 2 << 30


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.verifier]\ntimeuot = 3\n", ["unknown setting 'timeuot'", "'timeout'", "pyproject.toml"]),
        ("[tool.verifier]\ntimeout = -1\n", ["timeout", "positive"]),
        ("[tool.verifier]\ntimeout = true\n", ["timeout", "positive"]),
        ("[tool.verifier]\nfail_on = ['wrong']\n", ["'wrong'", "broken"]),
        ("[tool.verifier]\nfail_on = 3\n", ["fail_on"]),
        ("[tool.verifier]\nsandbox = 'vm'\n", ["sandbox", "bubblewrap"]),
        ("[tool.verifier]\nexit_zero = 'maybe'\n", ["exit_zero"]),
        ("[tool.verifier]\ntarget = ''\n", ["target"]),
        ("[tool]\nverifier = 1\n", ["not a table"]),
        ("[tool.verifier\n", ["cannot be read"]),
    ],
)
def test_mistakes_are_named_with_their_place(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        settings(_file(tmp_path, text), {}, {})
    assert all(word in str(caught.value) for word in words)
    assert "\n" not in str(caught.value).strip()


def test_flags_and_environment_take_words(tmp_path: Path) -> None:
    folder = _file(tmp_path, "")
    found = settings(folder, {"VERIFIER_FAIL_ON": "broken, unproven", "VERIFIER_EXIT_ZERO": "1"}, {"claims": ("ab",)})
    assert found.fail_on == (Status.BROKEN, Status.UNPROVEN)
    assert found.exit_zero
    assert found.claims == ("ab",)


def test_other_releases_are_a_list_or_none(tmp_path: Path) -> None:
    folder = _file(tmp_path, "[tool.verifier]\nalso = ['tf-2.21-keras2']\n")
    assert settings(folder, {}, {}).also == ("tf-2.21-keras2",)
    assert settings(folder, {}, {"also": "tf-2.15, tf-2.21-keras2"}).also == ("tf-2.15", "tf-2.21-keras2")
    assert settings(folder, {"VERIFIER_ALSO": "none"}, {}).also == ()
    assert settings(folder, {}, {"also": "auto"}).also == AUTO == Settings().also


def test_only_answers_and_plain_text_are_charged() -> None:
    assert [role for role in Role if charged(role)] == [Role.ANSWER, Role.OTHER]
