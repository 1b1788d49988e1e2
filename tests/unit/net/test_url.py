"""A web address has one meaning, or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import DestinationRefused
from assent.net.url import parse_url
from assent.tools.destination import parse_place

HOSTS = st.from_regex(r"[A-Za-z0-9_.-]{1,20}|\[[0-9a-fA-F:.]{2,12}\]", fullmatch=True)


@pytest.mark.parametrize(
    ("text", "origin", "authority", "path"),
    [
        ("http://a.example", "http://a.example:80", "a.example", "/"),
        ("HTTPS://A.Example:443/B", "https://a.example:443", "a.example", "/B"),
        ("http://a.example:8080?x=1#y", "http://a.example:8080", "a.example:8080", "/?x=1"),
        ("http://a_b.example/", "http://a_b.example:80", "a_b.example", "/"),
        ("https://[2606:2800::0:1]/", "https://[2606:2800::1]:443", "[2606:2800::1]", "/"),
        ("http://bücher.example/ä?ö", "http://xn--bcher-kva.example:80", None, "/%C3%A4?%C3%B6"),
        ("http://a.example/%41%2f../x", "http://a.example:80", "a.example", "/%41%2f../x"),
        ('http://a.example/"<{x}>', "http://a.example:80", "a.example", "/%22%3C%7Bx%7D%3E"),
    ],
)
def test_reads(text: str, origin: str, authority: str | None, path: str) -> None:
    target = parse_url(text)
    assert (target.origin, target.path) == (origin, path)
    assert target.authority == (authority or target.host)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("mailto:a@b.example", "begins with http"),
        ("http://a@b.example/", "user name"),
        ("http://a.example:70000/", "port"),
        ("http://a.example:x/", "host and a port"),
        ("http://127.1/", "IPv4"),
        ("http://a b.example/", "spaces"),
        ("http://a%2eexample/", "percent"),
        ("http://a..example/", "valid name"),
        ("http://[::g]/", "IPv6"),
        ("http://a.example/%4", "percent sign"),
        ("http://a.example/\ud800", "valid text"),
        ("http://a.example/" + "a" * 5000, "4096"),
    ],
)
def test_says_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(DestinationRefused, match=reason):
        parse_url(text)


@given(st.text(max_size=60))
def test_nothing_else_is_ever_raised(text: str) -> None:
    for candidate in (text, f"http://{text}", f"http://a.example/{text}"):
        try:
            target = parse_url(candidate)
        except DestinationRefused:
            continue
        assert target.path.isascii()
        assert target.host.isascii()
        assert not set(target.path) & set(" \r\n\t\\")


@given(
    st.sampled_from(["http", "https", "HTTP"]),
    HOSTS,
    st.sampled_from(["", ":80", ":443", ":080", ":8080"]),
    st.sampled_from(["", "/", "/x", "?y", "#z"]),
)
def test_the_gate_reads_the_same_origin(scheme: str, host: str, port: str, rest: str) -> None:
    """What the gate compares is what is asked for."""
    text = f"{scheme}://{host}{port}{rest}"
    try:
        target = parse_url(text)
    except DestinationRefused:
        return
    place = parse_place(text)
    if target.address is None and place.rest:
        assert place.origin == target.origin
