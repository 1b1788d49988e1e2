"""One file out of a multipart body."""

import pytest

from assent.api.multipart import parse_boundary, parse_file
from assent.errors import Invalid, WrongMediaType


def build(*parts: tuple[str, bytes], boundary: str = "xyz") -> bytes:
    pieces = [
        f"--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + content
        for head, content in parts
    ]
    return b"\r\n".join(pieces) + f"\r\n--{boundary}--\r\n".encode()


@pytest.mark.parametrize("content", [b"", b"a\r\n--xy\r\n\r\nb", bytes(range(256)) * 40])
def test_content_comes_as_it_is(content: bytes) -> None:
    sent = parse_file(build(('name="file"; filename="a.bin"', content)), b"xyz")
    assert (sent.name, sent.content) == ("a.bin", content)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ('name="file"; filename="a b.txt"', "a b.txt"),
        ('name="file"; filename="gr\u00fc\u00dfe.txt"', "gr\u00fc\u00dfe.txt"),
        ('name="file"; filename="a%22b.txt"', 'a"b.txt'),
        ("name=file; filename=a.txt", "a.txt"),
        ('name="file"; filename="x"; filename*=UTF-8\'\'%e2%82%ac.txt', "\u20ac.txt"),
    ],
)
def test_names(head: str, name: str) -> None:
    assert parse_file(build((head, b"x")), b"xyz").name == name


def test_other_fields_are_passed_over() -> None:
    body = build(('name="note"', b"x"), ('name="file"; filename="a"', b"y"))
    assert parse_file(body, b"xyz").content == b"y"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--xyz--\r\n",
        b"--xyz\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\ncut",
        build(('name="file"', b"no name")),
        build(('name="file"; filename="a"', b"x"), ('name="file"; filename="b"', b"y")),
        b"rubbish" * 1000,
    ],
)
def test_what_is_no_file(body: bytes) -> None:
    with pytest.raises(Invalid):
        parse_file(body, b"xyz")


def test_boundaries() -> None:
    assert parse_boundary('multipart/form-data; boundary="a b"') == b"a b"
    for wrong in ("application/json", "multipart/form-data", "multipart/mixed; boundary=a", ""):
        with pytest.raises(WrongMediaType):
            parse_boundary(wrong)
