"""What programs say about themselves, and how much of it is believed."""

from typing import Any

import pytest

from assent.errors import ClientRefused
from assent.identity.oauth.program import (
    check_document_id,
    find_freshness,
    is_document_id,
    parse_document,
    parse_registration,
)

ID = "https://lathe.example.com/program.json"
DOCUMENT: dict[str, Any] = {"client_id": ID, "redirect_uris": ["https://lathe.example.com/done"]}


def test_the_least_that_a_document_says() -> None:
    program = parse_document(ID, DOCUMENT, ())
    assert program.name == program.host == "lathe.example.com"
    assert program.uri is None
    assert program.registered_by == "document"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Lathe", "Lathe"),
        ("  La\tthe\n", "La the"),
        ("La\u202ethe", "La the"),
        ("\u200b\ufeff", "lathe.example.com"),
        ("x" * 500, "x" * 80),
        ("a\x00b", "ab"),
    ],
)
def test_a_name_is_one_plain_line(name: str, shown: str) -> None:
    assert parse_document(ID, {**DOCUMENT, "client_name": name}, ()).name == shown


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("https://lathe.example.com/about", "https://lathe.example.com/about"),
        ("http://lathe.example.com", None),
        ("javascript:alert(1)", None),
        ("", None),
    ],
)
def test_an_address_is_shown_if_it_is_one(uri: str, shown: str | None) -> None:
    assert parse_document(ID, {**DOCUMENT, "client_uri": uri}, ()).uri == shown


@pytest.mark.parametrize("given", [None, [], "x", 7, {}, {"client_id": ID}])
def test_what_is_no_document(given: object) -> None:
    with pytest.raises(ClientRefused):
        parse_document(ID, given, ())


@pytest.mark.parametrize("other", [ID.upper(), f"{ID}/", f"{ID}?x", "", None])
def test_a_document_of_somebody_else(other: str | None) -> None:
    with pytest.raises(ClientRefused, match="another client_id"):
        parse_document(ID, {**DOCUMENT, "client_id": other}, ())


def test_what_cannot_be_used_is_left_out_of_a_document_and_refused_in_a_registration() -> None:
    uris = ["javascript:alert(1)", "https://lathe.example.com/done"]
    assert parse_document(ID, {**DOCUMENT, "redirect_uris": uris}, ()).redirect_uris == uris[1:]
    with pytest.raises(ClientRefused) as caught:
        parse_registration("x", {"redirect_uris": uris}, ())
    assert caught.value.issues[0].path == "redirect_uris"


def test_a_registration_proves_no_host() -> None:
    given = {"client_name": "Saw", "redirect_uris": ["cursor://a/b"], "client_id": "mine"}
    program = parse_registration("asc_1", given, ("cursor",))
    assert program.client_id == "asc_1"
    assert program.host == "cursor:"
    assert program.registered_by == "registration"


@pytest.mark.parametrize(
    "client_id",
    [
        ID,
        "https://lathe.example.com:8443/a/b",
        "https://lathe.example.com/p?v=1",
        "http://127.0.0.1:9/p",
        "http://localhost/p",
    ],
)
def test_addresses_at_which_a_document_can_be(client_id: str) -> None:
    assert is_document_id(client_id)
    check_document_id(client_id)


@pytest.mark.parametrize(
    "client_id",
    [
        "https://lathe.example.com",
        "https://lathe.example.com/",
        "https://lathe.example.com/?x",
        "http://lathe.example.com/p",
        "https://a@lathe.example.com/p",
        "https://lathe.example.com/../p",
        "https://lathe.example.com/a/./p",
        "https://lathe.example.com/a/%2E%2e",
        "https://lathe.example.com/p#x",
        f"https://lathe.example.com/{'x' * 500}",
    ],
)
def test_addresses_at_which_none_is(client_id: str) -> None:
    with pytest.raises(ClientRefused):
        check_document_id(client_id)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, 3600),
        ("", 3600),
        ("no-cache", 3600),
        ("max-age=600", 600),
        ("public,MAX-AGE=600", 600),
        ('max-age="600"', 600),
        ("s-max-age=600", 3600),
        ("max-age=0", 300),
        ("max-age=-1", 3600),
        ("max-age=999999999999", 86_400),
    ],
)
def test_freshness(header: str | None, seconds: int) -> None:
    assert find_freshness(header) == seconds
