"""Every address counts, and only what an operator wrote is opened."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.net.addresses import IPV4, IPV6, find_kept, parse_address
from assent.net.policy import (
    Connect,
    Opening,
    Policy,
    Refuse,
    Resolve,
    decide_addresses,
    decide_target,
    parse_opening,
)
from assent.net.url import parse_url

PUBLIC = ("1.1.1.1", "93.184.216.34", "223.255.255.254", "2606:4700::1111", "2a00:1450::1")
PRIVATE = Policy(inside=(parse_opening("10.0.0.0/8:9000"), parse_opening("db.internal:9000")))


@pytest.mark.parametrize("text", PUBLIC)
def test_public_addresses(text: str) -> None:
    assert find_kept(ipaddress.ip_address(text)) is None


@pytest.mark.parametrize("text", [text for text, _ in (*IPV4, *IPV6) if text != "2000::/3"])
def test_both_ends_of_every_range(text: str) -> None:
    network = ipaddress.ip_network(text)
    assert find_kept(network[0]) is not None
    if text != "::/0":
        assert find_kept(network[-1]) is not None


@given(st.ip_addresses())
def test_nothing_is_more_open_than_the_standard_library(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if find_kept(address) is None:
        assert address.is_global
        assert not address.is_multicast


@given(st.ip_addresses(v=4))
def test_an_address_in_another_is_never_public(address: ipaddress.IPv4Address) -> None:
    for prefix in (0xFFFF << 32, 0, 0x64FF9B << 96, 0x2002 << 112):
        shift = 80 if prefix == 0x2002 << 112 else 0
        assert find_kept(ipaddress.IPv6Address(prefix | int(address) << shift)) is not None


def test_a_zone_is_never_public() -> None:
    assert find_kept(ipaddress.ip_address("2606:4700::1111%lo")) is not None


@pytest.mark.parametrize(
    ("url", "addresses", "verdict"),
    [
        ("http://a.example/", ("1.1.1.1",), Connect),
        ("http://a.example/", ("1.1.1.1", "2606:4700::1111"), Connect),
        ("http://a.example/", ("1.1.1.1", "10.0.0.1"), Refuse),
        ("http://a.example/", (), Refuse),
        ("http://a.example:9000/", ("1.1.1.1",), Refuse),
        ("http://a.example:9000/", ("10.0.0.1",), Connect),
        ("http://a.example:9000/", ("10.0.0.1", "1.1.1.1"), Refuse),
        ("http://a.example:9000/", ("10.0.0.1", "192.168.0.1"), Refuse),
        ("http://db.internal:9000/", ("192.168.0.1",), Connect),
        ("http://db.internal:9000/", ("127.0.0.1",), Connect),
        ("http://db.internal:9000/", ("1.1.1.1",), Connect),
        ("http://db.internal:9000/", ("169.254.169.254",), Refuse),
        ("http://db.internal:9000/", ("224.0.0.1",), Refuse),
        ("http://db.internal:9000/", ("fe80::1%lo",), Refuse),
        ("http://db.internal/", ("192.168.0.1",), Refuse),
        ("http://other.internal:9000/", ("192.168.0.1",), Refuse),
    ],
)
def test_all_that_a_name_stands_for(url: str, addresses: tuple[str, ...], verdict: type) -> None:
    known = [one for one in map(parse_address, addresses) if one is not None]
    assert len(known) == len(addresses)
    assert isinstance(decide_addresses(PRIVATE, parse_url(url), known), verdict)


@pytest.mark.parametrize(
    ("url", "verdict"),
    [
        ("http://a.example/", Resolve),
        ("http://a.example:22/", Refuse),
        ("http://a.internal/", Refuse),
        ("http://a.internal:9000/", Resolve),
        ("http://single/", Refuse),
        ("http://1.1.1.1/", Connect),
        ("http://10.0.0.1/", Refuse),
        ("http://10.0.0.1:9000/", Connect),
    ],
)
def test_what_needs_no_question(url: str, verdict: type) -> None:
    assert isinstance(decide_target(PRIVATE, parse_url(url)), verdict)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("grafana:3000", "grafana"),
        ("Grafana.Example.com:3000", "grafana.example.com"),
        ("10.0.0.5:3000", "10.0.0.5"),
        ("[fd00::5]:3000", "fd00::5"),
        ("10.0.0.0/8:3000", ipaddress.ip_network("10.0.0.0/8")),
        ("[fd00::/8]:3000", ipaddress.ip_network("fd00::/8")),
    ],
)
def test_openings(text: str, place: object) -> None:
    assert parse_opening(text) == Opening(place, 3000)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "text", ["grafana", "grafana:", "grafana:0", "grafana:99999", "*:80", "10.0.0.1/8:80", ":80"]
)
def test_openings_that_make_no_sense(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_opening(text)
