"""Only `net/` sends requests to places that somebody names; the others are listed with a reason."""

import ast

from tests.contract.source import Module, read_modules

CLIENTS = {
    "aiohttp",
    "httpx2",
    "authlib",
    "requests",
    "urllib3",
    "grpc",
    "websockets",
    "smtplib",
    "dns",
}
STANDARD_CLIENTS = {"urllib.request", "http.client", "ftplib", "telnetlib", "xmlrpc.client"}
CALLS = {"open_connection", "create_connection", "sock_connect", "create_datagram_endpoint"}

EXCEPTIONS = {
    "assent.net.connect": "the way out itself",
    "assent.net.names": "the way out itself: questions to name servers that were judged",
    "assent.models.http": "model providers: to the addresses that an admin has configured",
    "assent.identity.oidc_provider": "sign-in: to the issuer in the settings",
    "assent.telemetry.export": "traces: to the collector in the settings",
    "assent.serve": "a server asks itself whether it is ready",
    "assent.bench.client": "measures a server on this machine",
    "assent.testing.client": "tests",
    "assent.testing.provider": "tests",
}


def is_client(name: str) -> bool:
    opentelemetry = name.startswith("opentelemetry.exporter")
    return name.split(".")[0] in CLIENTS or name in STANDARD_CLIENTS or opentelemetry


def connects(module: Module) -> bool:
    if any(is_client(one.module) for one in module.imports()):
        return True
    return any(
        isinstance(node, ast.Attribute) and node.attr in CALLS for node in ast.walk(module.tree)
    )


def test_nothing_else_goes_out() -> None:
    found = {name for name, module in read_modules().items() if connects(module)}
    assert found - set(EXCEPTIONS) == set()


def test_every_exception_is_one() -> None:
    assert [name for name in EXCEPTIONS if not connects(read_modules()[name])] == []
