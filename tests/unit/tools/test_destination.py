"""Destinations are the same only when they are exactly the same."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.tools.destination import (
    Place,
    Standing,
    find_places,
    find_typed_places,
    judge_places,
    parse_place,
)
from tests.unit.tools.samples import build_tool

GOOD = "https://good.example/health"


@pytest.mark.parametrize(
    ("text", "origin", "rest"),
    [
        ("https://good.example", "https://good.example:443", "/"),
        ("https://good.example/", "https://good.example:443", "/"),
        ("HTTPS://Good.Example:443/A?b=C", "https://good.example:443", "/A?b=C"),
        ("https://good.example:0443/", "https://good.example:443", "/"),
        ("http://good.example", "http://good.example:80", "/"),
        ("http://good.example:8080/x", "http://good.example:8080", "/x"),
        ("https://good.example?q=1", "https://good.example:443", "/?q=1"),
        ("https://good.example/x#part", "https://good.example:443", "/x"),
        ("https://[2001:DB8::1]:8443/x", "https://[2001:db8::1]:8443", "/x"),
        ("https://good.example/@evil.example", "https://good.example:443", "/@evil.example"),
    ],
)
def test_web_addresses(text: str, origin: str, rest: str) -> None:
    assert parse_place(text) == Place(origin, rest)


@pytest.mark.parametrize(
    "text",
    [
        "https://good.example@evil.example/",
        "https://good.example:443@evil.example/",
        "https://user:password@good.example/",
        "https://good.example.",
        "https://good.example\\@evil.example",
        "https:/good.example",
        "https:\\\\good.example",
        "https://good.example:/",
        "https://good.example:x/",
        "https://good.example:443443/",
        "https://good%2eexample/",
        "https://go\tod.example/",
        "https://good.example/a b",
        " https://good.example/",
        "https://good.example\n",
        "https://gооd.example/",
        "https://good。example/",
        "https://tic\u212aet.example/",
        "https://-good.example/",
        "https:///good.example",
        "//good.example/",
        "good.example",
        "ftp://good.example/",
        "somebody@good.example",
        "#operations",
    ],
)
def test_anything_else_stands_for_itself(text: str) -> None:
    assert parse_place(text) == Place(text)


@pytest.mark.parametrize(
    ("url", "text", "expected"),
    [
        (GOOD, f"Is {GOOD} up?", "typed"),
        (GOOD, f"Look at {GOOD}.", "typed"),
        (GOOD, f"(see {GOOD}), please", "typed"),
        (GOOD, f"<{GOOD}>", "typed"),
        (GOOD, f'"{GOOD}"', "typed"),
        (GOOD, f"[health]({GOOD})", "other"),
        (GOOD, "https://GOOD.example:443/health", "typed"),
        ("https://good.example/", "https://good.example", "typed"),
        (GOOD, "https://good.example", "other"),
        (f"{GOOD}?secret=1", GOOD, "other"),
        (f"{GOOD}/more", GOOD, "other"),
        ("https://good.example/Health", GOOD, "other"),
        ("http://good.example/health", GOOD, "other"),
        ("https://good.example:8443/health", GOOD, "other"),
        ("https://secret.good.example/health", GOOD, "other"),
        ("https://good.example.evil.example/health", GOOD, "other"),
        ("https://good.example@evil.example/health", GOOD, "other"),
        ("https://good.example/health", "good.example", "other"),
        ("somebody@good.example", "Tell somebody@good.example, today.", "typed"),
        ("nobody@good.example", "Tell somebody@good.example", "other"),
        ("#operations", "Post to #operations!", "typed"),
        ("abc", "abc", "other"),
        ("abcd", "abcd", "typed"),
        (GOOD, "", "other"),
    ],
)
def test_what_was_typed(url: str, text: str, expected: Standing) -> None:
    tool = build_tool(egress=True, destinations=("url",))
    places = find_places(tool, {"url": url})
    typed = find_typed_places(["Hello", text])
    assert judge_places(places, typed=typed, allowed_origins=(), inside=False) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://api.good.example/anything?x=1", "allowed"),
        ("https://API.good.example:443/", "allowed"),
        ("https://api.good.example:8443/", "other"),
        ("http://api.good.example/", "other"),
        ("https://good.example/", "other"),
        ("https://x.api.good.example/", "other"),
        ("https://api.good.example@evil.example/", "other"),
        ("https://api.good.example\\.evil.example/", "other"),
        ("team@good.example", "allowed"),
        ("other@good.example", "other"),
    ],
)
def test_what_is_on_the_allow_list(url: str, expected: Standing) -> None:
    allowed = ["https://api.good.example", "team@good.example"]
    places = [parse_place(url)]
    assert judge_places(places, typed=(), allowed_origins=allowed, inside=False) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"url": GOOD}, [GOOD]),
        (
            {"url": GOOD, "to": ["a@good.example", "b@good.example"]},
            [GOOD, "a@good.example", "b@good.example"],
        ),
        ({"to": {"address": "a@good.example"}}, ["a@good.example"]),
        ({"to": [{"address": "a@good.example"}, {}]}, ["a@good.example"]),
        ({"url": None, "to": []}, None),
        ({}, None),
        ({"url": 5}, None),
        ({"url": {"host": "good.example"}}, None),
        ({"url": GOOD, "to": [7]}, None),
    ],
)
def test_where_a_call_goes(arguments: dict[str, Any], expected: list[str] | None) -> None:
    tool = build_tool(egress=True, destinations=("url", "to.address"))
    places = None if expected is None else tuple(map(parse_place, expected))
    assert find_places(tool, arguments) == places


def test_a_tool_of_one_place_goes_there_whatever_it_is_told() -> None:
    tool = build_tool(egress=True, origin="https://api.good.example", destinations=("url",))
    places = find_places(tool, {"url": "https://evil.example"})
    assert places == (parse_place("https://api.good.example"), parse_place("https://evil.example"))
    allowed = ["https://api.good.example"]
    assert judge_places(places, typed=(), allowed_origins=allowed, inside=False) == "other"


@pytest.mark.parametrize(
    ("places", "inside", "expected"),
    [
        (["https://a.example", "https://b.example"], False, "typed"),
        (["https://b.example"], False, "allowed"),
        (["https://a.example", "https://c.example"], False, "other"),
        (["https://a.example", "https://c.example"], True, "inside"),
        (["https://a.example"], True, "typed"),
        ([], True, "inside"),
        ([], False, "other"),
        (None, False, "other"),
        (None, True, "inside"),
    ],
)
def test_the_least_known_place_decides(
    places: list[str] | None, inside: bool, expected: Standing
) -> None:
    found = judge_places(
        None if places is None else map(parse_place, places),
        typed=[parse_place("https://a.example")],
        allowed_origins=["https://b.example"],
        inside=inside,
    )
    assert found == expected


hosts = st.from_regex(r"[a-zA-Z0-9.:@/\\?#%_-]{1,20}", fullmatch=True)


@given(hosts)
def test_no_spelling_reaches_another_host_under_an_allowed_name(tail: str) -> None:
    place = parse_place(f"https://good.example{tail}")
    if place.origin == "https://good.example:443":
        assert tail[0] in "/?#:"
        assert "@" not in tail.partition("/")[0].partition("?")[0].partition("#")[0]


@given(st.text(max_size=30), st.text(max_size=30))
def test_two_texts_are_one_place_only_as_web_addresses(one: str, other: str) -> None:
    if parse_place(one) == parse_place(other) and one != other:
        assert parse_place(one).origin.startswith(("http://", "https://"))
