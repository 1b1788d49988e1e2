"""Addresses that must lead nowhere, and those that must lead where they say.

The names in them are answered by `ZONE`: each entry is one answer after the other, the last one
again and again.
"""

import ipaddress
from dataclasses import dataclass

PUBLIC, PUBLIC6 = "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"

KEPT_ADDRESSES = [
    "0.0.0.0",
    "0.0.0.1",
    "0.255.255.255",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "100.127.255.254",
    "127.0.0.1",
    "127.0.0.53",
    "127.1.2.3",
    "127.255.255.254",
    "161.26.0.10",
    "166.8.0.1",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "169.254.170.2",
    "172.16.0.1",
    "172.31.255.254",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.168.0.1",
    "192.168.255.254",
    "192.175.48.1",
    "198.18.0.1",
    "198.19.255.254",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.254",
    "255.255.255.255",
]
KEPT_ADDRESSES_6 = [
    "::",
    "::1",
    "::2",
    "::127.0.0.1",
    "::10.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:169.254.169.254",
    "::ffff:93.184.216.34",
    "0:0:0:0:0:ffff:0a00:0001",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::10.0.0.1",
    "100::1",
    "100:0:0:1::1",
    "2001::1",
    "2001:0:4136:e378::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:0a00:0001::1",
    "2002:a9fe:a9fe::",
    "2620:4f:8000::1",
    "3ffe::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "ff05::2",
    "2606:2800:220:1:0:5efe:7f00:1",
    "2606:2800:220:1:200:5efe:10.0.0.1",
]

SPELLINGS = (
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.1/",
    "http://0x7f.0x0.0x0.0x1/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://0177.0.0.01/",
    "http://127.1/",
    "http://127.0.1/",
    "http://0/",
    "http://127.000.000.001/",
    "http://127.0.0.1./",
    "http://127.0.0.1..",
    "http://00000000177.0.0.1/",
    "http://4294967297/",
    "http://127.0.0.0x1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
    "http://127.0.0.1/",
    "http://%31%32%37.0.0.1/",
    "http://127.0.0.1%2f@public.example/",
    "http://127%2e0%2e0%2e1/",
    "http://[::1%25lo]/",
    "http://[::1%lo]/",
    "http://[fe80::1%25lo]/",
    "http://[::1]]/",
    "http://[[::1]]/",
    "http://[127.0.0.1]/",
    "http://[v1.fe80]/",
    "http://::1/",
    "http://[::1/",
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
    "http://localhoſt/",
    "http://sub.localhost/",
    "http://host/",
    "http://metadata.google.internal/",
    "http://printer.local/",
    "http://router.lan/",
    "http://nas.home.arpa/",
    "http://public.example./",
    "http://pub\u00adlic.example/",
    "http://pub\u200dlic.example/",
    "http://-public.example/",
    f"http://{'a' * 64}.example/",
    f"http://{'a.' * 127}example/",
    "http:///",
    "http://",
    "http:127.0.0.1/",
    "http:/127.0.0.1/",
    "//127.0.0.1/",
    "127.0.0.1",
    "http://public.example:0/",
    "http://public.example:99999/",
    "http://public.example:65536/",
    "http://public.example:-80/",
    "http://public.example:8 0/",
    "http://public.example:８０/",
    "http://public.example:+80/",
    "http://public.example:80:80/",
    "http://public.example:22/",
    "http://public.example:25/",
    "http://public.example:6379/",
    "http://public.example:9000/",
    "https://public.example:22/",
    "http://user@public.example/",
    "http://user:secret@public.example/",
    "http://public.example@127.0.0.1/",
    "http://127.0.0.1@public.example/",
    "http://public.example:80@127.0.0.1/",
    "http://public.example\\@127.0.0.1/",
    "http://127.0.0.1\\@public.example/",
    "http:\\\\127.0.0.1\\",
    "http://public.example\\.127.0.0.1/",
    "http://public.example#@127.0.0.1/\\",
    "http://public.example?@127.0.0.1/\\",
    "http://public.example/\r\nHost: 127.0.0.1",
    "http://public.example/%",
    "http://public.example/%zz",
    "http://public.example/ HTTP/1.1",
    "http://public.example\t/",
    "http://public.exa\nmple/",
    "http://public.example\x00.127.0.0.1/",
    "http://public.example\u2028/",
    " http://public.example/",
    "http://public.example/\x7f",
    "http://127.0.0.1 /",
    "http://\u3000127.0.0.1/",
    "ftp://public.example/",
    "file:///etc/passwd",
    "file://localhost/etc/passwd",
    "gopher://127.0.0.1:6379/_INFO",
    "dict://127.0.0.1:6379/info",
    "ws://127.0.0.1/",
    "data:text/plain,x",
    "javascript:alert(1)",
    "unix:///run/postgresql/.s.PGSQL.5432",
    "http+unix://%2Frun%2Fdocker.sock/info",
    "jar:http://127.0.0.1!/",
    f"http://public.example/{'a' * 5000}",
    "",
)

NAMES = (
    *(f"http://{name}.example/" for name in ("loopback", "private", "metadata", "any", "shared")),
    *(f"http://{name}.example/" for name in ("six", "unique", "mapped", "translated", "teredo")),
    *(f"http://{name}.example/" for name in ("mixed", "mixed-late", "mixed-six", "six-to-four")),
    *(f"http://{name}.example/" for name in ("alias", "chain", "ping", "pong", "multicast")),
    "https://loopback.example/",
    "https://mixed.example/",
    "http://loopback.example:8080/",
    "http://bücher.loopback.example/",
    "http://xn--bcher-kva.loopback.example/",
    "http://nothing.example/",
    "http://_dmarc.loopback.example/",
)


@dataclass(frozen=True)
class Reached:
    """A web address that must be asked for, and where that must arrive."""

    url: str
    addresses: tuple[str, ...]
    port: int


REACHED = (
    Reached("http://public.example/", (PUBLIC,), 80),
    Reached("HTTP://PUBLIC.example", (PUBLIC,), 80),
    Reached("http://public.example:8080/path?query=1#part", (PUBLIC,), 8080),
    Reached("http://public.example:00080/", (PUBLIC,), 80),
    Reached("https://public.example/", (PUBLIC,), 443),
    Reached("https://public.example:8443/", (PUBLIC,), 8443),
    Reached("http://both.example/", (PUBLIC, PUBLIC6), 80),
    Reached("http://six-only.example/", (PUBLIC6,), 80),
    Reached("http://straße.example/", (PUBLIC,), 80),
    Reached("http://xn--strae-oqa.example/", (PUBLIC,), 80),
    Reached("http://good-alias.example/", (PUBLIC,), 80),
    Reached("http://93.184.216.34/", (PUBLIC,), 80),
    Reached("http://1.1.1.1/", ("1.1.1.1",), 80),
    Reached("http://[2606:2800:220:1:248:1893:25c8:1946]:8080/", (PUBLIC6,), 8080),
    Reached("http://rebinding.example/", (PUBLIC,), 80),
    Reached("http://inside.corp.internal:9000/", ("10.1.2.3",), 9000),
    Reached("http://grafana:3000/", ("127.0.0.1",), 3000),
    Reached("http://10.9.8.7:9000/", ("10.9.8.7",), 9000),
    Reached("http://[fd12::7]:9000/", ("fd12::7",), 9000),
)
INSIDE = ("grafana:3000", "10.0.0.0/8:9000", "[fd12::/16]:9000", "evil.example:3000")
"""What the operator of the stage has opened."""

OUTSIDE_OF_INSIDE = (
    "http://grafana/",
    "http://grafana:9000/",
    "http://10.9.8.7/",
    "http://10.9.8.7:3000/",
    "http://11.9.8.7:9000/",
    "http://192.168.1.1:9000/",
    "http://[::ffff:10.9.8.7]:9000/",
    "http://[fd13::7]:9000/",
    "http://loopback.example:9000/",
    "http://mixed.example:9000/",
    "http://public.example:9000/",
    "http://evil.example:3000/",
)
"""`evil.example:3000` is opened, and leads to the metadata service."""

ATTACKS = (
    *(f"http://{one}/" for one in KEPT_ADDRESSES),
    *(f"http://[{one}]/" for one in KEPT_ADDRESSES_6),
    *SPELLINGS,
    *NAMES,
    *OUTSIDE_OF_INSIDE,
)

ZONE: dict[str, tuple[tuple[str, ...], ...]] = {
    "public.example": ((PUBLIC,),),
    "both.example": ((PUBLIC, PUBLIC6),),
    "six-only.example": ((PUBLIC6,),),
    "xn--strae-oqa.example": ((PUBLIC,),),
    "good-alias.example": (("=public.example",),),
    "rebinding.example": ((PUBLIC,), ("127.0.0.1",)),
    "inside.corp.internal": (("10.1.2.3",),),
    "grafana": (("127.0.0.1",),),
    "evil.example": (("169.254.169.254",),),
    "loopback.example": (("127.0.0.1",),),
    "xn--bcher-kva.loopback.example": (("127.0.0.1",),),
    "_dmarc.loopback.example": (("127.0.0.1",),),
    "private.example": (("192.168.1.1",),),
    "metadata.example": (("169.254.169.254",),),
    "any.example": (("0.0.0.0",),),
    "shared.example": (("100.64.1.1",),),
    "six.example": (("::1",),),
    "unique.example": (("fd00::5",),),
    "mapped.example": (("::ffff:127.0.0.1",),),
    "translated.example": (("64:ff9b::7f00:1",),),
    "teredo.example": (("2001:0:7f00:1::1",),),
    "six-to-four.example": (("2002:7f00:1::1",),),
    "mixed.example": ((PUBLIC, "127.0.0.1"),),
    "mixed-late.example": ((*(f"93.184.216.{n}" for n in range(1, 9)), "10.0.0.1"),),
    "mixed-six.example": ((PUBLIC, "::1"),),
    "multicast.example": (("224.0.0.251",),),
    "alias.example": (("=loopback.example",),),
    "chain.example": (("=alias.example",),),
    "ping.example": (("=pong.example",),),
    "pong.example": (("=ping.example",),),
    "localhost": (("127.0.0.1",),),
    "sub.localhost": (("127.0.0.1",),),
    "host": (("127.0.0.1",),),
    "metadata.google.internal": (("169.254.169.254",),),
    "printer.local": (("192.168.1.9",),),
    "router.lan": (("192.168.1.1",),),
    "nas.home.arpa": (("192.168.1.2",),),
}


class Zone:
    """Answers names as `ZONE` says, and counts what it was asked."""

    def __init__(self) -> None:
        self._asked: dict[str, int] = {}

    def find(self, name: str, version: int) -> tuple[list[str], list[str]]:
        """The names that lead to the addresses, and those; a second question may get others."""
        names = [name]
        while len(names) < 8:
            rounds = ZONE.get(names[-1], ((),))
            count = self._asked.get(f"{names[-1]}/{version}", 0)
            self._asked[f"{names[-1]}/{version}"] = count + 1
            answer = rounds[min(count, len(rounds) - 1)]
            if not answer or not answer[0].startswith("="):
                return names, [
                    one for one in answer if ipaddress.ip_address(one).version == version
                ]
            names.append(answer[0][1:])
        return names, []
