import os
from pathlib import Path

import pytest

from verifier.documents import find_documents
from verifier.errors import InputError


def plant(*paths: str) -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("x")


def test_a_file_is_taken_whatever_its_suffix() -> None:
    plant("a.weird", "noext", "b.py")
    assert find_documents(["noext", "a.weird", "b.py"]) == ("noext", "a.weird", "b.py")


def test_a_folder_gives_known_suffixes_sorted_to_the_bottom() -> None:
    plant(
        "d/b.md",
        "d/a.txt",
        "d/sub/c.IPYNB",
        "d/e.html",
        "d/f.jsonl",
        "d/g.docx",
        "d/h.rst",
        "d/i.json",
        "d/x.py",
        "d/y.png",
    )
    assert find_documents(["d"]) == tuple(
        f"d/{name}" for name in ("a.txt", "b.md", "e.html", "f.jsonl", "g.docx", "h.rst", "i.json", "sub/c.IPYNB")
    )


def test_hidden_and_foreign_folders_are_left_out() -> None:
    plant("d/.git/a.md", "d/.b.md", "d/node_modules/c.md", "d/__pycache__/e.txt", "d/f.md")
    assert find_documents(["d"]) == ("d/f.md",)


def test_the_folder_itself_may_be_hidden_or_the_current_one() -> None:
    plant(".notes/a.md")
    assert find_documents([".notes"]) == (".notes/a.md",)
    os.chdir(".notes")
    assert find_documents(["."]) == ("a.md",)


def test_links_that_lead_back_are_not_followed_for_ever() -> None:
    plant("d/sub/a.md")
    Path("d/sub/up").symlink_to("..", target_is_directory=True)
    Path("d/self").symlink_to("self")
    assert find_documents(["d"]) == ("d/sub/a.md",)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.md", ("a.md", "b.md")),
        ("**/*.md", ("a.md", "b.md", "d/c.md", "d/e/f.md")),
        ("d/**", ("d/c.md", "d/e/f.md")),
        ("[ab].md", ("a.md", "b.md")),
        ("d*", ("d/c.md", "d/e/f.md")),
    ],
)
def test_globs(pattern: str, expected: tuple[str, ...]) -> None:
    plant("a.md", "b.md", "d/c.md", "d/e/f.md", "d/e/.g.md")
    assert find_documents([pattern]) == expected


def test_a_name_that_looks_like_a_glob_is_the_file() -> None:
    plant("a[1].md", "a1.md")
    assert find_documents(["a[1].md"]) == ("a[1].md",)


def test_each_document_once_in_the_order_given() -> None:
    plant("d/a.md", "d/b.md")
    assert find_documents(["d/b.md", "d", "-", "d/*.md", "-"]) == ("d/b.md", "d/a.md", "-")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("missing.md", "cannot read missing.md: there is no such file or folder"),
        ("", "cannot read an empty path"),
        ("*.nothing", r"nothing matches \*\.nothing"),
        ("a\nb", r"cannot read a\\nb:"),
        ("a\0b", r"cannot read a\\x00b:"),
        ("empty", r"empty holds no document: looked for \.txt, \.md, "),
    ],
)
def test_what_is_not_there_is_said_in_one_line(path: str, words: str) -> None:
    plant("empty/a.png")
    with pytest.raises(InputError, match=words) as caught:
        find_documents([path])
    assert "\n" not in str(caught.value)


def test_a_folder_that_may_not_be_searched_is_said_so(request: pytest.FixtureRequest) -> None:
    plant("locked/a.md")
    Path("locked").chmod(0)
    request.getfixturevalue("unprivileged")
    with pytest.raises(InputError, match="cannot read locked: permission denied"):
        find_documents(["locked"])


def test_a_dangling_link_is_left_to_the_reader_to_complain_about() -> None:
    Path("gone.md").symlink_to("nowhere")
    assert find_documents(["gone.md"]) == ("gone.md",)
