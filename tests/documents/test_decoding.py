import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.errors import InputError
from verifier.text import decode

CHINESE = "岗位：测试工程师\n问题1：张量怎么建？\n回答：用 tf.ones 就行，再调用 tf.reshape 改形状。\n"
TRADITIONAL = "職位：測試工程師\n問題1：張量怎麼建？\n回答：用 tf.ones 就行，再呼叫 tf.reshape 改形狀。\n"
FRENCH = "Résumé : l'élève a déjà utilisé « tf.ones » — c'est très bien\n"
CURLY = "She said “call tf.ones” — and that’s all there is to it.\n"


@pytest.mark.parametrize(
    ("text", "codec", "told"),
    [
        ("", "utf-8", "utf-8"),
        ("plain tf.ones\n", "ascii", "utf-8"),
        (CHINESE, "utf-8", "utf-8"),
        (CHINESE, "utf-8-sig", "utf-8"),
        (CHINESE, "gbk", "gb18030"),
        (CHINESE, "gb18030", "gb18030"),
        (CHINESE, "utf-16", "utf-16"),
        (CHINESE, "utf-32", "utf-32"),
        (CHINESE, "utf-16-le", "utf-16-le"),
        (CHINESE, "utf-16-be", "utf-16-be"),
        (CURLY, "utf-16-le", "utf-16-le"),
        (TRADITIONAL, "big5", "big5"),
        (FRENCH, "cp1252", "cp1252"),
        (CURLY, "cp1252", "cp1252"),
        ("café", "latin-1", "cp1252"),
        ("naïve tf.ones call", "latin-1", "cp1252"),
    ],
)
def test_text_comes_back_with_the_name_of_its_encoding(text: str, codec: str, told: str) -> None:
    assert decode(text.encode(codec)) == (text, told)


@pytest.mark.parametrize("mark", [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_a_mark_alone_is_an_empty_text(mark: bytes) -> None:
    assert decode(mark)[0] == ""


@pytest.mark.parametrize(("raw", "text"), [(b"a\r\nb", "a\nb"), (b"a\rb", "a\nb"), (b"a\n\r\nb", "a\n\nb")])
def test_line_ends_become_newlines(raw: bytes, text: str) -> None:
    assert decode(raw)[0] == text


def test_one_damaged_byte_does_not_turn_utf_8_into_something_else() -> None:
    raw = (CHINESE * 3).encode() + b"\xff" + CHINESE.encode()
    text, encoding = decode(raw)
    assert encoding == "utf-8"
    assert text == CHINESE * 3 + "\ufffd" + CHINESE


@pytest.mark.parametrize("codec", ["utf-8", "gb18030"])
def test_a_text_cut_off_inside_its_last_character_keeps_the_rest(codec: str) -> None:
    raw = "变量是张量".encode(codec)[:-1]
    text, encoding = decode(raw)
    assert encoding == codec
    assert text == "变量是张\ufffd"


@pytest.mark.parametrize(
    "raw",
    [
        b"\x7fELF\x02\x01\x01" + bytes(200),
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        bytes(range(1, 32)) * 20,
        b"text\0with a zero",
    ],
)
def test_binary_data_is_refused(raw: bytes) -> None:
    with pytest.raises(InputError, match="binary"):
        decode(raw)


def test_a_mark_that_lies_is_said_so() -> None:
    with pytest.raises(InputError, match="starts with a UTF-8 mark but is not UTF-8"):
        decode(codecs.BOM_UTF8 + b"\xff\xfe\xfa")


@settings(deadline=None)
@given(st.text(st.characters(exclude_characters="\r\0\ufeff", exclude_categories=["Cs"]), max_size=200))
def test_whatever_is_utf_8_is_read_as_utf_8(text: str) -> None:
    raw = ("# tf\n" + text).encode()
    try:
        decoded, encoding = decode(raw)
    except InputError as error:
        assert "binary" in str(error)  # noqa: PT017 - control characters beyond measure
        return
    assert (decoded, encoding) == ("# tf\n" + text, "utf-8")


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_bytes_of_any_kind_are_text_or_an_input_error(raw: bytes) -> None:
    try:
        text, encoding = decode(raw)
    except InputError:
        return
    assert isinstance(text, str)
    assert codecs.lookup(encoding)
    assert "\r" not in text
